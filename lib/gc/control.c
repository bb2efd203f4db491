/* control.c: when to collect, and one collection from end to end.

   Three generations.  A collection looks at one and the younger ones;
   references from older objects are not explained in it, so what they hold
   lives, and no write barrier is needed.

   A test of code that makes containers sets PYBOEHM_STRESS=1 in the
   environment: then a full collection runs wherever an automatic one might.
   With 100, say, it runs at each hundredth such place.

   Manual: "Controlling the Garbage Collector State". */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/attach.h"
#include "gc/boehm.h"
#include "gc/callbacks.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/crew.h"
#include "gc/cycle.h"
#include "gc/dealloc.h"
#include "gc/debug.h"
#include "gc/environment.h"
#include "gc/fatal.h"
#include "gc/generations.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/keep.h"
#include "gc/recount.h"
#include "gc/stats.h"
#include "gc/upcalls.h"
#include "gc/watching.h"

/* A young collection that finds garbage costs about as much for each object,
   whether there are 320 or 2000: the first threshold says how long a pause is.
   One that finds little would better have come later, for most of what it
   looks at will be freed by count.  So these wait longer and longer, until one
   of them has found as much as a part of what was made; unless the program has
   set thresholds itself. */
static const int thresholds[PYB_GENERATIONS] = {320, 10, 10};
enum { PATIENCE_MAX = 8, PART = 4 };

struct pyb_control pyb_control;

struct pyb_upcalls pyb_upcalls;

const struct pyb_observers *pyb_observers;

static const struct pyb_boehm_hooks hooks = {
    .roots = pyb_heap_push_roots,
    .keep = pyb_condemned_keep,
    .found = pyb_condemned_found,
};

/* Where pyb_control.made makes an automatic collection due. */
static Py_ssize_t
due_at(void)
{
    Py_ssize_t threshold = pyb_control.thresholds[PYB_YOUNG];

    return pyb_control.enabled && pyb_control.collecting == 0 && threshold != 0
               ? threshold * pyb_control.patience
               : PY_SSIZE_T_MAX;
}

/* With checks each allocation calls pyb_control_automatic, which looks at the
   thread, so that without them none has to; under stress, too, where somebody
   looks, and after Py_Finalize. */
static void
set_limit(void)
{
    pyb_control.limit = !pyb_control.quick || pyb_control.stress > 0
                            ? PY_SSIZE_T_MIN
                            : due_at();
}

/* Chooses between the quick paths and those that tell of what they do. */
static void
choose_paths(void)
{
    int slowly = pyb_checks || pyb_observers != NULL;

    pyb_control.quick =
        pyb_control.initialized && !slowly && pyb_control.made_one == NULL;
    pyb_sidetable_check(slowly);
    pyb_dealloc_init();
    set_limit();
}

void
pyb_control_observe(const struct pyb_observers *observers)
{
    pyb_observers = observers;
    if (!pyb_checks)
        pyb_inspect_init();
    choose_paths();
}

static void
read_stress(void)
{
    const char *wish = pyb_environment("PYBOEHM_STRESS");

    pyb_control.stress = wish != NULL ? Py_MAX(strtol(wish, NULL, 10), 0) : 0;
}

int
pyb_control_init(void)
{
    static int started;

    pyb_fatal_init();
    pyb_crew_init();
    read_stress();
    if (pyb_checks)
        pyb_inspect_init();
    if (!started) {
        if (pyb_cycle_init() < 0)
            return -1;
        started = 1;
    }
    pyb_boehm_init(&hooks);
    pyb_keep_end();
    pyb_observers = NULL;
    memcpy(pyb_control.thresholds, thresholds, sizeof thresholds);
    pyb_adoption_init();
    pyb_control.patience = 1;
    pyb_control.patience_max = PATIENCE_MAX;
    memset(pyb_control.counts, 0, sizeof pyb_control.counts);
    pyb_stats_init();
    pyb_control.enabled = 1;
    pyb_control.initialized = 1;
    choose_paths();
    return 0;
}

void
pyb_control_fini(void)
{
    pyb_control_observe(NULL);
    pyb_control.initialized = 0;
    pyb_control.quick = 0;
    pyb_control.enabled = 0;
    pyb_debug_flags = 0;
    pyb_callbacks_forget();
    pyb_crew_stop();
    pyb_heap_empty();
    if (pyb_keep_begin() == 0) {
        pyb_boehm_fini();
        pyb_generations_weed();
        pyb_sidetable_shrink();
    }
    set_limit();
}

void
pyb_control_watch(void (*made_one)(PyObject *op),
                  void (*freed_one)(void *op, void *moved))
{
    pyb_control.made_one = made_one;
    pyb_control.freed_one = freed_one;
    choose_paths();
}

void
pyb_control_require(const char *what)
{
    if (!pyb_control.initialized)
        pyb_fatal_format(what, "called before Py_Initialize()");
    if (pyb_checks && !pyb_attach_holds())
        pyb_fatal_format(what, "called from a thread that is not attached");
}

void
pyb_control_begin(void)
{
    pyb_control.collecting++;
    set_limit();
}

void
pyb_control_end(void)
{
    pyb_control.collecting--;
    set_limit();
}

/* Making adds 1, freeing 1 or 2 (it may take 1 from made), tracking 2. */
unsigned long
pyb_control_activity(void)
{
    return (unsigned long)pyb_control.made + 2 * pyb_control.changes;
}

/* ------------------------------------------------------------------ */
/* One collection                                                      */

static void
check_candidates(struct pyb_walk walk)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group)) {
        pyb_card_check(group.card);
        while ((op = pyb_group_take(&group)) != NULL)
            pyb_inspect_tracked(op);
    }
}

/* Post-condition: the counts of generations are what they are after a
   collection. */
static void
turn_generation(enum pyb_generation oldest, size_t survivors)
{
    pyb_generations_age(oldest);
    if (oldest == PYB_OLD) {
        pyb_control.old = survivors;
        pyb_control.promoted = 0;
    } else if (oldest == PYB_MIDDLE) {
        pyb_control.promoted += survivors;
    }
}

/* Steps 1 to 3: finds the dead and condemns them.  The set is empty if there
   are none. */
PYB_APART static struct pyb_set
condemn(struct pyb_pause *pause)
{
    enum pyb_generation oldest = pause->generation;
    struct pyb_walk candidates = pyb_walk_generation(oldest);
    struct pyb_cycle_result result;
    struct pyb_set set = {.n = 0};

    if (pyb_checks)
        check_candidates(candidates);
    result = pyb_cycle_deduce(candidates, oldest == PYB_OLD ? PYB_SHED_ALL
                                                            : PYB_SHED_SOME);
    pause->candidates = result.candidates;
    if (result.dead > 0)
        set = pyb_condemned_make(oldest, result);
    else
        pyb_cycle_forget(candidates);
    turn_generation(oldest, result.alive);
    return set;
}

/* What is adopted of the set that a full collection has condemned, if any, is
   for Boehm to judge. */
static void
judge_adopted(struct pyb_set *set)
{
    int found = 0;

    if (set->n > 0 && pyb_set_any_adopted(set)) {
        pyb_recount(set, 1);
        pyb_control.old += set->spared;
        found = pyb_set_any_adopted(set);
    }
    pyb_adoption_asked(found);
}

/* ------------------------------------------------------------------ */
/* Steps 4 and 5: what tears a set down, and when                      */

/* Of its bytes in use, Boehm's heap is worth a mark if one in so many is. */
enum { WORTH_PART = 8 };

/* A collection of our heap alone does it itself. */
static void
tear_down_at_once(struct pyb_set *set)
{
    pyb_condemned_tear_down(set);
}

/* A whole collection that was asked for: Boehm collects, and its finalizer
   does it before this returns.  Where Boehm cannot call back, this thread
   does. */
static void
tear_down_through_boehm(struct pyb_set *set)
{
    if (pyb_boehm_calls_back())
        pyb_condemned_collect(set);
    else
        pyb_condemned_tear_down(set);
}

static int
is_worth_a_mark(const struct pyb_set *set)
{
    return pyb_condemned_bytes(set) > pyb_boehm_used_bytes() / WORTH_PART;
}

/* An automatic collection.  Of the young generations it finds a few hundred
   objects, for which a mark of a whole heap would be absurd.  A full one
   leaves its set to Boehm, and has Boehm collect if the set is worth it; else
   the set waits for the collection that Boehm makes on its own, at most until
   the next full one.  Where the host runs finalizers on demand, it finds the
   set in Boehm's queue, whatever the generation.  Under stress, for tests,
   nothing has to wait. */
static void
tear_down_sometime(struct pyb_set *set)
{
    int on_demand = pyb_boehm_finalizers_on_demand();
    int may_wait =
        on_demand || (set->generation == PYB_OLD && pyb_control.stress == 0 &&
                      pyb_boehm_calls_back());

    if (may_wait && !on_demand && is_worth_a_mark(set))
        pyb_condemned_collect(set);
    else if (!may_wait || pyb_condemned_leave(set) < 0)
        pyb_condemned_tear_down(set);
}

/* The end of a collection that was asked for.  A host that runs finalizers on
   demand finds what waits in Boehm's queue. */
static void
tidy(void)
{
    if (pyb_condemned_waits() && pyb_boehm_finalizers_on_demand())
        pyb_boehm_collect(0);
    pyb_heap_trim();
    pyb_heap_settle(1);
}

/* What waits when the next full collection comes is torn down before that
   looks for more, unless the host wants to choose the moment. */
static void
end_waiting(void)
{
    if (!pyb_boehm_finalizers_on_demand())
        pyb_condemned_tear_down_waiting();
}

/* The part of a collection between the callbacks. */
static struct pyb_pause
collect_generation(enum pyb_generation oldest, enum pyb_why why,
                   void (*tear_down)(struct pyb_set *))
{
    struct pyb_pause pause = pyb_stats_begin(oldest, why);
    struct pyb_set set;

    pyb_debug_start((int)oldest);
    pyb_control.made = 0;
    memset(pyb_control.counts, 0, (oldest + 1) * sizeof(int));
    if (oldest < PYB_OLD)
        pyb_control.counts[oldest + 1]++;
    else
        end_waiting();

    set = condemn(&pause);
    if (oldest == PYB_OLD)
        judge_adopted(&set);
    if (set.n > set.spared)
        tear_down(&set);
    pyb_condemned_tear_down_due();
    if (why == PYB_WHY_EXPLICIT)
        tidy();
    pyb_stats_end(&pause, &set);
    pyb_debug_done(set.collected, set.uncollectable, pause.duration);
    return pause;
}

/* One collection.  Returns how many objects were found unreachable. */
static Py_ssize_t
collect(enum pyb_generation oldest, enum pyb_why why,
        void (*tear_down)(struct pyb_set *))
{
    PyBoehm_GC_Info info = {.generation = (int)oldest};
    PyObject *error = pyb_upcalls.take_error();
    struct pyb_pause pause;

    pyb_control_begin();
    pyb_callbacks_call("start", &info);
    pause = collect_generation(oldest, why, tear_down);
    info.collected = (Py_ssize_t)pause.collected;
    info.uncollectable = (Py_ssize_t)pause.uncollectable;
    info.candidates = (Py_ssize_t)pause.candidates;
    info.duration = pause.duration;
    info.starved = pause.starved;
    pyb_callbacks_call("stop", &info);
    pyb_control_end();
    pyb_upcalls.put_error(error);
    return info.collected + info.uncollectable;
}

/* The oldest generation that is due.  The last one must have doubled, too, so
   that building a heap costs each object a constant; that the young one waits
   longer does not make it wait, for what it looks at only grows.  Where Boehm
   has collected since, adopted objects may have died. */
static enum pyb_generation
due(enum pyb_why *why)
{
    *why = pyb_adoption_due() ? PYB_WHY_BOEHM : PYB_WHY_ALLOCATION;
    if (*why == PYB_WHY_BOEHM)
        return PYB_OLD;
    if (pyb_control.counts[PYB_OLD] * pyb_control.patience >
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

    return pyb_control.stress > 0 && due_at() != PY_SSIZE_T_MAX &&
           ++places % (unsigned long)pyb_control.stress == 0;
}

/* After an automatic collection. */
static void
learn(Py_ssize_t made, Py_ssize_t found)
{
    int more = Py_MIN(2 * pyb_control.patience, pyb_control.patience_max);

    pyb_control.patience = found < made / PART ? more : 1;
    set_limit();
}

void
pyb_control_automatic(void)
{
    Py_ssize_t made = pyb_control.made;
    enum pyb_generation oldest;
    enum pyb_why why;

    if (pyb_checks || !pyb_control.initialized)
        pyb_control_require("PyObject_GC_New");
    if (pyb_observers != NULL)
        pyb_observers->may_collect();
    pyb_attach_run_errands();
    if (stress_is_due()) {
        collect(PYB_OLD, PYB_WHY_STRESS, tear_down_sometime);
    } else if (made > due_at()) {
        oldest = due(&why);
        learn(made, collect(oldest, why, tear_down_sometime));
    }
}

static Py_ssize_t
collect_now(enum pyb_generation oldest, void (*tear_down)(struct pyb_set *set))
{
    if (pyb_checks)
        pyb_control.changes++;
    if (pyb_observers != NULL)
        pyb_observers->may_collect();
    return pyb_control.collecting > 0
               ? 0
               : collect(oldest, PYB_WHY_EXPLICIT, tear_down);
}

Py_ssize_t
pyb_control_collect(enum pyb_generation oldest)
{
    return collect_now(oldest, tear_down_at_once);
}

/* ------------------------------------------------------------------ */
/* The public calls                                                    */

/* One that the program has asked for. */
static Py_ssize_t
collect_asked(enum pyb_generation oldest,
              void (*tear_down)(struct pyb_set *set))
{
    int tell = oldest == PYB_OLD && pyb_control.collecting == 0;
    Py_ssize_t dead;

    if (tell)
        pyb_watching.collecting();
    dead = collect_now(oldest, tear_down);
    if (tell)
        pyb_watching.collected();
    return dead;
}

Py_ssize_t
pyb_control_collect_whole(void)
{
    return collect_asked(PYB_OLD, tear_down_through_boehm);
}

Py_ssize_t
PyGC_Collect(void)
{
    pyb_control_require(__func__);
    return pyb_control.enabled ? pyb_control_collect_whole() : 0;
}

static int
enable(int wish)
{
    int before = pyb_control.enabled;

    pyb_control.enabled = wish;
    set_limit();
    return before;
}

int
PyGC_Enable(void)
{
    pyb_control_require(__func__);
    return enable(1);
}

int
PyGC_Disable(void)
{
    pyb_control_require(__func__);
    return enable(0);
}

int
PyGC_IsEnabled(void)
{
    pyb_control_require(__func__);
    return pyb_control.enabled;
}

Py_ssize_t
PyBoehm_GC_Collect(int generation)
{
    pyb_control_require(__func__);
    if (generation < 0 || generation >= PYB_GENERATIONS) {
        pyb_upcalls.value_error("invalid generation");
        return -1;
    }
    return collect_asked((enum pyb_generation)generation, tear_down_at_once);
}

/* Its own heap, too, where no set was to be left to it. */
Py_ssize_t
PyBoehm_GC_CollectAll(void)
{
    unsigned long before = pyb_boehm_collections();
    Py_ssize_t dead;

    pyb_control_require(__func__);
    if (pyb_control.collecting > 0)
        return 0;
    dead = pyb_control_collect_whole();
    if (pyb_boehm_collections() == before)
        pyb_boehm_collect(0);
    return dead;
}

void
PyBoehm_GC_GetCount(int counts[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(counts, pyb_control.counts, sizeof pyb_control.counts);
    counts[PYB_YOUNG] = (int)Py_MIN(pyb_control.made, INT_MAX);
}

void
PyBoehm_GC_GetThreshold(int wanted[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(wanted, pyb_control.thresholds, sizeof pyb_control.thresholds);
}

void
PyBoehm_GC_SetThreshold(const int wanted[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(pyb_control.thresholds, wanted, sizeof pyb_control.thresholds);
    pyb_control.patience = pyb_control.patience_max = 1;
    set_limit();
}

void
PyBoehm_GC_Freeze(void)
{
    pyb_control_require(__func__);
    pyb_generations_freeze();
    pyb_control.made = 0;
    memset(pyb_control.counts, 0, sizeof pyb_control.counts);
    pyb_control.old = pyb_control.promoted = 0;
}

void
PyBoehm_GC_Unfreeze(void)
{
    pyb_control_require(__func__);
    pyb_control.old += (size_t)PyBoehm_GC_GetFreezeCount();
    pyb_generations_unfreeze();
}

Py_ssize_t
PyBoehm_GC_GetFreezeCount(void)
{
    size_t counts[PYB_GENERATIONS + 1];

    pyb_control_require(__func__);
    pyb_generations_count(counts);
    return (Py_ssize_t)counts[PYB_FROZEN];
}
