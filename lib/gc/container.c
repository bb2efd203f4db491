/* container.c: the life of a container: made, tracked, untracked, freed.

   Manual: "Supporting Cyclic Garbage Collection", the part for authors of
   types. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/condemned.h"
#include "gc/container.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/traverse.h"
#include "gc/upcalls.h"
#include "gc/watching.h"

enum {
    MANAGED = Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF,
    MANAGED_BYTES = 2 * sizeof(PyObject *)
};

/* Out of the way of the quick paths, which stay free of spilled registers. */
#define COLD __attribute__((noinline, cold))

/* The size of an object with nitems items and extra bytes; (size_t)-1 if it
   does not fit. */
static size_t
object_size(const PyTypeObject *type, size_t nitems, size_t extra)
{
    size_t size;

    if (__builtin_mul_overflow(nitems, (size_t)type->tp_itemsize, &size) ||
        __builtin_add_overflow(size, (size_t)type->tp_basicsize, &size) ||
        __builtin_add_overflow(size, extra, &size) ||
        size > (size_t)PY_SSIZE_T_MAX - MANAGED_BYTES)
        return (size_t)-1;
    if (type->tp_flags & MANAGED)
        size += MANAGED_BYTES; /* at the end of the block, see heap.h */
    return size;
}

/* What the body of a new object is promised to be: with checks, what nobody
   was promised is nobody's address. */
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

/* The same where blocks are inspected. */
COLD static void *
alloc_inspected(size_t size)
{
    void *block = size > (size_t)PY_SSIZE_T_MAX - PYB_FENCE_BYTES
                      ? NULL
                      : pyb_heap_alloc(size + PYB_FENCE_BYTES);

    if (block != NULL)
        pyb_inspect_reuse(block);
    return block;
}

/* How much of a new object is nobody's yet: the managed slots are ours. */
static size_t
unmanaged(const PyTypeObject *type, size_t size)
{
    return type->tp_flags & MANAGED ? size - MANAGED_BYTES : size;
}

/* new_object where an automatic collection is due, where no block waits, with
   checks, where somebody looks, and of what is not to be made. */
COLD static PyObject *
new_object_slowly(PyTypeObject *type, size_t size, enum body body)
{
    if (!PyType_IS_GC(type))
        return fail_type(type);
    if (pyb_control.made++ >= pyb_control.limit)
        pyb_control_automatic();
    int inspected = pyb_inspect_matters();
    PyObject *op =
        begin_object(type, inspected ? alloc_inspected(size) : alloc(size));
    if (op == NULL)
        return NULL;
    if (inspected)
        pyb_inspect_made(op, body == BODY_ZERO);
    if (pyb_control.made_one != NULL)
        pyb_control.made_one(op);
    if (pyb_observers != NULL)
        pyb_observers->made(
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
        return new_object_slowly(type, size, body);
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

    return new_object(type, size, BODY_ZERO);
}

/* With checks: is this thread the one that may track and untrack? */
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

/* ------------------------------------------------------------------ */
/* Tracking                                                            */

/* Everything that is wrong with op, which cannot be tracked. */
_Py_NO_RETURN static void
fail_track(PyObject *op, struct pyb_card *card, uint64_t bit)
{
    static const char function[] = "PyObject_GC_Track";
    const char *text = "object was not allocated with PyObject_GC_New";

    if (card != NULL && (card->tracked & bit))
        text = "object already tracked by the garbage collector";
    else if (pyb_sidetable.limit == 0)
        pyb_control_require(function);
    else if (!PyType_IS_GC(Py_TYPE(op)))
        pyb_fatal_type(function, Py_TYPE(op)->tp_name, op,
                       "the type lacks Py_TPFLAGS_HAVE_GC");
    pyb_fatal_object(__FILE__, __LINE__, function, op, text);
}

/* PyObject_GC_Track of the first in its card, with checks, where somebody
   looks, and of what cannot be tracked. */
COLD static void
track_slowly(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);
    uint64_t bit = pyb_bit_of(op);

    if (card == NULL || !(AO_load(&card->held) & bit) || (card->tracked & bit))
        fail_track(op, card, bit);
    if (pyb_inspect_matters() && pyb_inspect_is_freed(op)) {
        pyb_inspect_complain(PYB_DEAD_TRACKED, op);
        return;
    }
    if (pyb_checks)
        check_track(op);
    if (pyb_observers != NULL)
        pyb_observers->tracking(op);
    card->tracked |= bit;
    pyb_card_enter_recent(card);
}

void
PyObject_GC_Track(PyObject *op)
{
    struct pyb_card *card = pyb_card_quick(op);
    uintptr_t number = pyb_bit_number(op);

    if (_PyB_UNLIKELY(card == NULL) ||
        _PyB_UNLIKELY(!pyb_has_bit(AO_load(&card->held), number)) ||
        _PyB_UNLIKELY(pyb_has_bit(card->tracked, number)) ||
        _PyB_UNLIKELY(card->next_recent == NULL)) {
        track_slowly(op);
        return;
    }
    card->tracked |= pyb_bit_of(op);
}

static inline void
untrack(struct pyb_card *card, uint64_t bit)
{
    card->tracked &= ~bit;
    card->age1 &= ~bit;
    card->age2 &= ~bit;
}

/* PyObject_GC_UnTrack with checks, where somebody looks, and of what is not
   ours. */
COLD static void
untrack_slowly(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    if (card == NULL)
        return;
    if (pyb_checks)
        check_change("PyObject_GC_UnTrack");
    if (pyb_inspect_matters() && pyb_inspect_is_freed(op))
        pyb_inspect_complain(PYB_DEAD_UNTRACKED, op);
    untrack(card, pyb_bit_of(op));
}

void
PyObject_GC_UnTrack(void *op)
{
    struct pyb_card *card = pyb_card_quick(op);

    if (_PyB_LIKELY(card != NULL))
        untrack(card, pyb_bit_of(op));
    else
        untrack_slowly(op);
}

int
PyObject_IS_GC(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    return PyType_IS_GC(type) &&
           (type->tp_is_gc == NULL || type->tp_is_gc(op));
}

int
PyObject_GC_IsTracked(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    return card != NULL && (card->tracked & pyb_bit_of(op)) != 0 &&
           pyb_sidetable_holds(op);
}

int
PyObject_GC_IsFinalized(PyObject *op)
{
    struct pyb_card *card = pyb_card_of(op);

    return card != NULL && (card->finalized & pyb_bit_of(op)) != 0 &&
           pyb_sidetable_holds(op);
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

/* With checks: may op be freed? */
static void
check_del(PyObject *op)
{
    pyb_control_require("PyObject_GC_Del");
    pyb_inspect_freeing(op);
    pyb_control.changes++;
}

_Py_NO_RETURN static void
fail_del(PyObject *op)
{
    pyb_fatal_type(
        "PyObject_GC_Del", pyb_inspect_type(op), op,
        "PyObject_GC_Del of memory that PyObject_GC_New did not give");
}

/* PyObject_GC_Del of a member of a condemned set, or of what has left one. */
static inline void
del_member(PyObject *op, struct pyb_card *card)
{
    size_t granules = card->size->granules;

    if (_PyB_UNLIKELY(granules == 0))
        granules = pyb_heap_block_size(op) / PYB_GRANULE_BYTES;
    pyb_condemned_freed(granules);
    pyb_fact_clear(&card->condemned, pyb_bit_of(op));
    pyb_heap_free(card, op);
}

static void del_marked(PyObject *op, struct pyb_card *card);

/* PyObject_GC_Del of a tracked object: its tp_dealloc forgot to untrack it. */
COLD static void
del_tracked(PyObject *op, struct pyb_card *card)
{
    PyObject *error = pyb_upcalls.take_error();

    untrack(card, pyb_bit_of(op));
    pyb_upcalls.resource_warning(
        "gc: Object of type %s is not untracked before destruction",
        op->ob_type->tp_name);
    pyb_upcalls.put_error(error);
    del_marked(op, card);
}

/* PyObject_GC_Del where a fact stands beside held. */
__attribute__((noinline)) static void
del_marked(PyObject *op, struct pyb_card *card)
{
    uint64_t bit = pyb_bit_of(op);

    if (_PyB_UNLIKELY((card->tracked & bit) != 0)) {
        del_tracked(op, card);
        return;
    }
    pyb_control.made -= pyb_control.made > 0;
    card->finalized &= ~bit;
    if (AO_load(&card->condemned) & bit)
        del_member(op, card);
    else
        pyb_heap_free(card, op);
}

/* PyObject_GC_Del with checks, where somebody looks, and of what cannot be
   freed. */
COLD static void
del_slowly(PyObject *op)
{
    if (!pyb_sidetable_holds(op))
        fail_del(op);
    if (pyb_checks)
        check_del(op);
    if (pyb_observers != NULL && !pyb_observers->deleting(op))
        return;
    if (pyb_inspect_matters())
        pyb_inspect_freed(op);
    del_marked(op, pyb_card_of(op));
}

/* Facts that make PyObject_GC_Del a long story. */
static inline uint64_t
encumbered(const struct pyb_card *card)
{
    return card->tracked | card->finalized | AO_load(&card->condemned);
}

void
PyObject_GC_Del(void *op)
{
    struct pyb_card *card = pyb_card_quick(op);

    if (_PyB_UNLIKELY(card == NULL) ||
        _PyB_UNLIKELY(((uintptr_t)op & 15) != 0) ||
        _PyB_UNLIKELY(
            !pyb_has_bit(AO_load(&card->held), pyb_bit_number(op)))) {
        del_slowly(op);
    } else if (_PyB_UNLIKELY(
                   pyb_has_bit(encumbered(card), pyb_bit_number(op)))) {
        del_marked(op, card);
    } else {
        pyb_control.made -= pyb_control.made > 0;
        pyb_heap_free(card, op);
    }
}

/* ------------------------------------------------------------------ */
/* Changing size                                                       */

/* Carries over what _PyObject_GC_Resize keeps beside the body. */
static void
move_facts(PyVarObject *from, PyVarObject *to)
{
    struct pyb_card *card = pyb_card_of(to);

    if (PyObject_GC_IsFinalized((PyObject *)from))
        card->finalized |= pyb_bit_of(to);
    if (Py_TYPE(from)->tp_flags & MANAGED)
        memcpy(pyb_heap_managed_weaklist((PyObject *)to),
               pyb_heap_managed_weaklist((PyObject *)from), MANAGED_BYTES);
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
    int inspected = pyb_inspect_matters();
    PyVarObject *copy = inspected ? alloc_inspected(size) : alloc(size);
    if (copy == NULL) {
        pyb_upcalls.no_memory();
        return NULL;
    }

    Py_ssize_t keep = Py_MIN(nitems, Py_ABS(Py_SIZE(op)));
    memcpy(copy, op,
           (size_t)type->tp_basicsize +
               (size_t)keep * (size_t)type->tp_itemsize);
    Py_SET_SIZE(copy, nitems);
    if (inspected)
        pyb_inspect_made((PyObject *)copy, 1);
    if (pyb_control.made_one != NULL)
        pyb_control.made_one((PyObject *)copy);
    move_facts(op, copy);
    pyb_control.made++; /* PyObject_GC_Del takes it back */
    PyObject_GC_Del(op);
    return copy;
}
