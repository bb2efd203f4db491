/* stacklimit.c: the room left on the stack.  See stacklimit.h.

   The bounds of a thread's own stack are asked for once.  A frame outside of
   them is on a fiber's stack, which has no known end; there the memory below
   is tested for being readable.  That finds the end only if there is a guard
   page. */

#include "Python.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "runtime/stacklimit.h"

enum {
    PAGE = 4096,      /* the smallest on any system */
    OURS = 4096,      /* frames above Boehm's, and those of a handler */
    STRIDE = 4 * PAGE /* tested below, so that tests are rare */
};

/* The frame of the signal by which another thread, which collects, stops this
   one. */
static uintptr_t
signal_frame(void)
{
#ifdef _SC_MINSIGSTKSZ
    return (uintptr_t)Py_MAX(sysconf(_SC_MINSIGSTKSZ), 0);
#else
    return MINSIGSTKSZ;
#endif
}

/* What has to be left: for Boehm, which now and then clears the stack below an
   allocation (configure measures how much), for what calls it, and for a
   signal. */
static uintptr_t
enough(void)
{
    uintptr_t bytes = PYB_BOEHM_STACK + OURS + signal_frame();

    return (bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
}

/* Without an answer of the system, memory counts as readable. */
static int
is_readable(uintptr_t address)
{
    int error = errno;
    char byte;
    int gone =
        pyb_peek(&byte, (const void *)address, 1) < 0 && errno == EFAULT;

    errno = error;
    return !gone;
}

/* The lowest address from which all memory up to the frame is readable, but
   not below the deepest page that matters. */
static uintptr_t
readable_below(uintptr_t frame)
{
    uintptr_t page = frame & ~(uintptr_t)(PAGE - 1);
    uintptr_t last = page - enough() - STRIDE;

    while (page > last && is_readable(page - PAGE))
        page -= PAGE;
    PYB_ASSERT(page <= frame && page >= last);
    return page;
}

int
pyb_stacklimit_look(struct pyb_stacklimit *room, uintptr_t frame)
{
    pthread_t self = pthread_self();

    if (!room->asked || !pthread_equal(room->thread, self))
        *room = (struct pyb_stacklimit){
            .own = pyb_threadstack(), .thread = self, .asked = 1};
    if (room->own.high == 0) { /* the system does not tell */
        room->from = 0;
        room->to = UINTPTR_MAX;
    } else if (pyb_threadstack_has(room->own, frame)) {
        /* A thread's stack may be small itself: half of it, then. */
        size_t half = (room->own.high - room->own.low) / 2;

        room->from = room->own.low + Py_MIN(half, enough());
        room->to = room->own.high;
    } else {
        room->from = readable_below(frame) + enough();
        room->to = Py_MAX(frame + STRIDE, room->from);
    }
    PYB_ASSERT(room->from <= room->to);
    return frame < room->from;
}
