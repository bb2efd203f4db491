/* cycle.h: which of some objects are referred to by one another only.

   internals: five-steps
   Pure graph work on reference counts and tp_traverse: it changes nothing but
   the gcrefs of the side table, untracks acyclic objects if it is asked to,
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

#include "gc/heap/sidetable.h"
#include "gc/heap/walk.h"

struct pyb_cycle_result {
    size_t candidates;
    size_t dead;
    size_t alive; /* and still tracked */
    int sound;    /* 0: a tp_traverse has tracked or untracked something, so
                     that only a second look can tell */
};

/* Which of the objects that live and cannot be part of a cycle to untrack. */
enum pyb_cycle_untrack {
    PYB_UNTRACK_NONE,
    PYB_UNTRACK_SOME, /* as collections of generations 0 and 1 do: tuples */
    PYB_UNTRACK_ALL
};

/* So many candidates are in the processor's caches. */
enum { PYB_CYCLE_FEW = 1 << 15 };

/* pyb_cycle_deduce: decides about the candidates.  The gcrefs stand until
   pyb_cycle_forget. */
struct pyb_cycle_result pyb_cycle_deduce(struct pyb_walk candidates,
                                         enum pyb_cycle_untrack untrack);

/* pyb_cycle_is_dead: the verdict on a candidate. */
int pyb_cycle_is_dead(const PyObject *op);

/* pyb_cycle_is_owned: has a candidate a reference from what is no candidate?
   Not one that is dying. */
int pyb_cycle_is_owned(const PyObject *op);

/* pyb_cycle_take_dead: those of a batch's objects that are dead; they are
   candidates no longer. */
uint64_t pyb_cycle_take_dead(struct pyb_batch batch);

/* pyb_cycle_remove: a candidate that is not one any more before the others are
   forgotten. */
void pyb_cycle_remove(const PyObject *op);

/* pyb_cycle_forget: clears the gcrefs, and gives their memory back if much of
   it has been touched; every pyb_cycle_deduce is followed by one with the same
   candidates, which are no longer candidates of anything then. */
void pyb_cycle_forget(struct pyb_walk candidates);

/* pyb_cycle_abandon: a tp_traverse has not returned: forgets all candidates.
 */
void pyb_cycle_abandon(void);

#endif /* PYB_GC_CYCLE_H */
