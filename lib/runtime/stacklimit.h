/* stacklimit.h: the room left on the stack.

   Hosts run threads, and fibers of their own, with stacks of a few pages, on
   which far fewer calls may nest than the bound on their depth allows. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_STACKLIMIT_H
#define PYB_RUNTIME_STACKLIMIT_H

#include "Python.h"

#include <pthread.h>

#include "gc/base/threadstack.h"

/* Zero: nothing is known yet.  Frames between FROM and TO have enough room
   below them.  OWN is the stack of thread. */
struct pyb_stacklimit {
    uintptr_t from, to;
    struct pyb_threadstack own;
    pthread_t thread;
    int asked;
};

/* pyb_stacklimit_look: as pyb_stacklimit_is_short, for a frame outside of the
   known range. */
int pyb_stacklimit_look(struct pyb_stacklimit *room, uintptr_t frame);

/* pyb_stacklimit_is_short: is there too little below this function's frame for
   calls to nest further?  Raising an exception, or a collection, must be
   possible.  0 if the system does not tell. */
static inline int
pyb_stacklimit_is_short(struct pyb_stacklimit *room)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    return _PyB_UNLIKELY(frame - room->from >= room->to - room->from) &&
           pyb_stacklimit_look(room, frame);
}

#endif /* PYB_RUNTIME_STACKLIMIT_H */
