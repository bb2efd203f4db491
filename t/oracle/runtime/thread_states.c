/* thread_states.c: which thread is attached, and with which thread state.
   Manual: "PyGILState_Ensure", "PyEval_SaveThread", "PyThreadState_New". */

#include "oracle.h"

#include <pthread.h>

static void
run(void *(*function)(void *), void *arg)
{
    pthread_t thread;

    Py_BEGIN_ALLOW_THREADS
    pthread_create(&thread, NULL, function, arg);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
}

static PyThreadState *first;

static void
where(const char *label)
{
    PyThreadState *current = _PyThreadState_UncheckedGet();
    PyThreadState *own = PyGILState_GetThisThreadState();

    say("%s: attached %d, a state %d, its own %d, the first %d", label,
        PyGILState_Check(), current != NULL, current == own, own == first);
}

static void
nested(void)
{
    where("initialized");
    PyGILState_STATE outer = PyGILState_Ensure();
    say("ensured: %s", outer == PyGILState_LOCKED ? "was" : "was not");
    PyThreadState *ts = PyEval_SaveThread();
    say("saved the first: %d", ts == first);
    say("dict: %d", PyThreadState_GetDict() != NULL);
    PyGILState_STATE inner = PyGILState_Ensure();
    say("ensured: %s", inner == PyGILState_LOCKED ? "was" : "was not");
    where("in between");
    PyGILState_Release(inner);
    PyEval_RestoreThread(ts);
    where("restored");
    PyGILState_Release(outer);
    where("released");
    Py_BEGIN_ALLOW_THREADS
    Py_BLOCK_THREADS
    where("blocked");
    Py_UNBLOCK_THREADS
    Py_END_ALLOW_THREADS
    where("the end");
    say("initialized: %d", PyEval_ThreadsInitialized());
}

static void *
ensure(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int before = PyGILState_GetThisThreadState() != NULL;
        PyGILState_STATE outer = PyGILState_Ensure();
        say("before: %d", before);
        say("ensured: %s", outer == PyGILState_LOCKED ? "was" : "was not");
        where("another thread");
        PyGILState_STATE inner = PyGILState_Ensure();
        say("ensured: %s", inner == PyGILState_LOCKED ? "was" : "was not");
        PyGILState_Release(inner);
        where("another thread");
        say("dict of %zd", PyDict_Size(PyThreadState_GetDict()));
        PyDict_SetItemString(PyThreadState_GetDict(), "a", Py_None);
        struct actor *a = actor_new(&Actor_Type, "a");
        PyDict_SetItemString(PyThreadState_GetDict(), "actor", (PyObject *)a);
        Py_DECREF(a);
        say("interpreter: %d",
            PyInterpreterState_Get() == PyThreadState_GetInterpreter(first));
        say("id: %d", PyThreadState_GetID(PyThreadState_Get()) >
                          PyThreadState_GetID(first));
        PyGILState_Release(outer);
    }
    return arg;
}

static void *
acquire(void *arg)
{
    PyThreadState *ts = arg;

    PyEval_AcquireThread(ts);
    say("acquired: %d", PyThreadState_Get() == ts);
    PyObject *made = need(PyList_New(0));
    say("made a list of %zd", PyList_Size(made));
    Py_DECREF(made);
    PyErr_SetString(PyExc_ValueError, "cleared with the state");
    struct actor *a = actor_new(&Actor_Type, "b");
    PyDict_SetItemString(PyThreadState_GetDict(), "actor", (PyObject *)a);
    Py_DECREF(a);
    PyEval_ReleaseThread(ts);
    return NULL;
}

void
oracle_program(void)
{
    first = PyThreadState_Get();
    nested();
    run(ensure, NULL);
    PyThreadState *ts = PyThreadState_New(PyInterpreterState_Get());
    run(acquire, ts);
    error();
    PyThreadState_Clear(ts);
    say("cleared");
    PyThreadState_Delete(ts);
    where("the end");
    say("dict of %zd", PyDict_Size(PyThreadState_GetDict()));
}
