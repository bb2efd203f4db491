/* stackroom.h: how much of the stack is left.

   Hosts run threads, and fibers of their own, with stacks of a few pages, on
   which far fewer calls may nest than the bound on their depth says. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_STACKROOM_H
#define PYB_OBJECT_STACKROOM_H

#include "Python.h"

#include <pthread.h>

/* All zero: nothing is known yet.  Frames that lie from FROM up to TO have
   room enough below them.  LOW and HIGH are the ends of thread's own stack. */
struct pyb_stackroom {
    uintptr_t from, to;
    uintptr_t low, high;
    pthread_t thread;
    int asked;
};

/* pyb_stackroom_look: the same as pyb_stackroom_is_short, for a frame of which
   it is not known. */
int pyb_stackroom_look(struct pyb_stackroom *room, uintptr_t frame);

/* pyb_stackroom_is_short: is there too little below this function's frame for
   calls to nest further?  Enough is what raising an exception takes, and a
   collection.  0 where the system does not tell. */
static inline int
pyb_stackroom_is_short(struct pyb_stackroom *room)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    return _PyB_UNLIKELY(frame - room->from >= room->to - room->from) &&
           pyb_stackroom_look(room, frame);
}

#endif /* PYB_OBJECT_STACKROOM_H */
