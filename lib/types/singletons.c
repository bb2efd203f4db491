/* singletons.c: None, NotImplemented and Ellipsis, each the only object of
   its type. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* Immortal objects are not deallocated, unless their count was overwritten. */
static void
singleton_dealloc(PyObject *op)
{
    _Py_FatalErrorFunc("singleton_dealloc", Py_TYPE(op)->tp_name);
}

/* The common part of tp_new: refuses arguments.  0, or -1 with TypeError. */
static int
no_arguments(const char *name, PyObject *args, PyObject *kwargs)
{
    PYB_ASSERT(PyTuple_Check(args));
    if (PyTuple_GET_SIZE(args) == 0 &&
        (kwargs == NULL || PyDict_Size(kwargs) == 0))
        return 0;
    return pyb_failf(PyExc_TypeError, "%s takes no arguments", name);
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
    .tp_doc = none_doc,
    .tp_new = none_new,
};

PyObject _Py_NoneStruct = {_Py_IMMORTAL_REFCNT, &_PyNone_Type};

/* __reduce__: the name of a constant, for pickle. */
static PyObject *
reduce_repr(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyObject_Repr(op);
}

/* The truth of NotImplemented is an error: most likely a comparison method was
   called directly. */
static int
notimplemented_bool(PyObject *Py_UNUSED(op))
{
    return pyb_fail(PyExc_TypeError, "NotImplemented should not be used in a "
                                     "boolean context");
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

static PyMethodDef notimplemented_methods[] = {
    {"__reduce__", reduce_repr, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(notimplemented_doc, "The type of the NotImplemented singleton.");

PyTypeObject _PyNotImplemented_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "NotImplementedType",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = singleton_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = notimplemented_repr,
    .tp_as_number = &notimplemented_as_number,
    .tp_doc = notimplemented_doc,
    .tp_methods = notimplemented_methods,
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

static PyMethodDef ellipsis_methods[] = {
    {"__reduce__", reduce_repr, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(ellipsis_doc, "The type of the Ellipsis singleton.");

PyTypeObject PyEllipsis_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "ellipsis",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = singleton_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = ellipsis_repr,
    .tp_doc = ellipsis_doc,
    .tp_methods = ellipsis_methods,
    .tp_new = ellipsis_new,
};

PyObject _Py_EllipsisObject = {_Py_IMMORTAL_REFCNT, &PyEllipsis_Type};

/* ------------------------------------------------------------------ */
/* Constants by number. All are immortal.                               */

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
        return PYB_BAD_CALL(NULL);
    }
}

PyObject *
Py_GetConstantBorrowed(unsigned int constant_id)
{
    return Py_GetConstant(constant_id);
}
