/* cycle.h: which of some objects are owned by nobody but one another.

   Pure graph work on reference counts and tp_traverse: it changes nothing but
   the cells of the side table, untracks atomic objects if it is asked to,
   allocates nothing and cannot fail.  Exact: it looks at no stack and no
   register.

   A candidate's number is its reference count, less one for each visit that a
   candidate pays it.  It is reached if something is left in the end, or if a
   reached one visits it; dead otherwise. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CYCLE_H
#define PYB_GC_CYCLE_H

#include "gc/sidetable.h"
#include "gc/walk.h"

struct pyb_cycle_result {
    size_t candidates;
    size_t dead;
    size_t alive; /* and still tracked */
    int sound;    /* 0: a tp_traverse has tracked or untracked something, so
                     that only a second look can tell */
};

/* Which of the objects that live and cannot be part of a cycle to untrack. */
enum pyb_cycle_shed {
    PYB_SHED_NONE,
    PYB_SHED_SOME, /* as collections of generations 0 and 1 do: tuples */
    PYB_SHED_ALL
};

/* So many candidates are in the processor's caches. */
enum { PYB_CYCLE_NEAR = 1 << 15 };

/* pyb_cycle_init: gets memory for the stacks; 0, or -1. */
int pyb_cycle_init(void);

/* pyb_cycle_deduce: decides about the candidates.  The cells stand until
   pyb_cycle_forget. */
struct pyb_cycle_result pyb_cycle_deduce(struct pyb_walk candidates,
                                         enum pyb_cycle_shed shed);

/* pyb_cycle_is_dead: the verdict on a candidate. */
int pyb_cycle_is_dead(const PyObject *op);

/* pyb_cycle_take_dead: those of a group's objects that are dead; they are
   candidates no longer. */
uint64_t pyb_cycle_take_dead(struct pyb_group group);

/* pyb_cycle_revive: takes a dead candidate, and all that it reaches, back to
   the living. */
void pyb_cycle_revive(PyObject *op, struct pyb_walk candidates);

/* pyb_cycle_drop: a candidate that is not one any more before the others are
   forgotten. */
void pyb_cycle_drop(const PyObject *op);

/* pyb_cycle_forget: clears the cells, and gives their memory back if much of
   it has been touched; every pyb_cycle_deduce is followed by one with the same
   candidates, which are no longer candidates of anything then. */
void pyb_cycle_forget(struct pyb_walk candidates);

#endif /* PYB_GC_CYCLE_H */
