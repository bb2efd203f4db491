/* extent.c: has what was under way been left?  See extent.h. */

#include "Python.h"

#include <errno.h>
#include <pthread.h>

#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "gc/base/threadstack.h"

static struct {
    struct pyb_extent *extent; /* NULL: none is under way */
    uintptr_t mark;
    pthread_t thread;
} now;

void
pyb_extent_begin(struct pyb_extent *extent)
{
    PYB_ASSERT(now.extent == NULL);
    now.extent = extent;
    now.thread = pthread_self();
    now.mark += (uintptr_t)&now | 1; /* no other's, and of no object */
    extent->mark = now.mark;
}

/* The frame of an extent that was left may be other data by now, so its mark
   is not cleared: extent is NULL then. */
void
pyb_extent_end(struct pyb_extent *extent)
{
    PYB_ASSERT(extent == NULL || now.extent != NULL);
    if (extent != NULL)
        extent->mark = 0;
    now.extent = NULL;
}

/* A thread's, as it was asked for last: that takes microseconds, and memory of
   malloc's.  A thread with the handle of one that has ended has its stack. */
static struct {
    pthread_t thread;
    struct pyb_threadstack stack;
    int asked;
} own;

void
pyb_extent_init(void)
{
    if (own.asked && pthread_equal(own.thread, pthread_self()))
        return;
    own.stack = pyb_threadstack();
    own.thread = pthread_self();
    PYB_ASSERT(own.stack.low <= own.stack.high);
    own.asked = 1;
}

int
pyb_extent_is_mine(void)
{
    return pthread_equal(now.thread, pthread_self());
}

/* As far as the order of frames tells, which is cheap: they lie one below the
   other on a thread's own stack. */
static int
is_abandoned_by_frames(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t place = (uintptr_t)now.extent;

    return pyb_extent_is_mine() && own.asked &&
           pthread_equal(own.thread, pthread_self()) &&
           pyb_threadstack_has(own.stack, frame) &&
           pyb_threadstack_has(own.stack, place) && place <= frame;
}

int
pyb_extent_is_abandoned(void)
{
    int error = errno, left;
    uintptr_t mark;
    ssize_t got;

    PYB_ASSERT(now.extent != NULL);
    pyb_extent_init();
    if (is_abandoned_by_frames())
        return 1;
    got = pyb_peek(&mark, now.extent, sizeof mark);
    left = got < 0 ? errno == EFAULT : mark != now.mark;
    errno = error;
    return left;
}
