/* cycle.c: which of some objects are owned by nobody but one another.  See
   cycle.h.

   Few candidates are in the processor's caches, and everything about them is
   done here, straight away; many are left to marking.c. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/blame.h"
#include "gc/cell.h"
#include "gc/crew.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/marking.h"
#include "gc/traverse.h"
#include "gc/upcalls.h"

/* The stack never overflows here: each candidate is pushed once at most. */
_Static_assert((int)PYB_STACK_SIZE >= (int)PYB_CYCLE_NEAR, "stack size");

/* Candidates whose cells may stay in memory. */
enum { CELLS_KEPT = 1 << 16 };

static struct {
    int far;        /* the deduction that stands is marking.c's */
    size_t touched; /* candidates since the cells' memory was given back */
} cycle;

/* Few candidates. */
static struct {
    struct pyb_window window;
    PyObject **stack;
    size_t depth;
} near;

int
pyb_cycle_init(void)
{
    if (pyb_marking_init() < 0)
        return -1;
    near.stack = pyb_marking_stack();
    near.window = PYB_WINDOW_NOWHERE;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Step 1: count                                                       */

/* As far as an adopted object is decided about, Boehm's reference is none. */
uint32_t
pyb_cell_odd(const PyObject *op)
{
    if (pyb_adoption.open && pyb_is_adopted(op)) {
        Py_ssize_t references = pyb_adoption_references(op);

        if (references >= 0 && references < PYB_CELL_MAX)
            return (uint32_t)references * PYB_CELL_ONE | PYB_CELL_CANDIDATE;
    }
    return PYB_CELL_CANDIDATE | PYB_CELL_STICKY;
}

/* The cell of an address, or NULL. */
static inline uint32_t *
cell_of_any(const PyObject *op)
{
    uint32_t *cell = pyb_window_cell(&near.window, op);
    struct pyb_region *region;

    if (_PyB_LIKELY(cell != NULL))
        return cell;
    region = pyb_region_of(op);
    return region != NULL ? pyb_region_cell(region, op) : NULL;
}

/* Explains one reference. */
static int
visit_count(PyObject *op, void *Py_UNUSED(arg))
{
    uint32_t *cell = cell_of_any(op);

    if (cell != NULL && (*cell & PYB_CELL_CANDIDATE))
        *cell -= PYB_CELL_ONE;
    return 0;
}

/* Post-condition: the number of each candidate is that of the references to it
   that no candidate's tp_traverse has shown. */
static void
count(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            *pyb_group_cell(&group, op) = pyb_cell_begin(op);
    while (pyb_walk_next(&candidates, &group)) {
        pyb_window_move(&near.window, pyb_group_first(&group));
        while ((op = pyb_group_take(&group)) != NULL)
            Py_TYPE(op)->tp_traverse(op, visit_count, NULL);
    }
}

/* How many candidates nobody outside owns, as far as is known. */
static size_t
count_dead(struct pyb_walk walk)
{
    struct pyb_group group;
    size_t dead = 0;

    while (pyb_walk_next(&walk, &group))
        dead += pyb_cells_dead(group.cells);
    return dead;
}

/* ------------------------------------------------------------------ */
/* Step 2: reach                                                       */

/* Has a candidate that is not marked followed. */
static inline void
mark(PyObject *op, uint32_t *cell)
{
    if (!pyb_cell_is_unreached(*cell))
        return;
    *cell |= PYB_CELL_REACHED;
    near.stack[near.depth++] = op;
}

static int
visit_reach(PyObject *op, void *Py_UNUSED(arg))
{
    uint32_t *cell = cell_of_any(op);

    if (cell != NULL)
        mark(op, cell);
    return 0;
}

static void
follow(void)
{
    while (near.depth > 0) {
        PyObject *op = near.stack[--near.depth];

        pyb_window_move(&near.window, op);
        Py_TYPE(op)->tp_traverse(op, visit_reach, NULL);
    }
}

/* Post-condition: each candidate that is owned from outside is a root, or
   marked. */
static void
reach(struct pyb_walk walk)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group)) {
        if (!pyb_cells_root(group.cells))
            continue;
        while ((op = pyb_group_take(&group)) != NULL) {
            uint32_t *cell = pyb_group_cell(&group, op);

            if (pyb_cell_is_root(*cell)) {
                mark(op, cell);
                follow();
            }
        }
    }
}

/* ------------------------------------------------------------------ */
/* Both                                                                */

static uint32_t
cell_of(const PyObject *op)
{
    return *pyb_region_cell(pyb_region_of(op), op);
}

/* With checks: fatal if a tp_traverse is not what it must be. */
static void
check_slots(struct pyb_walk walk)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            pyb_traverse_try(op);
}

/* With checks: fatal if some object was visited more often than it is referred
   to. */
static void
check_visits(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL) {
            uint32_t cell = cell_of(op);

            if (!(cell & PYB_CELL_STICKY) && (int32_t)cell < 0)
                pyb_blame(op, candidates);
        }
}

/* Returns how many are dead. */
static size_t
deduce(struct pyb_walk candidates, int markers)
{
    if (cycle.far)
        pyb_marking_count(candidates, markers);
    else
        count(candidates);
    if (pyb_checks)
        check_visits(candidates);
    if (count_dead(candidates) == 0)
        return 0;
    if (cycle.far)
        pyb_marking_reach(candidates, markers);
    else
        reach(candidates);
    return count_dead(candidates);
}

/* Untracks what lives and is atomic; it is no candidate any more then. Returns
   how many that were. */
static size_t
shed_atomic(struct pyb_walk walk, int full)
{
    struct pyb_group group;
    PyObject *op;
    size_t n = 0;

    while (pyb_walk_next(&walk, &group)) {
        if (!pyb_cells_flag(group.cells, PYB_CELL_UNTRACKABLE))
            continue;
        while ((op = pyb_group_take(&group)) != NULL) {
            uint32_t cell = *pyb_group_cell(&group, op);

            if (!(cell & PYB_CELL_UNTRACKABLE) || pyb_cell_is_dead(cell) ||
                pyb_is_adopted(op) || !pyb_upcalls.is_atomic(op, full))
                continue;
            pyb_cycle_drop(op);
            PyObject_GC_UnTrack(op);
            n++;
        }
    }
    return n;
}

struct pyb_cycle_result
pyb_cycle_deduce(struct pyb_walk candidates, enum pyb_cycle_shed shed)
{
    size_t n = pyb_walk_count(candidates), shed_n = 0;
    struct pyb_cycle_result result;
    int markers = pyb_crew_size(n);

    if (pyb_checks)
        check_slots(candidates);
    cycle.far = n > PYB_CYCLE_NEAR || markers > 1;
    pyb_adoption.open =
        candidates.kind == PYB_WALK_ALL || candidates.over == PYB_WALK_MEMBERS;
    cycle.touched += n;
    result.candidates = n;
    result.dead = deduce(candidates, markers);
    result.sound = pyb_walk_count(candidates) == n;
    if (!result.sound)
        cycle.touched = SIZE_MAX; /* cells of what the walk will not find */
    if (shed != PYB_SHED_NONE)
        shed_n = shed_atomic(candidates, shed == PYB_SHED_ALL);
    result.alive = n - result.dead - shed_n;
    return result;
}

int
pyb_cycle_is_dead(const PyObject *op)
{
    return pyb_cell_is_dead(cell_of(op));
}

uint64_t
pyb_cycle_take_dead(struct pyb_group group)
{
    uint64_t dead = 0;
    PyObject *op;

    if (pyb_cells_dead(group.cells) == 0)
        return 0;
    while ((op = pyb_group_take(&group)) != NULL) {
        uint32_t *cell = pyb_group_cell(&group, op);

        if (!pyb_cell_is_dead(*cell))
            continue;
        dead |= pyb_bit_of(op);
        if (!cycle.far) /* else all cells will be dropped */
            *cell = 0;
    }
    return dead;
}

void
pyb_cycle_revive(PyObject *op, struct pyb_walk candidates)
{
    if (cycle.far) {
        pyb_marking_revive(op, candidates);
    } else {
        mark(op, pyb_region_cell(pyb_region_of(op), op));
        follow();
    }
}

void
pyb_cycle_drop(const PyObject *op)
{
    *pyb_region_cell(pyb_region_of(op), op) = 0;
}

void
pyb_cycle_forget(struct pyb_walk walk)
{
    struct pyb_group group;
    PyObject *op;

    /* A window's base is an address, and Boehm looks at static data: it would
       keep what begins there. */
    near.window = PYB_WINDOW_NOWHERE;
    if (cycle.far)
        pyb_marking_close_windows();
    if (cycle.far || cycle.touched > CELLS_KEPT) {
        pyb_sidetable_drop_cells();
        cycle.touched = 0;
        return;
    }
    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            *pyb_group_cell(&group, op) = 0;
}
