/* teardown.c: the end of a condemned set, in CPython's order: the last of the
   five steps (internals: five-steps), in parts.

     0. A set that waited while other code ran, or has adopted members, is
        counted again, as in part 4.
     1. What tp_del owns cannot be collected and is set apart.
     2. Weak references with callbacks are cleared, and those callbacks called
        whose weak references live.
     3. Finalizers are called, once in an object's life.
     4. If code that is not the library's has run, the set is counted again:
        members that are owned from outside now, or that Boehm sees, are
        rescued with all that they reach.
     5. The other weak references are cleared, and those that are members: what
        these refer to may die in the next part, which must not call them.
     6. Boehm's references are given up: adopted members that others do not own
        die of that as they would by Py_DECREF.
     7. tp_clear breaks the cycles; the reference counts do the rest.  With
        DEBUG_SAVEALL the members are kept in gc.garbage instead, and part 6
        is left out.
     8. What was set apart, and did not go with the others, goes back.

   Members are taken in the order of the walk: by addresses in a region, or by
   the list of recent lines; but those of types with _PyB_TPFLAGS_CLEAR_FIRST,
   modules, which come first in the parts 3 and 7.  What such a type's tp_clear
   gives up, its tp_dealloc may not: CPython, which goes in the order of
   tracking, clears a module before what was made in it.

   Manual: "Supporting Cyclic Garbage Collection"; PEP 442. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/threadstack.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/check/slotwatch.h"
#include "gc/check/traverse.h"
#include "gc/check/visits.h"
#include "gc/condemned.h"
#include "gc/cycle.h"
#include "gc/debug.h"
#include "gc/marking.h"
#include "gc/revalidate.h"
#include "gc/teardown.h"

/* What the types of the members ask for. */
struct needs {
    int weakrefs; /* members can have some, or are some */
    int unlinked; /* members have some, are some, or are types, which are in
                     their bases' lists */
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

PYB_OWN_FRAME static struct needs
survey(struct pyb_set *set)
{
    struct needs needs = {.weakrefs = 0};
    PyTypeObject *last = NULL;

    PYB_FOR_EACH (op, i, pyb_condemned_walk(set)) {
        PyTypeObject *type = Py_TYPE(op);

        if (type == last)
            continue;
        last = type;
        needs.unlinked |= pyb_upcalls.is_weakref(op) || PyType_Check(op);
        needs.weakrefs |= type->tp_weaklistoffset != 0 || needs.unlinked;
        needs.finalizers |= type->tp_finalize != NULL;
        needs.legacy |= type->tp_del != NULL;
        needs.first |= comes_first(op);
    }
    return needs;
}

/* ------------------------------------------------------------------ */
/* What tp_del owns                                                    */

/* Gives the state to the members that pyb_cycle_deduce has not found dead. */
static void
mark_living(struct pyb_set *set, enum pyb_state state)
{
    PYB_ASSERT(pyb_sidetable.states & PYB_STATE_BIT(state));
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        if (!pyb_cycle_is_dead(op)) {
            pyb_cycle_remove(op);
            pyb_line_set_age(i.batch.line, pyb_bit_of(op),
                             (enum pyb_generation)state);
        }
}

/* Sets the objects with tp_del, and what they reach, apart: there is no
   telling which of them to clear first. */
PYB_OWN_FRAME static void
set_legacy_apart(struct pyb_set *set)
{
    PYB_ASSERT(!(pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_APART)));
    pyb_cycle_deduce(pyb_condemned_walk(set), PYB_UNTRACK_NONE);
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        if (Py_TYPE(op)->tp_del != NULL)
            pyb_marking_resurrect(op, pyb_condemned_walk(set));
    pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_APART);
    mark_living(set, PYB_STATE_APART);
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
    PYB_ASSERT(pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_APART));
    PYB_FOR_EACH_MEMBER (op, i,
                         pyb_condemned_walk_state(set, PYB_STATE_APART)) {
        int dying = is_dying(op);

        pyb_condemned_rescue(set, op);
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
/* The parts                                                           */

PYB_OWN_FRAME static void
tell_collectable(struct pyb_set *set)
{
    PYB_FOR_EACH_MEMBER (op, i, pyb_condemned_walk(set))
        if (!is_dying(op))
            pyb_debug_object(PyBoehm_GC_DEBUG_COLLECTABLE, op);
}

/* Is a weak reference to be collected?  What was set apart is not. */
static int
is_collected(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);

    PYB_ASSERT(line != NULL);
    return pyb_is_condemned(op) &&
           !(pyb_line_members(line, PYB_STATE_APART) & pyb_bit_of(op));
}

/* Clears the weak references that have callbacks, and calls those whose weak
   reference is not to be collected.  1 if any was called.  *any becomes 1 if
   members have weak references. */
PYB_OWN_FRAME static int
handle_callbacks(struct pyb_set *set, int *any)
{
    PyObject *pending = NULL;

    PYB_FOR_EACH (op, i, pyb_condemned_walk(set)) {
        PyObject *const *list = pyb_upcalls.weakref_list_ptr(op);

        if (list == NULL || *list == NULL)
            continue;
        *any = 1;
        if (!is_dying(op))
            pyb_upcalls.weakref_detach_callbacks(op, is_collected, &pending);
    }
    if (pending == NULL)
        return 0;
    PYB_ASSERT_OBJECT(Py_REFCNT(pending) > 0, pending);
    pyb_upcalls.weakref_run_callbacks(pending);
    return 1;
}

/* The member whose slot is being called, and the slot's name: a jump out of
   the call leaves them set. */
static struct {
    PyObject *member; /* owned, or NULL */
    const char *slot;
} calling;

static inline void
begin_call(PyObject *op, const char *slot)
{
    PYB_ASSERT(calling.member == NULL);
    PYB_ASSERT_OBJECT(pyb_is_condemned(op) && !is_dying(op), op);
    Py_INCREF(op);
    calling.member = op;
    calling.slot = slot;
}

/* Gives the reference back that was taken for a call, unless the slot has
   freed its own object, which is wrong: then what the block holds is not ours.
 */
static inline void
end_call(PyObject *op, const struct pyb_line *line)
{
    PYB_ASSERT(calling.member == op || calling.member == NULL);
    calling.member = NULL;
    if (_PyB_LIKELY(
            pyb_has_bit(AO_load(&line->condemned), pyb_bit_number(op))))
        Py_DECREF(op);
}

static void
finalize(PyObject *op, struct pyb_line *line)
{
    PYB_ASSERT_OBJECT(finalizer_due(op), op);
    PYB_ASSERT(line == pyb_line_of(op));
    line->finalized |= pyb_bit_of(op);
    begin_call(op, "tp_finalize");
    if (pyb_inspect_checking())
        pyb_slotwatch_finalize(op);
    else
        Py_TYPE(op)->tp_finalize(op);
    pyb_upcalls_report("tp_finalize", op);
    end_call(op, line);
}

/* Of those that come first, or of all: calls the finalizers that have not been
   called.  1 if any was. */
PYB_OWN_FRAME static int
finalize_members(struct pyb_set *set, int first)
{
    int any = 0;

    PYB_FOR_EACH_MEMBER (op, i, pyb_condemned_walk(set))
        if (!is_dying(op) && finalizer_due(op) &&
            (!first || comes_first(op))) {
            any = 1;
            finalize(op, i.batch.line);
        }
    return any;
}

static void
clear_weakrefs(struct pyb_set *set)
{
    PYB_FOR_EACH_MEMBER (op, i, pyb_condemned_walk(set))
        if (!is_dying(op))
            pyb_upcalls.weakref_clear_dead(op);
}

/* What Boehm has seen is known no more: these words say which references are
   still to be given up. */
static uint64_t *
pending_word(const struct pyb_batch *batch)
{
    return pyb_line_word(batch->line, pyb_line_region(batch->line)->seen);
}

static void
take_back_adopted(struct pyb_set *set)
{
    PYB_FOR_EACH (op, i, pyb_condemned_walk_all(set)) {
        uint64_t members = pyb_line_members(i.batch.line, set->state);

        *pending_word(&i.batch) &= ~pyb_bit_of(op);
        if ((members & pyb_bit_of(op)) && !is_dying(op) &&
            pyb_is_adopted(op)) {
            PYB_ASSERT_OBJECT(pyb_adoption.n > 0, op);
            if (pyb_checks && pyb_events != NULL)
                pyb_events->unseen(op);
            pyb_adoption_take_back(op);
            *pending_word(&i.batch) |= pyb_bit_of(op);
        }
    }
}

/* All of Boehm's references are taken back before the first is given up: a
   tp_dealloc must find none adopted that is about to go, and may give one to
   Boehm anew.  An object whose reference is pending is alive, even if it has
   been untracked meanwhile. */
static void
release_adopted(struct pyb_set *set)
{
    take_back_adopted(set);
    PYB_FOR_EACH (op, i, pyb_condemned_walk_all(set)) {
        if (!(*pending_word(&i.batch) & pyb_bit_of(op)))
            continue;
        PYB_ASSERT_OBJECT(op->ob_refcnt > 0, op);
        *pending_word(&i.batch) &= ~pyb_bit_of(op);
        Py_DECREF(op);
    }
}

/* It may be visited again before it dies. */
__attribute__((noinline, cold)) static void
clear_checked(PyObject *op)
{
    pyb_slotwatch_clear(op);
    if (pyb_checks && PyObject_GC_IsTracked(op))
        pyb_traverse_try_cleared(op);
}

static inline void
clear_member(PyObject *op, const struct pyb_line *line)
{
    inquiry clear = Py_TYPE(op)->tp_clear;

    PYB_ASSERT(line == pyb_line_of(op));
    if (clear == NULL)
        return;
    begin_call(op, "tp_clear");
    if (pyb_inspect_checking())
        clear_checked(op);
    else
        clear(op);
    pyb_upcalls_report("tp_clear", op);
    end_call(op, line);
}

/* Calls tp_clear, of those that come first or of the others.  An object
   without tp_clear is freed if the others' references were all that kept it;
   else it stays. */
static void
clear_members(struct pyb_set *set, int first)
{
    PYB_FOR_EACH_MEMBER (op, i, pyb_condemned_walk(set))
        if (!is_dying(op) && comes_first(op) == first)
            clear_member(op, i.batch.line);
}

void
pyb_teardown_clear(struct pyb_set *set, struct pyb_iter *rest, int n)
{
    PyObject *error = pyb_upcalls.take_error(), *op = NULL;

    PYB_ASSERT(set->uncleared && pyb_condemned.busy && n > 0);
    while (n-- > 0 && (op = pyb_iter_next_member(rest)) != NULL)
        if (!is_dying(op))
            clear_member(op, rest->batch.line);
    set->uncleared = op != NULL;
    pyb_upcalls.put_error(error);
}

/* May it be cleared in slices?  What is adopted has just been judged, and
   others wait for modules, for what tp_del keeps, or look at the end. */
static int
can_be_sliced(struct pyb_set *set, struct needs needs)
{
    return set->in_slices && !needs.first && !needs.legacy &&
           !pyb_control.audit && !pyb_condemned_any_adopted(set);
}

static void
break_cycles(struct pyb_set *set, struct needs needs)
{
    if (pyb_inspect_checking())
        pyb_visits_note(pyb_condemned_walk(set));
    if (can_be_sliced(set, needs)) {
        set->uncleared = 1;
        return;
    }
    if (pyb_adoption.n > 0)
        release_adopted(set);
    if (needs.first)
        clear_members(set, 1);
    clear_members(set, 0);
    if (pyb_control.audit)
        pyb_events->cleared(set);
}

/* Keeps the dead where people find them, in place of clearing them. */
static void
save_members(struct pyb_set *set)
{
    PYB_FOR_EACH_MEMBER (op, i, pyb_condemned_walk(set))
        if (!is_dying(op)) {
            pyb_condemned_rescue(set, op);
            keep_garbage(set, op);
        }
}

static size_t
count_members(struct pyb_set *set)
{
    size_t count = 0;

    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        count += !is_dying(op);
    return count;
}

PYB_OWN_FRAME void
pyb_teardown(struct pyb_set *set)
{
    PyObject *error = pyb_upcalls.take_error();
    struct needs needs;
    int ran = 0;

    PYB_ASSERT(set->state == PYB_STATE_CURRENT ||
               set->state == PYB_STATE_WAITING);
    PYB_ASSERT(pyb_condemned.busy && !set->uncleared);
    if (set->foreign || pyb_condemned_any_adopted(set)) {
        pyb_adoption_clear_stack();
        pyb_revalidate(set);
    }
    needs = survey(set);
    if (needs.legacy)
        set_legacy_apart(set);
    if (pyb_debug_has(PyBoehm_GC_DEBUG_COLLECTABLE)) {
        tell_collectable(set);
        ran = 1; /* the stream may be the program's */
    }
    if (needs.weakrefs)
        ran |= handle_callbacks(set, &needs.unlinked);
    if (needs.finalizers && needs.first)
        ran |= finalize_members(set, 1);
    if (needs.finalizers)
        ran |= finalize_members(set, 0);
    if (ran) {
        set->settled = 0;
        pyb_adoption_clear_stack();
        pyb_revalidate(set);
    }
    if (needs.unlinked || (ran && needs.weakrefs))
        clear_weakrefs(set);

    set->collected += count_members(set);
    PYB_ASSERT(set->collected + set->rescued <= set->n);
    if (pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL))
        save_members(set);
    else
        break_cycles(set, needs);
    if (needs.legacy)
        give_legacy_up(set);
    pyb_upcalls.put_error(error);
}

/* ------------------------------------------------------------------ */
/* One that was left                                                   */

void
pyb_teardown_where(char *text, size_t size)
{
    PYB_ASSERT(calling.member == NULL || calling.slot != NULL);
    if (calling.member != NULL)
        snprintf(text, size, "%s of a %s", calling.slot,
                 Py_TYPE(calling.member)->tp_name);
    else
        snprintf(text, size,
                 "a tp_traverse, a tp_dealloc, a callback or a finalizer of "
                 "Boehm's");
}

PyObject *
pyb_teardown_abandon(void)
{
    PyObject *member = calling.member;

    calling.member = NULL;
    return member != NULL && pyb_is_condemned(member) ? member : NULL;
}
