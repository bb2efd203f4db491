/* dealloc.c: release by reference count, and the finalizer that goes with it.

   Deallocating one object gives up its references and so may deallocate
   others, nested as deep as the data.  Deeper than DEPTH an object is put off
   instead: it waits on a list, its fields intact, until the outermost
   deallocation is done.  Depth is counted, not measured on the stack, for
   hosts run us on stacks whose size is not known.

   The list runs through the reference counts: the count of one that is put off
   is PUT_OFF minus 16 times the address of the next one.  Below 1 means
   "dying" to everybody: no weak reference revives it, and the collector takes
   it as owned from outside.  Balanced pairs of Py_INCREF and Py_DECREF do it
   no harm, nor do up to 7 that are not. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/dead.h"
#include "gc/check/inspect.h"
#include "gc/check/slotwatch.h"
#include "gc/dealloc.h"
#include "gc/heap/sidetable.h"

enum { DEPTH = 50 };

/* Of the attached thread; limit is everybody's. */
static struct {
    int depth;         /* tp_dealloc calls under way, nested */
    int limit;         /* of depth in the fast path: none with checks, nor
                          with an audit */
    PyObject *put_off; /* the list's head */
} dealloc;

/* Far from the counts of free blocks (heap.h). */
#define PUT_OFF (-((Py_ssize_t)1 << 56))

/* The count of the last object on the list; nothing lives at address 1. */
#define LAST (PUT_OFF - 16)

void
pyb_dealloc_exchange(struct pyb_deallocs *other)
{
    struct pyb_deallocs now = {dealloc.depth, dealloc.put_off};

    dealloc.depth = other->depth;
    dealloc.put_off = other->put_off;
    *other = now;
}

int
pyb_dealloc_depth(void)
{
    /* Where a collection was left by a jump, and a deallocation noticed it,
       the level of that has been forgotten with those that were left. */
    dealloc.depth = Py_MAX(dealloc.depth, 0);
    return dealloc.depth;
}

void
pyb_dealloc_abandon(int depth)
{
    PYB_ASSERT(depth >= 0);
    dealloc.depth = Py_MIN(dealloc.depth, depth);
}

static void
put_off(PyObject *op)
{
    PYB_ASSERT(op != dealloc.put_off);
    PYB_ASSERT(((uintptr_t)op & 7) == 0);
    op->ob_refcnt = dealloc.put_off != NULL
                        ? PUT_OFF - (Py_ssize_t)dealloc.put_off * 16
                        : LAST;
    dealloc.put_off = op;
}

static PyObject *
take_put_off(void)
{
    PyObject *op = dealloc.put_off;
    Py_ssize_t next = (PUT_OFF - op->ob_refcnt + 8) / 16;

    PYB_ASSERT(op->ob_refcnt < 0 && next > 0);
    dealloc.put_off = next == 1 ? NULL : (PyObject *)next;
    op->ob_refcnt = 0;
    return op;
}

void
pyb_dealloc_init(void)
{
    dealloc.limit = pyb_checks || pyb_control.audit ? 0 : DEPTH;
}

/* The rest of _Py_Dealloc at the limit. */
static void
dealloc_slow(PyObject *op)
{
    if (pyb_is_dead(op))
        pyb_dead_released(op);
    if (dealloc.depth >= DEPTH) {
        put_off(op);
        return;
    }
    dealloc.depth++;
    pyb_slotwatch_dealloc(op);
    if (dealloc.depth == 1)
        while (dealloc.put_off != NULL)
            pyb_slotwatch_dealloc(take_put_off());
    if (dealloc.depth > 0) /* else see pyb_dealloc_depth */
        dealloc.depth--;
}

/* The outermost deallocation is done: those that were put off come next. */
static void
run_put_off(void)
{
    if (dealloc.depth > 1)
        return;
    while (dealloc.put_off != NULL) {
        PyObject *next = take_put_off();
        Py_TYPE(next)->tp_dealloc(next);
    }
}

void
_Py_Dealloc(PyObject *op)
{
    if (_PyB_UNLIKELY(dealloc.depth >= dealloc.limit)) {
        dealloc_slow(op);
        return;
    }
    dealloc.depth++;
    Py_TYPE(op)->tp_dealloc(op);
    if (_PyB_UNLIKELY(dealloc.put_off != NULL))
        run_put_off();
    dealloc.depth--;
}

/* ------------------------------------------------------------------ */
/* Finalizers                                                          */

void
PyObject_CallFinalizer(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    struct pyb_line *line;

    if (type->tp_finalize == NULL || PyObject_GC_IsFinalized(op))
        return;
    if (pyb_inspect_checking())
        pyb_slotwatch_finalize(op);
    else
        type->tp_finalize(op);
    line = PyType_IS_GC(type) ? pyb_line_of(op) : NULL;
    if (line != NULL)
        line->finalized |= pyb_bit_of(op) & AO_load(&line->held);
}

int
PyObject_CallFinalizerFromDealloc(PyObject *op)
{
    PYB_ALWAYS(op->ob_refcnt == 0, op,
               "PyObject_CallFinalizerFromDealloc called on object with a "
               "non-zero refcount");
    /* A reference for the time of the call; the finalizer may keep it. */
    op->ob_refcnt = 1;
    PyObject_CallFinalizer(op);
    PYB_ALWAYS(op->ob_refcnt > 0, op, "refcount is too small");
    if (--op->ob_refcnt == 0)
        return 0;
    return -1;
}
