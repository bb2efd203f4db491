/* listtype.c: the type list: its slots and methods.  Its iterators are in
   listiter.c. */

#include "Python.h"

#include "gc/base/aligned.h"
#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "types/list/list.h"

#define LIST(op) PYB_CAST(PyListObject, PyList_Check, op)

/* item == value, for an item that the comparison may remove. */
static int
item_equals(PyObject *item, PyObject *value)
{
    PYB_ASSERT(item->ob_refcnt > 0);
    Py_INCREF(item);
    int same = PyObject_RichCompareBool(item, value, Py_EQ);
    Py_DECREF(item);
    return same;
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

static int
list_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *iterable;
    /* Only a subtype's own tp_new may take keywords. */
    int plain = Py_TYPE(op)->tp_new == PyList_Type.tp_new;

    if (pyb_sequence_iterable_arg("list", plain, args, kwds, &iterable) < 0)
        return -1;
    pyb_list_clear(LIST(op));
    return iterable == NULL ? 0 : pyb_list_extend(LIST(op), iterable);
}

PYB_LINE_ALIGNED static int
list_traverse(PyObject *op, visitproc visit, void *arg)
{
    for (Py_ssize_t i = Py_SIZE(op); --i >= 0;)
        Py_VISIT(LIST(op)->ob_item[i]);
    return 0;
}

static int
list_tp_clear(PyObject *op)
{
    pyb_list_clear(LIST(op));
    return 0;
}

static PyObject *
list_repr(PyObject *op)
{
    if (Py_SIZE(op) == 0)
        return PyUnicode_FromString("[]");
    int entered = Py_ReprEnter(op);
    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("[...]") : NULL;
    PyObject *parts = PyList_New(0);
    for (Py_ssize_t i = 0; parts != NULL && i < Py_SIZE(op); i++) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(op, i));
        if (pyb_append_stolen(parts, PyObject_Repr(item)) < 0)
            Py_CLEAR(parts);
        Py_DECREF(item);
    }
    PyObject *result = pyb_sequence_join("", "[", parts, "]");
    Py_ReprLeave(op);
    return result;
}

/* a op b for the first items that differ. */
static PyObject *
compare_items(PyObject *a, PyObject *b, int op)
{
    if (op == Py_EQ || op == Py_NE)
        return PyBool_FromLong(op == Py_NE);
    Py_INCREF(a);
    Py_INCREF(b);
    PyObject *result = PyObject_RichCompare(a, b, op);
    Py_DECREF(a);
    Py_DECREF(b);
    return result;
}

static PyObject *
list_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyList_Check(a) || !PyList_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (Py_SIZE(a) != Py_SIZE(b) && (op == Py_EQ || op == Py_NE))
        return PyBool_FromLong(op == Py_NE);

    for (Py_ssize_t i = 0; i < Py_SIZE(a) && i < Py_SIZE(b); i++) {
        PyObject *x = PyList_GET_ITEM(a, i);
        PyObject *y = Py_NewRef(PyList_GET_ITEM(b, i));
        int same = item_equals(x, y);
        Py_DECREF(y);
        if (same < 0)
            return NULL;
        if (same)
            continue;
        if (i >= Py_SIZE(a) || i >= Py_SIZE(b))
            break; /* the comparison made one of them shorter */
        return compare_items(PyList_GET_ITEM(a, i), PyList_GET_ITEM(b, i), op);
    }
    Py_RETURN_RICHCOMPARE(Py_SIZE(a), Py_SIZE(b), op);
}

static Py_ssize_t
list_length(PyObject *op)
{
    return Py_SIZE(op);
}

static int
list_contains(PyObject *op, PyObject *value)
{
    int found = 0;

    for (Py_ssize_t i = 0; found == 0 && i < Py_SIZE(op); i++)
        found = item_equals(PyList_GET_ITEM(op, i), value);
    return found;
}

static PyObject *
list_item(PyObject *op, Py_ssize_t i)
{
    return Py_XNewRef(PyList_GetItem(op, i));
}

static PyObject *
list_concat(PyObject *a, PyObject *b)
{
    if (!PyList_Check(b))
        return PyErr_Format(
            PyExc_TypeError,
            "can only concatenate list (not \"%.200s\") to list",
            Py_TYPE(b)->tp_name);
    PyObject *result = PyList_GetSlice(a, 0, Py_SIZE(a));
    if (result != NULL && pyb_list_extend_items(LIST(result), b) < 0)
        Py_CLEAR(result);
    return result;
}

static PyObject *
list_repeat(PyObject *op, Py_ssize_t count)
{
    return pyb_list_repeated(LIST(op), count);
}

static PyObject *
list_inplace_concat(PyObject *op, PyObject *iterable)
{
    return pyb_list_extend(LIST(op), iterable) < 0 ? NULL : Py_NewRef(op);
}

static PyObject *
list_inplace_repeat(PyObject *op, Py_ssize_t count)
{
    Py_ssize_t n = Py_SIZE(op), total;

    if (count <= 0) {
        pyb_list_clear(LIST(op));
        return Py_NewRef(op);
    }
    if (__builtin_mul_overflow(n, count, &total))
        return PyErr_NoMemory();
    if (pyb_list_resize(LIST(op), total) < 0)
        return NULL;
    for (Py_ssize_t i = n; i < total; i++)
        LIST(op)->ob_item[i] = Py_XNewRef(LIST(op)->ob_item[i - n]);
    return Py_NewRef(op);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
list_append(PyObject *op, PyObject *value)
{
    return pyb_result_none(PyList_Append(op, value));
}

/* Converts an argument to an index.  0, or -1 with an exception. */
static int
index_arg(PyObject *arg, Py_ssize_t *i)
{
    PyObject *index = PyNumber_Index(arg);

    *i = index != NULL ? PyLong_AsSsize_t(index) : -1;
    Py_XDECREF(index);
    return *i == -1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *
list_insert(PyObject *op, PyObject *args)
{
    PyObject *index, *value;
    Py_ssize_t i;

    if (!PyArg_UnpackTuple(args, "insert", 2, 2, &index, &value) ||
        index_arg(index, &i) < 0)
        return NULL;
    return pyb_result_none(PyList_Insert(op, i, value));
}

static PyObject *
list_extend(PyObject *op, PyObject *iterable)
{
    return pyb_result_none(pyb_list_extend(LIST(op), iterable));
}

static PyObject *
list_pop(PyObject *op, PyObject *args)
{
    PyObject *index = NULL;
    Py_ssize_t i = -1;

    if (!PyArg_UnpackTuple(args, "pop", 0, 1, &index) ||
        (index != NULL && index_arg(index, &i) < 0))
        return NULL;
    if (Py_SIZE(op) == 0)
        return pyb_raise(PyExc_IndexError, "pop from empty list");
    if (i < 0)
        i += Py_SIZE(op);
    if ((size_t)i >= (size_t)Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "pop index out of range");
    PyObject *item = Py_NewRef(PyList_GET_ITEM(op, i));
    pyb_list_ass_item(op, i, NULL);
    return item;
}

static PyObject *
list_remove(PyObject *op, PyObject *value)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        int same = item_equals(PyList_GET_ITEM(op, i), value);
        /* The comparison may have made the list shorter than i. */
        if (same > 0 && pyb_list_replace(LIST(op), i, i + 1, NULL) == 0)
            Py_RETURN_NONE;
        if (same != 0)
            return NULL;
    }
    return pyb_raise(PyExc_ValueError, "list.remove(x): x not in list");
}

static PyObject *
list_index(PyObject *op, PyObject *args)
{
    PyObject *value;
    Py_ssize_t i, stop;

    if (pyb_sequence_range_args(args, Py_SIZE(op), &value, &i, &stop) < 0)
        return NULL;
    for (; i < stop && i < Py_SIZE(op); i++) {
        int same = item_equals(PyList_GET_ITEM(op, i), value);
        if (same != 0)
            return same > 0 ? PyLong_FromSsize_t(i) : NULL;
    }
    return PyErr_Format(PyExc_ValueError, "%R is not in list", value);
}

static PyObject *
list_count(PyObject *op, PyObject *value)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        int same = item_equals(PyList_GET_ITEM(op, i), value);
        if (same < 0)
            return NULL;
        count += same;
    }
    return PyLong_FromSsize_t(count);
}

static PyObject *
list_clear(PyObject *op, PyObject *Py_UNUSED(none))
{
    pyb_list_clear(LIST(op));
    Py_RETURN_NONE;
}

static PyObject *
list_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyList_GetSlice(op, 0, Py_SIZE(op));
}

static PyObject *
list_reverse(PyObject *op, PyObject *Py_UNUSED(none))
{
    pyb_list_reverse_items(LIST(op)->ob_item, Py_SIZE(op));
    Py_RETURN_NONE;
}

static PyObject *
list_sort(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "reverse", NULL};
    PyObject *key = NULL;
    int reverse = 0;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|$Op:sort", names, &key,
                                     &reverse))
        return NULL;
    return pyb_result_none(
        pyb_list_sort(LIST(op), key == Py_None ? NULL : key, reverse));
}

static PyMethodDef list_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__getitem__", pyb_list_subscript, METH_O | METH_COEXIST,
     PyDoc_STR("Return self[key].")},
    {"append", list_append, METH_O,
     PyDoc_STR("Append object to the end of the list.")},
    {"insert", list_insert, PYB_VARARGS,
     PyDoc_STR("Insert object before index.")},
    {"extend", list_extend, METH_O,
     PyDoc_STR("Extend list by appending elements from the iterable.")},
    {"pop", list_pop, PYB_VARARGS,
     PyDoc_STR("Remove and return item at index (default last).")},
    {"remove", list_remove, METH_O,
     PyDoc_STR("Remove first occurrence of value.")},
    {"index", list_index, PYB_VARARGS,
     PyDoc_STR("Return first index of value.")},
    {"count", list_count, METH_O,
     PyDoc_STR("Return number of occurrences of value.")},
    {"clear", list_clear, METH_NOARGS,
     PyDoc_STR("Remove all items from list.")},
    {"copy", list_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of the list.")},
    {"__reversed__", pyb_list_reversed, METH_NOARGS,
     PyDoc_STR("Return a reverse iterator over the list.")},
    {"reverse", list_reverse, METH_NOARGS, PyDoc_STR("Reverse *IN PLACE*.")},
    {"sort", _PyCFunction_CAST(list_sort), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Sort the list in ascending order and return None.")},
    {NULL, NULL, 0, NULL}};

static PySequenceMethods list_as_sequence = {
    .sq_length = list_length,
    .sq_concat = list_concat,
    .sq_repeat = list_repeat,
    .sq_item = list_item,
    .sq_ass_item = pyb_list_ass_item,
    .sq_contains = list_contains,
    .sq_inplace_concat = list_inplace_concat,
    .sq_inplace_repeat = list_inplace_repeat,
};

static PyMappingMethods list_as_mapping = {
    .mp_length = list_length,
    .mp_subscript = pyb_list_subscript,
    .mp_ass_subscript = pyb_list_ass_subscript,
};

PyTypeObject PyList_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "list",
    .tp_basicsize = sizeof(PyListObject),
    .tp_dealloc = pyb_list_dealloc,
    .tp_repr = list_repr,
    .tp_as_sequence = &list_as_sequence,
    .tp_as_mapping = &list_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_LIST_SUBCLASS | _Py_TPFLAGS_MATCH_SELF |
                Py_TPFLAGS_SEQUENCE,
    .tp_doc = PyDoc_STR("Built-in mutable sequence."),
    .tp_traverse = list_traverse,
    .tp_clear = list_tp_clear,
    .tp_richcompare = list_richcompare,
    .tp_iter = pyb_list_iter,
    .tp_methods = list_methods,
    .tp_init = list_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = PyType_GenericNew,
    .tp_free = PyObject_GC_Del,
};
