/* control.c: when to collect, and one collection from end to end.

   Two generations.  A young collection looks at what was tracked since the
   last one; references from old objects are not explained in it, so what they
   hold lives, and no write barrier is needed.  A full one looks at
   everything.

   Manual: "Controlling the Garbage Collector State". */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/upcalls.h"

enum {
    /* Containers made, less those freed, between two young collections. */
    THRESHOLD = 2000,
    /* Promoted objects below which no full collection is worth its while. */
    FULL_LEAST = 10 * THRESHOLD
};

struct pyb_control pyb_control;

struct pyb_upcalls pyb_upcalls;

static void
push_roots(void)
{
    pyb_heap_push_roots();
    pyb_condemned_push_roots();
}

static const struct pyb_boehm_hooks hooks = {push_roots, pyb_condemned_unmark};

static void
set_limit(void)
{
    pyb_control.limit = pyb_control.enabled && pyb_control.collecting == 0
                            ? pyb_control.threshold
                            : PY_SSIZE_T_MAX;
}

int
pyb_control_init(void)
{
    static int started;

    pyb_fatal_init();
    if (!started) {
        if (pyb_sidetable_init() < 0 || pyb_cycle_init() < 0)
            return -1;
        pyb_boehm_init(&hooks);
        started = 1;
    }
    pyb_control.threshold = THRESHOLD;
    pyb_control.enabled = 1;
    pyb_control.initialized = 1;
    set_limit();
    return 0;
}

void
pyb_control_fini(void)
{
    pyb_control.initialized = 0;
    pyb_control.enabled = 0;
    set_limit();
}

void
pyb_control_require(const char *what)
{
    if (!pyb_control.initialized)
        pyb_fatal_format(what, "called before Py_Initialize()");
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

/* All young objects have survived, or are condemned: none is young now. */
static void
age(void)
{
    struct pyb_card *card = pyb_sidetable.young;

    while (card != NULL) {
        struct pyb_card *next = card->next_young;

        card->young = 0;
        card->next_young = NULL;
        card = next == card ? NULL : next;
    }
    pyb_sidetable.young = NULL;
}

static void
check_cards(struct pyb_walk walk)
{
    PyObject *batch[PYB_WALK_BATCH];

    while (pyb_walk_next(&walk, batch) != 0)
        pyb_card_check(pyb_card_of(batch[0]));
}

/* Steps 1 to 3: finds the dead and condemns them.  NULL if there are none, or
   no memory to hold the set: then nothing is condemned. */
static struct pyb_set *
condemn(enum pyb_generation generation)
{
    struct pyb_walk candidates =
        generation == PYB_FULL ? pyb_walk_all() : pyb_walk_young();
    struct pyb_cycle_result result;
    struct pyb_set *set = NULL;

    if (pyb_checks)
        check_cards(candidates);
    result = pyb_cycle_deduce(candidates);
    result.candidates -= pyb_cycle_shed(candidates, generation == PYB_FULL);
    if (result.dead > 0)
        set = pyb_condemned_make(candidates, result.dead);
    pyb_cycle_forget(candidates);
    pyb_control.made = 0;
    if (result.dead > 0 && set == NULL)
        return NULL;

    age();
    if (generation == PYB_FULL) {
        pyb_control.old = result.candidates - result.dead;
        pyb_control.promoted = 0;
    } else {
        pyb_control.promoted += result.candidates - result.dead;
    }
    return set;
}

/* Steps 4 and 5, burial and teardown: Boehm finds the set unreachable, and
   its finalizer tears it down.  If it could not (the host runs finalizers on
   demand, or forbids collections), this thread does. */
static size_t
bury_through_boehm(struct pyb_set *set)
{
    size_t dead;

    if (pyb_condemned_register(set) == 0)
        pyb_boehm_collect(0);
    dead = pyb_condemned_claim(set);
    pyb_condemned_leave(set);
    return dead;
}

/* The same for an automatic collection: at once, without a mark of the whole
   heap, in the place where Boehm runs finalizers by default.  A host that
   wants to choose the moment itself finds the set in Boehm's queue. */
static size_t
bury_at_once(struct pyb_set *set)
{
    size_t dead = 0;

    if (!pyb_boehm_finalizers_on_demand() || pyb_condemned_register(set) < 0)
        dead = pyb_condemned_claim(set);
    pyb_condemned_leave(set);
    return dead;
}

void
pyb_control_automatic(void)
{
    size_t grown = pyb_control.promoted;
    enum pyb_generation generation =
        grown > FULL_LEAST && grown > pyb_control.old ? PYB_FULL : PYB_YOUNG;

    if (!pyb_control.enabled || pyb_control.collecting > 0)
        return;
    PyObject *error = pyb_upcalls.take_error();
    pyb_control_begin();
    struct pyb_set *set = condemn(generation);
    if (set != NULL)
        bury_at_once(set);
    pyb_control_end();
    pyb_upcalls.put_error(error);
}

Py_ssize_t
pyb_control_collect(enum pyb_generation generation)
{
    size_t dead = 0;

    if (pyb_control.collecting > 0)
        return 0;
    PyObject *error = pyb_upcalls.take_error();
    pyb_control_begin();
    struct pyb_set *set = condemn(generation);
    if (set != NULL)
        dead = bury_through_boehm(set);
    pyb_heap_trim();
    pyb_heap_settle(1);
    pyb_control_end();
    pyb_upcalls.put_error(error);
    return (Py_ssize_t)dead;
}

/* ------------------------------------------------------------------ */
/* The public calls                                                    */

Py_ssize_t
PyGC_Collect(void)
{
    pyb_control_require(__func__);
    return pyb_control.enabled ? pyb_control_collect(PYB_FULL) : 0;
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
