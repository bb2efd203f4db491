/* tuple.c: tuples and their iterator. */

#include "Python.h"

#include "gc/base/aligned.h"
#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "runtime/fastpath.h"
#include "runtime/recursion.h"
#include "types/iter/iterators.h"

#define ITEMS(op) (PYB_CAST(PyTupleObject, PyTuple_Check, op)->ob_item)

/* ------------------------------------------------------------------ */
/* Making and freeing                                                  */

/* The one empty tuple.  It is not a block of the heap and has no items, so the
   collector need not know it. */
static PyTupleObject empty = {PyVarObject_HEAD_INIT(&PyTuple_Type, 0){NULL}};

/* The largest number of items of a tuple that is not a large block. */
enum { FEW = (PYB_BLOCK_MAX - 24) / 8 };
_Static_assert(offsetof(PyTupleObject, ob_item) == 24,
               "items follow the size");

/* The size of a tuple of few items. */
static inline size_t
size_of(Py_ssize_t n)
{
    PYB_ASSERT(n >= 0);
    return offsetof(PyTupleObject, ob_item) + (size_t)n * sizeof(PyObject *);
}

/* An untracked tuple of n > 0 NULLs. */
static inline PyTupleObject *
new_raw(Py_ssize_t n)
{
    PYB_ASSERT(n > 0);
    PyObject *op = n > FEW ? pyb_container_new(&PyTuple_Type, n)
                           : pyb_quick_new(&PyTuple_Type, n, size_of(n));

    if (_PyB_LIKELY(op != NULL))
        Py_SET_SIZE(op, n);
    return (PyTupleObject *)op;
}

PyObject *
PyTuple_New(Py_ssize_t size)
{
    if (size == 0) {
        pyb_control_need(__func__);
        return Py_NewRef(&empty);
    }
    if (size < 0)
        return PYB_BAD_CALL(NULL);
    PyTupleObject *op = new_raw(size);
    if (op == NULL)
        return NULL;
    pyb_quick_track((PyObject *)op);
    return (PyObject *)op;
}

PyObject *
PyTuple_FromArray(PyObject *const *array, Py_ssize_t n)
{
    if (n <= 0)
        return PyTuple_New(n);
    PyTupleObject *op = new_raw(n);
    if (op == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        op->ob_item[i] = Py_NewRef(array[i]);
    pyb_quick_track((PyObject *)op);
    return (PyObject *)op;
}

PyObject *
PyTuple_Pack(Py_ssize_t n, ...)
{
    PyObject *op = PyTuple_New(n);
    va_list items;

    if (op == NULL)
        return NULL;
    va_start(items, n);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = va_arg(items, PyObject *);

        pyb_dead_kept(__func__, item);
        ITEMS(op)[i] = Py_NewRef(item);
    }
    va_end(items);
    return op;
}

/* Deallocates instances of subtypes, large and finalized tuples and others
   that the collector has marked. */
__attribute__((noinline)) static void
dealloc_slow(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = Py_SIZE(op); --i >= 0;)
        Py_XDECREF(ITEMS(op)[i]);
    Py_TYPE(op)->tp_free(op);
}

static void
tuple_dealloc(PyObject *op)
{
    Py_ssize_t n = Py_SIZE(op);
    size_t size = size_of(n);

    PYB_ASSERT_OBJECT(op != (PyObject *)&empty, op);
    if (_PyB_UNLIKELY(n > FEW || !PyTuple_CheckExact(op) ||
                      !pyb_quick_untrack(op, size))) {
        dealloc_slow(op);
        return;
    }
    pyb_quick_release(ITEMS(op), n);
    Py_SET_SIZE(op, 0);
    pyb_quick_del(op, size);
}

PYB_LINE_ALIGNED static int
tuple_traverse(PyObject *op, visitproc visit, void *arg)
{
    for (Py_ssize_t i = Py_SIZE(op); --i >= 0;)
        Py_VISIT(ITEMS(op)[i]);
    return 0;
}

/* An instance of a subtype with the items of a tuple, which is stolen; NULL is
   passed on. */
static PyObject *
new_of_subtype(PyTypeObject *type, PyObject *items)
{
    if (items == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(items), items);
    PyObject *op = type->tp_alloc(type, Py_SIZE(items));
    if (op != NULL)
        for (Py_ssize_t i = 0; i < Py_SIZE(items); i++)
            ITEMS(op)[i] = Py_NewRef(ITEMS(items)[i]);
    Py_DECREF(items);
    return op;
}

static PyObject *
tuple_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *iterable;
    /* Only a subtype's own tp_init may take keywords. */
    int plain = type->tp_init == PyTuple_Type.tp_init;

    if (pyb_sequence_iterable_arg("tuple", plain, args, kwds, &iterable) < 0)
        return NULL;
    PyObject *op = iterable ? PySequence_Tuple(iterable) : PyTuple_New(0);
    return type == &PyTuple_Type ? op : new_of_subtype(type, op);
}

/* ------------------------------------------------------------------ */
/* The API                                                             */

Py_ssize_t
PyTuple_Size(PyObject *op)
{
    if (!PyTuple_Check(op))
        return PYB_WRONG_TYPE(op, -1);
    return Py_SIZE(op);
}

PyObject *
PyTuple_GetItem(PyObject *op, Py_ssize_t i)
{
    if (!PyTuple_Check(op))
        return PYB_WRONG_TYPE(op, NULL);
    if ((size_t)i >= (size_t)Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "tuple index out of range");
    return ITEMS(op)[i];
}

int
PyTuple_SetItem(PyObject *op, Py_ssize_t i, PyObject *value)
{
    if (!PyTuple_Check(op) || (Py_REFCNT(op) != 1 && op != (void *)&empty)) {
        Py_XDECREF(value);
        return PYB_WRONG_TYPE(op, -1);
    }
    if ((size_t)i >= (size_t)Py_SIZE(op)) {
        Py_XDECREF(value);
        return pyb_fail(PyExc_IndexError,
                        "tuple assignment index out of range");
    }
    pyb_dead_kept(__func__, value);
    Py_XSETREF(ITEMS(op)[i], value);
    return 0;
}

PyObject *
PyTuple_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high)
{
    if (op == NULL || !PyTuple_Check(op))
        return PYB_WRONG_TYPE(op, NULL);
    low = Py_MAX(low, 0);
    high = Py_MAX(Py_MIN(high, Py_SIZE(op)), low);
    if (low == 0 && high == Py_SIZE(op) && PyTuple_CheckExact(op))
        return Py_NewRef(op);
    return PyTuple_FromArray(ITEMS(op) + low, high - low);
}

/* The rest of _PyTuple_Resize, for an exact tuple when neither size is 0.
   Steals op; the result, or NULL after an error, replaces it. */
static PyObject *
resize_own(PyObject *op, Py_ssize_t size)
{
    Py_ssize_t old_size = Py_SIZE(op);

    PYB_ASSERT(size > 0 && old_size > 0 && Py_REFCNT(op) == 1);
    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = size; i < old_size; i++)
        Py_CLEAR(ITEMS(op)[i]);
    PyTupleObject *resized = PyObject_GC_Resize(PyTupleObject, op, size);
    if (resized == NULL) {
        Py_DECREF(op);
        return NULL;
    }
    for (Py_ssize_t i = old_size; i < size; i++)
        resized->ob_item[i] = NULL;
    PyObject_GC_Track((PyObject *)resized);
    return (PyObject *)resized;
}

int
_PyTuple_Resize(PyObject **op, Py_ssize_t size)
{
    PyObject *old = *op;

    if (old == NULL || !PyTuple_CheckExact(old) || size < 0 ||
        (Py_SIZE(old) != 0 && Py_REFCNT(old) != 1)) {
        *op = NULL;
        Py_XDECREF(old);
        return PYB_BAD_CALL(-1);
    }
    if (Py_SIZE(old) == size)
        return 0;
    if (Py_SIZE(old) == 0 || size == 0) {
        *op = PyTuple_New(size);
        Py_DECREF(old);
    } else {
        *op = resize_own(old, size);
    }
    return *op == NULL ? -1 : 0;
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

static PyObject *
tuple_repr(PyObject *op)
{
    if (Py_SIZE(op) == 0)
        return PyUnicode_FromString("()");
    int entered = Py_ReprEnter(op);
    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("(...)") : NULL;
    PyObject *parts = PyList_New(0);
    for (Py_ssize_t i = 0; parts != NULL && i < Py_SIZE(op); i++)
        if (pyb_append_stolen(parts, PyObject_Repr(ITEMS(op)[i])) < 0)
            Py_CLEAR(parts);
    PyObject *result =
        pyb_sequence_join("", "(", parts, Py_SIZE(op) == 1 ? ",)" : ")");
    Py_ReprLeave(op);
    return result;
}

static Py_hash_t
tuple_hash(PyObject *op)
{
    uint64_t hash = UINT64_C(0x243f6a8885a308d3) + (uint64_t)Py_SIZE(op);

    if (pyb_recursion_has_stack(" while hashing a tuple") < 0)
        return -1;
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        Py_hash_t item = PyObject_Hash(ITEMS(op)[i]);
        if (item == -1)
            return -1;
        hash = (hash ^ (uint64_t)item) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (Py_hash_t)hash == -1 ? -2 : (Py_hash_t)hash;
}

static PyObject *
tuple_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyTuple_Check(a) || !PyTuple_Check(b))
        Py_RETURN_NOTIMPLEMENTED;

    Py_ssize_t n = Py_MIN(Py_SIZE(a), Py_SIZE(b));
    for (Py_ssize_t i = 0; i < n; i++) {
        int same = PyObject_RichCompareBool(ITEMS(a)[i], ITEMS(b)[i], Py_EQ);
        if (same < 0)
            return NULL;
        if (same)
            continue;
        if (op == Py_EQ || op == Py_NE)
            return PyBool_FromLong(op == Py_NE);
        return PyObject_RichCompare(ITEMS(a)[i], ITEMS(b)[i], op);
    }
    Py_RETURN_RICHCOMPARE(Py_SIZE(a), Py_SIZE(b), op);
}

static Py_ssize_t
tuple_length(PyObject *op)
{
    return Py_SIZE(op);
}

static int
tuple_contains(PyObject *op, PyObject *value)
{
    int found = 0;

    for (Py_ssize_t i = 0; found == 0 && i < Py_SIZE(op); i++)
        found = PyObject_RichCompareBool(ITEMS(op)[i], value, Py_EQ);
    return found;
}

static PyObject *
tuple_item(PyObject *op, Py_ssize_t i)
{
    return Py_XNewRef(PyTuple_GetItem(op, i));
}

static PyObject *
tuple_concat(PyObject *a, PyObject *b)
{
    Py_ssize_t na = Py_SIZE(a);

    if (na == 0 && PyTuple_CheckExact(b))
        return Py_NewRef(b);
    if (!PyTuple_Check(b))
        return PyErr_Format(
            PyExc_TypeError,
            "can only concatenate tuple (not \"%.200s\") to tuple",
            Py_TYPE(b)->tp_name);
    if (Py_SIZE(b) == 0 && PyTuple_CheckExact(a))
        return Py_NewRef(a);
    if (na > PY_SSIZE_T_MAX - Py_SIZE(b))
        return PyErr_NoMemory();

    PyObject *result = PyTuple_New(na + Py_SIZE(b));
    if (result == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < na; i++)
        ITEMS(result)[i] = Py_NewRef(ITEMS(a)[i]);
    for (Py_ssize_t i = 0; i < Py_SIZE(b); i++)
        ITEMS(result)[na + i] = Py_NewRef(ITEMS(b)[i]);
    return result;
}

static PyObject *
tuple_repeat(PyObject *op, Py_ssize_t count)
{
    Py_ssize_t n = Py_SIZE(op), total;

    if ((n == 0 || count == 1) && PyTuple_CheckExact(op))
        return Py_NewRef(op);
    if (n == 0 || count <= 0)
        return PyTuple_New(0);
    if (__builtin_mul_overflow(n, count, &total))
        return PyErr_NoMemory();
    PyObject *result = PyTuple_New(total);
    if (result == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < total; i++)
        ITEMS(result)[i] = Py_NewRef(ITEMS(op)[i % n]);
    return result;
}

static PyObject *
slice(PyObject *op, PyObject *key)
{
    Py_ssize_t start, stop, step, n;

    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    n = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop, step);
    if (n <= 0)
        return PyTuple_New(0);
    if (step == 1)
        return PyTuple_GetSlice(op, start, start + n);
    PyObject *result = PyTuple_New(n);
    if (result == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(start >= 0 && start < Py_SIZE(op) &&
                          start + (n - 1) * step >= 0 &&
                          start + (n - 1) * step < Py_SIZE(op),
                      op);
    for (Py_ssize_t i = 0; i < n; i++)
        ITEMS(result)[i] = Py_NewRef(ITEMS(op)[start + i * step]);
    return result;
}

static PyObject *
tuple_subscript(PyObject *op, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred())
            return NULL;
        return tuple_item(op, i < 0 ? i + Py_SIZE(op) : i);
    }
    if (PySlice_Check(key))
        return slice(op, key);
    return PyErr_Format(PyExc_TypeError,
                        "tuple indices must be integers or slices, not %.200s",
                        Py_TYPE(key)->tp_name);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
tuple_index(PyObject *op, PyObject *args)
{
    PyObject *value;
    Py_ssize_t i, stop;

    if (pyb_sequence_range_args(args, Py_SIZE(op), &value, &i, &stop) < 0)
        return NULL;
    PYB_ASSERT_OBJECT(i >= 0 && stop <= Py_SIZE(op), op);
    for (; i < stop; i++) {
        int same = PyObject_RichCompareBool(ITEMS(op)[i], value, Py_EQ);
        if (same != 0)
            return same > 0 ? PyLong_FromSsize_t(i) : NULL;
    }
    return pyb_raise(PyExc_ValueError, "tuple.index(x): x not in tuple");
}

static PyObject *
tuple_count(PyObject *op, PyObject *value)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        int same = PyObject_RichCompareBool(ITEMS(op)[i], value, Py_EQ);
        if (same < 0)
            return NULL;
        count += same;
    }
    return PyLong_FromSsize_t(count);
}

static PyObject *
tuple_getnewargs(PyObject *op, PyObject *Py_UNUSED(none))
{
    return Py_BuildValue("(N)", PyTuple_GetSlice(op, 0, Py_SIZE(op)));
}

static PyMethodDef tuple_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__getnewargs__", tuple_getnewargs, METH_NOARGS, NULL},
    {"index", tuple_index, PYB_VARARGS,
     PyDoc_STR("Return first index of value.")},
    {"count", tuple_count, METH_O,
     PyDoc_STR("Return number of occurrences of value.")},
    {NULL, NULL, 0, NULL}};

static PySequenceMethods tuple_as_sequence = {
    .sq_length = tuple_length,
    .sq_concat = tuple_concat,
    .sq_repeat = tuple_repeat,
    .sq_item = tuple_item,
    .sq_contains = tuple_contains,
};

static PyMappingMethods tuple_as_mapping = {
    .mp_length = tuple_length,
    .mp_subscript = tuple_subscript,
};

/* ------------------------------------------------------------------ */
/* The iterator                                                        */

static PyObject *
tuple_iter(PyObject *op)
{
    return pyb_iterator_new(&PyTupleIter_Type, op, 0);
}

static PyObject *
tuple_iter_next(PyObject *op)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ASSERT_OBJECT(it->of == NULL || PyTuple_Check(it->of), op);
    PYB_ASSERT_OBJECT(it->index >= 0, op);
    if (it->of == NULL)
        return NULL;
    if (it->index < Py_SIZE(it->of))
        return Py_NewRef(ITEMS(it->of)[it->index++]);
    Py_CLEAR(it->of);
    return NULL;
}

PyTypeObject PyTupleIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "tuple_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = tuple_iter_next,
    .tp_methods = pyb_iterator_methods,
};

/* There is no tp_clear: a tuple never changes once other code has it.  A cycle
   through it also contains an object that has one. */
PyTypeObject PyTuple_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "tuple",
    .tp_basicsize = offsetof(PyTupleObject, ob_item),
    .tp_itemsize = sizeof(PyObject *),
    .tp_dealloc = tuple_dealloc,
    .tp_repr = tuple_repr,
    .tp_as_sequence = &tuple_as_sequence,
    .tp_as_mapping = &tuple_as_mapping,
    .tp_hash = tuple_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_TUPLE_SUBCLASS | _Py_TPFLAGS_MATCH_SELF |
                Py_TPFLAGS_SEQUENCE | _PyB_TPFLAGS_UNTRACKABLE,
    .tp_doc = PyDoc_STR("Built-in immutable sequence."),
    .tp_traverse = tuple_traverse,
    .tp_richcompare = tuple_richcompare,
    .tp_iter = tuple_iter,
    .tp_methods = tuple_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = tuple_new,
    .tp_free = PyObject_GC_Del,
};
