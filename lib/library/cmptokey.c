/* cmptokey.c: functools.cmp_to_key: a key function made of a function that
   compares two objects.

   Manual: Python's library, "functools". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

/* Both the key function, without an object, and each key that it makes.  Both
   fields are owned and visited. */
struct key {
    PyObject_HEAD
    PyObject *compare;
    PyObject *object; /* NULL: the key function */
};

#define KEY(op) ((struct key *)(op))

static void
key_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    Py_XDECREF(KEY(op)->compare);
    Py_XDECREF(KEY(op)->object);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
key_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(KEY(op)->compare);
    Py_VISIT(KEY(op)->object);
    return 0;
}

static int
key_clear(PyObject *op)
{
    Py_CLEAR(KEY(op)->compare);
    Py_CLEAR(KEY(op)->object);
    return 0;
}

static PyObject *
new_key(PyTypeObject *type, PyObject *compare, PyObject *object)
{
    PyObject *op = type->tp_alloc(type, 0);

    if (op != NULL) {
        KEY(op)->compare = Py_XNewRef(compare);
        KEY(op)->object = Py_XNewRef(object);
    }
    return op;
}

static PyObject *
key_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"obj", NULL};
    PyObject *object;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:K", names, &object))
        return NULL;
    return new_key(Py_TYPE(op), KEY(op)->compare, object);
}

/* compare(a, b) OP 0 */
static PyObject *
key_richcompare(PyObject *a, PyObject *b, int op)
{
    if (Py_TYPE(a) != Py_TYPE(b))
        return pyb_raise(PyExc_TypeError, "other argument must be K instance");
    PyObject *x = Py_XNewRef(KEY(a)->object), *y = Py_XNewRef(KEY(b)->object);
    PyObject *compare = Py_XNewRef(KEY(a)->compare);
    PyObject *zero = PyLong_FromLong(0), *order = NULL, *result = NULL;

    if (x == NULL || y == NULL || compare == NULL)
        PyErr_SetString(PyExc_AttributeError, "object");
    else if (zero != NULL)
        order = PyObject_CallFunctionObjArgs(compare, x, y, NULL);
    if (order != NULL)
        result = PyObject_RichCompare(order, zero, op);
    Py_XDECREF(x);
    Py_XDECREF(y);
    Py_XDECREF(compare);
    Py_XDECREF(zero);
    Py_XDECREF(order);
    return result;
}

static PyMemberDef key_members[] = {
    {"obj", _Py_T_OBJECT, offsetof(struct key, object), 0,
     PyDoc_STR("Value wrapped by a key function.")},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot key_slots[] = {
    {Py_tp_dealloc, (void *)key_dealloc},
    {Py_tp_traverse, (void *)key_traverse},
    {Py_tp_clear, (void *)key_clear},
    {Py_tp_call, (void *)key_call},
    {Py_tp_richcompare, (void *)key_richcompare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_members, key_members},
    {0, NULL},
};

static PyType_Spec key_spec = {
    .name = "functools.KeyWrapper",
    .basicsize = sizeof(struct key),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
             Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = key_slots,
};

int
pyb_cmptokey_add(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &key_spec, NULL);

    return PyModule_Add(module, "_KeyWrapper", type);
}

PyObject *
pyb_cmptokey(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"mycmp", NULL};
    PyObject *compare, *op = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:cmp_to_key", names,
                                     &compare))
        return NULL;
    PyObject *type = PyObject_GetAttrString(module, "_KeyWrapper");
    if (type != NULL)
        op = new_key((PyTypeObject *)type, compare, NULL);
    Py_XDECREF(type);
    return op;
}
