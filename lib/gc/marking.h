/* marking.h: the two passes of cycle.c where there are many candidates.

   A large heap is not in the processor's caches, and one processor is not all
   there is.  So each pass has what it is about to look at fetched while it
   does something else, and several markers, each on a thread of its own, share
   the candidates.

   Cells of what is no candidate are counted down, too: whoever has used this
   drops all cells in the end. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_MARKING_H
#define PYB_GC_MARKING_H

#include "gc/cell.h"
#include "gc/walk.h"

enum {
    PYB_STACK_SIZE = 1 << 15, /* objects reached whose references wait */
    PYB_STACK_GUARD = 1 << 16 /* bytes behind it: a page at least */
};

/* pyb_marking_init: gets memory for the stacks; 0, or -1. */
int pyb_marking_init(void);

/* pyb_marking_stack: the first marker's, which is empty between passes. */
PyObject **pyb_marking_stack(void);

/* pyb_marking_close_windows: between passes: no window is anywhere. */
void pyb_marking_close_windows(void);

/* pyb_marking_forget: between passes: leaves no address of an object in the
   memory that they use. */
void pyb_marking_forget(void);

/* pyb_marking_count: step 1, with so many markers at most: sets the cells of
   the candidates and counts them down. */
void pyb_marking_count(struct pyb_walk candidates, int markers);

/* pyb_marking_reach: step 2: marks all that is owned from outside, directly or
   not. */
void pyb_marking_reach(struct pyb_walk candidates, int markers);

/* pyb_marking_revive: marks op, and all that it reaches. */
void pyb_marking_revive(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_MARKING_H */
