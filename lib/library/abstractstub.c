/* abstractstub.c: the abstract methods of the classes of collections.abc: what
   they do for a subclass that calls them by super, and the mark by which
   abc.ABCMeta finds them.

   Manual: Python's library, "collections.abc". */

#include "Python.h"

#include "library/abstractstub.h"

/* ------------------------------------------------------------------ */
/* What they do                                                        */

#define ANSWER(NAME)                                                          \
    static PyObject *NAME(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))

ANSWER(zero)
{
    return PyLong_FromLong(0);
}

ANSWER(false)
{
    Py_RETURN_FALSE;
}

/* An iterator over nothing. */
ANSWER(empty)
{
    PyObject *none = PyTuple_New(0);
    PyObject *it = none != NULL ? PyObject_GetIter(none) : NULL;

    Py_XDECREF(none);
    return it;
}

#define RAISE(NAME, EXCEPTION)                                                \
    ANSWER(NAME)                                                              \
    {                                                                         \
        PyErr_SetNone(EXCEPTION);                                             \
        return NULL;                                                          \
    }
RAISE(key_error, PyExc_KeyError)
RAISE(index_error, PyExc_IndexError)
RAISE(not_implemented, PyExc_NotImplementedError)
RAISE(stop, PyExc_StopIteration)
RAISE(stop_async, PyExc_StopAsyncIteration)

/* throw(type[, value[, traceback]]) of a generator without code. */
static PyObject *
thrown(PyObject *Py_UNUSED(self), PyObject *args)
{
    PyObject *type, *value = NULL, *traceback = NULL;

    if (!PyArg_UnpackTuple(args, "throw", 1, 3, &type, &value, &traceback))
        return NULL;
    if (PyExceptionInstance_Check(type))
        PyErr_SetObject((PyObject *)Py_TYPE(type), type);
    else if (PyExceptionClass_Check(type))
        PyErr_SetObject(type, value);
    else
        PyErr_SetString(PyExc_TypeError,
                        "exceptions must derive from BaseException");
    return NULL;
}

#define DEFINE(NAME, METHOD, ANSWER)                                          \
    PyMethodDef pyb_stub_##NAME = {METHOD, ANSWER, METH_VARARGS, NULL}

DEFINE(hash, "__hash__", zero);
DEFINE(len, "__len__", zero);
DEFINE(contains, "__contains__", false);
DEFINE(call, "__call__", false);
DEFINE(iter, "__iter__", empty);
DEFINE(reversed, "__reversed__", empty);
DEFINE(await, "__await__", empty);
DEFINE(aiter, "__aiter__", not_implemented);
DEFINE(anext, "__anext__", stop_async);
DEFINE(next, "__next__", stop);
DEFINE(send, "send", stop);
DEFINE(throw, "throw", thrown);
DEFINE(asend, "asend", stop_async);
DEFINE(athrow, "athrow", thrown);
DEFINE(add, "add", not_implemented);
DEFINE(discard, "discard", not_implemented);
DEFINE(getkey, "__getitem__", key_error);
DEFINE(setkey, "__setitem__", key_error);
DEFINE(delkey, "__delitem__", key_error);
DEFINE(getitem, "__getitem__", index_error);
DEFINE(setitem, "__setitem__", index_error);
DEFINE(delitem, "__delitem__", index_error);
DEFINE(insert, "insert", index_error);

/* ------------------------------------------------------------------ */
/* The mark                                                            */

/* A method descriptor of object, to which calls and lookups go on. */
struct stub {
    PyObject_HEAD
    PyObject *descr; /* owned */
};

#define DESCR(op) (((struct stub *)(op))->descr)

static void
stub_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    Py_XDECREF(DESCR(op));
    type->tp_free(op);
    Py_DECREF(type);
}

/* Tracked, for otherwise the type would be garbage one collection after its
   last stub. */
static int
stub_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(DESCR(op));
    return 0;
}

static PyObject *
stub_get(PyObject *op, PyObject *of, PyObject *Py_UNUSED(type))
{
    if (of == NULL || of == Py_None)
        return Py_NewRef(op);
    return PyMethod_New(op, of);
}

static PyObject *
stub_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    return PyObject_Call(DESCR(op), args, kwds);
}

static PyObject *
stub_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<abstract method of %R>", DESCR(op));
}

static PyObject *
get_mark(PyObject *Py_UNUSED(op), void *Py_UNUSED(closure))
{
    Py_RETURN_TRUE;
}

static PyObject *
get_name(PyObject *op, void *Py_UNUSED(closure))
{
    return PyObject_GetAttrString(DESCR(op), "__name__");
}

static PyGetSetDef stub_getset[] = {
    {"__isabstractmethod__", get_mark, NULL, NULL, NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot stub_slots[] = {
    {Py_tp_dealloc, (void *)stub_dealloc},
    {Py_tp_traverse, (void *)stub_traverse},
    {Py_tp_descr_get, (void *)stub_get},
    {Py_tp_call, (void *)stub_call},
    {Py_tp_repr, (void *)stub_repr},
    {Py_tp_getset, stub_getset},
    {0, NULL},
};

static PyType_Spec stub_spec = {
    .name = "collections.abc._abstractmethod",
    .basicsize = sizeof(struct stub),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
             Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = stub_slots,
};

PyObject *
pyb_abstractstub_type(void)
{
    return PyType_FromSpec(&stub_spec);
}

PyObject *
pyb_abstractstub_new(PyTypeObject *type, PyMethodDef *def)
{
    PyObject *descr = PyDescr_NewMethod(&PyBaseObject_Type, def), *op = NULL;

    if (descr != NULL)
        op = type->tp_alloc(type, 0);
    if (op == NULL)
        Py_XDECREF(descr);
    else
        DESCR(op) = descr;
    return op;
}
