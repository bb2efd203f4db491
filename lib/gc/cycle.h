/* cycle.h: which of some objects are owned by nobody but one another.

   Pure graph work on reference counts and tp_traverse: it changes nothing but
   the counts in the side table, untracks atomic objects if it is asked to,
   allocates nothing and cannot fail.  Exact: it
   looks at no stack and no register.

   A count is a word per granule of the side table:

     0                      not a candidate
     low 30 bits            1 + the references not yet explained, or
                            PYB_COUNT_STICKY: not to be counted down
     PYB_COUNT_REACHED      owned from outside, directly or not
     PYB_COUNT_PENDING      reached, but its own references are not followed
                            yet, because the stack was full

   A candidate's life: set to 1 + its reference count; counted down once for
   each visit that a candidate pays it; reached if more than 1 is left or if a
   reached one visits it; dead otherwise. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CYCLE_H
#define PYB_GC_CYCLE_H

#include "gc/sidetable.h"
#include "gc/walk.h"

#define PYB_COUNT_REACHED ((uint32_t)1 << 31)
#define PYB_COUNT_PENDING ((uint32_t)1 << 30)
#define PYB_COUNT_STICKY (PYB_COUNT_PENDING - 1)

struct pyb_cycle_result {
    size_t dead;
    size_t alive; /* and still tracked */
};

/* Which of the objects that live and cannot be part of a cycle to untrack. */
enum pyb_cycle_shed {
    PYB_SHED_NONE,
    PYB_SHED_SOME, /* as collections of generations 0 and 1 do: tuples */
    PYB_SHED_ALL
};

/* pyb_cycle_init: gets memory for the stack; 0, or -1. */
int pyb_cycle_init(void);

/* pyb_cycle_deduce: decides about the candidates.  The counts stand until
   pyb_cycle_forget. */
struct pyb_cycle_result pyb_cycle_deduce(struct pyb_walk candidates,
                                         enum pyb_cycle_shed shed);

/* pyb_cycle_is_dead: the verdict on a candidate. */
int pyb_cycle_is_dead(const PyObject *op);

/* pyb_cycle_revive: takes a dead candidate, and all that it reaches, back to
   the living. */
void pyb_cycle_revive(PyObject *op, struct pyb_walk candidates);

/* pyb_cycle_forget: clears the counts, and gives their memory back if they
   have touched much of it; every pyb_cycle_deduce is followed by one with the
   same candidates, which are no longer candidates of anything then. */
void pyb_cycle_forget(struct pyb_walk candidates);

#endif /* PYB_GC_CYCLE_H */
