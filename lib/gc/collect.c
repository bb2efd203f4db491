/* collect.c: one collection from end to end, and when one is due.  See
   collect.h.

   Three generations.  A collection looks at one and the younger ones;
   references from older objects are not explained in it, so what they hold
   lives, and no write barrier is needed.

   A test of code that makes containers sets PYBOEHM_STRESS=1 in the
   environment: then a full collection runs wherever an automatic one might.
   With 100, say, it runs at each hundredth such place. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/environment.h"
#include "gc/base/events.h"
#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/threadstack.h"
#include "gc/base/upcalls.h"
#include "gc/boehm/boehm.h"
#include "gc/callbacks.h"
#include "gc/check/fault.h"
#include "gc/check/inspect.h"
#include "gc/check/plains.h"
#include "gc/check/quarantine.h"
#include "gc/check/slotwatch.h"
#include "gc/check/traverse.h"
#include "gc/check/validate.h"
#include "gc/collect.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/dealloc.h"
#include "gc/debug.h"
#include "gc/heap/generations.h"
#include "gc/heap/heap.h"
#include "gc/heap/shutdown_roots.h"
#include "gc/marking.h"
#include "gc/revalidate.h"
#include "gc/snapshot/gcsnapshot.h"
#include "gc/stats.h"
#include "gc/teardown.h"
#include "gc/waiting.h"

/* ------------------------------------------------------------------ */
/* What tears a set down                                               */

/* Of its bytes in use, Boehm's heap is worth a mark if one in so many is. */
enum { WORTH_PART = 8 };

/* Can the set be left to a collection of Boehm's that is made now?  Not if
   another set waits: finalizers ran on demand when this collection began, and
   the host may have switched that off since. */
static int
can_leave_to_boehm(void)
{
    return pyb_boehm_calls_back() && !pyb_waiting_any();
}

/* A whole collection that was asked for: Boehm collects, and its finalizer
   does it before this returns.  Where Boehm cannot call back, this thread
   does. */
static void
tear_down_through_boehm(struct pyb_set *set)
{
    PYB_ASSERT(set->generation == PYB_OLD);
    if (can_leave_to_boehm())
        pyb_waiting_collect(set);
    else
        pyb_condemned_tear_down(set);
}

/* From so many objects on, Boehm's collection and the teardown of what a full
   one has found are pauses of their own. */
enum { IN_STEPS_FROM = 1 << 17 };

static int
is_worth_a_mark(const struct pyb_set *set)
{
    return pyb_condemned_bytes(set) > pyb_boehm_used_bytes() / WORTH_PART;
}

/* An automatic collection.  Of the young generations it finds a few hundred
   objects, for which a mark of a whole heap would be absurd.  A full one
   leaves its set to Boehm, and has Boehm collect if the set is worth it, at
   once or, where that takes long, at a later allocation; else the set waits
   for the collection that Boehm makes on its own, at most until the next full
   one.  Where the host runs finalizers on demand, it finds the set in Boehm's
   queue, whatever the generation.  Under stress, for tests, nothing has to
   wait. */
static void
tear_down_sometime(struct pyb_set *set)
{
    int on_demand = pyb_boehm_finalizers_on_demand();
    int may_wait =
        on_demand || (set->generation == PYB_OLD && pyb_control.stress == 0 &&
                      pyb_boehm_calls_back());

    PYB_ASSERT(set->n > set->rescued);
    if (may_wait && can_leave_to_boehm() && is_worth_a_mark(set)) {
        if (pyb_control.old + set->n < IN_STEPS_FROM ||
            pyb_waiting_leave_in_steps(set) < 0)
            pyb_waiting_collect(set);
    } else if (!may_wait) {
        pyb_condemned_tear_down(set);
    } else if (pyb_waiting_leave(set) < 0) {
        set->foreign =
            1; /* the attempt may have run finalizers of the host's */
        pyb_condemned_tear_down(set);
    }
}

/* The end of a collection that was asked for.  A host that runs finalizers on
   demand finds what waits in Boehm's queue. */
static void
tidy(void)
{
    if (pyb_waiting_any() && pyb_boehm_finalizers_on_demand())
        pyb_boehm_collect(0);
    pyb_heap_trim();
    pyb_heap_release(1);
}

/* ------------------------------------------------------------------ */
/* One collection                                                      */

static void
begin_counts(enum pyb_generation oldest)
{
    PYB_ASSERT(oldest <= PYB_OLD);
    pyb_control.made = 0;
    memset(pyb_control.counts, 0, (oldest + 1) * sizeof(int));
}

/* What waits when the next full collection comes is torn down before that
   looks for more, unless the host wants to choose the moment. */
static void
begin_generation(enum pyb_generation oldest)
{
    pyb_debug_start((int)oldest);
    begin_counts(oldest);
    if (oldest < PYB_OLD) {
        pyb_control.counts[oldest + 1]++;
    } else {
        pyb_waiting_finish();
        if (!pyb_boehm_finalizers_on_demand())
            pyb_waiting_tear_down();
        pyb_gcsnapshot_drop();
    }
    if (oldest == PYB_OLD && pyb_adoption.n > 0)
        pyb_boehm_begin_scan();
}

PYB_OWN_FRAME static void
check_candidates(struct pyb_walk walk)
{
    struct pyb_batch batch;
    PyObject *op;

    while (pyb_walk_next(&walk, &batch)) {
        pyb_line_check(batch.line);
        while ((op = pyb_batch_take(&batch)) != NULL)
            pyb_inspect_tracked(op);
    }
}

/* Post-condition: pyb_control.old has the survivors of a full collection,
   promoted those that have grown old since. */
static void
advance_generation(enum pyb_generation oldest, size_t survivors)
{
    pyb_generations_promote(oldest);
    if (oldest == PYB_OLD) {
        pyb_control.old = survivors;
        pyb_control.promoted = 0;
    } else if (oldest == PYB_MIDDLE) {
        pyb_control.promoted += survivors;
    }
}

/* What is adopted of the set that a full collection has condemned, if any, is
   for Boehm to judge. */
static void
judge_adopted(struct pyb_set *set)
{
    int found = 0;

    PYB_ASSERT(set->generation == PYB_OLD || set->n == 0);
    if (set->n > 0 && pyb_condemned_any_adopted(set)) {
        pyb_adoption_clear_stack();
        pyb_judge(set);
        pyb_control.old += set->rescued;
        found = pyb_condemned_any_adopted(set);
    }
    pyb_adoption_looked(found);
}

/* The first three of the five steps: what is dead becomes the current set. */
static struct pyb_set
find_dead(enum pyb_generation oldest, struct pyb_pause *pause)
{
    struct pyb_set set = {.n = 0};
    struct pyb_cycle_result result;
    struct pyb_walk candidates;

    begin_generation(oldest);
    PYB_EXPENSIVE_WALK(pyb_heap_check());
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    candidates = pyb_walk_generation(oldest);
    if (pyb_checks) {
        check_candidates(candidates);
        pyb_quarantine_check();
    }

    /* Steps 1 and 2, subtract_refs and mark_reachable: the gcrefs say which
       candidates are unreachable. */
    result = pyb_cycle_deduce(
        candidates, oldest == PYB_OLD ? PYB_UNTRACK_ALL : PYB_UNTRACK_SOME);
    PYB_ASSERT(result.dead + result.alive <= result.candidates);
    pause->candidates = result.candidates;

    /* Step 3, condemn: these are the set, and the gcrefs are clear again. */
    if (result.dead > 0)
        set = pyb_condemned_make(oldest, result);
    else
        pyb_cycle_forget(candidates);
    advance_generation(oldest, result.alive);
    return set;
}

/* The same of what a snapshot has found.  What has come to be alive since is a
   member until the set, which waits as others do, is counted again. */
static struct pyb_set
take_dead(struct pyb_pause *pause)
{
    struct pyb_set set = pyb_gcsnapshot_take(&pause->candidates);

    PYB_ASSERT(set.n <= pause->candidates);
    pyb_control.old = pause->candidates - set.n;
    return set;
}

/* One collection between its callbacks: the five steps.  end does the last
   two: it has Boehm collect, or leaves the set to it, or does without. Returns
   the figures, of which one is PyGC_Collect's result. */
static struct pyb_pause
collect_steps(enum pyb_generation oldest, enum pyb_why why,
              void (*end)(struct pyb_set *))
{
    struct pyb_pause pause = pyb_stats_begin(oldest, why);
    struct pyb_set set;

    PYB_ASSERT(pyb_control.collecting > 0 && oldest <= PYB_OLD);
    set = why == PYB_WHY_SNAPSHOT ? take_dead(&pause)
                                  : find_dead(oldest, &pause);
    if (oldest == PYB_OLD)
        judge_adopted(&set);

    /* Steps 4 and 5, Boehm's collection and the teardown: nothing of the set
       is condemned any more, unless it waits for Boehm. */
    PYB_ASSERT(set.rescued <= set.n);
    if (set.n > set.rescued) {
        pyb_adoption_clear_stack();
        end(&set);
    }
    pyb_waiting_tear_down_due();

    if (why == PYB_WHY_EXPLICIT)
        tidy();
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_EXPENSIVE_WALK(pyb_heap_check());
    pyb_stats_end(&pause, &set);
    pyb_debug_done(set.collected, set.uncollectable, pause.duration);
    return pause;
}

/* One collection with its callbacks.  Its frame reaches up to the extent, and
   is checked for addresses of members as those below it. */
PYB_OWN_FRAME static Py_ssize_t
collect_between_callbacks(enum pyb_generation oldest, enum pyb_why why,
                          void (*end)(struct pyb_set *))
{
    PyBoehm_GC_Info info = {.generation = (int)oldest};
    PyObject *error = pyb_upcalls.take_error();
    struct pyb_pause pause;
    struct pyb_extent extent;

    PYB_ASSERT(pyb_gil_is_held() && pyb_control.collecting == 0);
    pyb_control_begin(&extent);
    pyb_callbacks_call("start", &info);
    pause = collect_steps(oldest, why, end);
    info.collected = (Py_ssize_t)pause.collected;
    info.uncollectable = (Py_ssize_t)pause.uncollectable;
    info.candidates = (Py_ssize_t)pause.candidates;
    info.duration = pause.duration;
    info.starved = pause.starved;
    pyb_callbacks_call("stop", &info);
    pyb_control_end(&extent);
    pyb_upcalls.put_error(error);
    return info.collected + info.uncollectable;
}

/* One collection.  Returns how many objects were found unreachable.  An
   allocation that begins it has just left addresses of blocks on the stack
   below, where Boehm, asked about adopted objects, would see them. */
static Py_ssize_t
collect(enum pyb_generation oldest, enum pyb_why why,
        void (*end)(struct pyb_set *))
{
    if (oldest == PYB_OLD)
        pyb_adoption_clear_stack();
    return collect_between_callbacks(oldest, why, end);
}

/* ------------------------------------------------------------------ */
/* Collections that were left                                          */

/* What was under way has been left: it is given up, and its objects live on
   until the next collection looks at them. */
static void
abandon(void)
{
    char where[200];
    PyObject *member;

    PYB_ASSERT(pyb_control.collecting > 0);
    pyb_teardown_where(where, sizeof where);
    pyb_upcalls.write_stderr("pyboehm: a collection has been left by a jump "
                             "out of %s; it is given up\n",
                             where);
    if (pyb_extent_is_mine())
        pyb_dealloc_abandon(pyb_control.depth_before);
    pyb_cycle_abandon();
    pyb_slotwatch_abandon();
    pyb_traverse_abandon();
    member = pyb_teardown_abandon(); /* before the bits go */
    pyb_waiting_abandon();
    pyb_control.collecting = 0;
    pyb_control.innermost = NULL; /* its frame is gone */
    pyb_extent_end(NULL);
    pyb_control_set_limit();
    Py_XDECREF(member); /* last: code of the host's may run */
}

int
pyb_collect_is_under_way(void)
{
    if (_PyB_UNLIKELY(pyb_control.collecting > 0 && pyb_extent_is_abandoned()))
        abandon();
    return pyb_control.collecting > 0;
}

/* ------------------------------------------------------------------ */
/* When one is due                                                     */

/* A young collection that finds garbage costs about as much for each object,
   whether there are 320 or 2000: the first threshold says how long a pause is.
   One that finds little would better have come later, for most of what it
   looks at will be freed by count.  So these wait longer and longer, until one
   of them has found as much as a part of what was made; unless the program has
   set thresholds itself. */
static const int thresholds[PYB_GENERATIONS] = {320, 10, 10};
enum { BACKOFF_MAX = 8, PART = 4 };

/* The oldest generation that is due.  The last one must have doubled, too, so
   that building a heap costs each object a constant; that the young one waits
   longer does not make it wait, for what it looks at only grows.  Where Boehm
   has collected since, adopted objects may have died. */
static enum pyb_generation
generation_due(enum pyb_why *why)
{
    PYB_ASSERT(pyb_control.backoff >= 1 &&
               pyb_control.backoff <= Py_MAX(1, pyb_control.backoff_max));
    *why = pyb_adoption_due() ? PYB_WHY_BOEHM : PYB_WHY_ALLOCATION;
    if (*why == PYB_WHY_BOEHM)
        return PYB_OLD;
    if (pyb_control.counts[PYB_OLD] * pyb_control.backoff >
            pyb_control.thresholds[PYB_OLD] &&
        pyb_control.promoted > pyb_control.old)
        return PYB_OLD;
    return pyb_control.counts[PYB_MIDDLE] > pyb_control.thresholds[PYB_MIDDLE]
               ? PYB_MIDDLE
               : PYB_YOUNG;
}

/* Is it the turn of an allocation under stress?  Not while no automatic
   collection may run. */
static int
stress_is_due(void)
{
    static unsigned long places;

    return pyb_control.stress > 0 && pyb_control_due_at() != PY_SSIZE_T_MAX &&
           ++places % (unsigned long)pyb_control.stress == 0;
}

/* After an automatic collection. */
static void
adapt_threshold(Py_ssize_t made, Py_ssize_t found)
{
    int more = Py_MIN(2 * pyb_control.backoff, pyb_control.backoff_max);

    PYB_ASSERT(made >= 0 && found >= 0);
    pyb_control.backoff = found < made / PART ? more : 1;
    pyb_control_set_limit();
}

/* Has a child do what takes long of a full collection.  0, or -1 if it
   cannot. */
static int
begin_snapshot(void)
{
    PYB_ASSERT(pyb_control.collecting > 0);
    begin_counts(PYB_OLD);
    if (pyb_gcsnapshot_begin() < 0)
        return -1;
    pyb_control.old += pyb_control.promoted;
    pyb_control.promoted = 0;
    return 0;
}

/* What a snapshot has found is left to the next collection that Boehm makes:
   to have it made would be the pause that was to be saved. */
static void
leave_to_boehm(struct pyb_set *set)
{
    PYB_ASSERT(set->generation == PYB_OLD && !set->in_slices);
    set->in_slices = 1;
    if (pyb_boehm_calls_back() && pyb_waiting_leave(set) == 0)
        return;
    set->in_slices = 0;
    pyb_condemned_tear_down(set);
}

/* Is a full collection due for which a snapshot is to be taken? */
static int
snapshot_due(void)
{
    enum pyb_why why;

    return generation_due(&why) == PYB_OLD && why != PYB_WHY_BOEHM &&
           pyb_gcsnapshot_wanted(pyb_control.old + pyb_control.promoted);
}

/* What waits goes before a snapshot is taken; what is going in slices goes on
   doing so.  0, or -1 if there can be none. */
static int
begin_beside(void)
{
    PyObject *error = pyb_upcalls.take_error();
    struct pyb_extent extent;
    int begun = 0;

    pyb_control_begin(&extent);
    if (pyb_waiting_any() && !pyb_boehm_finalizers_on_demand())
        pyb_waiting_begin_teardown();
    else
        begun = begin_snapshot();
    pyb_control_end(&extent);
    pyb_upcalls.put_error(error);
    return begun;
}

/* An automatic collection.  As long as a snapshot is looked at, those that
   would be full ones are not.  To begin one, and to take what one has found,
   are pauses without a slice. */
static void
collect_due(Py_ssize_t made)
{
    enum pyb_gcsnapshot snapshot = pyb_gcsnapshot_look();
    enum pyb_generation oldest;
    enum pyb_why why;
    int sliced;

    if (snapshot == PYB_GCSNAPSHOT_NONE && snapshot_due()) {
        if (begin_beside() == 0)
            return;
        snapshot = PYB_GCSNAPSHOT_FAILED;
    }
    sliced = pyb_waiting_is_going_on();
    if (snapshot != PYB_GCSNAPSHOT_FAILED) { /* else all that is left goes */
        pyb_waiting_go_on(made);             /* runs code of the host's */
        sliced |= pyb_waiting_is_going_on();
        snapshot = pyb_gcsnapshot_look();
        if (pyb_control_due_at() == PY_SSIZE_T_MAX)
            return; /* it has disabled this, or another thread is at it */
    }
    if (snapshot == PYB_GCSNAPSHOT_READY && !sliced) {
        collect(PYB_OLD, PYB_WHY_SNAPSHOT, leave_to_boehm);
        return;
    }
    if (snapshot == PYB_GCSNAPSHOT_NONE && snapshot_due())
        return; /* only since: the next allocation begins with that */
    oldest = generation_due(&why);
    if (snapshot == PYB_GCSNAPSHOT_FAILED)
        oldest = PYB_OLD;
    else if (snapshot != PYB_GCSNAPSHOT_NONE && why != PYB_WHY_BOEHM)
        oldest = Py_MIN(oldest, PYB_MIDDLE);
    adapt_threshold(made, collect(oldest, why, tear_down_sometime));
}

void
pyb_collect_automatic(void)
{
    Py_ssize_t made = pyb_control.made;

    if (pyb_checks || !pyb_control.initialized)
        pyb_control_require("PyObject_GC_New");
    if (pyb_control.audit)
        pyb_events->may_collect();
    pyb_gil_run_deferred();
    if (made > pyb_control.look_at && pyb_collect_is_under_way())
        pyb_control_set_limit();
    if (stress_is_due()) {
        collect(PYB_OLD, PYB_WHY_STRESS, tear_down_sometime);
    } else if (made > pyb_control_due_at()) {
        collect_due(made);
    }
}

static Py_ssize_t
collect_now(enum pyb_generation oldest, void (*end)(struct pyb_set *set))
{
    if (pyb_checks)
        pyb_control.changes++;
    if (pyb_control.audit && pyb_events != NULL)
        pyb_events->may_collect();
    return pyb_collect_is_under_way() ? 0
                                      : collect(oldest, PYB_WHY_EXPLICIT, end);
}

Py_ssize_t
pyb_collect_generation(enum pyb_generation oldest)
{
    PYB_ASSERT(oldest <= PYB_OLD);
    return collect_now(oldest, pyb_condemned_tear_down);
}

/* One that the program has asked for. */
static Py_ssize_t
collect_asked(enum pyb_generation oldest, void (*end)(struct pyb_set *set))
{
    int tell =
        pyb_events != NULL && oldest == PYB_OLD && !pyb_collect_is_under_way();
    Py_ssize_t dead;

    if (tell)
        pyb_events->collecting();
    dead = collect_now(oldest, end);
    if (tell)
        pyb_events->collected();
    return dead;
}

Py_ssize_t
pyb_collect_whole(void)
{
    return collect_asked(PYB_OLD, tear_down_through_boehm);
}

Py_ssize_t
PyGC_Collect(void)
{
    pyb_control_require(__func__);
    return pyb_control.enabled ? pyb_collect_whole() : 0;
}

Py_ssize_t
PyBoehm_GC_Collect(int generation)
{
    pyb_control_require(__func__);
    if (generation < 0 || generation >= PYB_GENERATIONS) {
        pyb_upcalls.value_error("invalid generation");
        return -1;
    }
    return collect_asked((enum pyb_generation)generation,
                         pyb_condemned_tear_down);
}

/* Boehm has collected, too, at the end: for the set, or as is done here. */
Py_ssize_t
PyBoehm_GC_CollectAll(void)
{
    unsigned long before = pyb_boehm_collections();
    Py_ssize_t dead;

    pyb_control_require(__func__);
    if (pyb_collect_is_under_way())
        return 0;
    dead = pyb_collect_whole();
    if (pyb_boehm_collections() == before)
        pyb_boehm_collect(0);
    return dead;
}

/* ------------------------------------------------------------------ */
/* Boehm's finalizer                                                   */

/* Not 0: the call is on its way. */
static AO_t finalizer_deferred;

/* A collection that was left is given up first: the sets that it has found are
   not the one that waits. */
static void
finalize_waiting(void *Py_UNUSED(arg))
{
    PYB_ASSERT(pyb_gil_is_held());
    AO_store_full(&finalizer_deferred, 0);
    (void)pyb_collect_is_under_way();
    pyb_waiting_finalize();
}

/* The sentinel's finalizer is called, in any thread.  Should the set have been
   torn down meanwhile and another one wait, that is torn down a little
   early. */
static void
set_is_found(void)
{
    static struct pyb_deferred call = {finalize_waiting, NULL, NULL};

    if (AO_fetch_and_add1_full(&finalizer_deferred) == 0)
        pyb_gil_defer(&call);
}

/* ------------------------------------------------------------------ */
/* Beginning and end                                                   */

static const struct pyb_boehm_client boehm_client = {
    .roots = pyb_heap_push_roots,
    .seen = pyb_condemned_is_seen,
    .keep = pyb_condemned_keep,
    .found = set_is_found,
};

static void
read_stress(void)
{
    const char *wish = pyb_environment("PYBOEHM_STRESS");

    pyb_control.stress = wish != NULL ? Py_MAX(strtol(wish, NULL, 10), 0) : 0;
}

/* Once in a process: what was made one way is not freed the other way. */
static void
read_malloc(void)
{
    static int read;
    const char *wish = read ? NULL : pyb_environment("PYBOEHM_MALLOC");

    read = 1;
    if (wish == NULL)
        return;
    if (strcmp(wish, "plain") != 0)
        fprintf(stderr, "pyboehm: PYBOEHM_MALLOC=%s: only plain is known\n",
                wish);
    else if (pyb_boehm_malloc_only() < 0)
        fputs("pyboehm: PYBOEHM_MALLOC: this system has no "
              "malloc_usable_size()\n",
              stderr);
    else
        pyb_control.malloc_only = 1;
}

int
pyb_collect_init(void)
{
    static int started;

    PYB_ASSERT(!pyb_control.initialized && pyb_control.collecting == 0);
    pyb_extent_init();
    pyb_fatal_init();
    pyb_gcsnapshot_init();
    read_stress();
    read_malloc();
    if (pyb_checks) {
        pyb_inspect_init();
        pyb_quarantine_init();
        pyb_fault_init();
    }
    if (!started) {
        if (pyb_marking_init() < 0)
            return -1;
        started = 1;
    }
    pyb_boehm_init(&boehm_client);
    pyb_shutdown_roots_end();
    pyb_control.audit = 0;
    pyb_control.trace = 0;
    memcpy(pyb_control.thresholds, thresholds, sizeof thresholds);
    pyb_adoption_init();
    pyb_control.backoff = 1;
    pyb_control.backoff_max = BACKOFF_MAX;
    memset(pyb_control.counts, 0, sizeof pyb_control.counts);
    pyb_stats_init();
    pyb_control.enabled = 1;
    pyb_control.initialized = 1;
    pyb_control_choose_paths();
    return 0;
}

void
pyb_collect_fini(void)
{
    pyb_control_set_audit(0);
    if (pyb_checks) {
        pyb_plains_check();
        pyb_quarantine_empty();
        pyb_fault_fini();
    }
    pyb_control.initialized = 0;
    pyb_control.fast = 0;
    pyb_control.enabled = 0;
    pyb_debug_flags = 0;
    pyb_callbacks_forget();
    pyb_gcsnapshot_drop();
    pyb_heap_empty();
    if (pyb_shutdown_roots_begin() == 0) {
        pyb_boehm_fini();
        pyb_generations_prune_recent();
        pyb_sidetable_shrink();
    }
    pyb_control_set_limit();
}
