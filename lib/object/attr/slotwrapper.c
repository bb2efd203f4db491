/* slotwrapper.c: the functions in a type's slots as attributes: a descriptor
   in the type's dictionary, and the method that it becomes for an object. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/descr.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"

#define WRAPPER(op) ((PyWrapperDescrObject *)(op))

/* ------------------------------------------------------------------ */
/* The descriptor                                                      */

static PyObject *
wrapper_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL)
        return Py_NewRef(op);
    if (pyb_descr_check(op, obj) < 0)
        return NULL;
    return PyWrapper_New(op, obj);
}

/* Calls the slot's function for self. */
static PyObject *
call_slot(PyObject *op, PyObject *self, PyObject *args, PyObject *kwds)
{
    struct wrapperbase *base = WRAPPER(op)->d_base;

    PYB_ASSERT_OBJECT(base != NULL && WRAPPER(op)->d_wrapped != NULL, op);
    if (base->flags & PyWrapperFlag_KEYWORDS) {
        wrapperfunc_kwds call =
            (wrapperfunc_kwds)(void (*)(void))base->wrapper;
        return call(self, args, WRAPPER(op)->d_wrapped, kwds);
    }
    if (kwds != NULL && PyDict_Size(kwds) != 0)
        return PyErr_Format(PyExc_TypeError,
                            "wrapper %s() takes no keyword arguments",
                            base->name);
    return base->wrapper(self, args, WRAPPER(op)->d_wrapped);
}

/* A call of the descriptor itself: the first argument is self. */
static PyObject *
wrapper_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyTypeObject *type = PyDescr_TYPE(op);
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);

    if (nargs < 1)
        return PyErr_Format(
            PyExc_TypeError,
            "descriptor '%U' of '%.100s' object needs an argument",
            PyDescr_NAME(op), type->tp_name);
    PyObject *self = PyTuple_GET_ITEM(args, 0);
    if (!PyObject_TypeCheck(self, type))
        return PyErr_Format(PyExc_TypeError,
                            "descriptor '%U' requires a '%.100s' object but "
                            "received a '%.100s'",
                            PyDescr_NAME(op), type->tp_name,
                            Py_TYPE(self)->tp_name);
    PyObject *rest = PyTuple_GetSlice(args, 1, nargs);
    if (rest == NULL)
        return NULL;
    PyObject *result = call_slot(op, self, rest, kwds);
    Py_DECREF(rest);
    return result;
}

PyTypeObject PyWrapperDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "wrapper_descriptor",
    .tp_basicsize = sizeof(PyWrapperDescrObject),
    .tp_dealloc = pyb_descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_METHOD_DESCRIPTOR |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = pyb_descr_repr,
    .tp_call = wrapper_call,
    .tp_traverse = pyb_descr_traverse,
    .tp_methods = pyb_descr_methods,
    .tp_members = pyb_descr_members,
    .tp_getset = pyb_descr_getset,
    .tp_descr_get = wrapper_get,
};

PyObject *
PyDescr_NewWrapper(PyTypeObject *type, struct wrapperbase *base, void *wrapped)
{
    PyObject *op = pyb_descr_new(&PyWrapperDescr_Type, type, base->name);

    if (op != NULL) {
        WRAPPER(op)->d_base = base;
        WRAPPER(op)->d_wrapped = wrapped;
    }
    return op;
}

/* ------------------------------------------------------------------ */
/* The bound method                                                    */

/* Both are owned and visited.  There is no tp_clear, as in CPython: a cycle
   through one contains an object that can be cleared. */
struct bound_slot {
    PyObject_HEAD
    PyObject *descr, *self;
};

#define BOUND(op) ((struct bound_slot *)(op))

PyObject *
PyWrapper_New(PyObject *descr, PyObject *self)
{
    if (descr == NULL || self == NULL ||
        !Py_IS_TYPE(descr, &PyWrapperDescr_Type))
        return PYB_BAD_CALL(NULL);
    PyObject *op =
        (PyObject *)PyObject_GC_New(struct bound_slot, &_PyMethodWrapper_Type);
    if (op == NULL)
        return NULL;
    BOUND(op)->descr = Py_NewRef(descr);
    BOUND(op)->self = Py_NewRef(self);
    PyObject_GC_Track(op);
    return op;
}

static void
bound_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_DECREF(BOUND(op)->descr);
    Py_DECREF(BOUND(op)->self);
    PyObject_GC_Del(op);
}

static int
bound_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(BOUND(op)->descr);
    Py_VISIT(BOUND(op)->self);
    return 0;
}

static PyObject *
bound_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<method-wrapper '%U' of %s object at %p>",
                                PyDescr_NAME(BOUND(op)->descr),
                                Py_TYPE(BOUND(op)->self)->tp_name,
                                (void *)BOUND(op)->self);
}

static PyObject *
bound_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) ||
        !Py_IS_TYPE(a, &_PyMethodWrapper_Type) ||
        !Py_IS_TYPE(b, &_PyMethodWrapper_Type))
        Py_RETURN_NOTIMPLEMENTED;
    int equal =
        BOUND(a)->descr == BOUND(b)->descr && BOUND(a)->self == BOUND(b)->self;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
bound_hash(PyObject *op)
{
    Py_hash_t hash =
        Py_HashPointer(BOUND(op)->self) ^ Py_HashPointer(BOUND(op)->descr);

    return hash != -1 ? hash : -2;
}

static PyObject *
bound_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    return call_slot(BOUND(op)->descr, BOUND(op)->self, args, kwds);
}

/* The attribute of the descriptor that the closure names. */
static PyObject *
bound_get(PyObject *op, void *closure)
{
    return PyObject_GetAttrString(BOUND(op)->descr, (const char *)closure);
}

static PyObject *
bound_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_reduce_attribute(BOUND(op)->self,
                                PyDescr_NAME(BOUND(op)->descr));
}

static PyMethodDef bound_methods[] = {
    {"__reduce__", bound_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef bound_members[] = {
    {"__self__", _Py_T_OBJECT, offsetof(struct bound_slot, self), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

#define OF_DESCR(NAME)                                                        \
    {                                                                         \
        NAME, bound_get, NULL, NULL, (void *)NAME                             \
    }

static PyGetSetDef bound_getset[] = {
    OF_DESCR("__objclass__"),       OF_DESCR("__name__"),
    OF_DESCR("__qualname__"),       OF_DESCR("__doc__"),
    OF_DESCR("__text_signature__"), {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject _PyMethodWrapper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "method-wrapper",
    .tp_basicsize = sizeof(struct bound_slot),
    .tp_dealloc = bound_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = bound_repr,
    .tp_hash = bound_hash,
    .tp_call = bound_call,
    .tp_traverse = bound_traverse,
    .tp_richcompare = bound_richcompare,
    .tp_methods = bound_methods,
    .tp_members = bound_members,
    .tp_getset = bound_getset,
};
