/* threadstack.c: the stack that the system gave this thread.  See
   threadstack.h.

   Manual: pthread_getattr_np(3). */

#include "Python.h"

#include <pthread.h>

#include "gc/threadstack.h"

struct pyb_threadstack
pyb_threadstack(void)
{
    struct pyb_threadstack stack = {0, 0};
#ifdef HAVE_PTHREAD_GETATTR_NP
    pthread_attr_t attr;
    void *begin;
    size_t size;

    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return stack;
    if (pthread_attr_getstack(&attr, &begin, &size) == 0) {
        stack.low = (uintptr_t)begin;
        stack.high = stack.low + size;
    }
    pthread_attr_destroy(&attr);
#endif
    return stack;
}

/* A sanitizer would leave room between the array and the caller's frame. */
__attribute__((no_sanitize("address"))) void
pyb_threadstack_clear(void)
{
    volatile char frames[4096];

    for (size_t i = 0; i < sizeof frames; i++)
        frames[i] = 0;
}
