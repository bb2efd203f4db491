/* stacklimit.c: the room left on the stack.  See stacklimit.h.

   The bounds of a thread's own stack are asked for once.  A frame outside of
   them is on a fiber's stack, which has no known end; there the memory below
   is tested for being readable.  That finds the end only if there is a guard
   page. */

#include "Python.h"

#include <errno.h>

#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "runtime/stacklimit.h"

/* Boehm now and then clears the stack below an allocation: 26 KiB were
   measured below the call of GC_generic_malloc_many. */
enum {
    PAGE = 4096,       /* the smallest on any system */
    ENOUGH = 8 * PAGE, /* or half of a thread's stack that is small itself */
    STRIDE = 4 * PAGE  /* tested below that, so that tests are rare */
};

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
    uintptr_t last = page - ENOUGH - STRIDE;

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
        size_t half = (room->own.high - room->own.low) / 2;

        room->from = room->own.low + Py_MIN(half, ENOUGH);
        room->to = room->own.high;
    } else {
        room->from = readable_below(frame) + ENOUGH;
        room->to = Py_MAX(frame + STRIDE, room->from);
    }
    PYB_ASSERT(room->from <= room->to);
    return frame < room->from;
}
