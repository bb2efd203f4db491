/* thread_wrong.c: fatal uses of thread states.
   Manual: "PyGILState_Release", "PyEval_ReleaseThread". */

#include "oracle.h"

#include <pthread.h>

static void *
release(void *arg)
{
    PyGILState_Release(PyGILState_UNLOCKED);
    return arg;
}

static void
release_only(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
}

static void
release_another(void)
{
    PyEval_ReleaseThread(PyThreadState_New(PyInterpreterState_Get()));
}

void
oracle_program(void)
{
    fatal("release without a state", release_only);
    fatal("release another one", release_another);
}
