/* teardown.c: the end of a condemned set, in CPython's order.

     1. What tp_del owns cannot be collected and goes back.
     2. Weak references with callbacks are cleared, and those callbacks called
        whose weak references live.
     3. Finalizers are called, once in an object's life.
     4. If code has run that nobody knows, the set is counted again: what it
        brought back to life goes back, with all that it reaches.
     5. The other weak references are cleared.
     6. tp_clear breaks the cycles; the reference counts do the rest.

   A member that dies on the way is marked by a type of NULL; its block stays
   in place until the set is done.

   Manual: "Supporting Cyclic Garbage Collection"; PEP 442. */

#include "Python.h"

#include "gc/condemned.h"
#include "gc/cycle.h"
#include "gc/heap.h"
#include "gc/teardown.h"
#include "gc/upcalls.h"

/* What the types of the members ask for. */
struct needs {
    int weakrefs;
    int finalizers;
    int legacy; /* tp_del */
};

/* Has a member left the set?  It was freed, or untracked since the verdict;
   tracked again it would be young. */
static inline int
has_left(const PyObject *op)
{
    const struct pyb_card *card = pyb_card_of(op);

    return op->ob_type == NULL ||
           !(card->tracked & ~card->young & pyb_bit_of(op));
}

/* Is there nothing to do for a member?  It was struck, has left, or is dying:
   its deallocation is put off. */
static inline int
is_gone(const PyObject *op)
{
    return op == NULL || has_left(op) || op->ob_refcnt <= 0;
}

static int
finalizer_due(PyObject *op)
{
    return Py_TYPE(op)->tp_finalize != NULL && !PyObject_GC_IsFinalized(op);
}

static struct needs
survey(PyObject **members, size_t n)
{
    struct needs needs = {0, 0, 0};

    for (size_t i = 0; i < n; i++) {
        PyTypeObject *type;

        if (is_gone(members[i]))
            continue;
        type = Py_TYPE(members[i]);
        needs.weakrefs |= type->tp_weaklistoffset != 0 ||
                          (type->tp_flags & Py_TPFLAGS_MANAGED_WEAKREF) != 0;
        needs.finalizers |= type->tp_finalize != NULL;
        needs.legacy |= type->tp_del != NULL;
    }
    return needs;
}

/* Strikes members that have left: the count knows nothing of them, and what
   they own is owned from outside.  They are alive, or gone with the block
   still ours. */
static void
strike_leavers(PyObject **members, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        PyObject *op = members[i];

        if (op == NULL || !has_left(op))
            continue;
        pyb_condemned_spare(&members[i]);
        if (op->ob_type == NULL)
            pyb_heap_free(pyb_region_of(op), op);
    }
}

/* After pyb_cycle_deduce: spares the members that are not dead. */
static void
spare_reached(PyObject **members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (members[i] != NULL && !pyb_cycle_is_dead(members[i])) {
            *pyb_region_count(pyb_region_of(members[i]), members[i]) = 0;
            pyb_condemned_spare(&members[i]);
        }
    pyb_cycle_forget(pyb_walk_set(members, n));
}

/* Counts the set again and spares what is owned from outside by now. */
static void
spare_living(PyObject **members, size_t n)
{
    strike_leavers(members, n);
    pyb_cycle_deduce(pyb_walk_set(members, n));
    spare_reached(members, n);
}

static int
has_del(const PyObject *op)
{
    return !is_gone(op) && Py_TYPE(op)->tp_del != NULL;
}

/* Takes the objects with tp_del, and what they reach, out of the set: nobody
   can tell which of them to clear first.  Returns how many these are. */
static size_t
spare_legacy(PyObject **members, size_t n)
{
    struct pyb_walk walk = pyb_walk_set(members, n);
    size_t spared = 0;

    pyb_cycle_deduce(walk);
    for (size_t i = 0; i < n; i++)
        if (has_del(members[i]))
            spared += pyb_cycle_revive(members[i], walk);
    for (size_t i = 0; i < n; i++) /* these stay in the set a little longer */
        if (has_del(members[i]))
            *pyb_region_count(pyb_region_of(members[i]), members[i]) = 0;
    spare_reached(members, n);
    for (size_t i = 0; i < n; i++)
        if (has_del(members[i])) {
            PyObject *op = members[i];

            pyb_condemned_spare(&members[i]);
            pyb_upcalls.uncollectable(op); /* runs code */
        }
    return spared;
}

/* Clears the weak references that have callbacks, and calls those whose weak
   reference is no member.  1 if any was called. */
static int
handle_callbacks(PyObject **members, size_t n)
{
    PyObject *pending = NULL;

    for (size_t i = 0; i < n; i++)
        if (!is_gone(members[i]) &&
            pyb_upcalls.weakref_list(members[i]) != NULL)
            pyb_upcalls.weakref_detach(members[i], pyb_condemned_contains,
                                       &pending);
    if (pending == NULL)
        return 0;
    pyb_upcalls.weakref_run(pending);
    return 1;
}

/* Calls the finalizers that have not been called.  1 if any was. */
static int
finalize_members(PyObject **members, size_t n)
{
    int any = 0;

    for (size_t i = 0; i < n; i++) {
        PyObject *op = members[i];

        if (is_gone(op) || !finalizer_due(op))
            continue;
        pyb_card_of(op)->finalized |= pyb_bit_of(op);
        any = 1;
        Py_INCREF(op);
        Py_TYPE(op)->tp_finalize(op);
        pyb_upcalls.unraisable("tp_finalize", op);
        Py_DECREF(op);
    }
    return any;
}

static void
clear_weakrefs(PyObject **members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_gone(members[i]) &&
            pyb_upcalls.weakref_list(members[i]) != NULL)
            pyb_upcalls.weakref_clear(members[i]);
}

/* Breaks the cycles.  An object without tp_clear is freed if the others'
   references were all that kept it; else it stays. */
static size_t
clear_members(PyObject **members, size_t n)
{
    size_t dead = 0;

    for (size_t i = 0; i < n; i++)
        dead += !is_gone(members[i]);
    for (size_t i = 0; i < n; i++) {
        PyObject *op = members[i];
        inquiry clear;

        if (is_gone(op))
            continue;
        clear = Py_TYPE(op)->tp_clear;
        if (clear == NULL)
            continue;
        Py_INCREF(op);
        clear(op);
        pyb_upcalls.unraisable("tp_clear", op);
        Py_DECREF(op);
    }
    return dead;
}

size_t
pyb_teardown(struct pyb_set *set)
{
    PyObject **members = pyb_condemned_members(set);
    size_t n = set->n, uncollectable = 0;
    PyObject *error = pyb_upcalls.take_error();
    struct needs needs;
    int ran = set->foreign;

    if (ran)
        spare_living(members, n);
    needs = survey(members, n);
    if (needs.legacy)
        uncollectable = spare_legacy(members, n);
    ran = 0;
    if (needs.weakrefs)
        ran |= handle_callbacks(members, n);
    if (needs.finalizers)
        ran |= finalize_members(members, n);
    if (ran)
        spare_living(members, n);
    if (needs.weakrefs)
        clear_weakrefs(members, n);

    size_t dead = uncollectable + clear_members(members, n);
    pyb_upcalls.put_error(error);
    return dead;
}
