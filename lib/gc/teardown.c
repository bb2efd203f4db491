/* teardown.c: the end of a condemned set, in CPython's order.

     1. What tp_del owns cannot be collected and is set apart.
     2. Weak references with callbacks are cleared, and those callbacks called
        whose weak references live.
     3. Finalizers are called, once in an object's life.
     4. If code has run that nobody knows, the set is counted again: what it
        brought back to life, or put where Boehm sees it, goes back, with all
        that it reaches.
     5. The other weak references are cleared, and those that are members: what
        these refer to may die in the next step, which must not call them.
     6. Boehm's references are given up: adopted members that others do not own
        die of that as they would by Py_DECREF.
     7. tp_clear breaks the cycles; the reference counts do the rest.  With
        DEBUG_SAVEALL the members are kept in gc.garbage instead.
     8. What was set apart, and did not go with the others, goes back.

   Members are taken in the order of their addresses, but for those of types
   with _PyB_TPFLAGS_CLEAR_FIRST, modules, which come first in the steps 3
   and 7. What such a type's tp_clear gives up, its tp_dealloc may not:
   CPython, which goes in the order of tracking, clears a module before what
   was made in it.

   Manual: "Supporting Cyclic Garbage Collection"; PEP 442. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/condemned.h"
#include "gc/cycle.h"
#include "gc/debug.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/recount.h"
#include "gc/teardown.h"
#include "gc/underway.h"
#include "gc/upcalls.h"
#include "gc/watching.h"

/* What the types of the members ask for. */
struct needs {
    int weakrefs; /* members can have some, or are some */
    int finalizers;
    int legacy; /* tp_del */
    int first;  /* some members come before the others */
};

/* A member whose count is not above 0 is dying: its deallocation is put off.
 */
static inline int
is_dying(const PyObject *op)
{
    return op->ob_refcnt <= 0;
}

static int
finalizer_due(PyObject *op)
{
    return Py_TYPE(op)->tp_finalize != NULL && !PyObject_GC_IsFinalized(op);
}

static int
comes_first(const PyObject *op)
{
    return (Py_TYPE(op)->tp_flags & _PyB_TPFLAGS_CLEAR_FIRST) != 0;
}

PYB_APART static struct needs
survey(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct needs needs = {0, 0, 0, 0};
    PyTypeObject *last = NULL;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL) {
            PyTypeObject *type = Py_TYPE(op);

            if (type == last)
                continue;
            last = type;
            needs.weakrefs |=
                type->tp_weaklistoffset != 0 || pyb_upcalls.is_weakref(op);
            needs.finalizers |= type->tp_finalize != NULL;
            needs.legacy |= type->tp_del != NULL;
            needs.first |= comes_first(op);
        }
    return needs;
}

/* ------------------------------------------------------------------ */
/* What tp_del owns                                                    */

/* Gives the mark to the members that pyb_cycle_deduce has not found dead. */
static void
mark_living(struct pyb_set *set, enum pyb_mark mark)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (!pyb_cycle_is_dead(op)) {
                pyb_cycle_drop(op);
                pyb_card_set_age(group.card, pyb_bit_of(op),
                                 (enum pyb_generation)mark);
            }
}

/* Sets the objects with tp_del, and what they reach, apart: there is no
   telling which of them to clear first. */
PYB_APART static void
set_legacy_apart(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    pyb_cycle_deduce(pyb_condemned_walk(set), PYB_SHED_NONE);
    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (Py_TYPE(op)->tp_del != NULL)
                pyb_cycle_revive(op, pyb_condemned_walk(set));
    mark_living(set, PYB_MARK_APART);
    pyb_cycle_forget(pyb_condemned_walk(set));
}

/* Without memory op stays where the next full collection finds it. */
static void
keep_garbage(struct pyb_set *set, PyObject *op)
{
    if (pyb_upcalls.keep_garbage(op) < 0)
        set->starved = 1;
}

/* Lets those go that were set apart and are still there: an object with tp_del
   that the others' references kept went with these. */
static void
give_legacy_up(struct pyb_set *set)
{
    struct pyb_walk walk =
        pyb_walk_members(pyb_condemned_where(set), PYB_MARK_APART);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, PYB_MARK_APART)) != NULL) {
            int dying = is_dying(op);

            pyb_condemned_spare(set, op);
            if (dying)
                continue;
            set->uncollectable++;
            pyb_debug_object(PyBoehm_GC_DEBUG_UNCOLLECTABLE, op);
            if (Py_TYPE(op)->tp_del != NULL ||
                pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL))
                keep_garbage(set, op);
        }
}

/* ------------------------------------------------------------------ */
/* The steps                                                           */

PYB_APART static void
tell_collectable(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op))
                pyb_debug_object(PyBoehm_GC_DEBUG_COLLECTABLE, op);
}

/* Is a weak reference to be collected?  What was set apart is not. */
static int
is_collected(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    return pyb_condemned_contains(op) &&
           !(pyb_card_members(card, PYB_MARK_APART) & pyb_bit_of(op));
}

/* Clears the weak references that have callbacks, and calls those whose weak
   reference is not to be collected.  1 if any was called. */
PYB_APART static int
handle_callbacks(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    PyObject *pending = NULL;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (!is_dying(op) && pyb_upcalls.weakref_list(op) != NULL)
                pyb_upcalls.weakref_detach(op, is_collected, &pending);
    if (pending == NULL)
        return 0;
    pyb_upcalls.weakref_run(pending);
    return 1;
}

/* Gives the reference back that was taken for a call, unless the slot has
   freed its own object, which is wrong: then what the block holds is not ours.
 */
static inline void
give_back(PyObject *op, const struct pyb_card *card)
{
    if (_PyB_LIKELY(
            pyb_has_bit(AO_load(&card->condemned), pyb_bit_number(op))))
        Py_DECREF(op);
}

static void
finalize(PyObject *op, struct pyb_card *card)
{
    card->finalized |= pyb_bit_of(op);
    Py_INCREF(op);
    if (pyb_inspect_matters())
        pyb_underway_finalize(op);
    else
        Py_TYPE(op)->tp_finalize(op);
    pyb_upcalls_report("tp_finalize", op);
    give_back(op, card);
}

/* Of those that come first, or of all: calls the finalizers that have not been
   called.  1 if any was. */
PYB_APART static int
finalize_members(struct pyb_set *set, int first)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;
    int any = 0;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op) && finalizer_due(op) &&
                (!first || comes_first(op))) {
                any = 1;
                finalize(op, group.card);
            }
    return any;
}

static void
clear_weakrefs(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op))
                pyb_upcalls.weakref_clear(op);
}

static void
release_adopted(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op) && pyb_is_adopted(op))
                pyb_adoption_release(op);
}

static inline void
clear_member(PyObject *op, const struct pyb_card *card)
{
    inquiry clear = Py_TYPE(op)->tp_clear;

    if (clear == NULL)
        return;
    Py_INCREF(op);
    if (pyb_inspect_matters())
        pyb_underway_clear(op);
    else
        clear(op);
    pyb_upcalls_report("tp_clear", op);
    give_back(op, card);
}

/* Calls tp_clear, of those that come first or of the others.  An object
   without tp_clear is freed if the others' references were all that kept it;
   else it stays. */
static void
clear_members(struct pyb_set *set, int first)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op) && comes_first(op) == first)
                clear_member(op, group.card);
}

static void
break_cycles(struct pyb_set *set, struct needs needs)
{
    if (pyb_adoption.n > 0)
        release_adopted(set);
    if (needs.first)
        clear_members(set, 1);
    clear_members(set, 0);
    if (pyb_observers != NULL)
        pyb_observers->cleared(set);
}

/* Keeps the dead where people find them, in place of clearing them. */
static void
save_members(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take_member(&group, set->mark)) != NULL)
            if (!is_dying(op)) {
                pyb_condemned_spare(set, op);
                keep_garbage(set, op);
            }
}

static size_t
count_members(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;
    size_t count = 0;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            count += !is_dying(op);
    return count;
}

void
pyb_teardown(struct pyb_set *set)
{
    PyObject *error = pyb_upcalls.take_error();
    struct needs needs;
    int ran = 0;

    if (set->foreign)
        pyb_recount(set, 0);
    needs = survey(set);
    if (needs.legacy)
        set_legacy_apart(set);
    if (pyb_debug_has(PyBoehm_GC_DEBUG_COLLECTABLE))
        tell_collectable(set);
    if (needs.weakrefs)
        ran |= handle_callbacks(set);
    if (needs.finalizers && needs.first)
        ran |= finalize_members(set, 1);
    if (needs.finalizers)
        ran |= finalize_members(set, 0);
    if (ran)
        pyb_recount(set, 1);
    if (needs.weakrefs)
        clear_weakrefs(set);

    set->collected = count_members(set);
    if (pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL))
        save_members(set);
    else
        break_cycles(set, needs);
    if (needs.legacy)
        give_legacy_up(set);
    pyb_upcalls.put_error(error);
}
