/* condemned.c: sets of objects that are to die together.  See condemned.h. */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/heap.h"
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

/* The array is the C allocator's at first: Boehm's would run finalizers, and
   so code that nobody knows, between the verdict and its entry here. */
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
    set->plain = 1;
    set->n = result.dead;
    set->foreign = !result.sound;
    set->generation = oldest;
    set->hidden = ~(uintptr_t)members;
    set->held = 1;
    set->owners = 1;
    set->collector = pthread_self();
    set->state = PYB_SET_RUNNING; /* the array is a root for now */
    set->link = sets;
    AO_store_release((volatile AO_t *)&sets, (AO_t)set);
    pyb_heap_hold_condemned(1); /* until the array has them */
    sentence(pyb_walk_generation(oldest));
    enter(pyb_walk_sentenced(oldest), members);
    /* set->hidden has the array. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    pyb_heap_hold_condemned(0);
    return set;
}

void
pyb_condemned_spare(const struct pyb_set *set, PyObject **member)
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
}

void
pyb_condemned_release(PyObject *op)
{
    struct pyb_card *card = pyb_card_held(op);

    pyb_fact_clear(&card->condemned, pyb_bit_of(op));
    if (_PyB_LIKELY(card->size->granules != 0))
        pyb_heap_push(card->size, op); /* it was cleared when it was freed */
    else
        pyb_heap_free_other(card->size, op);
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
    if (set->plain)
        free(pyb_condemned_members(set));
    free(set);
}

/* Boehm's finalizer for the array. */
static void
finalize(void *Py_UNUSED(array), void *data)
{
    struct pyb_set *set = data;

    /* A host's thread that allocates may be the one to run finalizers; the
       collecting thread claims the set itself then. */
    if (!set->held || pthread_equal(set->collector, pthread_self()))
        pyb_condemned_claim(set);
    else /* the array becomes a root again until then */
        AO_compare_and_swap_full(&set->state, PYB_SET_WAITING,
                                 PYB_SET_RUNNING);
    drop(set);
}

/* Moves the members into an array of Boehm's.  -1 if it has no memory: where
   the garbage itself fills its heap, for instance. */
static int
move_to_boehm(struct pyb_set *set)
{
    PyObject **plain = pyb_condemned_members(set);
    PyObject **array = pyb_boehm_alloc_array(set->n * sizeof *array);

    if (array == NULL)
        return -1;
    memcpy(array, plain, set->n * sizeof *array);
    /* The hook may look in between: as plain memory the new array will do. */
    AO_store_release(&set->hidden, ~(AO_t)array);
    AO_store_release(&set->plain, 0);
    free(plain);
    return 0;
}

/* Boehm has something to gain. */
static void
count_out(struct pyb_set *set)
{
    PyObject **members = pyb_condemned_members(set);

    for (size_t i = 0; i < set->n; i++)
        if (members[i] != NULL)
            set->bytes += pyb_heap_block_size(members[i]);
    pyb_boehm_count_live(-(ptrdiff_t)set->bytes);
}

int
pyb_condemned_register(struct pyb_set *set)
{
    set->foreign = 1; /* from here on */
    count_out(set);
    if (move_to_boehm(set) < 0)
        return -1;
    AO_fetch_and_add1_full(&set->owners);
    if (pyb_boehm_finalize(pyb_condemned_members(set), finalize, set) < 0) {
        AO_fetch_and_sub1_full(&set->owners);
        return -1;
    }
    set->state = PYB_SET_WAITING; /* the array is a root until here */
    return 0;
}

void
pyb_condemned_push_roots(void)
{
    struct pyb_set *set =
        (struct pyb_set *)AO_load((const volatile AO_t *)&sets);

    for (; set != NULL; set = set->link) {
        void *array = pyb_condemned_members(set);

        if (set->state != PYB_SET_RUNNING)
            continue;
        if (set->plain)
            pyb_boehm_push(array, (void **)array + set->n);
        else
            pyb_boehm_push(&array, &array + 1);
    }
}

/* A stale word on some stack may have marked an array.  Nobody but the set
   refers to it, so the mark can go: Boehm will call the finalizer now, and has
   marked all that the array reaches. */
void
pyb_condemned_unmark(void)
{
    struct pyb_set *set =
        (struct pyb_set *)AO_load((const volatile AO_t *)&sets);

    for (; set != NULL; set = set->link)
        if (set->state == PYB_SET_WAITING)
            pyb_boehm_unmark(pyb_condemned_members(set));
}

/* ------------------------------------------------------------------ */
/* The end of a set                                                    */

/* Frees the blocks of the members that are gone; the others live on. */
static void
release_members(struct pyb_set *set)
{
    PyObject **members = pyb_condemned_members(set);

    if (set->bytes > 0)
        pyb_boehm_count_live((ptrdiff_t)set->bytes);
    for (size_t i = 0; i < set->n; i++)
        if (members[i] != NULL) {
            if (members[i]->ob_type == NULL)
                pyb_condemned_release(members[i]);
            else
                pyb_condemned_spare(set, &members[i]);
        }
}

static void
unlink_set(struct pyb_set *set)
{
    struct pyb_set **link = &sets;

    while (*link != set)
        link = &(*link)->link;
    AO_store((volatile AO_t *)link, (AO_t)set->link);
}

void
pyb_condemned_claim(struct pyb_set *set)
{
    if (set->claimed)
        return;
    set->claimed = 1;
    set->state = PYB_SET_RUNNING;
    pyb_control_begin();
    pyb_teardown(set);
    release_members(set);
    pyb_control_end();
    set->state = PYB_SET_DONE;
    unlink_set(set);
    pyb_control_note(set->generation, set->collected, set->uncollectable);
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
        if (pyb_boehm_unfinalize(pyb_condemned_members(set)))
            AO_fetch_and_sub1_full(&set->owners);
        drop(set);
    }
}

void
pyb_condemned_leave(struct pyb_set *set)
{
    set->held = 0;
    if (set->state == PYB_SET_DONE && !set->plain &&
        pyb_boehm_unfinalize(pyb_condemned_members(set)))
        AO_fetch_and_sub1_full(&set->owners);
    drop(set);
}
