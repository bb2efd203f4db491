/* cycle.c: which of some objects are referred to by one another only.  See
   cycle.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/threadstack.h"
#include "gc/base/upcalls.h"
#include "gc/check/overvisit.h"
#include "gc/check/traverse.h"
#include "gc/cycle.h"
#include "gc/gcref.h"
#include "gc/marking.h"

/* Where few are candidates, the marker's stack has room for all of them: no
   other walk is needed for what overflowed. */
_Static_assert((int)PYB_STACK_SIZE >= (int)PYB_CYCLE_FEW, "stack size");

/* So many gcrefs may stay in memory when they are cleared. */
enum { GCREFS_KEPT = 1 << 16 };

static struct {
    int many;       /* gcrefs of objects that are no candidates may not be 0 */
    size_t touched; /* candidates since the gcrefs' memory was given back */
} cycle;

/* How many candidates no reference from outside keeps, as far as is known. */
static size_t
count_dead(struct pyb_walk walk)
{
    struct pyb_batch batch;
    size_t dead = 0;

    while (pyb_walk_next(&walk, &batch))
        dead += pyb_gcrefs_dead(batch.gcrefs);
    return dead;
}

static uint32_t
gcref_of(const PyObject *op)
{
    return *pyb_region_gcref(pyb_region_of(op), op);
}

/* With checks: fatal if some object was visited more often than it is referred
   to. */
static void
check_visits(struct pyb_walk candidates)
{
    PYB_FOR_EACH (op, i, candidates) {
        uint32_t gcref = gcref_of(op);

        if (!(gcref & PYB_GCREF_EXTERNAL) && (int32_t)gcref < 0)
            pyb_overvisit(op, candidates);
    }
}

/* Steps 1 and 2.  Returns how many are dead. */
static size_t
deduce(struct pyb_walk candidates)
{
    if (cycle.many)
        pyb_marking_subtract_refs_of_many(candidates);
    else
        pyb_marking_subtract_refs(candidates);
    if (pyb_checks)
        check_visits(candidates);
    if (count_dead(candidates) == 0)
        return 0; /* nothing to mark for */
    pyb_marking_mark_reachable(candidates);
    return count_dead(candidates);
}

/* Untracks what lives and is acyclic: no part of a cycle, now or ever.  It is
   no candidate any more then.  Returns how many that were. */
static size_t
untrack_acyclic(struct pyb_walk walk, int full)
{
    struct pyb_batch batch;
    PyObject *op;
    size_t n = 0;

    while (pyb_walk_next(&walk, &batch)) {
        if (!pyb_gcrefs_flag(batch.gcrefs, PYB_GCREF_UNTRACKABLE))
            continue;
        while ((op = pyb_batch_take(&batch)) != NULL) {
            uint32_t gcref = *pyb_batch_gcref(&batch, op);

            if (!(gcref & PYB_GCREF_UNTRACKABLE) || pyb_gcref_is_dead(gcref) ||
                pyb_is_adopted(op) || !pyb_upcalls.is_acyclic(op, full))
                continue;
            pyb_cycle_remove(op);
            PyObject_GC_UnTrack(op);
            n++;
        }
    }
    return n;
}

PYB_OWN_FRAME struct pyb_cycle_result
pyb_cycle_deduce(struct pyb_walk candidates, enum pyb_cycle_untrack untrack)
{
    size_t n = pyb_walk_count(candidates), n_untracked = 0;
    struct pyb_cycle_result result;

    if (pyb_checks)
        pyb_traverse_try_all(candidates);
    cycle.many = n > PYB_CYCLE_FEW;
    pyb_adoption.uncounted =
        candidates.kind == PYB_WALK_ALL || candidates.over == PYB_WALK_MEMBERS;
    cycle.touched += n;
    result.candidates = n;
    result.dead = deduce(candidates);
    PYB_ASSERT(result.dead <= n);
    result.sound = pyb_walk_count(candidates) == n;
    if (!result.sound)
        cycle.touched = SIZE_MAX; /* gcrefs of what the walk will not find */
    if (untrack != PYB_UNTRACK_NONE)
        n_untracked = untrack_acyclic(candidates, untrack == PYB_UNTRACK_ALL);
    PYB_ASSERT(n_untracked <= n - result.dead);
    result.alive = n - result.dead - n_untracked;
    return result;
}

int
pyb_cycle_is_dead(const PyObject *op)
{
    return pyb_gcref_is_dead(gcref_of(op));
}

int
pyb_cycle_is_owned(const PyObject *op)
{
    uint32_t gcref = gcref_of(op);

    PYB_ASSERT_OBJECT(gcref & PYB_GCREF_COLLECTING, op);
    return !(gcref & PYB_GCREF_EXTERNAL) && (int32_t)gcref >= PYB_GCREF_ONE;
}

uint64_t
pyb_cycle_take_dead(struct pyb_batch batch)
{
    uint64_t dead = 0;
    PyObject *op;

    if (pyb_gcrefs_dead(batch.gcrefs) == 0)
        return 0;
    while ((op = pyb_batch_take(&batch)) != NULL) {
        uint32_t *gcref = pyb_batch_gcref(&batch, op);

        if (!pyb_gcref_is_dead(*gcref))
            continue;
        PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
        dead |= pyb_bit_of(op);
        if (!cycle.many) /* else all gcrefs will be dropped */
            *gcref = 0;
    }
    return dead;
}

void
pyb_cycle_remove(const PyObject *op)
{
    PYB_ASSERT(pyb_region_of(op) != NULL);
    *pyb_region_gcref(pyb_region_of(op), op) = 0;
}

PYB_OWN_FRAME void
pyb_cycle_forget(struct pyb_walk walk)
{
    pyb_marking_drop_caches();
    if (cycle.many || cycle.touched > GCREFS_KEPT) {
        pyb_sidetable_drop_gcrefs();
        cycle.touched = 0;
        return;
    }
    PYB_FOR_EACH (op, i, walk)
        *pyb_batch_gcref(&i.batch, op) = 0;
}

void
pyb_cycle_abandon(void)
{
    pyb_marking_abandon();
    pyb_sidetable_drop_gcrefs();
    cycle.touched = 0;
}
