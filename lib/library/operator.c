/* operator.c: the module operator: operators as functions, each under its name
   and under that of the special method.  Its types are in getters.c.

   Manual: Python's library, "operator". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

#define UNARY(F)                                                              \
    F(abs, PyNumber_Absolute)                                                 \
    F(index, PyNumber_Index)                                                  \
    F(invert, PyNumber_Invert)                                                \
    F(neg, PyNumber_Negative)                                                 \
    F(pos, PyNumber_Positive)

#define BINARY(F)                                                             \
    F(add, PyNumber_Add)                                                      \
    F(and, PyNumber_And)                                                      \
    F(concat, PySequence_Concat)                                              \
    F(floordiv, PyNumber_FloorDivide)                                         \
    F(getitem, PyObject_GetItem)                                              \
    F(iadd, PyNumber_InPlaceAdd)                                              \
    F(iand, PyNumber_InPlaceAnd)                                              \
    F(iconcat, PySequence_InPlaceConcat)                                      \
    F(ifloordiv, PyNumber_InPlaceFloorDivide)                                 \
    F(ilshift, PyNumber_InPlaceLshift)                                        \
    F(imatmul, PyNumber_InPlaceMatrixMultiply)                                \
    F(imod, PyNumber_InPlaceRemainder)                                        \
    F(imul, PyNumber_InPlaceMultiply)                                         \
    F(ior, PyNumber_InPlaceOr)                                                \
    F(ipow, in_place_power)                                                   \
    F(irshift, PyNumber_InPlaceRshift)                                        \
    F(isub, PyNumber_InPlaceSubtract)                                         \
    F(itruediv, PyNumber_InPlaceTrueDivide)                                   \
    F(ixor, PyNumber_InPlaceXor)                                              \
    F(lshift, PyNumber_Lshift)                                                \
    F(matmul, PyNumber_MatrixMultiply)                                        \
    F(mod, PyNumber_Remainder)                                                \
    F(mul, PyNumber_Multiply)                                                 \
    F(or, PyNumber_Or)                                                        \
    F(pow, power)                                                             \
    F(rshift, PyNumber_Rshift)                                                \
    F(sub, PyNumber_Subtract)                                                 \
    F(truediv, PyNumber_TrueDivide)                                           \
    F(xor, PyNumber_Xor)

#define COMPARISON(F)                                                         \
    F(lt, LT) F(le, LE) F(eq, EQ) F(ne, NE) F(gt, GT) F(ge, GE)

static PyObject *
power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

static PyObject *
in_place_power(PyObject *a, PyObject *b)
{
    return PyNumber_InPlacePower(a, b, Py_None);
}

static PyObject *
as_number(Py_ssize_t number)
{
    return number < 0 ? NULL : PyLong_FromSsize_t(number);
}

/* Functions of one and two arguments; the name for messages. */
#define DEFINE_UNARY(NAME, FUNCTION)                                          \
    static PyObject *op_##NAME(PyObject *Py_UNUSED(module), PyObject *a)      \
    {                                                                         \
        return FUNCTION(a);                                                   \
    }
#define DEFINE_PAIR(NAME, TEXT, RESULT)                                       \
    static PyObject *op_##NAME(PyObject *Py_UNUSED(module), PyObject *args)   \
    {                                                                         \
        PyObject *a, *b;                                                      \
                                                                              \
        return PyArg_UnpackTuple(args, TEXT, 2, 2, &a, &b) ? (RESULT) : NULL; \
    }
#define DEFINE_BINARY(NAME, FUNCTION) DEFINE_PAIR(NAME, #NAME, FUNCTION(a, b))
#define DEFINE_COMPARISON(NAME, OP)                                           \
    DEFINE_PAIR(NAME, #NAME, PyObject_RichCompare(a, b, Py_##OP))

UNARY(DEFINE_UNARY)
BINARY(DEFINE_BINARY)
COMPARISON(DEFINE_COMPARISON)
DEFINE_PAIR(contains, "contains", pyb_result_bool(PySequence_Contains(a, b)))
DEFINE_PAIR(is_, "is_", PyBool_FromLong(a == b))
DEFINE_PAIR(is_not, "is_not", PyBool_FromLong(a != b))
DEFINE_PAIR(countOf, "countOf", as_number(PySequence_Count(a, b)))
DEFINE_PAIR(indexOf, "indexOf", as_number(PySequence_Index(a, b)))
DEFINE_PAIR(delitem, "delitem", pyb_result_none(PyObject_DelItem(a, b)))

static PyObject *
op_not(PyObject *Py_UNUSED(module), PyObject *a)
{
    return pyb_result_bool(PyObject_Not(a));
}

static PyObject *
op_truth(PyObject *Py_UNUSED(module), PyObject *a)
{
    return pyb_result_bool(PyObject_IsTrue(a));
}

static PyObject *
op_setitem(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *op, *key, *value;

    if (!PyArg_UnpackTuple(args, "setitem", 3, 3, &op, &key, &value))
        return NULL;
    return pyb_result_none(PyObject_SetItem(op, key, value));
}

static PyObject *
op_length_hint(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *op, *otherwise = NULL;
    Py_ssize_t length = 0;

    if (!PyArg_UnpackTuple(args, "length_hint", 1, 2, &op, &otherwise))
        return NULL;
    if (otherwise != NULL && !PyLong_Check(otherwise))
        return pyb_errors_type(
            "'%s' object cannot be interpreted as an integer", otherwise);
    if (otherwise != NULL)
        length = PyLong_AsSsize_t(otherwise);
    if (length == -1 && PyErr_Occurred())
        return NULL;
    length = PyObject_LengthHint(op, length);
    return length == -1 && PyErr_Occurred() ? NULL
                                            : PyLong_FromSsize_t(length);
}

static PyObject *
op_call(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n < 1)
        return pyb_raise(PyExc_TypeError,
                         "call expected at least 1 argument, got 0");
    return PyObject_VectorcallDict(PyTuple_GET_ITEM(args, 0),
                                   ((PyTupleObject *)args)->ob_item + 1,
                                   (size_t)n - 1, kwds);
}

/* ------------------------------------------------------------------ */
/* The module                                                          */

#define ROW_UNARY(NAME, FUNCTION)                                             \
    {#NAME, op_##NAME, METH_O, NULL},                                         \
        {"__" #NAME "__", op_##NAME, METH_O, NULL},
#define ROW_BINARY(NAME, FUNCTION)                                            \
    {#NAME, op_##NAME, METH_VARARGS, NULL},                                   \
        {"__" #NAME "__", op_##NAME, METH_VARARGS, NULL},

PyMethodDef pyb_operator_methods[] = {
    UNARY(ROW_UNARY) BINARY(ROW_BINARY) COMPARISON(ROW_BINARY)
    /* The names of those that are words of Python. */
    {"and_", op_and, METH_VARARGS, NULL},
    {"or_", op_or, METH_VARARGS, NULL},
    {"not_", op_not, METH_O, NULL},
    {"__not__", op_not, METH_O, NULL},
    {"is_", op_is_, METH_VARARGS, NULL},
    {"is_not", op_is_not, METH_VARARGS, NULL},
    {"inv", op_invert, METH_O, NULL},
    {"__inv__", op_invert, METH_O, NULL},
    ROW_BINARY(contains, ) ROW_BINARY(delitem, )
        ROW_BINARY(setitem, ){"countOf", op_countOf, METH_VARARGS, NULL},
    {"indexOf", op_indexOf, METH_VARARGS, NULL},
    {"length_hint", op_length_hint, METH_VARARGS, NULL},
    {"truth", op_truth, METH_O, NULL},
    {"call", _PyCFunction_CAST(op_call), METH_VARARGS | METH_KEYWORDS, NULL},
    {"__call__", _PyCFunction_CAST(op_call), METH_VARARGS | METH_KEYWORDS,
     NULL},
    {NULL, NULL, 0, NULL},
};

/* Takes out the names that the tables make of words of Python. */
int
pyb_operator_exec(PyObject *module)
{
    if (PyObject_DelAttrString(module, "and") < 0 ||
        PyObject_DelAttrString(module, "or") < 0)
        return -1;
    return pyb_getters_add(module);
}
