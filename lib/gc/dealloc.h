/* dealloc.h: what others have to tell dealloc.c. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_DEALLOC_H
#define PYB_GC_DEALLOC_H

#include "object.h"

/* pyb_dealloc_init: there are checks or an audit from now on, or none. */
void pyb_dealloc_init(void);

/* Deallocations under way in one thread; a tp_dealloc may let another one in.
   All zero: none. */
struct pyb_deallocs {
    int depth;         /* tp_dealloc calls, nested */
    PyObject *put_off; /* a list */
};

/* pyb_dealloc_exchange: another thread's turn: *other and what is under way
   now change places. */
void pyb_dealloc_exchange(struct pyb_deallocs *other);

/* pyb_dealloc_depth: how many deallocations are under way, of the attached
   thread.  pyb_dealloc_abandon: those beyond so many will not return. */
int pyb_dealloc_depth(void);
void pyb_dealloc_abandon(int depth);

#endif /* PYB_GC_DEALLOC_H */
