/* track.c: tracking and untracking.

   Manual: "Supporting Cyclic Garbage Collection", PyObject_GC_Track,
   PyObject_GC_UnTrack. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/traverse.h"
#include "gc/control.h"
#include "gc/heap/sidetable.h"

/* Out of the way of the fast paths, which stay free of spilled registers. */
#define COLD __attribute__((noinline, cold))

/* With checks: this thread is the one that may track and untrack, and does. */
static void
check_change(const char *function)
{
    pyb_control_require(function);
    pyb_control.changes++;
}

/* With checks: may op be tracked?  The collector will call its tp_traverse. */
static void
check_track(PyObject *op)
{
    check_change("PyObject_GC_Track");
    PYB_ALWAYS(PyType_IS_GC(op->ob_type), op,
               "object of a type without Py_TPFLAGS_HAVE_GC");
    pyb_traverse_try(op);
}

/* Fatal, with the reason why op cannot be tracked. */
_Py_NO_RETURN static void
fail_track(PyObject *op, struct pyb_line *line, uint64_t bit)
{
    static const char function[] = "PyObject_GC_Track";
    const char *text = "object was not allocated with PyObject_GC_New";

    if (line != NULL && (line->tracked & bit))
        text = "object already tracked by the garbage collector";
    else if (pyb_sidetable.limit == 0)
        pyb_control_require(function);
    else if (!PyType_IS_GC(Py_TYPE(op)))
        pyb_fatal_type(function, Py_TYPE(op)->tp_name, op,
                       "the type lacks Py_TPFLAGS_HAVE_GC");
    pyb_fatal_object(__FILE__, __LINE__, function, op, text);
}

/* Slow path of PyObject_GC_Track: the first object in its line, with checks
   or an audit, and of what cannot be tracked. */
COLD static void
track_slow(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);
    uint64_t bit = pyb_bit_of(op);

    if (line == NULL || !(AO_load(&line->held) & bit) || (line->tracked & bit))
        fail_track(op, line, bit);
    if (pyb_inspect_checking() && pyb_inspect_is_freed(op)) {
        pyb_inspect_complain(PYB_DEAD_TRACKED, op);
        return;
    }
    if (pyb_checks)
        check_track(op);
    if (pyb_control.audit)
        pyb_events->tracking(op);
    PYB_ASSERT_OBJECT(((line->age1 | line->age2) & bit) == 0, op);
    line->tracked |= bit;
    pyb_line_enter_recent(line);
    PYB_ASSERT_OBJECT(line->next_recent != NULL, op);
}

void
PyObject_GC_Track(void *arg)
{
    PyObject *op = arg;
    struct pyb_line *line = pyb_line_fast(op);
    uintptr_t number = pyb_bit_number(op);

    if (_PyB_UNLIKELY(line == NULL) ||
        _PyB_UNLIKELY(!pyb_has_bit(AO_load(&line->held), number)) ||
        _PyB_UNLIKELY(pyb_has_bit(line->tracked, number)) ||
        _PyB_UNLIKELY(line->next_recent == NULL)) {
        track_slow(op);
        return;
    }
    PYB_ASSERT_OBJECT(((line->age1 | line->age2) & pyb_bit_of(op)) == 0, op);
    line->tracked |= pyb_bit_of(op);
}

/* Slow path of PyObject_GC_UnTrack: with checks or an audit, and of what is
   not ours. */
COLD static void
untrack_slow(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);

    if (line == NULL)
        return;
    PYB_ASSERT(pyb_sidetable.limit != 0);
    if (pyb_checks)
        check_change("PyObject_GC_UnTrack");
    if (pyb_inspect_checking() && pyb_inspect_is_freed(op))
        pyb_inspect_complain(PYB_DEAD_UNTRACKED, op);
    pyb_line_untrack(line, pyb_bit_of(op));
}

void
PyObject_GC_UnTrack(void *op)
{
    struct pyb_line *line = pyb_line_fast(op);

    if (_PyB_LIKELY(line != NULL))
        pyb_line_untrack(line, pyb_bit_of(op));
    else
        untrack_slow(op);
}
