/* number.c: the number protocol: the choice of the type's slot for an
   operation, and the errors if there is none. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* A slot of PyNumberMethods is named by its offset. */
#define SLOT(NAME) offsetof(PyNumberMethods, NAME)

static binaryfunc
binary_slot(PyObject *op, size_t slot)
{
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;

    PYB_ASSERT(slot % sizeof(void *) == 0 && slot < sizeof(PyNumberMethods));
    return number ? *(binaryfunc *)(void *)((char *)number + slot) : NULL;
}

static ternaryfunc
ternary_slot(PyObject *op, size_t slot)
{
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;

    PYB_ASSERT(slot % sizeof(void *) == 0 && slot < sizeof(PyNumberMethods));
    return number ? *(ternaryfunc *)(void *)((char *)number + slot) : NULL;
}

/* ------------------------------------------------------------------ */
/* Binary operations                                                   */

static PyObject *
unsupported(const char *sign, PyObject *x, PyObject *y)
{
    return PyErr_Format(PyExc_TypeError,
                        "unsupported operand type(s) for %.100s: '%.100s' and "
                        "'%.100s'",
                        sign, Py_TYPE(x)->tp_name, Py_TYPE(y)->tp_name);
}

/* x OP y by the slots of both types, the left one's first unless the right
   type is a subtype of the left one and has a slot of its own.
   Py_NotImplemented if neither can. */
static PyObject *
try_binary(PyObject *x, PyObject *y, size_t slot)
{
    binaryfunc left = binary_slot(x, slot), right = NULL;
    PyObject *result;

    if (!Py_IS_TYPE(y, Py_TYPE(x)))
        right = binary_slot(y, slot);
    if (right == left)
        right = NULL;
    if (left && right && PyType_IsSubtype(Py_TYPE(y), Py_TYPE(x))) {
        result = right(x, y);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
        right = NULL;
    }
    if (left) {
        result = left(x, y);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return right ? right(x, y) : Py_NewRef(Py_NotImplemented);
}

/* x OP= y by x's own slot or, failing that, as x OP y. */
static PyObject *
try_inplace(PyObject *x, PyObject *y, size_t inplace, size_t slot)
{
    binaryfunc own = binary_slot(x, inplace);

    if (own) {
        PyObject *result = own(x, y);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return try_binary(x, y, slot);
}

static PyObject *
binary(PyObject *x, PyObject *y, size_t slot, const char *sign)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result = try_binary(x, y, slot);
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    return unsupported(sign, x, y);
}

static PyObject *
inplace_binary(PyObject *x, PyObject *y, size_t inplace, size_t slot,
               const char *sign)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result = try_inplace(x, y, inplace, slot);
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    return unsupported(sign, x, y);
}

/* OPERATION: PyNumber_NAME and PyNumber_InPlaceNAME for a slot that has no
   sequence to fall back on. */
#define OPERATION(NAME, SUFFIX, SIGN)                                         \
    PyObject *PyNumber_##NAME(PyObject *x, PyObject *y)                       \
    {                                                                         \
        return binary(x, y, SLOT(nb_##SUFFIX), SIGN);                         \
    }                                                                         \
    PyObject *PyNumber_InPlace##NAME(PyObject *x, PyObject *y)                \
    {                                                                         \
        return inplace_binary(x, y, SLOT(nb_inplace_##SUFFIX),                \
                              SLOT(nb_##SUFFIX), SIGN "=");                   \
    }

OPERATION(Subtract, subtract, "-")
OPERATION(MatrixMultiply, matrix_multiply, "@")
OPERATION(FloorDivide, floor_divide, "//")
OPERATION(TrueDivide, true_divide, "/")
OPERATION(Remainder, remainder, "%")
OPERATION(Lshift, lshift, "<<")
OPERATION(Rshift, rshift, ">>")
OPERATION(And, and, "&")
OPERATION(Xor, xor, "^")
OPERATION(Or, or, "|")

PyObject *
PyNumber_Divmod(PyObject *x, PyObject *y)
{
    return binary(x, y, SLOT(nb_divmod), "divmod()");
}

/* ------------------------------------------------------------------ */
/* + and *, which sequences have too                                   */

static PyObject *
concat(PyObject *x, PyObject *y, binaryfunc function, const char *sign)
{
    return function ? function(x, y) : unsupported(sign, x, y);
}

PyObject *
PyNumber_Add(PyObject *x, PyObject *y)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result = try_binary(x, y, SLOT(nb_add));
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    PySequenceMethods *sequence = Py_TYPE(x)->tp_as_sequence;
    return concat(x, y, sequence ? sequence->sq_concat : NULL, "+");
}

PyObject *
PyNumber_InPlaceAdd(PyObject *x, PyObject *y)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result = try_inplace(x, y, SLOT(nb_inplace_add), SLOT(nb_add));
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    PySequenceMethods *sequence = Py_TYPE(x)->tp_as_sequence;
    binaryfunc function = NULL;
    if (sequence)
        function = sequence->sq_inplace_concat ? sequence->sq_inplace_concat
                                               : sequence->sq_concat;
    return concat(x, y, function, "+=");
}

static PyObject *
repeat(PyObject *sequence, PyObject *count, ssizeargfunc function)
{
    if (!PyIndex_Check(count))
        return pyb_errors_type("can't multiply sequence by non-int of type "
                               "'%.200s'",
                               count);
    Py_ssize_t n = PyNumber_AsSsize_t(count, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred())
        return NULL;
    return function(sequence, n);
}

/* x * y if one of them is a sequence; the left one is tried first. */
static PyObject *
multiply_sequence(PyObject *x, PyObject *y, int inplace, const char *sign)
{
    PySequenceMethods *left = Py_TYPE(x)->tp_as_sequence;
    PySequenceMethods *right = Py_TYPE(y)->tp_as_sequence;

    if (inplace && left && left->sq_inplace_repeat)
        return repeat(x, y, left->sq_inplace_repeat);
    if (left && left->sq_repeat)
        return repeat(x, y, left->sq_repeat);
    if (right && right->sq_repeat)
        return repeat(y, x, right->sq_repeat);
    return unsupported(sign, x, y);
}

PyObject *
PyNumber_Multiply(PyObject *x, PyObject *y)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result = try_binary(x, y, SLOT(nb_multiply));
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    return multiply_sequence(x, y, 0, "*");
}

PyObject *
PyNumber_InPlaceMultiply(PyObject *x, PyObject *y)
{
    if (x == NULL || y == NULL)
        return pyb_errors_null_argument();
    PyObject *result =
        try_inplace(x, y, SLOT(nb_inplace_multiply), SLOT(nb_multiply));
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    return multiply_sequence(x, y, 1, "*=");
}

/* ------------------------------------------------------------------ */
/* Power                                                               */

static PyObject *
unsupported_power(PyObject *x, PyObject *y, PyObject *z, const char *sign)
{
    if (z == Py_None)
        return unsupported(sign, x, y);
    return PyErr_Format(PyExc_TypeError,
                        "unsupported operand type(s) for %.100s: '%.100s', "
                        "'%.100s', '%.100s'",
                        sign, Py_TYPE(x)->tp_name, Py_TYPE(y)->tp_name,
                        Py_TYPE(z)->tp_name);
}

/* pow(x, y, z) by the slots of the three types in turn, each function once; a
   subtype on the right goes before the type on the left. */
static PyObject *
power(PyObject *x, PyObject *y, PyObject *z, const char *sign)
{
    /* cppcheck-suppress uninitvar; it is initialized here */
    ternaryfunc slots[3] = {ternary_slot(x, SLOT(nb_power)),
                            ternary_slot(y, SLOT(nb_power)),
                            ternary_slot(z, SLOT(nb_power))};

    if (slots[2] == slots[0] || slots[2] == slots[1])
        slots[2] = NULL;
    if (slots[1] == slots[0])
        slots[1] = NULL;
    if (slots[0] && slots[1] && PyType_IsSubtype(Py_TYPE(y), Py_TYPE(x))) {
        ternaryfunc left = slots[0];
        slots[0] = slots[1];
        slots[1] = left;
    }
    for (int i = 0; i < 3; i++) {
        if (slots[i] == NULL)
            continue;
        PyObject *result = slots[i](x, y, z);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return unsupported_power(x, y, z, sign);
}

PyObject *
PyNumber_Power(PyObject *x, PyObject *y, PyObject *z)
{
    if (x == NULL || y == NULL || z == NULL)
        return pyb_errors_null_argument();
    return power(x, y, z, "** or pow()");
}

PyObject *
PyNumber_InPlacePower(PyObject *x, PyObject *y, PyObject *z)
{
    if (x == NULL || y == NULL || z == NULL)
        return pyb_errors_null_argument();
    ternaryfunc own = ternary_slot(x, SLOT(nb_inplace_power));
    if (own) {
        PyObject *result = own(x, y, z);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return power(x, y, z, "**=");
}

/* ------------------------------------------------------------------ */
/* Unary operations                                                    */

static PyObject *
unary(PyObject *op, size_t slot, const char *message)
{
    if (op == NULL)
        return pyb_errors_null_argument();
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    unaryfunc function =
        number ? *(unaryfunc *)(void *)((char *)number + slot) : NULL;
    return function ? function(op) : pyb_errors_type(message, op);
}

PyObject *
PyNumber_Negative(PyObject *op)
{
    return unary(op, SLOT(nb_negative),
                 "bad operand type for unary -: '%.200s'");
}

PyObject *
PyNumber_Positive(PyObject *op)
{
    return unary(op, SLOT(nb_positive),
                 "bad operand type for unary +: '%.200s'");
}

PyObject *
PyNumber_Absolute(PyObject *op)
{
    return unary(op, SLOT(nb_absolute),
                 "bad operand type for abs(): '%.200s'");
}

PyObject *
PyNumber_Invert(PyObject *op)
{
    return unary(op, SLOT(nb_invert),
                 "bad operand type for unary ~: '%.200s'");
}

/* ------------------------------------------------------------------ */
/* Index                                                               */

int
PyIndex_Check(PyObject *op)
{
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    return number != NULL && number->nb_index != NULL;
}

int
PyNumber_Check(PyObject *op)
{
    if (op == NULL)
        return 0;
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    return (number &&
            (number->nb_index || number->nb_int || number->nb_float)) ||
           PyComplex_Check(op);
}

/* Turns the result of the slot called name into an exact int.  Steals result,
   which may be NULL. */
static PyObject *
exact_int(PyObject *result, const char *name)
{
    if (result == NULL || PyLong_CheckExact(result))
        return result;
    if (!PyLong_Check(result)) {
        PyErr_Format(PyExc_TypeError, "%s returned non-int (type %.200s)",
                     name, Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return NULL;
    }
    if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "%s returned non-int (type %.200s).  The ability to "
                         "return an instance of a strict subclass of int is "
                         "deprecated, and may not be supported in a future "
                         "version of Python.",
                         name, Py_TYPE(result)->tp_name)) {
        Py_DECREF(result);
        return NULL;
    }
    PyObject *number = PyLong_Type.tp_as_number->nb_int(result);
    PYB_ASSERT(number == NULL || PyLong_CheckExact(number));
    Py_DECREF(result);
    return number;
}

PyObject *
PyNumber_Index(PyObject *op)
{
    if (op == NULL)
        return pyb_errors_null_argument();
    if (PyLong_Check(op))
        return PyLong_Type.tp_as_number->nb_int(op);
    if (!PyIndex_Check(op))
        return pyb_errors_type("'%.200s' object cannot be interpreted as an "
                               "integer",
                               op);
    return exact_int(Py_TYPE(op)->tp_as_number->nb_index(op), "__index__");
}

Py_ssize_t
PyNumber_AsSsize_t(PyObject *op, PyObject *exc)
{
    PyObject *index = PyNumber_Index(op);
    if (index == NULL)
        return -1;

    Py_ssize_t n = PyLong_AsSsize_t(index);
    if (n == -1 && PyErr_Occurred() &&
        PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        if (exc != NULL)
            PyErr_Format(exc,
                         "cannot fit '%.200s' into an index-sized integer",
                         Py_TYPE(op)->tp_name);
        else
            n = PyLong_IsNegative(index) ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX;
    }
    Py_DECREF(index);
    return n;
}

PyObject *
PyNumber_ToBase(PyObject *op, int base)
{
    if (base != 2 && base != 8 && base != 10 && base != 16)
        return pyb_raise(PyExc_SystemError,
                         "PyNumber_ToBase: base must be 2, 8, 10 or 16");
    PyObject *index = PyNumber_Index(op);
    if (index == NULL)
        return NULL;
    PyObject *text = _PyLong_Format(index, base);
    Py_DECREF(index);
    return text;
}

/* ------------------------------------------------------------------ */
/* int; PyNumber_Float is in float.c                                   */

/* Raises ValueError for bytes that are not an int. */
static PyObject *
invalid_literal(const char *bytes, Py_ssize_t length)
{
    PyErr_Clear();
    PyObject *shown = PyBytes_FromStringAndSize(bytes, length);
    if (shown == NULL)
        return NULL;
    PyErr_Format(PyExc_ValueError,
                 "invalid literal for int() with base 10: %.200R", shown);
    Py_DECREF(shown);
    return NULL;
}

/* The int that bytes spell in base 10. */
static PyObject *
int_from_bytes(const char *bytes, Py_ssize_t length)
{
    char *end, *copy = (char *)PyMem_Malloc((size_t)length + 1);
    if (copy == NULL)
        return PyErr_NoMemory();
    if (length > 0)
        memcpy(copy, bytes, (size_t)length);
    copy[length] = '\0';

    PyObject *result = PyLong_FromString(copy, &end, 10);
    int whole = end == copy + length;
    int invalid =
        result != NULL ? !whole : PyErr_ExceptionMatches(PyExc_ValueError);
    PyMem_Free(copy);
    if (invalid) {
        Py_XDECREF(result);
        return invalid_literal(bytes, length);
    }
    return result;
}

PyObject *
PyNumber_Long(PyObject *op)
{
    Py_buffer view;

    if (op == NULL)
        return pyb_errors_null_argument();
    if (PyLong_CheckExact(op))
        return Py_NewRef(op);
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    if (number != NULL && number->nb_int != NULL)
        return exact_int(number->nb_int(op), "__int__");
    if (PyIndex_Check(op))
        return PyNumber_Index(op);
    if (PyUnicode_Check(op))
        return PyLong_FromUnicodeObject(op, 10);
    if (PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) < 0)
        return pyb_errors_type("int() argument must be a string, a bytes-like "
                               "object or a real number, not '%.200s'",
                               op);
    PyObject *result = int_from_bytes((const char *)view.buf, view.len);
    PyBuffer_Release(&view);
    return result;
}
