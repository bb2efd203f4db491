/* container.c: the life of a container: made, freed, changed in size; track.c
   has what is between.

   Manual: "Supporting Cyclic Garbage Collection", the part for authors of
   types. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/check/quarantine.h"
#include "gc/collect.h"
#include "gc/condemned.h"
#include "gc/container.h"
#include "gc/control.h"
#include "gc/heap/heap.h"

enum {
    MANAGED = Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF,
    MANAGED_BYTES = 2 * sizeof(PyObject *)
};

/* Out of the way of the fast paths, which stay free of spilled registers. */
#define COLD __attribute__((noinline, cold))

/* The size of an object with nitems items and extra bytes; (size_t)-1 if it
   does not fit. */
static size_t
object_size(const PyTypeObject *type, size_t nitems, size_t extra)
{
    size_t size;

    PYB_ASSERT(type->tp_basicsize >= 0 && type->tp_itemsize >= 0);
    if (__builtin_mul_overflow(nitems, (size_t)type->tp_itemsize, &size) ||
        __builtin_add_overflow(size, (size_t)type->tp_basicsize, &size) ||
        __builtin_add_overflow(size, extra, &size) ||
        size > (size_t)PY_SSIZE_T_MAX - MANAGED_BYTES)
        return (size_t)-1;
    if (type->tp_flags & MANAGED)
        size += MANAGED_BYTES; /* at the end of the block, see heap.h */
    return size;
}

/* What the body of a new object is promised to be: checked builds fill a
   body that the caller does not rely on with what is no object's address. */
enum body { BODY_ANY, BODY_ZERO };

COLD static void *
fail_memory(void)
{
    pyb_control_require("PyObject_GC_New");
    pyb_upcalls.no_memory();
    return NULL;
}

COLD static void *
fail_type(const PyTypeObject *type)
{
    PYB_ASSERT(!(type->tp_flags & Py_TPFLAGS_HAVE_GC));
    pyb_control_require("PyObject_GC_New");
    pyb_upcalls.system_error(
        "PyObject_GC_New: type %s lacks Py_TPFLAGS_HAVE_GC", type->tp_name);
    return NULL;
}

static inline PyObject *
begin_object(PyTypeObject *type, void *block)
{
    PyObject *op = block;

    if (_PyB_UNLIKELY(op == NULL))
        return fail_memory();
    PYB_ASSERT(pyb_sidetable_holds(block));
    op->ob_refcnt = 1;
    op->ob_type = type;
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_INCREF(type);
    return op;
}

/* A block for what object_size says; NULL if there is none. */
static inline void *
alloc(size_t size)
{
    return size == (size_t)-1 ? NULL : pyb_heap_alloc(size);
}

/* The same where blocks are inspected; objects that are gone give way. */
COLD static void *
alloc_inspected(size_t size)
{
    size_t more = pyb_control.malloc_only ? 0 : PYB_REDZONE_BYTES;
    void *block;

    if (size > (size_t)PY_SSIZE_T_MAX - more)
        return NULL;
    while ((block = pyb_heap_alloc(size + more)) == NULL &&
           pyb_quarantine_empty())
        continue;
    if (block != NULL)
        pyb_inspect_reuse(block);
    return block;
}

/* How many bytes of a new object have no value yet: the managed slots have
   one. */
static size_t
unmanaged(const PyTypeObject *type, size_t size)
{
    PYB_ASSERT(!(type->tp_flags & MANAGED) || size >= MANAGED_BYTES);
    return type->tp_flags & MANAGED ? size - MANAGED_BYTES : size;
}

/* Slow path of new_object: a collection is due, the free list is empty, checks
   or an audit are on, or the type lacks HAVE_GC. */
COLD static PyObject *
new_object_slow(PyTypeObject *type, size_t size, enum body body)
{
    if (!PyType_IS_GC(type))
        return fail_type(type);
    if (pyb_control.made++ >= pyb_control.limit)
        pyb_collect_automatic();
    int inspected = pyb_inspect_checking();
    PyObject *op =
        begin_object(type, inspected ? alloc_inspected(size) : alloc(size));
    if (op == NULL)
        return NULL;
    PYB_ASSERT(pyb_heap_block_size(op) >= size);
    if (inspected)
        pyb_inspect_made(op, unmanaged(type, size), body == BODY_ZERO);
    if (pyb_control.trace)
        pyb_events->born(op);
    if (pyb_control.audit)
        pyb_events->made(
            op, body == BODY_ZERO || pyb_checks ? 0 : unmanaged(type, size));
    return op;
}

/* A new untracked object of so many bytes.  This is the only place where an
   automatic collection begins: no half-made object of the caller exists. */
static inline PyObject *
new_object(PyTypeObject *type, size_t size, enum body body)
{
    PyObject *op;

    if (_PyB_UNLIKELY(!PyType_IS_GC(type)) ||
        _PyB_UNLIKELY(pyb_control.made >= pyb_control.limit) ||
        _PyB_UNLIKELY((op = pyb_heap_pop(size)) == NULL))
        return new_object_slow(type, size, body);
    PYB_ASSERT(pyb_heap_block_size(op) >= size);
    pyb_control.made++;
    return begin_object(type, op);
}

/* The same as object_size without items. */
static inline size_t
fixed_size(const PyTypeObject *type)
{
    if (_PyB_UNLIKELY(type->tp_flags & MANAGED))
        return object_size(type, 0, 0);
    return (size_t)type->tp_basicsize;
}

PyObject *
_PyObject_GC_New(PyTypeObject *type)
{
    return new_object(type, fixed_size(type), BODY_ANY);
}

PyVarObject *
_PyObject_GC_NewVar(PyTypeObject *type, Py_ssize_t nitems)
{
    PyVarObject *op;

    if (nitems < 0) {
        pyb_control_require("PyObject_GC_NewVar");
        pyb_upcalls.bad_internal_call(__FILE__, __LINE__);
        return NULL;
    }
    op = (PyVarObject *)new_object(type, object_size(type, (size_t)nitems, 0),
                                   BODY_ANY);
    if (op != NULL)
        op->ob_size = nitems;
    return op;
}

PyObject *
PyUnstable_Object_GC_NewWithExtraData(PyTypeObject *type, size_t extra_size)
{
    return new_object(type, object_size(type, 0, extra_size), BODY_ZERO);
}

PyObject *
pyb_container_new(PyTypeObject *type, Py_ssize_t nitems)
{
    size_t size =
        nitems == 0 ? fixed_size(type) : object_size(type, (size_t)nitems, 0);

    PYB_ASSERT(nitems >= 0);
    return new_object(type, size, BODY_ZERO);
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

/* A member of a condemned set, or what has left one, is none from here on. */
static inline void
leave_set(PyObject *op, struct pyb_line *line)
{
    size_t granules = line->size->granules;

    PYB_ASSERT(!(line->tracked & pyb_bit_of(op)));
    PYB_ASSERT(AO_load(&line->condemned) & pyb_bit_of(op));
    if (_PyB_UNLIKELY(granules == 0))
        granules = pyb_heap_block_size(op) / PYB_GRANULE_BYTES;
    pyb_condemned_freed(granules);
    pyb_fact_clear(&line->condemned, pyb_bit_of(op));
}

/* PyObject_GC_Del of one. */
static inline void
del_member(PyObject *op, struct pyb_line *line)
{
    leave_set(op, line);
    pyb_heap_free(line, op);
}

static void del_marked(PyObject *op, struct pyb_line *line);

/* A tracked object is freed: its tp_dealloc forgot to untrack it. */
COLD static void
warn_tracked(PyObject *op, struct pyb_line *line)
{
    PyObject *error = pyb_upcalls.take_error();

    PYB_ASSERT_OBJECT(line == pyb_line_of(op), op);
    pyb_line_untrack(line, pyb_bit_of(op));
    pyb_upcalls.resource_warning(
        "gc: Object of type %s is not untracked before destruction",
        op->ob_type->tp_name);
    pyb_upcalls.put_error(error);
}

/* PyObject_GC_Del of such an object. */
COLD static void
del_tracked(PyObject *op, struct pyb_line *line)
{
    warn_tracked(op, line);
    del_marked(op, line);
}

/* PyObject_GC_Del where a fact stands beside held. */
__attribute__((noinline)) static void
del_marked(PyObject *op, struct pyb_line *line)
{
    uint64_t bit = pyb_bit_of(op);

    PYB_ASSERT(AO_load(&line->held) & bit);
    if (_PyB_UNLIKELY((line->tracked & bit) != 0)) {
        del_tracked(op, line);
        return;
    }
    pyb_control.made -= pyb_control.made > 0;
    line->finalized &= ~bit;
    if (AO_load(&line->condemned) & bit)
        del_member(op, line);
    else
        pyb_heap_free(line, op);
}

static void
free_block(void *block)
{
    pyb_heap_free(pyb_line_of(block), block);
}

/* The same as del_marked, but that the block waits in quarantine. */
COLD static void
del_to_quarantine(PyObject *op, struct pyb_line *line)
{
    PYB_ASSERT(pyb_inspect_checking() && line == pyb_line_of(op));
    if (line->tracked & pyb_bit_of(op))
        warn_tracked(op, line);
    pyb_control.made -= pyb_control.made > 0;
    line->finalized &= ~pyb_bit_of(op);
    if (AO_load(&line->condemned) & pyb_bit_of(op))
        leave_set(op, line);
    if (!pyb_quarantine_enter(op, pyb_heap_block_size(op), free_block))
        pyb_heap_free(line, op);
}

/* Slow path of PyObject_GC_Del: with checks or an audit, and of what cannot
   be freed. */
COLD static void
del_slow(PyObject *op)
{
    if (!pyb_sidetable_holds(op))
        pyb_fatal_type(
            "PyObject_GC_Del", pyb_inspect_type(op), op,
            "PyObject_GC_Del of memory that PyObject_GC_New did not give");
    if (pyb_checks) {
        pyb_control_require("PyObject_GC_Del");
        pyb_inspect_freeing(op);
        pyb_control.changes++;
    }
    if (pyb_control.audit && !pyb_events->deleting(op))
        return;
    if (pyb_inspect_checking())
        pyb_inspect_freed(op);
    if (pyb_quarantine_is_on())
        del_to_quarantine(op, pyb_line_of(op));
    else
        del_marked(op, pyb_line_of(op));
}

/* Facts that make PyObject_GC_Del a long story. */
static inline uint64_t
encumbered(const struct pyb_line *line)
{
    return line->tracked | line->finalized | AO_load(&line->condemned);
}

void
PyObject_GC_Del(void *op)
{
    struct pyb_line *line = pyb_line_fast(op);

    if (_PyB_UNLIKELY(line == NULL) ||
        _PyB_UNLIKELY(((uintptr_t)op & 15) != 0) ||
        _PyB_UNLIKELY(
            !pyb_has_bit(AO_load(&line->held), pyb_bit_number(op)))) {
        del_slow(op);
    } else if (_PyB_UNLIKELY(
                   pyb_has_bit(encumbered(line), pyb_bit_number(op)))) {
        del_marked(op, line);
    } else {
        pyb_control.made -= pyb_control.made > 0;
        pyb_heap_free(line, op);
    }
}

/* ------------------------------------------------------------------ */
/* Changing size                                                       */

/* Carries over what _PyObject_GC_Resize keeps beside the body. */
static void
move_facts(PyVarObject *from, PyVarObject *to)
{
    struct pyb_line *line = pyb_line_of(to);

    PYB_ASSERT(pyb_sidetable_holds(from) && pyb_sidetable_holds(to));
    PYB_ASSERT(!PyObject_GC_IsTracked((PyObject *)to));
    if (PyObject_GC_IsFinalized((PyObject *)from))
        line->finalized |= pyb_bit_of(to);
    if (Py_TYPE(from)->tp_flags & MANAGED)
        memcpy(pyb_heap_managed_weaklist((PyObject *)to),
               pyb_heap_managed_weaklist((PyObject *)from), MANAGED_BYTES);
}

/* Does an object of that size have its place in the block, and more than half
   of it? */
static int
fits(const PyVarObject *op, size_t size)
{
    size_t room = pyb_heap_block_size(op);

    PYB_ASSERT(!pyb_inspect_checking()); /* the block ends with the object */
    return size <= room && size > room / 2;
}

/* The size of a block for a large object that has grown, and may grow again.
 */
static size_t
with_room(size_t size)
{
    return size <= PYB_BLOCK_MAX || size > PY_SSIZE_T_MAX / 2
               ? size
               : size + size / 8;
}

static size_t
items_end(const PyVarObject *op, Py_ssize_t nitems)
{
    return (size_t)Py_TYPE(op)->tp_basicsize +
           (size_t)nitems * (size_t)Py_TYPE(op)->tp_itemsize;
}

/* Items that go leave no addresses behind, at which Boehm would look.  What
   ob_size was is the type's business: it may be anything. */
static void
resize_in_place(PyVarObject *op, Py_ssize_t nitems)
{
    size_t body = unmanaged(Py_TYPE(op), pyb_heap_block_size(op));
    size_t after = items_end(op, nitems), before = body;

    PYB_ASSERT(after <= body);
    if ((size_t)Py_ABS(Py_SIZE(op)) < body)
        before = Py_MIN(before, items_end(op, Py_ABS(Py_SIZE(op))));
    if (after < before)
        memset((char *)op + after, 0, before - after);
    Py_SET_SIZE(op, nitems);
}

PyVarObject *
_PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems)
{
    PyTypeObject *type = Py_TYPE(op);

    if (_PyB_UNLIKELY(!pyb_control.initialized || pyb_checks))
        pyb_control_require("PyObject_GC_Resize");
    if (nitems < 0) {
        pyb_upcalls.bad_internal_call(__FILE__, __LINE__);
        return NULL;
    }
    if (PyObject_GC_IsTracked((PyObject *)op) ||
        pyb_is_adopted((PyObject *)op)) {
        pyb_upcalls.system_error(
            "PyObject_GC_Resize: object of type %s is %s", type->tp_name,
            pyb_is_adopted((PyObject *)op) ? "adopted" : "tracked");
        return NULL;
    }

    size_t size = object_size(type, (size_t)nitems, 0);
    int inspected = pyb_inspect_checking();
    /* Writes behind an object are found only in a block of exactly its size,
       and uses of the old address only if it is another block. */
    int exact = inspected || pyb_control.malloc_only;
    if (!exact && fits(op, size)) {
        resize_in_place(op, nitems);
        return op;
    }
    PyVarObject *copy =
        inspected
            ? alloc_inspected(size)
            : alloc(exact || nitems < Py_SIZE(op) ? size : with_room(size));
    if (copy == NULL) {
        pyb_upcalls.no_memory();
        return NULL;
    }

    PYB_ASSERT(pyb_heap_block_size(copy) >= size);
    Py_ssize_t keep = Py_MIN(nitems, Py_ABS(Py_SIZE(op)));
    memcpy(copy, op, items_end(op, keep));
    Py_SET_SIZE(copy, nitems);
    if (inspected)
        pyb_inspect_made((PyObject *)copy, unmanaged(type, size), 1);
    if (pyb_control.trace)
        pyb_events->born((PyObject *)copy);
    move_facts(op, copy);
    pyb_control.made++; /* PyObject_GC_Del takes it back */
    PyObject_GC_Del(op);
    return copy;
}
