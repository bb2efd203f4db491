/* threadstack.c: the stack that the system gave this thread.  See
   threadstack.h.

   Manual: pthread_getattr_np(3). */

#include "Python.h"

#include <pthread.h>

#include "gc/base/threadstack.h"

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

/* A sanitizer would leave room between the array and the caller's frame.  The
   copies are for what others have left in vector registers, which the dynamic
   linker puts on the stack when it first looks up a function. */
__attribute__((no_sanitize("address"))) void
pyb_threadstack_clear(void)
{
    char frames[4096];

    memset(frames, 0, sizeof frames);
    for (size_t n = 64; n <= sizeof frames / 2; n *= 2) {
        memmove(frames, frames + sizeof frames / 2, n);
        __asm__ volatile("" : : "r"(frames) : "memory");
    }
}
