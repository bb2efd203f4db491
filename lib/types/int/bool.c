/* bool.c: the type bool and its two objects. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

#define BOOL_HEAD                                                             \
    {                                                                         \
        _Py_IMMORTAL_REFCNT, &PyBool_Type                                     \
    }

PyLongObject _Py_FalseStruct = {BOOL_HEAD, 0, {0}};
PyLongObject _Py_TrueStruct = {BOOL_HEAD, 0, {1}};

PyObject *
PyBool_FromLong(long v)
{
    return v != 0 ? Py_True : Py_False;
}

#undef Py_IsTrue
#undef Py_IsFalse

int
Py_IsTrue(PyObject *x)
{
    return x == Py_True;
}

int
Py_IsFalse(PyObject *x)
{
    return x == Py_False;
}

static PyObject *
bool_repr(PyObject *op)
{
    PYB_ASSERT_OBJECT(op == Py_True || op == Py_False, op);
    return PyUnicode_InternFromString(op == Py_True ? "True" : "False");
}

static PyObject *
bool_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    PyObject *x = Py_False;

    if (!pyb_getargs_no_keywords("bool", kwds) ||
        !PyArg_UnpackTuple(args, "bool", 0, 1, &x))
        return NULL;
    return pyb_result_bool(PyObject_IsTrue(x));
}

/* BITWISE: & | or ^: a bool for two bools, otherwise the result of int's
   operator. */
#define BITWISE(NAME, SLOT, OPERATOR)                                         \
    static PyObject *NAME(PyObject *a, PyObject *b)                           \
    {                                                                         \
        if (!PyBool_Check(a) || !PyBool_Check(b))                             \
            return PyLong_Type.tp_as_number->SLOT(a, b);                      \
        return PyBool_FromLong((a == Py_True) OPERATOR(b == Py_True));        \
    }

BITWISE(bool_and, nb_and, &)
BITWISE(bool_or, nb_or, |)
BITWISE(bool_xor, nb_xor, ^)

static PyNumberMethods bool_as_number = {
    .nb_and = bool_and,
    .nb_xor = bool_xor,
    .nb_or = bool_or,
};

PyTypeObject PyBool_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "bool",
    .tp_basicsize = sizeof(PyLongObject),
    .tp_repr = bool_repr,
    .tp_as_number = &bool_as_number,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_LONG_SUBCLASS,
    .tp_doc = "bool(object=False, /)",
    .tp_base = &PyLong_Type,
    .tp_new = bool_new,
    .tp_free = PyObject_Free,
};
