/* settype.c: the types set and frozenset: their slots and methods. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/set/set.h"
#include "types/set/sethash.h"

/* ------------------------------------------------------------------ */
/* Life                                                                */

static PyObject *
set_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
        PyObject *Py_UNUSED(kwds))
{
    return pyb_set_make(type, NULL);
}

static int
set_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *iterable = NULL;

    if (!pyb_getargs_no_keywords("set", kwds) ||
        !PyArg_UnpackTuple(args, Py_TYPE(op)->tp_name, 0, 1, &iterable))
        return -1;
    pyb_dict_clear(PYB_SET_TABLE(op));
    return iterable == NULL ? 0 : pyb_set_update(op, iterable);
}

static PyObject *
frozenset_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *iterable = NULL;
    /* Only a subtype's own tp_init may take keywords. */
    int plain = type->tp_init == PyFrozenSet_Type.tp_init;

    if ((plain && !pyb_getargs_no_keywords("frozenset", kwds)) ||
        !PyArg_UnpackTuple(args, type->tp_name, 0, 1, &iterable))
        return NULL;
    if (type == &PyFrozenSet_Type && iterable != NULL &&
        PyFrozenSet_CheckExact(iterable))
        return Py_NewRef(iterable);
    return pyb_set_make(type, iterable);
}

static void
set_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (PYB_SET(op)->weakreflist != NULL)
        PyObject_ClearWeakRefs(op);
    pyb_dict_clear(PYB_SET_TABLE(op));
    Py_TYPE(op)->tp_free(op);
}

/* The values, which are all None, are not visited. */
static int
set_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct pyb_dict_table *t = PYB_SET_TABLE(op)->_pyb_table;

    for (Py_ssize_t i = 0; t != NULL && i < t->nentries; i++)
        Py_VISIT(t->entries[i].key);
    return 0;
}

static int
set_tp_clear(PyObject *op)
{
    pyb_dict_clear(PYB_SET_TABLE(op));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

/* The elements' texts with ", " in between.  A new reference, or NULL with an
   exception. */
static PyObject *
repr_elements(PyObject *op)
{
    PyObject *list = PySequence_List(op);

    if (list == NULL)
        return NULL;
    PyObject *text = PyObject_Repr(list);
    Py_DECREF(list);
    if (text == NULL)
        return NULL;
    PyObject *inner =
        PyUnicode_Substring(text, 1, PyUnicode_GET_LENGTH(text) - 1);
    Py_DECREF(text);
    return inner;
}

static PyObject *
set_repr(PyObject *op)
{
    const char *name = Py_TYPE(op)->tp_name;
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    PyObject *result = NULL, *elements = NULL;
    if (PySet_GET_SIZE(op) == 0)
        result = PyUnicode_FromFormat("%s()", name);
    else if ((elements = repr_elements(op)) != NULL)
        result = PySet_CheckExact(op)
                     ? PyUnicode_FromFormat("{%U}", elements)
                     : PyUnicode_FromFormat("%s({%U})", name, elements);
    Py_XDECREF(elements);
    Py_ReprLeave(op);
    return result;
}

static Py_hash_t
frozenset_hash(PyObject *op)
{
    struct pyb_dict_entry *entry;
    size_t hash = pyb_sethash_begin(PySet_GET_SIZE(op));
    Py_ssize_t pos = 0;

    if (PYB_SET(op)->_pyb_hash != -1)
        return PYB_SET(op)->_pyb_hash;
    while ((entry = pyb_dict_next(PYB_SET_TABLE(op), &pos)) != NULL)
        hash = pyb_sethash_add(hash, entry->hash);
    PYB_SET(op)->_pyb_hash = pyb_sethash_end(hash);
    return PYB_SET(op)->_pyb_hash;
}

static PyObject *
set_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyAnySet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    Py_hash_t ha = PYB_SET(a)->_pyb_hash, hb = PYB_SET(b)->_pyb_hash;
    if ((op == Py_EQ || op == Py_NE) && ha != -1 && hb != -1 && ha != hb)
        return PyBool_FromLong(op == Py_NE);
    return pyb_set_compare(a, b, op, pyb_set_is_subset);
}

static Py_ssize_t
set_length(PyObject *op)
{
    return PySet_GET_SIZE(op);
}

/* function(op, key).  A set as key, which has no hash, is replaced by an equal
   frozenset. */
static int
with_frozen_key(int (*function)(PyObject *, PyObject *), PyObject *op,
                PyObject *key)
{
    int result = function(op, key);

    if (result >= 0 || !PySet_Check(key) ||
        !PyErr_ExceptionMatches(PyExc_TypeError))
        return result;
    PyErr_Clear();
    PyObject *frozen = PyFrozenSet_New(key);
    if (frozen == NULL)
        return -1;
    result = function(op, frozen);
    Py_DECREF(frozen);
    return result;
}

static int
set_contains(PyObject *op, PyObject *key)
{
    return with_frozen_key(PySet_Contains, op, key);
}

/* ------------------------------------------------------------------ */
/* Operators                                                           */

/* Changes the first set by the items of the second object.  0, or -1 with an
   exception. */
typedef int (*change)(PyObject *op, PyObject *other);

/* A copy of a, changed by b. */
static PyObject *
changed_copy(change by, PyObject *a, PyObject *b)
{
    PyObject *copy = pyb_set_like(a, a);

    if (copy != NULL && by(copy, b) < 0)
        Py_CLEAR(copy);
    return copy;
}

static PyObject *
binary(change by, PyObject *a, PyObject *b)
{
    if (!PyAnySet_Check(a) || !PyAnySet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return changed_copy(by, a, b);
}

static PyObject *
in_place(change by, PyObject *op, PyObject *other)
{
    PYB_ASSERT_OBJECT(PySet_Check(op), op);
    if (!PyAnySet_Check(other))
        Py_RETURN_NOTIMPLEMENTED;
    return by(op, other) < 0 ? NULL : Py_NewRef(op);
}

/* An operator, and the one that changes its first operand. */
#define OPERATOR(NAME, BY)                                                    \
    static PyObject *set_##NAME(PyObject *a, PyObject *b)                     \
    {                                                                         \
        return binary(BY, a, b);                                              \
    }                                                                         \
    static PyObject *set_inplace_##NAME(PyObject *op, PyObject *other)        \
    {                                                                         \
        return in_place(BY, op, other);                                       \
    }

OPERATOR(or, pyb_set_update)
OPERATOR(subtract, pyb_set_difference_update)
OPERATOR(xor, pyb_set_symmetric_update)

static PyObject *
set_and(PyObject *a, PyObject *b)
{
    if (!PyAnySet_Check(a) || !PyAnySet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return pyb_set_intersection(a, b);
}

/* Replaces op's elements by those of a set, which is stolen.  0, or -1 if that
   is NULL. */
static int
replace(PyObject *op, PyObject *by)
{
    if (by == NULL)
        return -1;
    PYB_ASSERT_OBJECT(op != by && PySet_Check(op), op);
    pyb_dict_swap(PYB_SET_TABLE(op), PYB_SET_TABLE(by));
    Py_DECREF(by);
    return 0;
}

static int
intersection_update(PyObject *op, PyObject *other)
{
    return replace(op, pyb_set_intersection(op, other));
}

static PyObject *
set_inplace_and(PyObject *op, PyObject *other)
{
    return in_place(intersection_update, op, other);
}

/* ------------------------------------------------------------------ */
/* Methods of both types                                               */

static PyObject *
set_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_set_like(op, op);
}

static PyObject *
frozenset_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyFrozenSet_CheckExact(op) ? Py_NewRef(op) : pyb_set_like(op, op);
}

/* Changes op by each of others.  0, or -1 with an exception: it may then be
   changed by some. */
static int
change_by_all(change by, PyObject *op, PyObject *others)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(others), others);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(others); i++)
        if (by(op, PyTuple_GET_ITEM(others, i)) < 0)
            return -1;
    return 0;
}

/* A copy of op, changed by each of others. */
static PyObject *
copy_changed_by_all(change by, PyObject *op, PyObject *others)
{
    PyObject *copy = pyb_set_like(op, op);

    if (copy != NULL && change_by_all(by, copy, others) < 0)
        Py_CLEAR(copy);
    return copy;
}

static PyObject *
set_intersection(PyObject *op, PyObject *others)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(others), others);
    Py_ssize_t n = PyTuple_GET_SIZE(others);
    PyObject *result = n == 0 ? pyb_set_like(op, op) : Py_NewRef(op);

    for (Py_ssize_t i = 0; result != NULL && i < n; i++)
        Py_SETREF(result,
                  pyb_set_intersection(result, PyTuple_GET_ITEM(others, i)));
    return result;
}

/* Methods that are an expression of op and of their argument, or the tuple of
   them. */
#define METHOD(NAME, RESULT)                                                  \
    static PyObject *set_##NAME(PyObject *op, PyObject *arg)                  \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(union, copy_changed_by_all(pyb_set_update, op, arg))
METHOD(difference, copy_changed_by_all(pyb_set_difference_update, op, arg))
METHOD(symmetric_difference, changed_copy(pyb_set_symmetric_update, op, arg))
METHOD(contains_method, pyb_result_bool(set_contains(op, arg)))
METHOD(isdisjoint, pyb_result_bool(pyb_set_is_disjoint(op, arg)))
METHOD(issubset, pyb_result_bool(pyb_set_is_subset(op, arg)))
METHOD(issuperset, pyb_result_bool(pyb_set_is_superset(op, arg)))

/* ------------------------------------------------------------------ */
/* Methods of set                                                      */

METHOD(add, pyb_result_none(PySet_Add(op, arg)))
METHOD(discard, pyb_result_none(with_frozen_key(PySet_Discard, op, arg)))
METHOD(update, pyb_result_none(change_by_all(pyb_set_update, op, arg)))
METHOD(difference_update,
       pyb_result_none(change_by_all(pyb_set_difference_update, op, arg)))
METHOD(symmetric_difference_update,
       pyb_result_none(pyb_set_symmetric_update(op, arg)))
/* An error leaves op unchanged. */
METHOD(intersection_update,
       pyb_result_none(replace(op, set_intersection(op, arg))))

static PyObject *
set_remove(PyObject *op, PyObject *key)
{
    int found = with_frozen_key(PySet_Discard, op, key);

    if (found != 0)
        return pyb_result_none(found);
    pyb_dict_key_error(key);
    return NULL;
}

static PyObject *
set_pop(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PySet_Pop(op);
}

static PyObject *
set_clear(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_result_none(PySet_Clear(op));
}

/* ------------------------------------------------------------------ */
/* The types                                                           */

static PyObject *
set_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *list = PySequence_List(op), *state = NULL;

    if (list != NULL)
        state = pyb_reduce_state(op);
    if (state == NULL) {
        Py_XDECREF(list);
        return NULL;
    }
    return pyb_reduce_type(op, Py_BuildValue("(N)", list), state);
}

#define COMMON_METHODS                                                        \
    {"__reduce__", set_reduce, METH_NOARGS,                                   \
     PyDoc_STR("Return state information for pickling.")},                    \
        {"__contains__", set_contains_method, METH_O | METH_COEXIST,          \
         PyDoc_STR("x.__contains__(y) <==> y in x.")},                        \
        {"union", set_union, METH_VARARGS,                                    \
         PyDoc_STR("Return a new set with elements from the set and all "     \
                   "others.")},                                               \
        {"intersection", set_intersection, METH_VARARGS,                      \
         PyDoc_STR("Return a new set with elements common to the set and "    \
                   "all others.")},                                           \
        {"difference", set_difference, METH_VARARGS,                          \
         PyDoc_STR("Return a new set with elements in the set that are not "  \
                   "in the others.")},                                        \
        {"symmetric_difference", set_symmetric_difference, METH_O,            \
         PyDoc_STR("Return a new set with elements in either the set or "     \
                   "other but not both.")},                                   \
        {"isdisjoint", set_isdisjoint, METH_O,                                \
         PyDoc_STR("Return True if the set has no elements in common with "   \
                   "other.")},                                                \
        {"issubset", set_issubset, METH_O,                                    \
         PyDoc_STR("Test whether every element in the set is in other.")},    \
    {                                                                         \
        "issuperset", set_issuperset, METH_O,                                 \
            PyDoc_STR("Test whether every element in other is in the set.")   \
    }

static PyMethodDef frozenset_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    COMMON_METHODS,
    {"copy", frozenset_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of a set.")},
    {NULL, NULL, 0, NULL}};

static PyMethodDef set_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    COMMON_METHODS,
    {"copy", set_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of a set.")},
    {"add", set_add, METH_O, PyDoc_STR("Add an element to the set.")},
    {"remove", set_remove, METH_O,
     PyDoc_STR("Remove an element from the set; it must be a member.")},
    {"discard", set_discard, METH_O,
     PyDoc_STR("Remove an element from the set if it is a member.")},
    {"pop", set_pop, METH_NOARGS,
     PyDoc_STR("Remove and return an arbitrary element.")},
    {"clear", set_clear, METH_NOARGS,
     PyDoc_STR("Remove all elements from the set.")},
    {"update", set_update, METH_VARARGS,
     PyDoc_STR("Add the elements of all others.")},
    {"intersection_update", set_intersection_update, METH_VARARGS,
     PyDoc_STR("Keep only the elements found in the set and all others.")},
    {"difference_update", set_difference_update, METH_VARARGS,
     PyDoc_STR("Remove the elements found in others.")},
    {"symmetric_difference_update", set_symmetric_difference_update, METH_O,
     PyDoc_STR("Keep only the elements found in either set, but not in "
               "both.")},
    {NULL, NULL, 0, NULL}};

static PyNumberMethods frozenset_as_number = {
    .nb_subtract = set_subtract,
    .nb_and = set_and,
    .nb_xor = set_xor,
    .nb_or = set_or,
};

static PyNumberMethods set_as_number = {
    .nb_subtract = set_subtract,
    .nb_and = set_and,
    .nb_xor = set_xor,
    .nb_or = set_or,
    .nb_inplace_subtract = set_inplace_subtract,
    .nb_inplace_and = set_inplace_and,
    .nb_inplace_xor = set_inplace_xor,
    .nb_inplace_or = set_inplace_or,
};

static PySequenceMethods set_as_sequence = {
    .sq_length = set_length,
    .sq_contains = set_contains,
};

PyTypeObject PySet_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "set",
    .tp_basicsize = sizeof(PySetObject),
    .tp_dealloc = set_dealloc,
    .tp_repr = set_repr,
    .tp_as_number = &set_as_number,
    .tp_as_sequence = &set_as_sequence,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = PyDoc_STR("Build an unordered collection of unique elements."),
    .tp_traverse = set_traverse,
    .tp_clear = set_tp_clear,
    .tp_richcompare = set_richcompare,
    .tp_weaklistoffset = offsetof(PySetObject, weakreflist),
    .tp_iter = pyb_set_iter,
    .tp_methods = set_methods,
    .tp_init = set_init,
    .tp_new = set_new,
};

PyTypeObject PyFrozenSet_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "frozenset",
    .tp_basicsize = sizeof(PySetObject),
    .tp_dealloc = set_dealloc,
    .tp_repr = set_repr,
    .tp_as_number = &frozenset_as_number,
    .tp_as_sequence = &set_as_sequence,
    .tp_hash = frozenset_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = PyDoc_STR("Build an immutable unordered collection of unique "
                        "elements."),
    .tp_traverse = set_traverse,
    .tp_clear = set_tp_clear,
    .tp_richcompare = set_richcompare,
    .tp_weaklistoffset = offsetof(PySetObject, weakreflist),
    .tp_iter = pyb_set_iter,
    .tp_methods = frozenset_methods,
    .tp_new = frozenset_new,
};
