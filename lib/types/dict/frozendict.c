/* frozendict.c: the type frozendict, a dictionary that does not change.  It
   has the table of dict and what reads that; it is no subtype. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/dict/dict.h"
#include "types/set/sethash.h"

#define FROZEN(op) PYB_CAST(PyFrozenDictObject, PyFrozenDict_Check, op)

/* ------------------------------------------------------------------ */
/* Life                                                                */

PyObject *
pyb_dict_freeze(PyTypeObject *type, PyObject *dict)
{
    PyObject *op = dict != NULL ? type->tp_alloc(type, 0) : NULL;

    if (op != NULL) {
        pyb_dict_init(&FROZEN(op)->ob_base);
        pyb_dict_swap(&FROZEN(op)->ob_base, (PyDictObject *)dict);
        FROZEN(op)->_pyb_hash = -1;
    }
    Py_XDECREF(dict);
    return op;
}

PyObject *
PyFrozenDict_New(PyObject *iterable)
{
    PyObject *dict;

    if (iterable != NULL && PyFrozenDict_CheckExact(iterable))
        return Py_NewRef(iterable);
    dict = PyDict_New();
    if (dict != NULL && iterable != NULL &&
        pyb_dict_update(dict, iterable) < 0)
        Py_CLEAR(dict);
    return pyb_dict_freeze(&PyFrozenDict_Type, dict);
}

static PyObject *
frozendict_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *dict = PyDict_New();

    if (dict != NULL &&
        pyb_dict_update_from_args(dict, "frozendict", args, kwds) < 0)
        Py_CLEAR(dict);
    return pyb_dict_freeze(type, dict);
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

static PyObject *
frozendict_repr(PyObject *op)
{
    PyObject *name = PyType_GetName(Py_TYPE(op)), *content, *result = NULL;

    if (name == NULL)
        return NULL;
    if (PyDict_GET_SIZE(op) == 0) {
        result = PyUnicode_FromFormat("%U()", name);
    } else if ((content = pyb_dict_repr(op)) != NULL) {
        result = PyUnicode_FromFormat("%U(%U)", name, content);
        Py_DECREF(content);
    }
    Py_DECREF(name);
    return result;
}

/* That of a frozenset of the pairs. */
static Py_hash_t
frozendict_hash(PyObject *op)
{
    size_t hash = pyb_sethash_begin(PyDict_GET_SIZE(op));
    PyObject *key, *value;
    Py_ssize_t pos = 0;

    if (FROZEN(op)->_pyb_hash != -1)
        return FROZEN(op)->_pyb_hash;
    while (PyDict_Next(op, &pos, &key, &value)) {
        PyObject *pair = PyTuple_Pack(2, key, value);
        Py_hash_t one = pair != NULL ? PyObject_Hash(pair) : -1;

        Py_XDECREF(pair);
        if (one == -1)
            return -1;
        hash = pyb_sethash_add(hash, one);
    }
    return FROZEN(op)->_pyb_hash = pyb_sethash_end(hash);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
frozendict_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyFrozenDict_New(op);
}

static PyObject *
frozendict_fromkeys(PyObject *type, PyObject *args)
{
    PyObject *dict =
        PyObject_CallMethod((PyObject *)&PyDict_Type, "fromkeys", "O", args);
    PyObject *op = dict != NULL ? PyObject_CallOneArg(type, dict) : NULL;

    Py_XDECREF(dict);
    return op;
}

static PyObject *
frozendict_getnewargs(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *dict = PyDict_New(), *args = NULL;

    if (dict != NULL && PyDict_Merge(dict, op, 1) == 0)
        args = PyTuple_Pack(1, dict);
    Py_XDECREF(dict);
    return args;
}

static PyMethodDef frozendict_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__getnewargs__", frozendict_getnewargs, METH_NOARGS, NULL},
    {"__reversed__", pyb_dict_method_reversed, METH_NOARGS,
     PyDoc_STR("Return a reverse iterator over the keys.")},
    {"copy", frozendict_copy, METH_NOARGS,
     PyDoc_STR("Return the frozendict itself.")},
    {"fromkeys", frozendict_fromkeys, METH_VARARGS | METH_CLASS,
     PyDoc_STR("Create a new frozendict with keys from iterable and values "
               "set to value.")},
    {"get", pyb_dict_method_get, METH_VARARGS,
     PyDoc_STR("Return the value for key if key is in the frozendict, else "
               "default.")},
    {"items", pyb_dict_method_items, METH_NOARGS,
     PyDoc_STR("Return a view of the frozendict's items.")},
    {"keys", pyb_dict_method_keys, METH_NOARGS,
     PyDoc_STR("Return a view of the frozendict's keys.")},
    {"values", pyb_dict_method_values, METH_NOARGS,
     PyDoc_STR("Return a view of the frozendict's values.")},
    {NULL, NULL, 0, NULL}};

static PyNumberMethods frozendict_as_number = {.nb_or = pyb_dict_or};

static PySequenceMethods frozendict_as_sequence = {
    .sq_contains = PyDict_Contains,
};

static PyMappingMethods frozendict_as_mapping = {
    .mp_length = pyb_dict_length,
    .mp_subscript = pyb_dict_subscript,
};

PyTypeObject PyFrozenDict_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "frozendict",
    .tp_basicsize = sizeof(PyFrozenDictObject),
    .tp_dealloc = pyb_dict_dealloc,
    .tp_repr = frozendict_repr,
    .tp_as_number = &frozendict_as_number,
    .tp_as_sequence = &frozendict_as_sequence,
    .tp_as_mapping = &frozendict_as_mapping,
    .tp_hash = frozendict_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                _Py_TPFLAGS_MATCH_SELF | Py_TPFLAGS_MAPPING,
    .tp_doc = PyDoc_STR("Built-in mapping of hashable keys to values, which "
                        "does not change."),
    .tp_traverse = pyb_dict_traverse,
    .tp_clear = pyb_dict_tp_clear,
    .tp_richcompare = pyb_dict_richcompare,
    .tp_iter = pyb_dict_tp_iter,
    .tp_methods = frozendict_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = frozendict_new,
    .tp_free = PyObject_GC_Del,
};
