/* dicttype.c: the type dict: its slots and methods. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "types/dict/dict.h"

#define DICT(op) PYB_CAST(PyDictObject, PyAnyDict_Check, op)

/* ------------------------------------------------------------------ */
/* Life                                                                */

static PyObject *
dict_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    PyObject *op = type->tp_alloc(type, 0);

    if (op == NULL)
        return NULL;
    pyb_dict_init(DICT(op));
    if (type == &PyDict_Type)
        PyObject_GC_UnTrack(op); /* it is empty: see acyclic.h */
    return op;
}

int
pyb_dict_update_from_args(PyObject *op, const char *name, PyObject *args,
                          PyObject *kwds)
{
    PyObject *source = NULL;

    PYB_ASSERT_OBJECT(PyDict_Check(op), op);
    if (!PyArg_UnpackTuple(args, name, 0, 1, &source) ||
        (source != NULL && pyb_dict_update(op, source) < 0))
        return -1;
    if (kwds == NULL)
        return 0;
    return PyArg_ValidateKeywordArguments(kwds) ? PyDict_Merge(op, kwds, 1)
                                                : -1;
}

static int
dict_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return pyb_dict_update_from_args(op, "dict", args, kwds);
}

/* Visits the value before its key, as CPython does. */
int
pyb_dict_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct pyb_dict_table *t = DICT(op)->_pyb_table;

    for (Py_ssize_t i = 0; t != NULL && i < t->nentries; i++) {
        Py_VISIT(t->entries[i].value);
        Py_VISIT(t->entries[i].key);
    }
    return 0;
}

int
pyb_dict_tp_clear(PyObject *op)
{
    pyb_dict_clear(DICT(op));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

/* "key: value", a new reference, or NULL with an exception. */
static PyObject *
repr_entry(struct pyb_dict_entry *entry)
{
    PyObject *key = Py_NewRef(entry->key), *value = Py_NewRef(entry->value);
    PyObject *text = PyUnicode_FromFormat("%R: %R", key, value);

    Py_DECREF(key);
    Py_DECREF(value);
    return text;
}

PyObject *
pyb_dict_repr(PyObject *op)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("{...}") : NULL;
    PyObject *parts = PyList_New(0);
    while (parts != NULL && (entry = pyb_dict_next(DICT(op), &pos)) != NULL)
        if (pyb_append_stolen(parts, repr_entry(entry)) < 0)
            Py_CLEAR(parts);
    PyObject *result = pyb_sequence_join("", "{", parts, "}");
    Py_ReprLeave(op);
    return result;
}

/* Is mp[key] == value?  1, 0, or -1 with an exception. */
static int
has_item(PyDictObject *mp, struct pyb_dict_entry wanted)
{
    Py_ssize_t i = pyb_dict_lookup(mp, wanted.key, wanted.hash);

    if (i < 0)
        return i == PYB_DICT_ABSENT ? 0 : -1;
    PyObject *value = Py_NewRef(mp->_pyb_table->entries[i].value);
    int same = PyObject_RichCompareBool(wanted.value, value, Py_EQ);
    Py_DECREF(value);
    return same;
}

static int
dict_equal(PyDictObject *a, PyDictObject *b)
{
    struct pyb_dict_entry *next;
    Py_ssize_t pos = 0;

    if (a->ma_used != b->ma_used)
        return 0;
    while ((next = pyb_dict_next(a, &pos)) != NULL) {
        struct pyb_dict_entry entry = *next;
        Py_INCREF(entry.key);
        Py_INCREF(entry.value);
        int same = has_item(b, entry);
        Py_DECREF(entry.key);
        Py_DECREF(entry.value);
        if (same <= 0)
            return same;
    }
    return 1;
}

PyObject *
pyb_dict_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyAnyDict_Check(a) || !PyAnyDict_Check(b) ||
        (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int equal = dict_equal(DICT(a), DICT(b));
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

Py_ssize_t
pyb_dict_length(PyObject *op)
{
    return DICT(op)->ma_used;
}

/* The result of a subtype's __missing__, or KeyError. */
static PyObject *
missing(PyObject *op, PyObject *key)
{
    PyObject *name, *result = NULL;

    PYB_ASSERT_OBJECT(PyAnyDict_Check(op) && !PyErr_Occurred(), op);
    if (PyAnyDict_CheckExact(op)) {
        pyb_dict_key_error(key);
        return NULL;
    }
    name = PyUnicode_InternFromString("__missing__");
    if (name == NULL)
        return NULL;
    if (_PyType_Lookup(Py_TYPE(op), name) != NULL)
        result = PyObject_CallMethodObjArgs(op, name, key, NULL);
    else
        pyb_dict_key_error(key);
    Py_DECREF(name);
    return result;
}

PyObject *
pyb_dict_subscript(PyObject *op, PyObject *key)
{
    struct pyb_dict_entry *entry = pyb_dict_entry(DICT(op), key);

    if (entry != NULL)
        return Py_NewRef(entry->value);
    return PyErr_Occurred() ? NULL : missing(op, key);
}

static int
dict_ass_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    return value == NULL ? PyDict_DelItem(op, key)
                         : PyDict_SetItem(op, key, value);
}

PyObject *
pyb_dict_tp_iter(PyObject *op)
{
    return pyb_dict_iter(op, &PyDictIterKey_Type);
}

PyObject *
pyb_dict_or(PyObject *a, PyObject *b)
{
    if (!PyAnyDict_Check(a) || !PyAnyDict_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *result = PyDict_New();
    if (result != NULL && (pyb_dict_clone(DICT(result), DICT(a)) < 0 ||
                           pyb_dict_update(result, b) < 0))
        Py_CLEAR(result);
    return PyDict_Check(a) ? result
                           : pyb_dict_freeze(&PyFrozenDict_Type, result);
}

static PyObject *
dict_inplace_or(PyObject *op, PyObject *source)
{
    return pyb_dict_update(op, source) < 0 ? NULL : Py_NewRef(op);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

PyObject *
pyb_dict_method_get(PyObject *op, PyObject *args)
{
    PyObject *key, *value, *fallback = Py_None;

    if (!PyArg_UnpackTuple(args, "get", 1, 2, &key, &fallback))
        return NULL;
    int found = PyDict_GetItemRef(op, key, &value);
    return found == 0 ? Py_NewRef(fallback) : value;
}

static PyObject *
dict_setdefault(PyObject *op, PyObject *args)
{
    PyObject *key, *value, *fallback = Py_None;

    if (!PyArg_UnpackTuple(args, "setdefault", 1, 2, &key, &fallback))
        return NULL;
    PyDict_SetDefaultRef(op, key, fallback, &value);
    return value;
}

static PyObject *
dict_pop(PyObject *op, PyObject *args)
{
    PyObject *key, *value, *fallback = NULL;

    if (!PyArg_UnpackTuple(args, "pop", 1, 2, &key, &fallback))
        return NULL;
    if (PyDict_Pop(op, key, &value) != 0)
        return value;
    if (fallback == NULL)
        pyb_dict_key_error(key);
    return Py_XNewRef(fallback);
}

static PyObject *
dict_popitem(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *item = PyTuple_New(2); /* first, since it may collect */

    if (item == NULL)
        return NULL;
    if (DICT(op)->ma_used == 0) {
        Py_DECREF(item);
        return pyb_raise(PyExc_KeyError, "popitem(): dictionary is empty");
    }
    struct pyb_dict_entry taken =
        pyb_dict_take(DICT(op), DICT(op)->_pyb_table->nentries - 1);
    PyTuple_SET_ITEM(item, 0, taken.key);
    PyTuple_SET_ITEM(item, 1, taken.value);
    return item;
}

/* Methods that are an expression of op. */
#define METHOD(NAME, RESULT)                                                  \
    PyObject *pyb_dict_method_##NAME(PyObject *op, PyObject *Py_UNUSED(none)) \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(keys, pyb_dict_view(op, &PyDictKeys_Type))
METHOD(values, pyb_dict_view(op, &PyDictValues_Type))
METHOD(items, pyb_dict_view(op, &PyDictItems_Type))
METHOD(reversed, pyb_dict_iter(op, &PyDictRevIterKey_Type))

static PyObject *
dict_update(PyObject *op, PyObject *args, PyObject *kwds)
{
    return pyb_result_none(
        pyb_dict_update_from_args(op, "update", args, kwds));
}

static PyObject *
dict_clear(PyObject *op, PyObject *Py_UNUSED(none))
{
    pyb_dict_clear(DICT(op));
    Py_RETURN_NONE;
}

static PyObject *
dict_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyDict_Copy(op);
}

/* Sets the same value for every key of an iterable. */
static int
set_all(PyObject *op, PyObject *iterable, PyObject *value)
{
    PyObject *it = PyObject_GetIter(iterable), *key;
    int more = 0, error = 0;

    if (it == NULL)
        return -1;
    while (error >= 0 && (more = PyIter_NextItem(it, &key)) > 0) {
        error = PyObject_SetItem(op, key, value);
        Py_DECREF(key);
    }
    Py_DECREF(it);
    return error < 0 ? -1 : more;
}

static PyObject *
dict_fromkeys(PyObject *type, PyObject *args)
{
    PyObject *iterable, *value = Py_None;

    if (!PyArg_UnpackTuple(args, "fromkeys", 1, 2, &iterable, &value))
        return NULL;
    PyObject *op = PyObject_CallNoArgs(type);
    if (op != NULL && set_all(op, iterable, value) < 0)
        Py_CLEAR(op);
    return op;
}

static PyMethodDef dict_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__getitem__", pyb_dict_subscript, METH_O | METH_COEXIST,
     PyDoc_STR("Return self[key].")},
    {"get", pyb_dict_method_get, PYB_VARARGS,
     PyDoc_STR("Return the value for key if key is in the dictionary, else "
               "default.")},
    {"setdefault", dict_setdefault, PYB_VARARGS,
     PyDoc_STR("Insert key with a value of default if key is not in the "
               "dictionary.")},
    {"pop", dict_pop, PYB_VARARGS,
     PyDoc_STR("Remove specified key and return the corresponding value.")},
    {"popitem", dict_popitem, METH_NOARGS,
     PyDoc_STR("Remove and return a (key, value) pair as a 2-tuple.")},
    {"keys", pyb_dict_method_keys, METH_NOARGS,
     PyDoc_STR("Return a view of the dictionary's keys.")},
    {"values", pyb_dict_method_values, METH_NOARGS,
     PyDoc_STR("Return a view of the dictionary's values.")},
    {"items", pyb_dict_method_items, METH_NOARGS,
     PyDoc_STR("Return a view of the dictionary's items.")},
    {"__reversed__", pyb_dict_method_reversed, METH_NOARGS,
     PyDoc_STR("Return a reverse iterator over the keys.")},
    {"update", _PyCFunction_CAST(dict_update), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Update the dictionary from a mapping or an iterable of "
               "pairs, and from keywords.")},
    {"clear", dict_clear, METH_NOARGS,
     PyDoc_STR("Remove all items from the dictionary.")},
    {"copy", dict_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of the dictionary.")},
    {"fromkeys", dict_fromkeys, PYB_VARARGS | METH_CLASS,
     PyDoc_STR("Create a new dictionary with keys from iterable and values "
               "set to value.")},
    {NULL, NULL, 0, NULL}};

static PyNumberMethods dict_as_number = {
    .nb_or = pyb_dict_or,
    .nb_inplace_or = dict_inplace_or,
};

static PySequenceMethods dict_as_sequence = {
    .sq_contains = PyDict_Contains,
};

static PyMappingMethods dict_as_mapping = {
    .mp_length = pyb_dict_length,
    .mp_subscript = pyb_dict_subscript,
    .mp_ass_subscript = dict_ass_subscript,
};

PyTypeObject PyDict_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "dict",
    .tp_basicsize = sizeof(PyDictObject),
    .tp_dealloc = pyb_dict_dealloc,
    .tp_repr = pyb_dict_repr,
    .tp_as_number = &dict_as_number,
    .tp_as_sequence = &dict_as_sequence,
    .tp_as_mapping = &dict_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_DICT_SUBCLASS | _Py_TPFLAGS_MATCH_SELF |
                Py_TPFLAGS_MAPPING | _PyB_TPFLAGS_UNTRACKABLE,
    .tp_doc = PyDoc_STR("Built-in mapping of hashable keys to values."),
    .tp_traverse = pyb_dict_traverse,
    .tp_clear = pyb_dict_tp_clear,
    .tp_richcompare = pyb_dict_richcompare,
    .tp_iter = pyb_dict_tp_iter,
    .tp_methods = dict_methods,
    .tp_init = dict_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = dict_new,
    .tp_free = PyObject_GC_Del,
};
