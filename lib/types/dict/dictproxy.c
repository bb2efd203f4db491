/* dictproxy.c: mappingproxy, a read-only view of any mapping. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"

struct proxy {
    PyObject ob_base;
    PyObject *mapping;
};

#define MAPPING(op) (PYB_CAST(struct proxy, PyDictProxy_Check, op)->mapping)

PyObject *
PyDictProxy_New(PyObject *mapping)
{
    if (!PyMapping_Check(mapping) || PyList_Check(mapping) ||
        PyTuple_Check(mapping))
        return PyErr_Format(
            PyExc_TypeError,
            "mappingproxy() argument must be a mapping, not %s",
            Py_TYPE(mapping)->tp_name);
    struct proxy *op = PyObject_GC_New(struct proxy, &PyDictProxy_Type);
    if (op == NULL)
        return NULL;
    op->mapping = Py_NewRef(mapping);
    PyObject_GC_Track((PyObject *)op);
    return (PyObject *)op;
}

static PyObject *
proxy_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"mapping", NULL};
    PyObject *mapping;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:mappingproxy", names,
                                     &mapping))
        return NULL;
    return PyDictProxy_New(mapping);
}

static void
proxy_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_DECREF(MAPPING(op));
    PyObject_GC_Del(op);
}

static int
proxy_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(MAPPING(op));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Operations, all passed on                                           */

static PyObject *
proxy_repr(PyObject *op)
{
    return PyUnicode_FromFormat("mappingproxy(%R)", MAPPING(op));
}

static PyObject *
proxy_str(PyObject *op)
{
    return PyObject_Str(MAPPING(op));
}

static Py_hash_t
proxy_hash(PyObject *op)
{
    return PyObject_Hash(MAPPING(op));
}

static PyObject *
proxy_richcompare(PyObject *op, PyObject *other, int operator)
{
    return PyObject_RichCompare(MAPPING(op), other, operator);
}

static Py_ssize_t
proxy_length(PyObject *op)
{
    return PyObject_Size(MAPPING(op));
}

static int
proxy_contains(PyObject *op, PyObject *key)
{
    if (PyDict_CheckExact(MAPPING(op)))
        return PyDict_Contains(MAPPING(op), key);
    return PySequence_Contains(MAPPING(op), key);
}

static PyObject *
proxy_subscript(PyObject *op, PyObject *key)
{
    return PyObject_GetItem(MAPPING(op), key);
}

static PyObject *
proxy_iter(PyObject *op)
{
    return PyObject_GetIter(MAPPING(op));
}

static PyObject *
proxy_or(PyObject *a, PyObject *b)
{
    if (PyDictProxy_Check(a))
        a = MAPPING(a);
    if (PyDictProxy_Check(b))
        b = MAPPING(b);
    return PyNumber_Or(a, b);
}

static PyObject *
proxy_inplace_or(PyObject *op, PyObject *Py_UNUSED(other))
{
    return PyErr_Format(PyExc_TypeError,
                        "'|=' is not supported by %s; use '|' instead",
                        Py_TYPE(op)->tp_name);
}

static PyObject *
proxy_get(PyObject *op, PyObject *args)
{
    PyObject *key, *fallback = Py_None;

    if (!PyArg_UnpackTuple(args, "get", 1, 2, &key, &fallback))
        return NULL;
    return PyObject_CallMethod(MAPPING(op), "get", "OO", key, fallback);
}

#define PASSED_ON(NAME, METHOD)                                               \
    static PyObject *proxy_##NAME(PyObject *op, PyObject *Py_UNUSED(none))    \
    {                                                                         \
        return PyObject_CallMethod(MAPPING(op), METHOD, NULL);                \
    }

PASSED_ON(keys, "keys")
PASSED_ON(values, "values")
PASSED_ON(items, "items")
PASSED_ON(copy, "copy")
PASSED_ON(reversed, "__reversed__")

static PyMethodDef proxy_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__reversed__", proxy_reversed, METH_NOARGS,
     PyDoc_STR("Return a reverse iterator over the mapping's keys.")},
    {"get", proxy_get, PYB_VARARGS,
     PyDoc_STR("Return the value for key if key is in the mapping, else "
               "default.")},
    {"keys", proxy_keys, METH_NOARGS,
     PyDoc_STR("Return a view of the mapping's keys.")},
    {"values", proxy_values, METH_NOARGS,
     PyDoc_STR("Return a view of the mapping's values.")},
    {"items", proxy_items, METH_NOARGS,
     PyDoc_STR("Return a view of the mapping's items.")},
    {"copy", proxy_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of the mapping.")},
    {NULL, NULL, 0, NULL}};

static PyNumberMethods proxy_as_number = {
    .nb_or = proxy_or,
    .nb_inplace_or = proxy_inplace_or,
};

static PySequenceMethods proxy_as_sequence = {
    .sq_contains = proxy_contains,
};

static PyMappingMethods proxy_as_mapping = {
    .mp_length = proxy_length,
    .mp_subscript = proxy_subscript,
};

/* There is no tp_clear: the mapping never changes.  A cycle through it also
   contains an object that has one. */
PyTypeObject PyDictProxy_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "mappingproxy",
    .tp_basicsize = sizeof(struct proxy),
    .tp_dealloc = proxy_dealloc,
    .tp_repr = proxy_repr,
    .tp_as_number = &proxy_as_number,
    .tp_as_sequence = &proxy_as_sequence,
    .tp_as_mapping = &proxy_as_mapping,
    .tp_hash = proxy_hash,
    .tp_str = proxy_str,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MAPPING,
    .tp_doc = PyDoc_STR("Read-only proxy of a mapping."),
    .tp_traverse = proxy_traverse,
    .tp_richcompare = proxy_richcompare,
    .tp_iter = proxy_iter,
    .tp_methods = proxy_methods,
    .tp_new = proxy_new,
};
