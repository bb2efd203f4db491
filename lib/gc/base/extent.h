/* extent.h: has what was under way been left?
   internals: jumps

   tp_traverse, tp_clear and tp_finalize are code of the host's, and some hosts
   have longjmp, escaping continuations and exceptions of C++ that leave it by
   the shortest way: then what has called it never ends.

   What is under way has a mark in its own frame, and has been left when the
   mark has gone.  On the stack of the thread that began it, where frames are
   in order, any frame that is not below it knows; else it is known when
   something has been written over it.  A frame that is still in use is not
   taken for one that was left, unless a host keeps a fiber's stack within the
   thread's own, or copies stacks away. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_EXTENT_H
#define PYB_GC_BASE_EXTENT_H

#include <stdint.h>

/* In the frame of the function that begins and ends what is under way. */
struct pyb_extent {
    volatile uintptr_t mark;  /* of the outermost one */
    struct pyb_extent *outer; /* for pyb_control.innermost */
};

/* pyb_extent_init: asks for this thread's stack, which tells the order of
   frames. */
void pyb_extent_init(void);

/* pyb_extent_begin: one is under way; there is one at a time.
   pyb_extent_end: not any more; NULL for one that was left. */
void pyb_extent_begin(struct pyb_extent *extent);
void pyb_extent_end(struct pyb_extent *extent);

/* pyb_extent_is_abandoned: of the one that was begun and not ended.
   pyb_extent_is_mine: has this thread begun it? */
int pyb_extent_is_abandoned(void);
int pyb_extent_is_mine(void);

#endif /* PYB_GC_BASE_EXTENT_H */
