/* instancemethod.c: instance methods: a callable that is a method where it is
   an attribute of a class. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

PyObject *
PyInstanceMethod_New(PyObject *func)
{
    if (func == NULL)
        return PYB_BAD_CALL(NULL);
    PyInstanceMethodObject *self =
        PyObject_GC_New(PyInstanceMethodObject, &PyInstanceMethod_Type);
    if (self == NULL)
        return NULL;
    self->func = Py_NewRef(func);
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
PyInstanceMethod_Function(PyObject *op)
{
    if (op == NULL || !PyInstanceMethod_Check(op))
        return PYB_BAD_CALL(NULL);
    return PyInstanceMethod_GET_FUNCTION(op);
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
instancemethod_new(PyTypeObject *Py_UNUSED(type), PyObject *args,
                   PyObject *kwargs)
{
    PyObject *func;

    if (!pyb_getargs_no_keywords("instancemethod", kwargs) ||
        !PyArg_UnpackTuple(args, "instancemethod", 1, 1, &func))
        return NULL;
    if (!PyCallable_Check(func))
        return pyb_raise(PyExc_TypeError, "first argument must be callable");
    return PyInstanceMethod_New(func);
}

static void
instancemethod_dealloc(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyInstanceMethod_Check(op), op);
    PyObject_GC_UnTrack(op);
    Py_DECREF(PyInstanceMethod_GET_FUNCTION(op));
    PyObject_GC_Del(op);
}

static int
instancemethod_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PyInstanceMethod_GET_FUNCTION(op));
    return 0;
}

static PyObject *
instancemethod_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(PyInstanceMethod_GET_FUNCTION(op), args, kwargs);
}

/* From the class it is the callable, from an instance a bound method. */
static PyObject *
instancemethod_descr_get(PyObject *op, PyObject *obj,
                         PyObject *Py_UNUSED(type))
{
    PyObject *func = PyInstanceMethod_GET_FUNCTION(op);

    return obj == NULL ? Py_NewRef(func) : PyMethod_New(func, obj);
}

static PyObject *
instancemethod_repr(PyObject *op)
{
    PyObject *name;

    if (PyObject_GetOptionalAttrString(PyInstanceMethod_GET_FUNCTION(op),
                                       "__name__", &name) < 0)
        return NULL;
    if (name != NULL && !PyUnicode_Check(name))
        Py_CLEAR(name);
    PyObject *repr =
        PyUnicode_FromFormat("<instancemethod %V at %p>", name, "?", op);
    Py_XDECREF(name);
    return repr;
}

static PyObject *
instancemethod_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyInstanceMethod_Check(a) ||
        !PyInstanceMethod_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    int equal =
        PyObject_RichCompareBool(PyInstanceMethod_GET_FUNCTION(a),
                                 PyInstanceMethod_GET_FUNCTION(b), Py_EQ);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* Attributes that it does not have are looked up in the callable. */
static PyObject *
instancemethod_getattro(PyObject *op, PyObject *name)
{
    if (PyUnicode_Check(name) && _PyType_Lookup(Py_TYPE(op), name) == NULL)
        return PyObject_GetAttr(PyInstanceMethod_GET_FUNCTION(op), name);
    return PyObject_GenericGetAttr(op, name);
}

static PyObject *
instancemethod_doc(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *doc;

    if (PyObject_GetOptionalAttrString(PyInstanceMethod_GET_FUNCTION(op),
                                       "__doc__", &doc) < 0)
        return NULL;
    return doc != NULL ? doc : Py_NewRef(Py_None);
}

static PyGetSetDef instancemethod_getset[] = {
    {"__doc__", instancemethod_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef instancemethod_members[] = {
    {"__func__", _Py_T_OBJECT, offsetof(PyInstanceMethodObject, func),
     Py_READONLY, "the function (or other callable) implementing a method"},
    {NULL, 0, 0, 0, NULL},
};

/* It cannot change, and so has no tp_clear; nor has CPython's. */
PyTypeObject PyInstanceMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "instancemethod",
    .tp_basicsize = sizeof(PyInstanceMethodObject),
    .tp_dealloc = instancemethod_dealloc,
    .tp_repr = instancemethod_repr,
    .tp_call = instancemethod_call,
    .tp_getattro = instancemethod_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = PyDoc_STR("instancemethod(function)\n--\n\n"
                        "Makes a callable a method of the class that it is "
                        "put into."),
    .tp_traverse = instancemethod_traverse,
    .tp_richcompare = instancemethod_richcompare,
    .tp_members = instancemethod_members,
    .tp_getset = instancemethod_getset,
    .tp_descr_get = instancemethod_descr_get,
    .tp_new = instancemethod_new,
};
