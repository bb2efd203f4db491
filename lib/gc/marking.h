/* marking.h: the two passes over the candidates of a collection.

   A large heap is not in the processor's caches: each pass prefetches what it
   is about to look at. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_MARKING_H
#define PYB_GC_MARKING_H

#include "gc/heap/walk.h"

enum {
    PYB_STACK_SIZE = 1 << 15, /* marked objects that are not traversed yet */
    PYB_STACK_GUARD = 1 << 16 /* bytes behind it: a page at least */
};

/* pyb_marking_init: gets memory for the stacks; 0, or -1. */
int pyb_marking_init(void);

/* pyb_marking_subtract_refs: step 1: sets the gcrefs of the candidates, and
   subtracts their references to one another; of other objects it changes no
   gcref.
   pyb_marking_subtract_refs_of_many: the same in one pass in place of two.  It
   changes the gcrefs of other objects, too: all gcrefs must be dropped in the
   end. */
void pyb_marking_subtract_refs(struct pyb_walk candidates);
void pyb_marking_subtract_refs_of_many(struct pyb_walk candidates);

/* pyb_marking_mark_reachable: step 2: marks all candidates that are referred
   to from outside, and all that these reach. */
void pyb_marking_mark_reachable(struct pyb_walk candidates);

/* pyb_marking_resurrect: marks op, and all that it reaches. */
void pyb_marking_resurrect(PyObject *op, struct pyb_walk candidates);

/* pyb_marking_drop_caches: between passes: leaves no address of Boehm's heap
   in memory that Boehm looks at.
   pyb_marking_clear_stack: nor in any other. */
void pyb_marking_drop_caches(void);
void pyb_marking_clear_stack(void);

/* pyb_marking_abandon: a tp_traverse in this thread has not returned: ends the
   pass, and leaves nothing of it. */
void pyb_marking_abandon(void);

#endif /* PYB_GC_MARKING_H */
