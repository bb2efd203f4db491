/* pystate.c: the API of threads: thread states, attaching, detaching.

   Manual: "Thread states and the global interpreter lock". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "runtime/threadstate.h"

/* The calling thread's attached state; a fatal error if it has none. */
static PyThreadState *
need_attached(const char *function)
{
    PyThreadState *ts = pyb_threadstate_thread()->attached;

    pyb_control_need(function);
    if (ts == NULL)
        pyb_fatal_format(
            function,
            "the function must be called with an active thread state, after "
            "Python initialization and before Python finalization, but it was "
            "called without an active thread state. Are you trying to call "
            "the C API inside of a Py_BEGIN_ALLOW_THREADS block?");
    PYB_ASSERT(pyb_gil_is_held());
    return ts;
}

/* ------------------------------------------------------------------ */
/* Ensure and release                                                  */

static PyThreadState *
new_automatic(void)
{
    PyThreadState *ts = pyb_threadstate_new();

    if (ts == NULL)
        pyb_fatal_format("PyGILState_Ensure",
                         "Couldn't create thread-state for new thread");
    PYB_ASSERT(ts->ensured == 0 && ts->saved.error == NULL);
    ts->automatic = 1;
    return ts;
}

PyGILState_STATE
PyGILState_Ensure(void)
{
    struct pyb_thread *self = pyb_threadstate_thread();
    PyThreadState *ts;

    pyb_control_need(__func__);
    if (self->attached != NULL) {
        self->attached->ensured++;
        return PyGILState_LOCKED;
    }
    ts = self->latest != NULL ? self->latest : new_automatic();
    ts->ensured++; /* before deferred calls, which may ensure and release */
    pyb_threadstate_attach(ts);
    return PyGILState_UNLOCKED;
}

void
PyGILState_Release(PyGILState_STATE oldstate)
{
    struct pyb_thread *self = pyb_threadstate_thread();
    PyThreadState *ts = self->attached;

    if (self->latest == NULL)
        pyb_fatal_format(__func__, "auto-releasing thread-state, but no "
                                   "thread-state for this thread");
    if (ts == NULL)
        pyb_fatal_format(__func__,
                         "thread state %p must be current when releasing",
                         (void *)self->latest);
    /* The last deferred call may ensure and release, too, so this call is
       still counted. */
    if (ts->ensured == 1 && ts->automatic) {
        pyb_threadstate_drop();
        return;
    }
    PYB_ASSERT(ts->ensured > 0); /* there was a PyGILState_Ensure */
    ts->ensured--;
    if (oldstate == PyGILState_UNLOCKED)
        pyb_threadstate_detach();
}

int
PyGILState_Check(void)
{
    return pyb_threadstate_thread()->attached != NULL;
}

PyThreadState *
PyGILState_GetThisThreadState(void)
{
    return pyb_threadstate_thread()->latest;
}

/* ------------------------------------------------------------------ */
/* Save and restore                                                    */

PyThreadState *
PyEval_SaveThread(void)
{
    PyThreadState *ts = need_attached(__func__);

    pyb_threadstate_detach();
    return ts;
}

static void
attach(PyThreadState *ts, const char *function)
{
    struct pyb_thread *self = pyb_threadstate_thread();
    int error = errno;

    if (ts == NULL)
        pyb_fatal_format(function, "NULL tstate");
    if (self->attached != NULL)
        pyb_fatal_format(function, "non-NULL old thread state");
    pyb_threadstate_attach(ts);
    errno = error;
}

void
PyEval_RestoreThread(PyThreadState *tstate)
{
    attach(tstate, __func__);
}

void
PyEval_AcquireThread(PyThreadState *tstate)
{
    attach(tstate, __func__);
}

void
PyEval_ReleaseThread(PyThreadState *tstate)
{
    if (tstate == NULL || tstate != pyb_threadstate_thread()->attached)
        pyb_fatal_format(__func__, "wrong thread state");
    pyb_threadstate_detach();
}

void
PyEval_InitThreads(void)
{
}

int
PyEval_ThreadsInitialized(void)
{
    return 1;
}

/* ------------------------------------------------------------------ */
/* Thread states                                                       */

PyThreadState *
PyThreadState_New(PyInterpreterState *Py_UNUSED(interp))
{
    pyb_control_need(__func__);
    return pyb_threadstate_new();
}

void
PyThreadState_DeleteCurrent(void)
{
    need_attached(__func__);
    pyb_threadstate_drop();
}

PyThreadState *
PyThreadState_Get(void)
{
    return need_attached(__func__);
}

PyThreadState *
PyThreadState_GetUnchecked(void)
{
    return pyb_threadstate_thread()->attached;
}

PyThreadState *
_PyThreadState_UncheckedGet(void)
{
    return pyb_threadstate_thread()->attached;
}

PyThreadState *
PyThreadState_Swap(PyThreadState *tstate)
{
    PyThreadState *before = pyb_threadstate_thread()->attached;

    if (before == tstate)
        return before;
    if (before == NULL)
        pyb_threadstate_attach(tstate);
    else if (tstate == NULL)
        pyb_threadstate_detach();
    else
        pyb_threadstate_replace(tstate);
    return before;
}

PyObject *
PyThreadState_GetDict(void)
{
    PyThreadState *ts = pyb_threadstate_thread()->attached;

    if (ts == NULL)
        return NULL;
    if (ts->dict == NULL) {
        PyObject *fresh = PyDict_New();
        if (fresh == NULL)
            PyErr_Clear();
        else if (ts->dict == NULL)
            ts->dict = fresh;
        else /* made by a collection just now */
            Py_DECREF(fresh);
    }
    return ts->dict;
}

uint64_t
PyThreadState_GetID(PyThreadState *tstate)
{
    return tstate->id;
}

/* ------------------------------------------------------------------ */
/* The interpreter                                                     */

struct _is {
    int64_t id;
    PyObject *dict; /* owned, or NULL */
};

static PyInterpreterState interpreter;

PyInterpreterState *
PyThreadState_GetInterpreter(PyThreadState *Py_UNUSED(tstate))
{
    return &interpreter;
}

PyInterpreterState *
PyInterpreterState_Get(void)
{
    need_attached(__func__);
    return &interpreter;
}

PyInterpreterState *
PyInterpreterState_Main(void)
{
    return &interpreter;
}

PyInterpreterState *
PyInterpreterState_Head(void)
{
    return &interpreter;
}

PyInterpreterState *
PyInterpreterState_Next(PyInterpreterState *Py_UNUSED(interp))
{
    return NULL;
}

int64_t
PyInterpreterState_GetID(PyInterpreterState *interp)
{
    return interp->id;
}

PyObject *
PyInterpreterState_GetDict(PyInterpreterState *interp)
{
    need_attached(__func__);
    if (interp->dict == NULL) {
        interp->dict = PyDict_New();
        if (interp->dict == NULL)
            PyErr_Clear();
    }
    return interp->dict;
}

void
pyb_interpreter_clear(void)
{
    Py_CLEAR(interpreter.dict);
}

/* ------------------------------------------------------------------ */
/* Fork                                                                */

void
PyOS_BeforeFork(void)
{
    pyb_control_require(__func__);
}

void
PyOS_AfterFork_Parent(void)
{
    pyb_control_require(__func__);
}

void
PyOS_AfterFork_Child(void)
{
    pyb_control_require(__func__);
    pyb_threadstate_forget_others();
}

void
PyOS_AfterFork(void)
{
    PyOS_AfterFork_Child();
}
