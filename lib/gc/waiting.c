/* waiting.c: the end of a condemned set, at once or when Boehm says so.  See
   waiting.h.

   The ways to the end of a set, each through tear_down:

     function                    the set                         slices
     pyb_condemned_tear_down     the current one, at once        no
     pyb_waiting_collect         the current one, by Boehm       no
     pyb_waiting_tear_down       that waits: next collection     no
     pyb_waiting_go_on           that was left in steps: last    no
     pyb_waiting_begin_teardown  that waits: next snapshot       yes
     pyb_waiting_finalize        that waits: Boehm's finalizer   yes
     pyb_waiting_tear_down_due   the same, put off before        yes

   Where slices are possible, only a set that a snapshot has found has them
   (in_slices).  First come its groups (found.h), each a set of its own; where
   members are adopted, or an audit follows the set, there are none.  Then what
   is in no group is torn down, with tp_clear in slices, unless there are
   modules or adopted members (teardown.c). */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/probes.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/boehm.h"
#include "gc/check/kept.h"
#include "gc/check/validate.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/revalidate.h"
#include "gc/snapshot/found.h"
#include "gc/snapshot/gcsnapshot.h"
#include "gc/stats.h"
#include "gc/teardown.h"
#include "gc/waiting.h"

/* The set that is left to Boehm; n is 0 if there is none. */
static struct pyb_set waiting;

static int due; /* the finalizer was called while a set was torn down, Boehm
                   was asked about one, a collection ran that has not left the
                   set, or in another thread than that of the collection */
/* The set that a collection which has not returned has left to Boehm; NULL:
   there is no such collection. */
static struct pyb_set *left_by_collection;

/* What pyb_waiting_go_on does next for the set that waits; NO_STEP: it waits
   for whoever comes first.  Has the finalizer come in the step before? */
static enum { NO_STEP, COLLECT, TEAR_DOWN } step;
static int finalizer_came;

/* So many members take a fraction of a millisecond. */
enum { SLICE = 4096 };

/* A set that is being torn down in slices, with its state, and, when it is
   uncleared, how far that has come; n is 0 if there is none. */
static struct {
    struct pyb_set set;
    struct pyb_iter rest;
} sliced;

/* Of the set that is being torn down, or goes in slices, if they were listed.
 */
static struct pyb_line *lines[PYB_GROUP_MAX];

/* A set may be small in a large heap: then the passes go over its lines only,
   with those of what has left a set.  Young ones are where few others are. */
PYB_OWN_FRAME static void
list_lines(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk_all(set);
    struct pyb_batch batch;
    size_t n = 0;

    if (set->lines != NULL || set->generation != PYB_OLD)
        return;
    PYB_ASSERT(sliced.set.n == 0 || !sliced.set.uncleared);
    while (pyb_walk_next(&walk, &batch)) {
        if (n == Py_ARRAY_LENGTH(lines))
            return;
        lines[n++] = batch.line;
    }
    set->lines = lines;
    set->n_lines = n;
}

/* Something is done to a set, with nothing else at work on one. */
static void
begin_work(struct pyb_extent *extent)
{
    pyb_control_begin(extent);
    PYB_ALWAYS(pyb_condemned.busy == 0, NULL,
               "a set is being torn down already");
    pyb_condemned.busy = 1;
}

/* Unless there is more to be done later, the set is done. */
static void
end_work(struct pyb_set *set, struct pyb_extent *extent, size_t freed_before)
{
    if (!set->uncleared) {
        if (pyb_checks)
            pyb_kept_check(set);
        pyb_condemned_rescue_rest(set);
    }
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_EXPENSIVE_WALK(pyb_heap_check());
    set->freed += (pyb_condemned.freed - freed_before) * PYB_GRANULE_BYTES;
    pyb_control_end(extent);
    pyb_condemned.busy = 0;
    if (set->uncleared)
        return;
    if (!set->part)
        pyb_stats_torn_down(set);
    PYB_PROBE1(gc__teardown__done, set->collected);
}

static void
tear_down(struct pyb_set *set, enum pyb_by by)
{
    size_t before = pyb_condemned.freed;
    struct pyb_extent extent;

    begin_work(&extent);
    PYB_PROBE1(gc__teardown__start, set->n);
    PYB_ASSERT(by != PYB_BY_NONE);
    PYB_ASSERT(set->n >= set->rescued);
    set->by = by;
    PYB_EXPENSIVE(pyb_condemned_check(set));
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_EXPENSIVE_WALK(pyb_heap_check());
    list_lines(set);
    pyb_adoption_clear_stack();
    pyb_teardown(set);
    if (set->uncleared) {
        sliced.rest = (struct pyb_iter){pyb_condemned_walk(set), {0}};
        pyb_teardown_clear(set, &sliced.rest, SLICE);
    }
    end_work(set, &extent, before);
}

void
pyb_condemned_tear_down(struct pyb_set *set)
{
    PYB_ASSERT(!set->in_slices); /* `sliced` holds sets that waited */
    tear_down(set, PYB_BY_COLLECTOR);
    PYB_ASSERT(!set->uncleared);
    pyb_boehm_run_finalizers();
}

/* Whatever sets there are: the one that is left to Boehm is in order, unless
   it is the one that was being torn down. */
void
pyb_waiting_abandon(void)
{
    struct pyb_set all = {.generation = PYB_OLD};
    struct pyb_walk walk = pyb_walk_condemned(PYB_OLD);
    struct pyb_batch batch;

    PYB_ASSERT(pyb_gil_is_held());
    while (pyb_walk_next(&walk, &batch)) {
        pyb_fact_clear(&batch.line->condemned,
                       pyb_line_members(batch.line, PYB_STATE_NONE));
        pyb_condemned_rescue_bits(
            &all, batch.line, pyb_line_members(batch.line, PYB_STATE_APART));
        pyb_condemned_rescue_bits(
            &all, batch.line, pyb_line_members(batch.line, PYB_STATE_CURRENT));
        if (waiting.n == 0)
            pyb_condemned_rescue_bits(
                &all, batch.line,
                pyb_line_members(batch.line, PYB_STATE_WAITING));
    }
    pyb_sidetable.states &=
        waiting.n > 0 ? PYB_STATE_BIT(PYB_STATE_WAITING) : 0;
    pyb_condemned_stop_asking();
    pyb_boehm_abandon();
    left_by_collection = NULL;
    if (waiting.n == 0)
        step = NO_STEP;
    sliced.set.n = 0; /* nothing waits beside it */
    pyb_gcsnapshot_forget_groups();
    pyb_condemned.busy = 0;
}

/* ------------------------------------------------------------------ */
/* The set that waits                                                  */

/* The members of the current set become members of the one that waits.  Boehm
   has something to gain by collecting. */
PYB_OWN_FRAME static void
join_waiting(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    size_t bytes = pyb_condemned_bytes(set);

    PYB_ASSERT(set->state == PYB_STATE_CURRENT);
    PYB_ASSERT(!set->part && set->lines == NULL && !set->uncleared);
    PYB_ASSERT(waiting.state == PYB_STATE_WAITING);
    PYB_ASSERT(set->n > set->rescued);
    while (pyb_walk_next(&walk, &batch))
        pyb_line_set_age(batch.line, batch.bits,
                         (enum pyb_generation)PYB_STATE_WAITING);
    pyb_sidetable.states &= ~PYB_STATE_BIT(PYB_STATE_CURRENT);
    pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_WAITING);
    waiting.n += set->n - set->rescued;
    pyb_stats_waiting(1);
    waiting.generation = Py_MAX(waiting.generation, set->generation);
    waiting.foreign |= set->foreign;
    waiting.starved |= set->starved;
    waiting.settled &= set->settled;
    waiting.in_slices &= set->in_slices;
    pyb_heap.waiting_bytes += bytes;
    pyb_boehm_count_live(-(ptrdiff_t)bytes);
    set->n = 0; /* its figures come back through left_by_collection */
}

int
pyb_waiting_any(void)
{
    return waiting.n > 0;
}

int
pyb_waiting_leave(struct pyb_set *set)
{
    PYB_ASSERT(pyb_gil_is_held());
    PYB_ASSERT(pyb_condemned.busy == 0);
    pyb_waiting_finish(); /* of another one in that state */
    if (waiting.n == 0) {
        if (pyb_boehm_set_sentinel() < 0)
            return -1;
        waiting = (struct pyb_set){.generation = set->generation,
                                   .state = PYB_STATE_WAITING,
                                   .settled = 1,
                                   .in_slices = 1};
    }
    join_waiting(set);
    return 0;
}

/* ------------------------------------------------------------------ */
/* In slices                                                           */

/* A slice is over; before it the set was that. */
static void
end_slice(struct pyb_pause *pause, const struct pyb_set *before)
{
    struct pyb_set *set = &sliced.set;
    struct pyb_set slice = {.by = set->by,
                            .starved = set->starved && !before->starved,
                            .collected = set->collected - before->collected,
                            .uncollectable =
                                set->uncollectable - before->uncollectable,
                            .freed = set->freed - before->freed};

    pyb_stats_end(pause, &slice);
}

/* Tears a group down.  Returns how many members it had; 0 if there is none. */
static size_t
tear_down_group(void)
{
    struct pyb_set *whole = &sliced.set, before = *whole, group;
    struct pyb_pause pause = pyb_stats_begin(whole->generation, PYB_WHY_LATE);

    group = pyb_gcsnapshot_next_group(lines);
    if (group.n == 0)
        return 0;
    PYB_ASSERT(group.part && group.generation == whole->generation);
    tear_down(&group, whole->by);
    whole->starved |= group.starved;
    whole->rescued += group.rescued;
    whole->collected += group.collected;
    whole->uncollectable += group.uncollectable;
    whole->freed += group.freed;
    end_slice(&pause, &before);
    return group.n;
}

/* Tears down what is in no group. */
static void
tear_down_rest(int in_slices)
{
    struct pyb_set before = sliced.set, rest = sliced.set;
    struct pyb_pause pause = pyb_stats_begin(rest.generation, PYB_WHY_LATE);

    rest.in_slices &= in_slices;
    tear_down(&rest, rest.by);
    sliced.set = rest;
    end_slice(&pause, &before);
}

/* Calls tp_clear of so many members. */
static void
clear_some(int n)
{
    struct pyb_set *set = &sliced.set, before = *set;
    struct pyb_pause pause = pyb_stats_begin(set->generation, PYB_WHY_LATE);
    size_t freed = pyb_condemned.freed;
    struct pyb_extent extent;

    PYB_ASSERT(pyb_gil_is_held() && set->uncleared);
    begin_work(&extent);
    pyb_teardown_clear(set, &sliced.rest, n);
    end_work(set, &extent, freed);
    end_slice(&pause, &before);
}

/* A slice, or all that is left.  Returns how many members were to be cleared
   in it, about. */
static size_t
tear_down_slice(int all)
{
    size_t n = !all && !sliced.set.uncleared ? tear_down_group() : 0;

    if (n > 0)
        return n;
    if (sliced.set.uncleared)
        clear_some(all ? INT_MAX : SLICE);
    else
        tear_down_rest(!all);
    if (!sliced.set.uncleared)
        sliced.set.n = 0;
    return SLICE;
}

void
pyb_waiting_finish(void)
{
    if (sliced.set.n > 0)
        pyb_gcsnapshot_forget_groups();
    while (sliced.set.n > 0)
        tear_down_slice(1);
}

int
pyb_waiting_is_going_on(void)
{
    return sliced.set.n > 0;
}

static void
begin_slices(const struct pyb_set *set, enum pyb_by by)
{
    PYB_ASSERT(sliced.set.n == 0 && set->foreign);
    sliced.set = *set;
    sliced.set.by = by;
    if (pyb_control.audit || pyb_condemned_any_adopted(set))
        pyb_gcsnapshot_forget_groups();
    tear_down_slice(0);
}

/* ------------------------------------------------------------------ */
/* The end of the set that waits                                       */

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
tear_down_waiting(enum pyb_by by, int in_slices)
{
    struct pyb_set set = waiting;

    PYB_ASSERT(pyb_gil_is_held());
    PYB_ASSERT(set.n > 0 && set.state == PYB_STATE_WAITING);
    PYB_ASSERT(set.collected == 0 && set.rescued == 0);
    PYB_ASSERT(left_by_collection == NULL || pyb_extent_is_mine());
    waiting.n = 0;
    pyb_stats_waiting(0);
    due = 0;
    step = NO_STEP;
    pyb_boehm_drop_sentinel();
    pyb_boehm_count_live((ptrdiff_t)pyb_heap.waiting_bytes);
    pyb_heap.waiting_bytes = 0;
    set.in_slices &= in_slices && left_by_collection == NULL;
    set.foreign |= left_by_collection == NULL || pyb_boehm_host_finalized();
    set.settled &= !set.foreign;
    if (set.in_slices) {
        begin_slices(&set, by);
    } else if (left_by_collection == NULL) {
        tear_down_late(&set, by);
    } else {
        tear_down(&set, by);
        *left_by_collection = set;
    }
    pyb_boehm_run_finalizers();
}

void
pyb_waiting_tear_down(void)
{
    pyb_waiting_finish();
    if (waiting.n > 0) {
        pyb_adoption_clear_stack();
        tear_down_waiting(PYB_BY_COLLECTOR, 0);
    }
}

void
pyb_waiting_begin_teardown(void)
{
    pyb_waiting_finish();
    if (waiting.n > 0) {
        pyb_adoption_clear_stack();
        tear_down_waiting(PYB_BY_COLLECTOR, 1);
    }
}

/* ------------------------------------------------------------------ */
/* In steps                                                            */

int
pyb_waiting_leave_in_steps(struct pyb_set *set)
{
    PYB_ASSERT(waiting.n == 0 && step == NO_STEP);
    if (pyb_waiting_leave(set) < 0)
        return -1;
    step = COLLECT;
    finalizer_came = 0;
    return 0;
}

/* The finalizer does no more than say so: the teardown is a pause of its own.
   The step is taken first, for finalizers of the host's may jump out of
   this. */
static void
have_boehm_collect(void)
{
    struct pyb_pause pause = pyb_stats_begin(waiting.generation, PYB_WHY_LATE);
    struct pyb_set none = {.n = 0};

    step = TEAR_DOWN;
    pyb_boehm_collect(0);
    pyb_stats_end(&pause, &none);
}

/* A host that runs finalizers on demand since then chooses the moment, unless
   it has passed. */
static void
take_step(void)
{
    PYB_ASSERT(waiting.n > 0);
    pyb_adoption_clear_stack();
    if (pyb_boehm_finalizers_on_demand() && !finalizer_came)
        step = NO_STEP;
    else if (step == COLLECT)
        have_boehm_collect();
    else
        tear_down_waiting(finalizer_came ? PYB_BY_FINALIZER : PYB_BY_COLLECTOR,
                          0);
}

void
pyb_waiting_go_on(Py_ssize_t made)
{
    if (pyb_condemned.busy)
        return;
    if (sliced.set.n == 0 && step != NO_STEP)
        take_step();
    else
        while (sliced.set.n > 0 && made > 0)
            made -= (Py_ssize_t)tear_down_slice(0);
}

void
pyb_waiting_collect(struct pyb_set *set)
{
    PYB_ALWAYS(waiting.n == 0, NULL, "a set waits already");
    PYB_ASSERT(left_by_collection == NULL);
    left_by_collection = set;
    pyb_boehm_watch_finalizers();
    if (pyb_waiting_leave(set) == 0) {
        pyb_boehm_collect(0);
        pyb_waiting_tear_down();
    } else {
        set->foreign |= pyb_boehm_host_finalized();
        set->settled &= !set->foreign;
        pyb_condemned_tear_down(set);
    }
    pyb_boehm_unwatch_finalizers();
    left_by_collection = NULL;
}

/* ------------------------------------------------------------------ */
/* Boehm's finalizer                                                   */

/* A set is its collection's as long as that has not returned: another thread,
   attached while a finalizer of the host's gave the lock up, leaves it alone.
 */
void
pyb_waiting_finalize(void)
{
    int elsewhere = pyb_control.collecting > 0 &&
                    (left_by_collection == NULL || !pyb_extent_is_mine());

    PYB_ASSERT(pyb_gil_is_held());
    if (pyb_condemned.busy || elsewhere) {
        due = 1;
    } else if (step == TEAR_DOWN) {
        finalizer_came = 1;
    } else if (waiting.n > 0) {
        pyb_adoption_clear_stack();
        tear_down_waiting(PYB_BY_FINALIZER, 1);
    }
}

void
pyb_waiting_tear_down_due(void)
{
    if (due && waiting.n > 0) {
        pyb_adoption_clear_stack();
        tear_down_waiting(PYB_BY_FINALIZER, 1);
    }
    due = 0;
}
