/* condemned.h: sets of objects that are to die together.

   What the cycle pass finds dead is one condemned set.  Its members are bits
   of the side table, see sidetable.h, so that a set needs no memory.  There
   are two at most, the current one and the one that waits for Boehm.

   internals: set-states */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONDEMNED_H
#define PYB_GC_CONDEMNED_H

#include "gc/boehm/boehm.h"
#include "gc/cycle.h"
#include "gc/heap/sidetable.h"
#include "gc/heap/walk.h"
#include "gc/stats.h"

struct pyb_set {
    /* Since the verdict; the set that waits has those of all that joined it
       (join_waiting). */
    enum pyb_generation generation; /* the oldest one that was collected */
    enum pyb_state state;
    size_t n;      /* members at the verdict */
    int settled;   /* Boehm has been asked about the adopted members, and
                      another answer is not to be expected */
    int foreign;   /* to be counted again: code that is not the library's may
                      have run since the verdict, or the verdict is not sound:
                      some members may live */
    int starved;   /* something was left undone for lack of memory */
    int in_slices; /* it may be torn down bit by bit: nothing waits for its
                      end */
    int part;      /* of another one, which has the figures of both */
    struct pyb_line *const *lines; /* those with members, in the order of a
                                      walk; NULL: they are anywhere */
    size_t n_lines;

    /* In the teardown. */
    enum pyb_by by; /* what tears it down */
    int uncleared;  /* tp_clear has not been called for all: in slices */

    /* What became of the members; rescued counts before the teardown, too. */
    size_t rescued;                  /* they live */
    size_t collected, uncollectable; /* dead in the end; what tp_del kept */
    size_t freed; /* bytes of the blocks of members that are gone */
};

struct pyb_condemned {
    int busy;     /* a set is being torn down, or Boehm is asked about one */
    size_t freed; /* granules of members that were freed, ever */
};
extern struct pyb_condemned pyb_condemned;

/* pyb_condemned_make: condemns what the cycle pass, of that result, found dead
   in a generation and the younger ones: the current set.  The candidates are
   forgotten. */
struct pyb_set pyb_condemned_make(enum pyb_generation oldest,
                                  struct pyb_cycle_result result);

/* pyb_condemned_claim: condemns those of a line's objects that have the bits
   and are candidates of a full collection: the current set, or more of it.
   Returns how many they are. */
size_t pyb_condemned_claim(struct pyb_line *line, uint64_t bits);

/* pyb_condemned_bytes: of the blocks of the members. */
size_t pyb_condemned_bytes(const struct pyb_set *set);

/* Where the members are: the lines of a young set are those that were recent,
   as long as no collection follows. */
static inline enum pyb_generation
pyb_condemned_where(const struct pyb_set *set)
{
    return set->state == PYB_STATE_CURRENT ? set->generation : PYB_OLD;
}

/* pyb_condemned_within: of a walk that has just begun, what is where the
   members are. */
static inline struct pyb_walk
pyb_condemned_within(const struct pyb_set *set, struct pyb_walk walk)
{
    return set->lines == NULL
               ? walk
               : pyb_walk_listed(walk, set->lines, set->n_lines);
}

/* pyb_condemned_walk: over the members of a set.
   pyb_condemned_walk_state: over what is in another state, of one being torn
   down.
   pyb_condemned_walk_all: over both, and what has left it. */
static inline struct pyb_walk
pyb_condemned_walk_state(const struct pyb_set *set, enum pyb_state state)
{
    return pyb_condemned_within(
        set, pyb_walk_members(pyb_condemned_where(set), state));
}

static inline struct pyb_walk
pyb_condemned_walk(const struct pyb_set *set)
{
    return pyb_condemned_walk_state(set, set->state);
}

static inline struct pyb_walk
pyb_condemned_walk_all(const struct pyb_set *set)
{
    return pyb_condemned_within(set,
                                pyb_walk_condemned(pyb_condemned_where(set)));
}

/* pyb_condemned_rescue: takes a member back to the living.
   pyb_condemned_rescue_bits: the same of members in a line.
   pyb_condemned_rescue_rest: of all that are left. */
void pyb_condemned_rescue(struct pyb_set *set, PyObject *op);
void pyb_condemned_rescue_bits(struct pyb_set *set, struct pyb_line *line,
                               uint64_t bits);
void pyb_condemned_rescue_rest(struct pyb_set *set);

/* pyb_condemned_freed: the block of a member, of so many granules, is freed.
 */
void pyb_condemned_freed(size_t granules);

/* pyb_condemned_ask: has Boehm collect with the members weak, and notes in the
   side table which of them it saw, that is, which ones its roots and the
   living lead to.  A final question is pyb_boehm_final_mark_query.  Returns
   what that or pyb_boehm_mark_query does; below 0, and where a final one finds
   finalizers of the host's, nothing is noted. */
enum pyb_answer pyb_condemned_ask(struct pyb_set *set, int final);

/* pyb_condemned_is_seen: Boehm's seen hook: has it marked an adopted member?
   pyb_condemned_keep: its keep hook. */
int pyb_condemned_is_seen(void);
void pyb_condemned_keep(struct pyb_boehm_marking *marking);

/* pyb_condemned_stop_asking: no set is weak any more. */
void pyb_condemned_stop_asking(void);

#endif /* PYB_GC_CONDEMNED_H */
