/* float.c: the type float. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/float/float.h"
#include "types/int/int.h"
#include "types/str/str.h"

#define FLOAT(op) PYB_CAST(PyFloatObject, PyFloat_Check, op)

/* ------------------------------------------------------------------ */
/* Making and reading them                                             */

PyObject *
PyFloat_FromDouble(double v)
{
    PyObject *op = pyb_freelist_new(&PyFloat_Type, sizeof(PyFloatObject));

    if (op != NULL)
        ((PyFloatObject *)op)->ob_fval = v;
    return op;
}

double
PyFloat_GetMax(void)
{
    return DBL_MAX;
}

double
PyFloat_GetMin(void)
{
    return DBL_MIN;
}

/* Removes white space at both ends of the text. */
static void
strip(const char **text, Py_ssize_t *length)
{
    while (*length > 0 && Py_ISSPACE(**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && Py_ISSPACE((*text)[*length - 1]))
        --*length;
}

int
pyb_float_copy_digits(char *out, const char *text, Py_ssize_t length)
{
    PYB_ASSERT(length >= 0);
    for (Py_ssize_t i = 0; i < length; i++) {
        if (text[i] == '\0')
            return -1;
        if (text[i] != '_')
            *out++ = text[i];
        else if (i == 0 || i == length - 1 || !Py_ISDIGIT(text[i - 1]) ||
                 !Py_ISDIGIT(text[i + 1]))
            return -1;
    }
    *out = '\0';
    return 0;
}

/* The value of text as a float; shown is the object that an error quotes. */
static PyObject *
from_text(const char *text, Py_ssize_t length, PyObject *shown)
{
    strip(&text, &length);
    char *copy = (char *)PyMem_Malloc((size_t)length + 1), *end = copy;
    double v = 0;

    if (copy == NULL)
        return PyErr_NoMemory();
    int valid = pyb_float_copy_digits(copy, text, length) == 0;
    PYB_ASSERT(!valid || strlen(copy) <= (size_t)length);
    if (valid) {
        v = PyOS_string_to_double(copy, &end, NULL);
        PyErr_Clear(); /* replaced below by one that quotes the object */
        valid = end != copy && *end == '\0';
    }
    PyMem_Free(copy);
    if (valid)
        return PyFloat_FromDouble(v);
    return PyErr_Format(PyExc_ValueError,
                        "could not convert string to float: %R", shown);
}

static PyObject *
from_str(PyObject *op)
{
    PyObject *ascii = pyb_str_number(op);

    if (ascii == NULL)
        return NULL;
    PyObject *result = from_text(pyb_str_text(ascii), pyb_str_size(ascii), op);
    Py_DECREF(ascii);
    return result;
}

PyObject *
PyFloat_FromString(PyObject *op)
{
    Py_buffer view;

    if (PyUnicode_Check(op))
        return from_str(op);
    if (PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) < 0)
        return PyErr_Format(
            PyExc_TypeError,
            "float() argument must be a string or a real number, "
            "not '%.200s'",
            Py_TYPE(op)->tp_name);
    PyObject *result = from_text((const char *)view.buf, view.len, op);
    PyBuffer_Release(&view);
    return result;
}

/* The value of the result of op's nb_float. */
static double
value_of_slot(PyObject *op)
{
    PyObject *result = Py_TYPE(op)->tp_as_number->nb_float(op);

    if (result == NULL)
        return -1.0;
    if (!PyFloat_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "%.50s.__float__ returned non-float (type %.50s)",
                     Py_TYPE(op)->tp_name, Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return -1.0;
    }
    if (!PyFloat_CheckExact(result) &&
        PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "%.50s.__float__ returned non-float (type %.50s).  "
                         "The ability to return an instance of a strict "
                         "subclass of float is deprecated, and may not be "
                         "supported in a future version of Python.",
                         Py_TYPE(op)->tp_name, Py_TYPE(result)->tp_name)) {
        Py_DECREF(result);
        return -1.0;
    }
    double v = PyFloat_AS_DOUBLE(result);
    Py_DECREF(result);
    return v;
}

double
PyFloat_AsDouble(PyObject *op)
{
    if (op == NULL) {
        PyErr_BadArgument();
        return -1.0;
    }
    if (PyFloat_Check(op))
        return PyFloat_AS_DOUBLE(op);
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    if (number != NULL && number->nb_float != NULL)
        return value_of_slot(op);
    if (!PyIndex_Check(op)) {
        PyErr_Format(PyExc_TypeError, "must be real number, not %.50s",
                     Py_TYPE(op)->tp_name);
        return -1.0;
    }
    PyObject *index = PyNumber_Index(op);
    if (index == NULL)
        return -1.0;
    double v = PyLong_AsDouble(index);
    Py_DECREF(index);
    return v;
}

PyObject *
PyNumber_Float(PyObject *op)
{
    if (op == NULL)
        return pyb_errors_null_argument();
    if (PyFloat_CheckExact(op))
        return Py_NewRef(op);
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    double v;
    if (number != NULL && number->nb_float != NULL)
        v = value_of_slot(op);
    else if (PyIndex_Check(op))
        v = PyFloat_AsDouble(op);
    else
        return PyFloat_FromString(op);
    return v == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(v);
}

static PyObject *
float_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *x = NULL, *value;

    /* Only a subtype's own tp_init may take keywords. */
    if (type->tp_init == PyFloat_Type.tp_init &&
        !pyb_getargs_no_keywords("float", kwds))
        return NULL;
    if (!PyArg_UnpackTuple(args, "float", 0, 1, &x))
        return NULL;
    if (x == NULL)
        value = PyFloat_FromDouble(0.0);
    else
        value = PyUnicode_CheckExact(x) ? PyFloat_FromString(x)
                                        : PyNumber_Float(x);
    if (value == NULL || type == &PyFloat_Type)
        return value;

    PyObject *op = type->tp_alloc(type, 0);
    if (op != NULL)
        PYB_CAST(PyFloatObject, PyFloat_Check, op)->ob_fval =
            PyFloat_AS_DOUBLE(value);
    Py_DECREF(value);
    return op;
}

static void
float_dealloc(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyFloat_Check(op), op);
    if (_PyB_LIKELY(PyFloat_CheckExact(op)))
        pyb_freelist_del(op, sizeof(PyFloatObject));
    else
        Py_TYPE(op)->tp_free(op);
}

PyObject *
pyb_float_exact(PyObject *op)
{
    return PyFloat_CheckExact(op) ? Py_NewRef(op)
                                  : PyFloat_FromDouble(FLOAT(op)->ob_fval);
}

/* ------------------------------------------------------------------ */
/* Basic slots                                                         */

static PyObject *
float_repr(PyObject *op)
{
    char *text = PyOS_double_to_string(FLOAT(op)->ob_fval, 'r', 0,
                                       Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL)
        return NULL;
    PyObject *result = PyUnicode_FromString(text);
    PyMem_Free(text);
    return result;
}

static Py_hash_t
float_hash(PyObject *op)
{
    return _Py_HashDouble(op, FLOAT(op)->ob_fval);
}

/* The operator that compares b with a as op compares a with b. */
static int
reversed(int op)
{
    switch (op) {
    case Py_LT:
        return Py_GT;
    case Py_LE:
        return Py_GE;
    case Py_GT:
        return Py_LT;
    case Py_GE:
        return Py_LE;
    default:
        return op;
    }
}

static PyObject *
float_richcompare(PyObject *a, PyObject *b, int op)
{
    double v = FLOAT(a)->ob_fval;

    if (PyFloat_Check(b)) {
        double w = PyFloat_AS_DOUBLE(b);
        Py_RETURN_RICHCOMPARE(v, w, op);
    }
    if (!PyLong_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (isnan(v))
        return PyBool_FromLong(op == Py_NE);
    int order = pyb_int_compare_double(b, v);
    Py_RETURN_RICHCOMPARE(order, 0, reversed(op));
}

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

/* The value of an operand.  1; 0 if it is neither float nor int, and its type
   may support the operation; -1 with OverflowError. */
static int
convert(PyObject *op, double *v)
{
    if (PyFloat_Check(op))
        *v = PyFloat_AS_DOUBLE(op);
    else if (PyLong_Check(op))
        return pyb_int_as_double(op, v) < 0 ? -1 : 1;
    else
        return 0;
    return 1;
}

/* BOTH_DOUBLES: leaves a binary slot to the other operand's type unless both
   operands are real numbers; declares their values. */
#define BOTH_DOUBLES(a, b, x, y)                                              \
    double x, y;                                                              \
    int known = convert((a), &x);                                             \
    if (known > 0)                                                            \
        known = convert((b), &y);                                             \
    if (_PyB_UNLIKELY(known <= 0))                                            \
    return known < 0 ? NULL : Py_NewRef(Py_NotImplemented)

static PyObject *
float_add(PyObject *a, PyObject *b)
{
    BOTH_DOUBLES(a, b, x, y);
    return PyFloat_FromDouble(x + y);
}

static PyObject *
float_subtract(PyObject *a, PyObject *b)
{
    BOTH_DOUBLES(a, b, x, y);
    return PyFloat_FromDouble(x - y);
}

static PyObject *
float_multiply(PyObject *a, PyObject *b)
{
    BOTH_DOUBLES(a, b, x, y);
    return PyFloat_FromDouble(x * y);
}

static PyObject *
float_true_divide(PyObject *a, PyObject *b)
{
    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return pyb_raise(PyExc_ZeroDivisionError, "float division by zero");
    return PyFloat_FromDouble(x / y);
}

/* x // y and x % y for y != 0: the remainder has y's sign, and the quotient is
   the whole number that belongs to it. */
static void
floor_divmod(double x, double y, double *quotient, double *rest)
{
    PYB_ASSERT(y != 0.0);
    *rest = fmod(x, y);
    double inexact = (x - *rest) / y;

    if (*rest == 0.0)
        *rest = copysign(0.0, y);
    else if ((*rest < 0) != (y < 0)) {
        *rest += y;
        inexact -= 1.0;
    }
    /* The division may be off the whole number by a little. */
    *quotient = floor(inexact);
    if (inexact - *quotient > 0.5)
        *quotient += 1.0;
    if (inexact == 0.0)
        *quotient = copysign(0.0, x / y);
}

static PyObject *
float_floor_divide(PyObject *a, PyObject *b)
{
    double quotient, rest;

    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return pyb_raise(PyExc_ZeroDivisionError,
                         "float floor division by zero");
    floor_divmod(x, y, &quotient, &rest);
    return PyFloat_FromDouble(quotient);
}

static PyObject *
float_remainder(PyObject *a, PyObject *b)
{
    double quotient, rest;

    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return pyb_raise(PyExc_ZeroDivisionError, "float modulo");
    floor_divmod(x, y, &quotient, &rest);
    return PyFloat_FromDouble(rest);
}

static PyObject *
float_divmod(PyObject *a, PyObject *b)
{
    double quotient, rest;

    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return pyb_raise(PyExc_ZeroDivisionError, "float divmod()");
    floor_divmod(x, y, &quotient, &rest);
    return Py_BuildValue("(dd)", quotient, rest);
}

static PyObject *
float_power(PyObject *a, PyObject *b, PyObject *modulus)
{
    if (modulus != Py_None)
        return pyb_raise(PyExc_TypeError,
                         "pow() 3rd argument not allowed unless all arguments "
                         "are integers");
    BOTH_DOUBLES(a, b, x, y);
    if (x == 0.0 && y < 0.0 && isfinite(y))
        return pyb_raise(PyExc_ZeroDivisionError,
                         "0.0 cannot be raised to a negative power");
    if (x < 0.0 && isfinite(x) && isfinite(y) && y != floor(y))
        return PyComplex_Type.tp_as_number->nb_power(a, b, modulus);
    double power = pow(x, y);
    if (isinf(power) && isfinite(x) && isfinite(y)) {
        errno = ERANGE;
        return PyErr_SetFromErrno(PyExc_OverflowError);
    }
    return PyFloat_FromDouble(power);
}

static PyObject *
float_negative(PyObject *op)
{
    return PyFloat_FromDouble(-FLOAT(op)->ob_fval);
}

static PyObject *
float_absolute(PyObject *op)
{
    return PyFloat_FromDouble(fabs(FLOAT(op)->ob_fval));
}

static int
float_bool(PyObject *op)
{
    return FLOAT(op)->ob_fval != 0.0;
}

static PyObject *
float_int(PyObject *op)
{
    return PyLong_FromDouble(FLOAT(op)->ob_fval);
}

static PyNumberMethods float_as_number = {
    .nb_add = float_add,
    .nb_subtract = float_subtract,
    .nb_multiply = float_multiply,
    .nb_remainder = float_remainder,
    .nb_divmod = float_divmod,
    .nb_power = float_power,
    .nb_negative = float_negative,
    .nb_positive = pyb_float_exact,
    .nb_absolute = float_absolute,
    .nb_bool = float_bool,
    .nb_int = float_int,
    .nb_float = pyb_float_exact,
    .nb_floor_divide = float_floor_divide,
    .nb_true_divide = float_true_divide,
};

PyTypeObject PyFloat_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "float",
    .tp_basicsize = sizeof(PyFloatObject),
    .tp_dealloc = float_dealloc,
    .tp_repr = float_repr,
    .tp_as_number = &float_as_number,
    .tp_hash = float_hash,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "float(x=0, /)",
    .tp_richcompare = float_richcompare,
    .tp_methods = pyb_float_methods,
    .tp_getset = pyb_float_getset,
    .tp_new = float_new,
    .tp_free = PyObject_Free,
};
