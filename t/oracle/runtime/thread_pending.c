/* thread_pending.c: calls that wait.
   Manual: "Py_AddPendingCall", "Py_MakePendingCalls". */

#include "oracle.h"

#include <pthread.h>

static int
call(void *name)
{
    say("called %s, attached %d", (char *)name, PyGILState_Check());
    return 0;
}

static int
call_and_fail(void *name)
{
    say("called %s", (char *)name);
    PyErr_SetString(PyExc_ValueError, name);
    return -1;
}

static int
call_and_add(void *name)
{
    say("called %s", (char *)name);
    return Py_AddPendingCall(call, "added");
}

static int
call_and_make(void *name)
{
    say("called %s", (char *)name);
    RESULT(Py_MakePendingCalls());
    return 0;
}

static void *
add(void *arg)
{
    Py_AddPendingCall(call, "from another thread");
    PyGILState_STATE state = PyGILState_Ensure();
    RESULT(Py_MakePendingCalls());
    PyGILState_Release(state);
    return arg;
}

static void
elsewhere(void)
{
    pthread_t thread;

    /* CPython's main thread makes them when it comes back. */
    PyThreadState *ts = PyEval_SaveThread();
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    PyEval_RestoreThread(ts);
    RESULT(Py_MakePendingCalls());
}

void
oracle_program(void)
{
    RESULT(Py_MakePendingCalls());
    RESULT(Py_AddPendingCall(call, "1"));
    RESULT(Py_AddPendingCall(call, "2"));
    RESULT(Py_MakePendingCalls());
    RESULT(Py_MakePendingCalls());

    Py_AddPendingCall(call, "before");
    Py_AddPendingCall(call_and_fail, "fails");
    Py_AddPendingCall(call, "after");
    RESULT(Py_MakePendingCalls());
    RESULT(Py_MakePendingCalls());

    Py_AddPendingCall(call_and_add, "adds");
    Py_AddPendingCall(call_and_make, "makes");
    RESULT(Py_MakePendingCalls());
    RESULT(Py_MakePendingCalls());
    elsewhere();
}
