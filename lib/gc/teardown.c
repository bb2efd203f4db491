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

   A member that dies on the way is marked by a type of NULL; its block stays
   in place until the set is done.

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
};

/* Is there nothing to do for a member?  It was struck, has left, or is dying:
   its deallocation is put off. */
static inline int
is_gone(const PyObject *op)
{
    return op == NULL || pyb_member_has_left(op) || op->ob_refcnt <= 0;
}

static int
finalizer_due(PyObject *op)
{
    return Py_TYPE(op)->tp_finalize != NULL && !PyObject_GC_IsFinalized(op);
}

/* What has left counts, too, which does no harm. */
PYB_APART static struct needs
survey(struct pyb_set *set)
{
    PyObject **members = set->members;
    struct needs needs = {0, 0, 0};
    PyTypeObject *last = NULL;

    for (size_t i = 0; i < set->n; i++) {
        PyTypeObject *type = members[i] != NULL ? Py_TYPE(members[i]) : NULL;

        if (type == NULL || type == last)
            continue;
        last = type;
        needs.weakrefs |=
            type->tp_weaklistoffset != 0 || pyb_upcalls.is_weakref(members[i]);
        needs.finalizers |= type->tp_finalize != NULL;
        needs.legacy |= type->tp_del != NULL;
    }
    return needs;
}

/* Sets the objects with tp_del, and what they reach, apart at the end of the
   array: nobody can tell which of them to clear first. */
PYB_APART static void
set_legacy_apart(struct pyb_set *set)
{
    PyObject **members = set->members;
    size_t first = 0, end = set->n;

    pyb_cycle_deduce(pyb_set_walk(set), PYB_SHED_NONE);
    for (size_t i = 0; i < set->n; i++)
        if (!is_gone(members[i]) && Py_TYPE(members[i])->tp_del != NULL)
            pyb_cycle_revive(members[i], pyb_set_walk(set));
    while (first < end) {
        PyObject *op = members[first];

        if (op == NULL || pyb_cycle_is_dead(op)) {
            first++;
            continue;
        }
        members[first] = members[--end];
        members[end] = op;
    }
    pyb_cycle_forget(pyb_set_walk(set));
    set->kept = set->n - end;
}

/* Lets those go that were set apart and are still there: an object with tp_del
   that the others' references kept went with these. */
static void
give_legacy_up(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = pyb_set_collectable(set); i < set->n; i++) {
        PyObject *op = members[i];

        if (is_gone(op))
            continue;
        set->uncollectable++;
        pyb_condemned_spare(set, &members[i]);
        pyb_debug_object(PyBoehm_GC_DEBUG_UNCOLLECTABLE, op);
        if (Py_TYPE(op)->tp_del != NULL ||
            pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL))
            pyb_upcalls.keep_garbage(op);
    }
}

/* Marks what was set apart as condemned, or as not. */
static void
mark_legacy(struct pyb_set *set, int condemned)
{
    PyObject **members = set->members;

    for (size_t i = pyb_set_collectable(set); i < set->n; i++) {
        AO_t *word = &pyb_card_of(members[i])->condemned;

        if (condemned)
            pyb_fact_set(word, pyb_bit_of(members[i]));
        else
            pyb_fact_clear(word, pyb_bit_of(members[i]));
    }
}

PYB_APART static void
tell_collectable(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (!is_gone(members[i]))
            pyb_debug_object(PyBoehm_GC_DEBUG_COLLECTABLE, members[i]);
}

/* Clears the weak references that have callbacks, and calls those whose weak
   reference is not to be collected.  1 if any was called. */
PYB_APART static int
handle_callbacks(struct pyb_set *set)
{
    PyObject **members = set->members;
    PyObject *pending = NULL;

    mark_legacy(set, 0);
    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (!is_gone(members[i]) &&
            pyb_upcalls.weakref_list(members[i]) != NULL)
            pyb_upcalls.weakref_detach(members[i], pyb_condemned_contains,
                                       &pending);
    mark_legacy(set, 1);
    if (pending == NULL)
        return 0;
    pyb_upcalls.weakref_run(pending);
    return 1;
}

/* Calls the finalizers that have not been called.  1 if any was. */
PYB_APART static int
finalize_members(struct pyb_set *set)
{
    PyObject **members = set->members;
    int any = 0;

    for (size_t i = 0; i < pyb_set_collectable(set); i++) {
        PyObject *op = members[i];

        if (is_gone(op) || !finalizer_due(op))
            continue;
        pyb_card_of(op)->finalized |= pyb_bit_of(op);
        any = 1;
        Py_INCREF(op);
        if (pyb_inspect_matters())
            pyb_underway_finalize(op);
        else
            Py_TYPE(op)->tp_finalize(op);
        pyb_upcalls_report("tp_finalize", op);
        Py_DECREF(op);
    }
    return any;
}

static void
clear_weakrefs(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (!is_gone(members[i]))
            pyb_upcalls.weakref_clear(members[i]);
}

static void
release_adopted(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (!is_gone(members[i]) && pyb_is_adopted(members[i]))
            pyb_adoption_release(members[i]);
}

/* Breaks the cycles.  An object without tp_clear is freed if the others'
   references were all that kept it; else it stays. */
static void
clear_members(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++) {
        PyObject *op = members[i];
        inquiry clear;

        if (is_gone(op))
            continue;
        clear = Py_TYPE(op)->tp_clear;
        if (clear == NULL)
            continue;
        Py_INCREF(op);
        if (pyb_inspect_matters())
            pyb_underway_clear(op);
        else
            clear(op);
        pyb_upcalls_report("tp_clear", op);
        Py_DECREF(op);
    }
}

static void
break_cycles(struct pyb_set *set)
{
    if (pyb_adoption.n > 0)
        release_adopted(set);
    clear_members(set);
    if (pyb_observers != NULL)
        pyb_observers->cleared(set);
}

/* Keeps the dead where people find them, in place of clearing them. */
static void
save_members(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (!is_gone(members[i])) {
            PyObject *op = members[i];

            pyb_condemned_spare(set, &members[i]);
            pyb_upcalls.keep_garbage(op);
        }
}

static size_t
count_members(struct pyb_set *set)
{
    PyObject **members = set->members;
    size_t count = 0;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        count += !is_gone(members[i]);
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
    if (needs.finalizers)
        ran |= finalize_members(set);
    if (ran)
        pyb_recount(set, 1);
    if (needs.weakrefs)
        clear_weakrefs(set);

    set->collected = ran || set->foreign || set->spared > 0
                         ? count_members(set)
                         : pyb_set_collectable(set);
    if (pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL))
        save_members(set);
    else
        break_cycles(set);
    give_legacy_up(set);
    pyb_upcalls.put_error(error);
}
