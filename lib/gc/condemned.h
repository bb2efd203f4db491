/* condemned.h: sets of objects that are to die together.

   What the cycle pass finds dead is one condemned set.  Its members are bits
   of the side table, see sidetable.h, so that a set needs no memory.  There
   are two at most:

     current   what a collection has just found.  It is torn down by that
               collection, or left to Boehm.
     waiting   what is left to Boehm: it has a sentinel, a block of Boehm's
   that nothing refers to.  When Boehm collects, it calls the sentinel's
               finalizer, which tears the set down.  What is left to Boehm
               meanwhile joins it.

   All members are roots of Boehm's until their set is done, but for those that
   Boehm is asked about, see recount.c.

   One set is torn down at a time, and each exactly once, by Boehm's finalizer
   or by a collection, whichever comes first.  If Boehm calls the finalizer in
   the middle of another teardown, the waiting set is torn down after that.

   Not required: that Boehm finds the sentinel at once.  The collecting thread
   does not wait for it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONDEMNED_H
#define PYB_GC_CONDEMNED_H

#include "gc/boehm.h"
#include "gc/cycle.h"
#include "gc/sidetable.h"
#include "gc/stats.h"
#include "gc/walk.h"

struct pyb_set {
    enum pyb_generation generation; /* that was collected; of the waiting set,
                                       the oldest one that was */
    enum pyb_mark mark;
    size_t n;           /* members at the verdict */
    size_t spared;      /* of these: they live */
    size_t bytes;       /* of their blocks, as Boehm was told while it waits */
    unsigned long late; /* pyb_adoption.late at the verdict */
    int foreign;        /* to be counted again: code that is not the library's
                           may have run since the verdict, or the verdict is not
                           sound */
    int starved;        /* something was left undone for lack of memory */
    /* Once done: members found dead in the end, and what tp_del kept. */
    size_t collected, uncollectable;
    size_t freed; /* bytes of the blocks of members that are gone */
    enum pyb_by by;
};

/* pyb_condemned_make: condemns what the cycle pass, of that result, found dead
   in a generation and the younger ones: the current set.  The candidates are
   forgotten. */
struct pyb_set pyb_condemned_make(enum pyb_generation oldest,
                                  struct pyb_cycle_result result);

/* pyb_condemned_bytes: of the blocks of the members. */
size_t pyb_condemned_bytes(const struct pyb_set *set);

/* pyb_condemned_tear_down: tears the current set down at once. */
void pyb_condemned_tear_down(struct pyb_set *set);

/* pyb_condemned_leave: leaves the current set to Boehm, with what waits
   already.  0, or -1 if Boehm has no memory for the sentinel: the set is still
   the current one. */
int pyb_condemned_leave(struct pyb_set *set);

/* pyb_condemned_collect: leaves the current set to Boehm and has Boehm
   collect. The set is torn down when this returns: from the sentinel's
   finalizer, or here if Boehm could not call that.  No set waits. */
void pyb_condemned_collect(struct pyb_set *set);

/* pyb_condemned_waits: is there a set for Boehm to find? */
int pyb_condemned_waits(void);

/* pyb_condemned_tear_down_waiting: tears the waiting set down, if there is
   one, in place of Boehm's finalizer. */
void pyb_condemned_tear_down_waiting(void);

/* pyb_condemned_tear_down_due: the same if the finalizer has been called and
   something was in its way. */
void pyb_condemned_tear_down_due(void);

/* Where the members are: the cards of a young set are those that were recent,
   as long as no collection follows. */
static inline enum pyb_generation
pyb_condemned_where(const struct pyb_set *set)
{
    return set->mark == PYB_MARK_CURRENT ? set->generation : PYB_OLD;
}

/* pyb_condemned_walk: over the members of a set. */
static inline struct pyb_walk
pyb_condemned_walk(const struct pyb_set *set)
{
    return pyb_walk_members(pyb_condemned_where(set), set->mark);
}

/* pyb_condemned_spare: takes a member back to the living. */
void pyb_condemned_spare(struct pyb_set *set, PyObject *op);

/* pyb_condemned_freed: the block of a member, of so many granules, is freed.
 */
void pyb_condemned_freed(size_t granules);

/* pyb_condemned_ask: has Boehm collect with the members weak, and notes in the
   side table which of them it saw, that is, which ones its roots and the
   living lead to.  A last question is pyb_boehm_last_probe.  Returns what that
   or pyb_boehm_probe does; -1: nothing is noted. */
int pyb_condemned_ask(struct pyb_set *set, int last);

/* pyb_condemned_contains: is op a member of a set that is not done? */
int pyb_condemned_contains(PyObject *op);

/* pyb_condemned_keep, pyb_condemned_found: hooks of Boehm's. */
void pyb_condemned_keep(struct pyb_boehm_marking *marking);
void pyb_condemned_found(void);

#endif /* PYB_GC_CONDEMNED_H */
