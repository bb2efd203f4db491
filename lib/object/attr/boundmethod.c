/* boundmethod.c: bound methods: a callable together with the object that it
   gets as its first argument. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"

#define METHOD(op) PYB_CAST(PyMethodObject, PyMethod_Check, op)

/* Methods of methods may be nested too deep for the stack: 0, and enter_func's
   caller calls leave_func; or -1 with RecursionError. */
static inline int
enter_func(PyObject *func)
{
    return PyMethod_Check(func)
               ? Py_EnterRecursiveCall(" in a method of a method")
               : 0;
}

static inline void
leave_func(PyObject *func)
{
    if (PyMethod_Check(func))
        Py_LeaveRecursiveCall();
}

static inline PyObject *
call_func(PyObject *func, PyObject *const *args, Py_ssize_t nargs,
          PyObject *kwnames)
{
    PyObject *result;

    if (enter_func(func) < 0)
        return NULL;
    result = PyObject_Vectorcall(func, args, (size_t)nargs, kwnames);
    leave_func(func);
    return result;
}

/* Calls the function with self put before the arguments. */
static PyObject *
method_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    PyObject *self = METHOD(op)->im_self;
    PyObject *func = METHOD(op)->im_func;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyObject *few[6];

    if (nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET) {
        PyObject **with_self = (PyObject **)args - 1;
        PyObject *saved = with_self[0];
        with_self[0] = self;
        PyObject *result = call_func(func, with_self, nargs + 1, kwnames);
        with_self[0] = saved;
        return result;
    }

    Py_ssize_t total = nargs;
    if (kwnames != NULL)
        total += PyTuple_GET_SIZE(kwnames);
    PyObject **with_self = few;
    if (total >= (Py_ssize_t)Py_ARRAY_LENGTH(few)) {
        with_self = PyMem_New(PyObject *, total + 1);
        if (with_self == NULL)
            return PyErr_NoMemory();
    }
    with_self[0] = self;
    if (total > 0)
        memcpy(with_self + 1, args, (size_t)total * sizeof(*args));
    PyObject *result = call_func(func, with_self, nargs + 1, kwnames);
    if (with_self != few)
        PyMem_Free(with_self);
    return result;
}

PyObject *
PyMethod_New(PyObject *func, PyObject *self)
{
    if (self == NULL || func == NULL)
        return PYB_BAD_CALL(NULL);
    pyb_dead_kept(__func__, self);
    PyMethodObject *method = PyObject_GC_New(PyMethodObject, &PyMethod_Type);
    if (method == NULL)
        return NULL;
    method->im_func = Py_NewRef(func);
    method->im_self = Py_NewRef(self);
    method->im_weakreflist = NULL;
    method->vectorcall = method_vectorcall;
    PyObject_GC_Track((PyObject *)method);
    return (PyObject *)method;
}

PyObject *
PyMethod_Function(PyObject *op)
{
    if (!PyMethod_Check(op))
        return PYB_BAD_CALL(NULL);
    return METHOD(op)->im_func;
}

PyObject *
PyMethod_Self(PyObject *op)
{
    if (!PyMethod_Check(op))
        return PYB_BAD_CALL(NULL);
    return METHOD(op)->im_self;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static void
method_dealloc(PyObject *op)
{
    PyMethodObject *method = METHOD(op);

    PyObject_GC_UnTrack(op);
    if (method->im_weakreflist != NULL)
        PyObject_ClearWeakRefs(op);
    Py_DECREF(method->im_func);
    Py_DECREF(method->im_self);
    PyObject_GC_Del(op);
}

static int
method_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(METHOD(op)->im_func);
    Py_VISIT(METHOD(op)->im_self);
    return 0;
}

static PyObject *
method_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *func, *self;

    if (!pyb_getargs_no_keywords("method", kwargs) ||
        !PyArg_UnpackTuple(args, "method", 2, 2, &func, &self))
        return NULL;
    if (!PyCallable_Check(func))
        return pyb_raise(PyExc_TypeError, "first argument must be callable");
    if (self == Py_None)
        return pyb_raise(PyExc_TypeError, "instance must not be None");
    return PyMethod_New(func, self);
}

static PyObject *
method_repr(PyObject *op)
{
    PyObject *func = METHOD(op)->im_func, *name = NULL;

    if (PyObject_GetOptionalAttrString(func, "__qualname__", &name) < 0)
        return NULL;
    if (name == NULL &&
        PyObject_GetOptionalAttrString(func, "__name__", &name) < 0)
        return NULL;
    if (name != NULL && !PyUnicode_Check(name))
        Py_CLEAR(name);
    PyObject *repr = PyUnicode_FromFormat("<bound method %V of %R>", name, "?",
                                          METHOD(op)->im_self);
    Py_XDECREF(name);
    return repr;
}

static PyObject *
method_richcompare(PyObject *v, PyObject *w, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyMethod_Check(v) ||
        !PyMethod_Check(w))
        Py_RETURN_NOTIMPLEMENTED;
    int equal = PyObject_RichCompareBool(METHOD(v)->im_func,
                                         METHOD(w)->im_func, Py_EQ);
    if (equal < 0)
        return NULL;
    if (METHOD(v)->im_self != METHOD(w)->im_self)
        equal = 0;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
method_hash(PyObject *op)
{
    PyObject *func = METHOD(op)->im_func;
    Py_hash_t hash;

    if (enter_func(func) < 0)
        return -1;
    hash = PyObject_Hash(func);
    leave_func(func);
    if (hash == -1)
        return -1;
    hash ^= Py_HashPointer(METHOD(op)->im_self);
    return hash == -1 ? -2 : hash;
}

/* Attributes that the method does not have are looked up in the function. */
static PyObject *
method_getattro(PyObject *op, PyObject *name)
{
    PyObject *func = METHOD(op)->im_func, *value;

    if (!PyUnicode_Check(name) || _PyType_Lookup(Py_TYPE(op), name) != NULL)
        return PyObject_GenericGetAttr(op, name);
    if (enter_func(func) < 0)
        return NULL;
    value = PyObject_GetAttr(func, name);
    leave_func(func);
    return value;
}

/* A bound method is not bound again. */
static PyObject *
method_descr_get(PyObject *op, PyObject *Py_UNUSED(obj),
                 PyObject *Py_UNUSED(type))
{
    return Py_NewRef(op);
}

static PyObject *
method_doc(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *func = METHOD(op)->im_func, *doc;
    int found = enter_func(func);

    if (found < 0)
        return NULL;
    found = PyObject_GetOptionalAttrString(func, "__doc__", &doc);
    leave_func(func);
    if (found < 0)
        return NULL;
    return doc != NULL ? doc : Py_NewRef(Py_None);
}

static PyObject *
method_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *name =
        PyObject_GetAttrString(PyMethod_GET_FUNCTION(op), "__name__");
    PyObject *result;

    if (name == NULL)
        return NULL;
    result = pyb_reduce_attribute(PyMethod_GET_SELF(op), name);
    Py_DECREF(name);
    return result;
}

static PyMethodDef method_methods[] = {
    {"__reduce__", method_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef method_getset[] = {
    {"__doc__", method_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef method_members[] = {
    {"__func__", _Py_T_OBJECT, offsetof(PyMethodObject, im_func), Py_READONLY,
     "the function (or other callable) implementing a method"},
    {"__self__", _Py_T_OBJECT, offsetof(PyMethodObject, im_self), Py_READONLY,
     "the instance to which a method is bound"},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "method",
    .tp_basicsize = sizeof(PyMethodObject),
    .tp_dealloc = method_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodObject, vectorcall),
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_repr = method_repr,
    .tp_hash = method_hash,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = method_getattro,
    .tp_traverse = method_traverse,
    .tp_richcompare = method_richcompare,
    .tp_weaklistoffset = offsetof(PyMethodObject, im_weakreflist),
    .tp_methods = method_methods,
    .tp_members = method_members,
    .tp_getset = method_getset,
    .tp_descr_get = method_descr_get,
    .tp_new = method_new,
};
