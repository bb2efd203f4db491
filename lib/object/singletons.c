/* singletons.c: None, NotImplemented and Ellipsis, each the only object of
   its type. */

#include "Python.h"

/* Immortal objects do not come here: somebody has overwritten the count. */
static void
singleton_dealloc(PyObject *op)
{
    _Py_FatalErrorFunc("singleton_dealloc", Py_TYPE(op)->tp_name);
}

/* The common part of tp_new: refuses arguments.  0, or -1 with TypeError. */
static int
no_arguments(const char *name, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) == 0 &&
        (kwargs == NULL || PyDict_Size(kwargs) == 0))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s takes no arguments", name);
    return -1;
}

static int
none_bool(PyObject *Py_UNUSED(op))
{
    return 0;
}

static PyObject *
none_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("None");
}

static Py_hash_t
none_hash(PyObject *Py_UNUSED(op))
{
    return 0xFCA86420;
}

static PyObject *
none_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    return no_arguments("NoneType", args, kwargs) < 0 ? NULL : Py_None;
}

static PyNumberMethods none_as_number = {.nb_bool = none_bool};

PyDoc_STRVAR(none_doc, "The type of the None singleton.");

PyTypeObject _PyNone_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "NoneType",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = singleton_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = none_repr,
    .tp_as_number = &none_as_number,
    .tp_hash = none_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_doc = none_doc,
    .tp_new = none_new,
};

PyObject _Py_NoneStruct = {_Py_IMMORTAL_REFCNT, &_PyNone_Type};

/* Truth of NotImplemented is a comparison method called by hand, by
   mistake. */
static int
notimplemented_bool(PyObject *Py_UNUSED(op))
{
    PyErr_SetString(PyExc_TypeError, "NotImplemented should not be used in a "
                                     "boolean context");
    return -1;
}

static PyObject *
notimplemented_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("NotImplemented");
}

static PyObject *
notimplemented_new(PyTypeObject *Py_UNUSED(type), PyObject *args,
                   PyObject *kwargs)
{
    return no_arguments("NotImplementedType", args, kwargs) < 0
               ? NULL
               : Py_NotImplemented;
}

static PyNumberMethods notimplemented_as_number = {
    .nb_bool = notimplemented_bool,
};

PyDoc_STRVAR(notimplemented_doc, "The type of the NotImplemented singleton.");

PyTypeObject _PyNotImplemented_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "NotImplementedType",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = singleton_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = notimplemented_repr,
    .tp_as_number = &notimplemented_as_number,
    .tp_hash = PyObject_GenericHash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_doc = notimplemented_doc,
    .tp_new = notimplemented_new,
};

PyObject _Py_NotImplementedStruct = {_Py_IMMORTAL_REFCNT,
                                     &_PyNotImplemented_Type};

static PyObject *
ellipsis_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("Ellipsis");
}

static PyObject *
ellipsis_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    return no_arguments("EllipsisType", args, kwargs) < 0 ? NULL : Py_Ellipsis;
}

PyDoc_STRVAR(ellipsis_doc, "The type of the Ellipsis singleton.");

PyTypeObject PyEllipsis_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "ellipsis",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = singleton_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = ellipsis_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_doc = ellipsis_doc,
    .tp_new = ellipsis_new,
};

PyObject _Py_EllipsisObject = {_Py_IMMORTAL_REFCNT, &PyEllipsis_Type};

/* ------------------------------------------------------------------ */
/* By number.  All of them are immortal.                                */

PyObject *
Py_GetConstant(unsigned int constant_id)
{
    switch (constant_id) {
    case Py_CONSTANT_NONE:
        return Py_None;
    case Py_CONSTANT_FALSE:
        return Py_False;
    case Py_CONSTANT_TRUE:
        return Py_True;
    case Py_CONSTANT_ELLIPSIS:
        return Py_Ellipsis;
    case Py_CONSTANT_NOT_IMPLEMENTED:
        return Py_NotImplemented;
    case Py_CONSTANT_ZERO:
    case Py_CONSTANT_ONE:
        return PyLong_FromLong(constant_id == Py_CONSTANT_ONE);
    case Py_CONSTANT_EMPTY_STR:
        return PyUnicode_FromString("");
    case Py_CONSTANT_EMPTY_BYTES:
        return PyBytes_FromString("");
    case Py_CONSTANT_EMPTY_TUPLE:
        return PyTuple_New(0);
    default:
        PyErr_BadInternalCall();
        return NULL;
    }
}

PyObject *
Py_GetConstantBorrowed(unsigned int constant_id)
{
    return Py_GetConstant(constant_id);
}
