/* stackroom.c: how much of the stack is left.  See stackroom.h.

   A thread's own stack is asked for once.  What is not on that is on a fiber,
   of which nobody knows the end; but what is below can be read as far as it
   goes.  Where a stack has no guard page that does not tell. */

#include "Python.h"

#include <limits.h>

#include "gc/inspect.h"
#include "object/stackroom.h"

/* Boehm clears 16 KiB of the stack below an allocation, now and then. */
enum {
    PAGE = 4096,        /* no system's are smaller */
    ENOUGH = 32 * 1024, /* half, of stacks that are small themselves */
    FIBER_ENOUGH = 6 * PAGE,
    STRIDE = 4 * PAGE /* looked at below that, so as not to look often */
};

static void
ask_for_own(struct pyb_stackroom *room)
{
#ifdef HAVE_PTHREAD_GETATTR_NP
    pthread_attr_t attr;
    void *begin;
    size_t size;

    if (pthread_getattr_np(room->thread, &attr) != 0)
        return;
    if (pthread_attr_getstack(&attr, &begin, &size) == 0) {
        room->low = (uintptr_t)begin;
        room->high = room->low + size;
    }
    pthread_attr_destroy(&attr);
#endif
}

/* The lowest address from which on, up to the frame, all can be read, or that
   of the deepest page that matters. */
static uintptr_t
readable_below(uintptr_t frame)
{
    uintptr_t page = frame & ~(uintptr_t)(PAGE - 1);
    uintptr_t last = page - FIBER_ENOUGH - STRIDE;

    while (page > last && pyb_inspect_is_readable((void *)(page - PAGE), 1))
        page -= PAGE;
    return page;
}

int
pyb_stackroom_look(struct pyb_stackroom *room, uintptr_t frame)
{
    pthread_t self = pthread_self();

    if (!room->asked || !pthread_equal(room->thread, self)) {
        *room = (struct pyb_stackroom){.thread = self, .asked = 1};
        ask_for_own(room);
    }
    if (frame - room->low < room->high - room->low) {
        size_t half = (room->high - room->low) / 2;

        room->from = room->low + Py_MIN(half, ENOUGH);
        room->to = room->high;
    } else {
        room->from = readable_below(frame) + FIBER_ENOUGH;
        room->to = frame + STRIDE;
    }
    return frame < room->from;
}
