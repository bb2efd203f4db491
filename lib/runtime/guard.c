/* guard.c: guards, which hold up the end of the library, and views of the
   interpreter, which do not.

   Manual: "Thread states and the global interpreter lock", PEP 788. */

#include "Python.h"

#include <pthread.h>

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "runtime/threadstate.h"

struct PyInterpreterView {
    uint64_t life;
};

struct PyInterpreterGuard {
    uint64_t process;
};

struct PyThreadStateToken {
    PyGILState_STATE before;
    PyInterpreterGuard *guard; /* to be closed, or NULL */
};

/* life: the number of the library's life; process: that of the fork that made
   this process: guards of the parent's count there alone.  Guards can be made
   while open is 1. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t closed;
    uint64_t life, process;
    size_t guards;
    int open;
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER,
           .closed = PTHREAD_COND_INITIALIZER};

/* ------------------------------------------------------------------ */
/* The library's life                                                  */

static void
after_fork(void)
{
    pthread_mutex_init(&state.mutex, NULL);
    pthread_cond_init(&state.closed, NULL);
    state.guards = 0;
    state.process++;
}

void
pyb_guards_open(void)
{
    static int watched;

    if (!watched)
        watched = pthread_atfork(NULL, NULL, after_fork) == 0;
    pthread_mutex_lock(&state.mutex);
    PYB_ASSERT(!state.open && state.guards == 0);
    state.life++;
    state.open = 1;
    pthread_mutex_unlock(&state.mutex);
}

static int
wait_for_guards(void)
{
    pthread_mutex_lock(&state.mutex);
    while (state.guards > 0)
        pthread_cond_wait(&state.closed, &state.mutex);
    return pthread_mutex_unlock(&state.mutex);
}

void
pyb_guards_close(void)
{
    pthread_mutex_lock(&state.mutex);
    state.open = 0;
    int any = state.guards > 0;
    pthread_mutex_unlock(&state.mutex);
    if (!any)
        return;
    Py_BEGIN_ALLOW_THREADS
    wait_for_guards();
    Py_END_ALLOW_THREADS
}

/* ------------------------------------------------------------------ */
/* Views                                                               */

PyInterpreterView *
PyInterpreterView_FromMain(void)
{
    PyInterpreterView *view = PyMem_RawMalloc(sizeof *view);

    if (view == NULL)
        return NULL;
    pthread_mutex_lock(&state.mutex);
    view->life = state.life;
    pthread_mutex_unlock(&state.mutex);
    return view;
}

PyInterpreterView *
PyInterpreterView_FromCurrent(void)
{
    pyb_control_require(__func__);
    PyInterpreterView *view = PyInterpreterView_FromMain();
    if (view == NULL)
        PyErr_NoMemory();
    return view;
}

void
PyInterpreterView_Close(PyInterpreterView *view)
{
    PyMem_RawFree(view);
}

/* ------------------------------------------------------------------ */
/* Guards                                                              */

/* A guard of that life; NULL if it is over or there is no memory. */
static PyInterpreterGuard *
new_guard(uint64_t life)
{
    PyInterpreterGuard *guard = PyMem_RawMalloc(sizeof *guard);

    if (guard == NULL)
        return NULL;
    pthread_mutex_lock(&state.mutex);
    int good = state.open && state.life == life;
    state.guards += (size_t)good;
    guard->process = state.process;
    pthread_mutex_unlock(&state.mutex);
    if (!good) {
        PyMem_RawFree(guard);
        guard = NULL;
    }
    return guard;
}

PyInterpreterGuard *
PyInterpreterGuard_FromView(PyInterpreterView *view)
{
    return new_guard(view->life);
}

PyInterpreterGuard *
PyInterpreterGuard_FromCurrent(void)
{
    pyb_control_require(__func__);
    PyInterpreterGuard *guard = new_guard(state.life);
    if (guard == NULL)
        PyErr_SetString(PyExc_PythonFinalizationError,
                        "cannot acquire finalization guard anymore");
    return guard;
}

void
PyInterpreterGuard_Close(PyInterpreterGuard *guard)
{
    pthread_mutex_lock(&state.mutex);
    PYB_ASSERT(guard->process <= state.process);
    PYB_ASSERT(guard->process < state.process || state.guards > 0);
    if (guard->process == state.process && --state.guards == 0)
        pthread_cond_broadcast(&state.closed);
    pthread_mutex_unlock(&state.mutex);
    PyMem_RawFree(guard);
}

/* ------------------------------------------------------------------ */
/* Attaching under a guard                                             */

PyThreadStateToken *
PyThreadState_Ensure(PyInterpreterGuard *Py_UNUSED(guard))
{
    PyThreadStateToken *token = PyMem_RawMalloc(sizeof *token);

    if (token == NULL)
        return NULL;
    token->before = PyGILState_Ensure();
    token->guard = NULL;
    return token;
}

PyThreadStateToken *
PyThreadState_EnsureFromView(PyInterpreterView *view)
{
    PyInterpreterGuard *guard = PyInterpreterGuard_FromView(view);
    PyThreadStateToken *token =
        guard != NULL ? PyThreadState_Ensure(guard) : NULL;

    if (token != NULL)
        token->guard = guard;
    else if (guard != NULL)
        PyInterpreterGuard_Close(guard);
    return token;
}

void
PyThreadState_Release(PyThreadStateToken *token)
{
    PyInterpreterGuard *guard = token->guard;

    PyGILState_Release(token->before);
    PyMem_RawFree(token);
    if (guard != NULL)
        PyInterpreterGuard_Close(guard);
}
