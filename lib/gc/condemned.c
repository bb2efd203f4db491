/* condemned.c: sets of objects that are to die together.  See condemned.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/attach.h"
#include "gc/boehm.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/probes.h"
#include "gc/stats.h"
#include "gc/teardown.h"

/* The set that is left to Boehm; n is 0 if there is none. */
static struct pyb_set waiting;

static struct {
    int busy; /* a set is being torn down, or Boehm is asked about one */
    int due;  /* the finalizer was called meanwhile */
    struct pyb_set
        *collecting; /* the set that a collection which has not
                        returned has left to Boehm; NULL: none has */
    size_t freed;    /* granules of members that were freed, ever */
} condemned;

/* Not 0: the finalizer's errand is on its way. */
static AO_t errand_sent;

/* Condemns the dead: they are candidates no longer. */
static void
condemn_dead(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    struct pyb_group group;

    while (pyb_walk_next(&walk, &group)) {
        uint64_t dead = pyb_cycle_take_dead(group);

        if (dead == 0)
            continue;
        pyb_card_set_age(group.card, dead,
                         (enum pyb_generation)PYB_MARK_CURRENT);
        pyb_fact_set(&group.card->condemned, dead);
    }
    pyb_cycle_forget(candidates);
}

struct pyb_set
pyb_condemned_make(enum pyb_generation oldest, struct pyb_cycle_result result)
{
    condemn_dead(pyb_walk_generation(oldest));
    return (struct pyb_set){.generation = oldest,
                            .mark = PYB_MARK_CURRENT,
                            .n = result.dead,
                            .late = pyb_adoption.late,
                            .foreign = !result.sound};
}

/* Takes members in a card back to the living.  What survives a young
   collection is middle-aged. */
static inline void
spare(struct pyb_set *set, struct pyb_card *card, uint64_t bits)
{
    pyb_fact_clear(&card->condemned, bits);
    if (set->generation != PYB_YOUNG) {
        pyb_card_set_age(card, bits, PYB_OLD);
    } else {
        pyb_card_set_age(card, bits, PYB_MIDDLE);
        pyb_card_enter_recent(card);
    }
    set->spared += (size_t)__builtin_popcountll(bits);
}

void
pyb_condemned_spare(struct pyb_set *set, PyObject *op)
{
    spare(set, pyb_card_held(op), pyb_bit_of(op));
}

void
pyb_condemned_freed(size_t granules)
{
    condemned.freed += granules;
}

int
pyb_condemned_contains(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    return card != NULL && (AO_load(&card->condemned) & pyb_bit_of(op)) != 0;
}

/* ------------------------------------------------------------------ */
/* The end of a set                                                    */

/* Post-condition: nothing of this set is condemned; what was not freed lives
   on.  What has left some set is not condemned
   any longer, either. */
static void
spare_rest(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_walk_condemned(pyb_condemned_where(set));
    struct pyb_group group;

    while (pyb_walk_next(&walk, &group)) {
        pyb_fact_clear(&group.card->condemned,
                       pyb_card_members(group.card, PYB_MARK_LEFT));
        spare(set, group.card, pyb_card_members(group.card, set->mark));
    }
}

/* Tears a set down, with nothing else at work on one. */
static void
tear_down(struct pyb_set *set, enum pyb_by by)
{
    size_t before = condemned.freed;

    PYB_ALWAYS(condemned.busy == 0, NULL, "a set is being torn down already");
    PYB_PROBE1(gc__teardown__start, set->n);
    condemned.busy++;
    pyb_control_begin();
    set->by = by;
    pyb_teardown(set);
    spare_rest(set);
    set->freed += (condemned.freed - before) * PYB_GRANULE_BYTES;
    pyb_control_end();
    condemned.busy--;
    pyb_stats_torn_down(set);
    PYB_PROBE1(gc__teardown__done, set->collected);
}

void
pyb_condemned_tear_down(struct pyb_set *set)
{
    tear_down(set, PYB_BY_COLLECTOR);
}

/* ------------------------------------------------------------------ */
/* The set that waits                                                  */

/* The bytes of the blocks of some of a card's objects. */
static size_t
bytes_of(struct pyb_card *card, uint64_t bits)
{
    size_t granules = card->size->granules;

    return granules != 0
               ? (size_t)__builtin_popcountll(bits) * granules *
                     PYB_GRANULE_BYTES
               : pyb_heap_block_size(pyb_block_at(pyb_card_base(card), bits));
}

size_t
pyb_condemned_bytes(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    size_t bytes = 0;

    while (pyb_walk_next(&walk, &group))
        bytes += bytes_of(group.card, group.bits);
    return bytes;
}

/* The members of the current set are members of the one that waits.  Boehm has
   something to gain by collecting. */
static void
join_waiting(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    size_t bytes = pyb_condemned_bytes(set);

    while (pyb_walk_next(&walk, &group))
        pyb_card_set_age(group.card, group.bits,
                         (enum pyb_generation)PYB_MARK_WAITING);
    waiting.n += set->n - set->spared;
    waiting.generation = Py_MAX(waiting.generation, set->generation);
    waiting.foreign |= set->foreign;
    waiting.starved |= set->starved;
    if (set->late != pyb_adoption.late)
        waiting.late = set->late;
    waiting.bytes += bytes;
    pyb_boehm_count_live(-(ptrdiff_t)bytes);
    set->n = 0;
}

int
pyb_condemned_waits(void)
{
    return waiting.n > 0;
}

int
pyb_condemned_leave(struct pyb_set *set)
{
    if (waiting.n == 0) {
        if (pyb_boehm_set_sentinel() < 0)
            return -1;
        waiting = (struct pyb_set){.generation = set->generation,
                                   .mark = PYB_MARK_WAITING,
                                   .late = pyb_adoption.late};
    }
    join_waiting(set);
    return 0;
}

/* The collection that has left it to Boehm is over. */
static void
tear_down_late(struct pyb_set *set, enum pyb_by by)
{
    struct pyb_pause pause = pyb_stats_begin(set->generation, PYB_WHY_LATE);

    tear_down(set, by);
    pyb_stats_end(&pause, set);
}

/* Nothing of the library's has looked at the set since the verdict: unless the
   collection that has found it is still there, and no code of the host's ran
   in between, it is counted again. */
static void
tear_down_waiting(enum pyb_by by)
{
    struct pyb_set set = waiting;

    waiting.n = 0;
    condemned.due = 0;
    pyb_boehm_drop_sentinel();
    pyb_boehm_count_live((ptrdiff_t)set.bytes);
    if (condemned.collecting == NULL) {
        set.foreign = 1;
        tear_down_late(&set, by);
    } else {
        set.foreign |= pyb_boehm_host_finalized();
        tear_down(&set, by);
        *condemned.collecting = set;
    }
}

void
pyb_condemned_tear_down_waiting(void)
{
    if (waiting.n > 0)
        tear_down_waiting(PYB_BY_COLLECTOR);
}

void
pyb_condemned_collect(struct pyb_set *set)
{
    PYB_ALWAYS(waiting.n == 0, NULL, "a set waits already");
    condemned.collecting = set;
    pyb_boehm_watch_finalizers();
    if (pyb_condemned_leave(set) == 0) {
        pyb_boehm_collect(0);
        pyb_condemned_tear_down_waiting();
    } else {
        set->foreign |= pyb_boehm_host_finalized();
        tear_down(set, PYB_BY_COLLECTOR);
    }
    pyb_boehm_unwatch_finalizers();
    condemned.collecting = NULL;
}

/* ------------------------------------------------------------------ */
/* Boehm's finalizer                                                   */

/* An attached thread has time for the finalizer's work. */
static void
finalize_waiting(void *Py_UNUSED(arg))
{
    AO_store_full(&errand_sent, 0);
    if (condemned.busy)
        condemned.due = 1;
    else if (waiting.n > 0)
        tear_down_waiting(PYB_BY_FINALIZER);
}

void
pyb_condemned_tear_down_due(void)
{
    if (condemned.due && waiting.n > 0)
        tear_down_waiting(PYB_BY_FINALIZER);
    condemned.due = 0;
}

/* The sentinel's finalizer is called, in any thread.  Should the set have been
   torn down meanwhile and another one wait, that is torn down a little
   early. */
void
pyb_condemned_found(void)
{
    static struct pyb_errand errand = {finalize_waiting, NULL, NULL};

    if (AO_fetch_and_add1_full(&errand_sent) == 0)
        pyb_attach_send(&errand);
}

/* ------------------------------------------------------------------ */
/* Boehm is asked                                                      */

/* The set that it is about, or NULL; read in Boehm's hook. */
static AO_t asked;

int
pyb_condemned_ask(struct pyb_set *set, int last)
{
    int finalizers;

    condemned.busy++;
    AO_store_full(&asked, (AO_t)set);
    pyb_heap_weaken(set->mark);
    finalizers = last ? pyb_boehm_last_probe() : pyb_boehm_probe();
    pyb_heap_weaken(PYB_MARK_LEFT);
    AO_store_full(&asked, 0);
    condemned.busy--;
    return finalizers;
}

static void
note_seen(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group)) {
        uint64_t *seen =
            pyb_card_word(group.card, pyb_card_region(group.card)->seen);

        *seen = 0;
        while ((op = pyb_group_take(&group)) != NULL)
            if (pyb_boehm_is_marked(op))
                *seen |= pyb_bit_of(op);
    }
}

/* Most of what members refer to are members: these are marked first, as in
   pyb_heap_push_roots. */
static void
keep_members(const struct pyb_set *set, struct pyb_boehm_marking *marking)
{
    struct pyb_walk marked = pyb_condemned_walk(set), walk = marked;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&marked, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            pyb_boehm_mark(op);
    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            pyb_boehm_keep(marking, op, pyb_heap_block_size(op));
}

void
pyb_condemned_keep(struct pyb_boehm_marking *marking)
{
    const struct pyb_set *set = (const struct pyb_set *)AO_load(&asked);

    if (set == NULL)
        return;
    note_seen(set);
    keep_members(set, marking);
}
