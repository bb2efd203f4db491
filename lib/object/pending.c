/* pending.c: calls that wait until the main thread lets them happen.

   Manual: "Asynchronous notifications". */

#include "Python.h"

#include "gc/attach.h"
#include "gc/control.h"
#include "object/pending.h"
#include "object/threadstate.h"

#include <pthread.h>

enum { PENDING_MAX = 300 };

/* A ring.  The numbers only grow; each is changed by one store, so that a
   child after fork finds them in order. */
static struct {
    pthread_mutex_t mutex;
    struct call {
        int (*func)(void *);
        void *arg;
    } calls[PENDING_MAX];
    size_t added, taken;
    int busy; /* the main thread is making calls */
} pending = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void
after_fork(void)
{
    pthread_mutex_init(&pending.mutex, NULL);
}

static void
watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, after_fork);
}

int
Py_AddPendingCall(int (*func)(void *), void *arg)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int full;

    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&pending.mutex);
    full = pending.added - pending.taken == PENDING_MAX;
    if (!full) {
        pending.calls[pending.added % PENDING_MAX] = (struct call){func, arg};
        pending.added++;
    }
    pthread_mutex_unlock(&pending.mutex);
    return full ? -1 : 0;
}

static int
take(struct call *call)
{
    int any;

    pthread_mutex_lock(&pending.mutex);
    any = pending.taken < pending.added;
    if (any)
        *call = pending.calls[pending.taken++ % PENDING_MAX];
    pthread_mutex_unlock(&pending.mutex);
    return any;
}

/* Those that calls add come in the same round, but a round ends. */
static int
make_calls(void)
{
    struct call call;
    int result = 0;

    if (pending.busy)
        return 0;
    pending.busy = 1;
    for (int i = 0; i < PENDING_MAX && result == 0 && take(&call); i++)
        result = call.func(call.arg) < 0 ? -1 : 0;
    pending.busy = 0;
    return result;
}

int
Py_MakePendingCalls(void)
{
    pyb_control_require(__func__);
    pyb_attach_run_errands();
    if (pyb_attach_waiting() > 0)
        PyEval_RestoreThread(PyEval_SaveThread());
    return pyb_threadstate_is_main() ? make_calls() : 0;
}

void
pyb_pending_finish(void)
{
    while (make_calls() < 0)
        PyErr_FormatUnraisable("Exception ignored in a pending call");
}
