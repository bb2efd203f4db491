/* condemned.c: sets of objects that are to die together.  See condemned.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/boehm.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/probes.h"
#include "gc/stats.h"
#include "gc/teardown.h"

/* All sets that Boehm's hooks have to know. */
static struct pyb_set *sets;

/* Condemns the dead.  They are candidates no longer, and their cells can go
   before anything is written to the array: the two are never there at once. */
static void
sentence(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    struct pyb_group group;

    while (pyb_walk_next(&walk, &group)) {
        uint64_t dead = pyb_cycle_take_dead(group);

        if (dead == 0)
            continue;
        pyb_fact_set(&group.card->condemned, dead);
        pyb_card_set_age(group.card, dead, PYB_FROZEN); /* no set yet */
    }
    pyb_cycle_forget(candidates);
}

/* Enters them into the array. */
static void
enter(struct pyb_walk walk, PyObject **members)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group)) {
        pyb_card_set_age(group.card, group.bits, PYB_OLD); /* young has left */
        while ((op = pyb_group_take(&group)) != NULL)
            *members++ = op;
    }
}

struct pyb_set *
pyb_condemned_make(enum pyb_generation oldest, struct pyb_cycle_result result)
{
    struct pyb_set *set = calloc(1, sizeof *set);
    PyObject **members =
        set != NULL ? calloc(result.dead, sizeof *members) : NULL;

    if (members == NULL) {
        free(set);
        return NULL;
    }
    set->members = members;
    set->n = result.dead;
    set->late = pyb_adoption.late;
    set->foreign = !result.sound;
    set->generation = oldest;
    set->owners = 1;
    set->state = PYB_SET_RUNNING;
    set->link = sets;
    AO_store_release((volatile AO_t *)&sets, (AO_t)set);
    pyb_heap_hold_condemned(1); /* until the array has them */
    sentence(pyb_walk_generation(oldest));
    enter(pyb_walk_sentenced(oldest), members);
    pyb_heap_hold_condemned(0);
    return set;
}

void
pyb_condemned_spare(struct pyb_set *set, PyObject **member)
{
    struct pyb_card *card = pyb_card_held(*member);
    uint64_t bit = pyb_bit_of(*member);

    pyb_fact_clear(&card->condemned, bit);
    /* What survives a young collection is middle-aged. */
    if (set->generation == PYB_YOUNG && (card->age2 & bit)) {
        pyb_card_set_age(card, bit, PYB_MIDDLE);
        pyb_card_enter_recent(card);
    }
    *member = NULL;
    set->spared++;
}

/* Granules of the blocks that were freed, ever: a number to look at twice
   costs less than one that is handed around. */
static size_t freed_granules;

/* Apart: else the other would save registers for it. */
static __attribute__((noinline)) void
release_large(struct pyb_size *size, PyObject *op)
{
    freed_granules += pyb_boehm_size(op) / PYB_GRANULE_BYTES;
    pyb_heap_free_other(size, op);
}

void
pyb_condemned_release(PyObject *op)
{
    struct pyb_card *card = pyb_card_held(op);
    struct pyb_size *size = card->size;

    pyb_fact_clear(&card->condemned, pyb_bit_of(op));
    freed_granules += size->granules;
    if (_PyB_LIKELY(size->granules != 0))
        pyb_heap_push(size, op); /* it was cleared when it was freed */
    else
        release_large(size, op);
}

int
pyb_condemned_any_waits(void)
{
    const struct pyb_set *set = sets;

    while (set != NULL && set->state != PYB_SET_WAITING)
        set = set->link;
    return set != NULL;
}

int
pyb_condemned_contains(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    return card != NULL && (AO_load(&card->condemned) & pyb_bit_of(op)) != 0;
}

/* ------------------------------------------------------------------ */
/* Boehm's part                                                        */

/* Gives up one of the descriptor's owners.  The last one finds a set that
   nobody has torn down, or its end. */
static void
drop(struct pyb_set *set)
{
    if (AO_fetch_and_sub1_full(&set->owners) != 1)
        return;
    pyb_condemned_claim(set);
    free(set->members);
    free(set);
}

static void *
herald_of(const struct pyb_set *set)
{
    return (void *)~set->hidden;
}

/* The errand of the finalizer. */
static void
bury(void *set)
{
    pyb_condemned_claim(set);
    drop(set);
}

/* The herald's finalizer is called, in any thread. */
void
pyb_condemned_found(void *owner)
{
    struct pyb_set *set = owner;

    AO_store(&set->hidden, 0);
    set->burial = (struct pyb_errand){bury, set, NULL};
    pyb_attach_send(&set->burial);
}

/* Takes a herald that has not been found back. */
static void
dismiss(struct pyb_set *set)
{
    if (AO_load(&set->hidden) != 0 && pyb_boehm_dismiss(herald_of(set)))
        AO_fetch_and_sub1_full(&set->owners);
}

/* Boehm has something to gain. */
static void
count_out(struct pyb_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->members[i] != NULL)
            set->bytes += pyb_heap_block_size(set->members[i]);
    pyb_boehm_count_live(-(ptrdiff_t)set->bytes);
}

int
pyb_condemned_register(struct pyb_set *set)
{
    void *herald;

    set->foreign = 1; /* from here on */
    count_out(set);
    AO_fetch_and_add1_full(&set->owners);
    herald = pyb_boehm_herald(set);
    if (herald == NULL) {
        AO_fetch_and_sub1_full(&set->owners);
        return -1;
    }
    AO_store(&set->hidden, ~(AO_t)herald);
    set->state = PYB_SET_WAITING; /* the members are roots until here */
    return 0;
}

/* A finalizer that a probe has called has led to another one.  The sets that
   are outside have their answer, and will ask again, for there was a
   finalizer; this one is not about them. */
static void
suspend_probes(void)
{
    for (struct pyb_set *set = sets; set != NULL; set = set->link)
        if (set->state == PYB_SET_PROBED)
            set->state = PYB_SET_RUNNING;
}

int
pyb_condemned_probe(struct pyb_set *set, int last)
{
    int finalizers;

    suspend_probes();

    set->seen = calloc(set->n, 1);
    if (set->seen == NULL)
        return -1;
    set->state = PYB_SET_PROBED;
    finalizers = last ? pyb_boehm_last_probe() : pyb_boehm_probe();
    if (set->state != PYB_SET_PROBED && finalizers == 0)
        finalizers = 1; /* suspended, perhaps before Boehm was asked */
    set->state = PYB_SET_RUNNING;
    if (finalizers < 0)
        pyb_condemned_forget_seen(set);
    return finalizers;
}

void
pyb_condemned_forget_seen(struct pyb_set *set)
{
    free(set->seen);
    set->seen = NULL;
}

/* ------------------------------------------------------------------ */
/* Boehm's hooks                                                       */

static struct pyb_set *
first_set(void)
{
    return (struct pyb_set *)AO_load((const volatile AO_t *)&sets);
}

/* Where heralds would not be answered for, their sets are roots until their
   end. */
void
pyb_condemned_push_roots(void)
{
    for (struct pyb_set *set = first_set(); set != NULL; set = set->link) {
        if (set->state == PYB_SET_WAITING && !pyb_boehm_hears())
            set->state = PYB_SET_RUNNING;
        if (set->state == PYB_SET_RUNNING ||
            (set->state == PYB_SET_PROBED && !pyb_boehm_keeps()))
            pyb_boehm_push((void **)set->members,
                           (void **)(set->members + set->n));
    }
}

/* A stale word on some stack may have marked a herald.  Nobody refers to it,
   so the mark can go: Boehm will call the finalizer now. */
void
pyb_condemned_marked(void)
{
    for (struct pyb_set *set = first_set(); set != NULL; set = set->link)
        if (set->state == PYB_SET_WAITING)
            pyb_boehm_unmark(herald_of(set));
}

static void
note_seen(struct pyb_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->members[i] != NULL)
            set->seen[i] = (unsigned char)pyb_boehm_is_marked(set->members[i]);
}

/* Most of what members refer to are members: these are marked first, as in
   pyb_heap_push_roots. */
static void
keep_members(const struct pyb_set *set, struct pyb_boehm_marking *marking)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->members[i] != NULL)
            pyb_boehm_mark(set->members[i]);
    for (size_t i = 0; i < set->n; i++)
        if (set->members[i] != NULL)
            pyb_boehm_keep(marking, set->members[i],
                           pyb_heap_block_size(set->members[i]));
}

/* A herald that was found is not looked for again, so the members become
   roots. */
static void
keep_found(struct pyb_set *set, struct pyb_boehm_marking *marking)
{
    if (set->state != PYB_SET_WAITING)
        return;
    keep_members(set, marking);
    set->state = PYB_SET_RUNNING;
}

void
pyb_condemned_keep(void *owner, struct pyb_boehm_marking *marking)
{
    if (owner != NULL) {
        keep_found(owner, marking);
        return;
    }
    for (struct pyb_set *set = first_set(); set != NULL; set = set->link)
        if (set->state == PYB_SET_PROBED) {
            note_seen(set);
            keep_members(set, marking);
        }
}

/* ------------------------------------------------------------------ */
/* The end of a set                                                    */

/* Frees the blocks of the members that are gone; the others live on. */
static void
release_members(struct pyb_set *set)
{
    PyObject **members = set->members;
    size_t before = freed_granules;

    if (set->bytes > 0)
        pyb_boehm_count_live((ptrdiff_t)set->bytes);
    for (size_t i = 0; i < set->n; i++)
        if (members[i] != NULL) {
            if (members[i]->ob_type == NULL)
                pyb_condemned_release(members[i]);
            else
                pyb_condemned_spare(set, &members[i]);
        }
    set->freed += (freed_granules - before) * PYB_GRANULE_BYTES;
}

static void *
unlink_set(void *arg)
{
    struct pyb_set *set = arg, **link = &sets;

    while (*link != set)
        link = &(*link)->link;
    AO_store((volatile AO_t *)link, (AO_t)set->link);
    return NULL;
}

static void
tear_down(struct pyb_set *set)
{
    PYB_PROBE1(gc__teardown__start, set->n);
    set->claimed = 1;
    set->state = PYB_SET_RUNNING;
    pyb_control_begin();
    pyb_teardown(set);
    release_members(set);
    pyb_control_end();
    set->state = PYB_SET_DONE;
    /* Some thread that collects may be at the set, for keep's sake. */
    pyb_boehm_locked(unlink_set, set);
    pyb_stats_freed(set->generation, set->collected, set->uncollectable,
                    set->freed);
    PYB_PROBE1(gc__teardown__done, set->collected);
}

/* The collection that has condemned it is over. */
static void
tear_down_late(struct pyb_set *set)
{
    struct pyb_pause pause =
        pyb_stats_begin(set->generation, PYB_WHY_FINALIZER);

    tear_down(set);
    pause.collected = set->collected;
    pause.uncollectable = set->uncollectable;
    pause.bytes = set->freed;
    pyb_stats_end(&pause);
}

void
pyb_condemned_claim(struct pyb_set *set)
{
    if (set->claimed)
        return;
    if (set->left)
        tear_down_late(set);
    else
        tear_down(set);
}

void
pyb_condemned_claim_all(void)
{
    struct pyb_set *set;

    /* No collection is under way: all there are wait. */
    while ((set = sets) != NULL) {
        /* An owner more: the set's own code may have the finalizer called. */
        AO_fetch_and_add1_full(&set->owners);
        pyb_condemned_claim(set);
        PYB_ALWAYS(sets != set, NULL, "a set is being torn down already");
        dismiss(set);
        drop(set);
    }
}

void
pyb_condemned_leave(struct pyb_set *set)
{
    set->left = 1;
    if (set->state == PYB_SET_DONE)
        dismiss(set);
    drop(set);
}
