/* bigstack.c: calls that need much stack.  See bigstack.h. */

#include "Python.h"

#include <pthread.h>
#include <signal.h>

#include "gc/base/threadstack.h"
#include "gc/boehm/boehm.h"
#include "watch/memory/bigstack.h"

struct call {
    void (*function)(void *);
    void *arg;
};

/* A frame outside of the thread's own stack is on a fiber's, which has no
   known end. */
static int
is_here(void)
{
    static __thread struct pyb_threadstack own;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    if (own.high == 0)
        own = pyb_threadstack();
    return pyb_threadstack_has(own, frame) && frame - own.low >= PYB_BIGSTACK;
}

static void *
run(void *arg)
{
    struct call *call = arg;

    call->function(call->arg);
    return NULL;
}

/* No signal of the host's is handled there; Boehm's are, for in some hosts
   pthread_create makes Boehm know the thread. */
static int
call_elsewhere(struct call *call)
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t most, before;
    int error;

    sigfillset(&most);
    pyb_boehm_let_signals(&most);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 2 * PYB_BIGSTACK);
    pthread_sigmask(SIG_BLOCK, &most, &before);
    error = pthread_create(&thread, &attr, run, call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (error != 0)
        return -1;
    return pthread_join(thread, NULL) == 0 ? 0 : -1;
}

int
pyb_bigstack_call(void (*function)(void *), void *arg)
{
    struct call call = {function, arg};

    if (!is_here())
        return call_elsewhere(&call);
    function(arg);
    return 0;
}
