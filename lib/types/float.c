/* float.c: the type float. */

#include "Python.h"

#include "object/errors.h"
#include "object/getargs.h"
#include "object/spare.h"
#include "types/float.h"
#include "types/int.h"

/* ------------------------------------------------------------------ */
/* Making and reading them                                             */

PyObject *
PyFloat_FromDouble(double v)
{
    PyObject *op = pyb_spare_new(&PyFloat_Type, sizeof(PyFloatObject));

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

/* Narrows the text to what stands between white space. */
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

/* The float that text spells; shown is what an error quotes. */
static PyObject *
from_text(const char *text, Py_ssize_t length, PyObject *shown)
{
    strip(&text, &length);
    char *copy = (char *)PyMem_Malloc((size_t)length + 1), *end = copy;
    double v = 0;

    if (copy == NULL)
        return PyErr_NoMemory();
    int valid = pyb_float_copy_digits(copy, text, length) == 0;
    if (valid) {
        v = PyOS_string_to_double(copy, &end, NULL);
        PyErr_Clear(); /* replaced below by one that quotes the object */
        valid = end != copy && *end == '\0';
    }
    PyMem_Free(copy);
    if (valid)
        return PyFloat_FromDouble(v);
    PyErr_Format(PyExc_ValueError, "could not convert string to float: %R",
                 shown);
    return NULL;
}

PyObject *
PyFloat_FromString(PyObject *op)
{
    Py_ssize_t length;
    Py_buffer view;

    if (PyUnicode_Check(op)) {
        const char *text = PyUnicode_AsUTF8AndSize(op, &length);
        return text != NULL ? from_text(text, length, op) : NULL;
    }
    if (!PyObject_CheckBuffer(op)) {
        PyErr_Format(PyExc_TypeError,
                     "float() argument must be a string or a real number, "
                     "not '%.200s'",
                     Py_TYPE(op)->tp_name);
        return NULL;
    }
    if (PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *result = from_text((const char *)view.buf, view.len, op);
    PyBuffer_Release(&view);
    return result;
}

/* The value of what op's nb_float returns. */
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

    /* Only a tp_init of the subtype's own can have a use for keywords. */
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
        ((PyFloatObject *)op)->ob_fval = PyFloat_AS_DOUBLE(value);
    Py_DECREF(value);
    return op;
}

static void
float_dealloc(PyObject *op)
{
    if (_PyB_LIKELY(PyFloat_CheckExact(op)))
        pyb_spare_del(op, sizeof(PyFloatObject));
    else
        Py_TYPE(op)->tp_free(op);
}

/* A float with op's value that is no instance of a subtype. */
static PyObject *
exact(PyObject *op)
{
    return PyFloat_CheckExact(op) ? Py_NewRef(op)
                                  : PyFloat_FromDouble(PyFloat_AS_DOUBLE(op));
}

/* ------------------------------------------------------------------ */
/* Basic slots                                                         */

static PyObject *
float_repr(PyObject *op)
{
    char *text = PyOS_double_to_string(PyFloat_AS_DOUBLE(op), 'r', 0,
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
    return _Py_HashDouble(op, PyFloat_AS_DOUBLE(op));
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
    double v = PyFloat_AS_DOUBLE(a);

    if (PyFloat_Check(b)) {
        double w = PyFloat_AS_DOUBLE(b);
        Py_RETURN_RICHCOMPARE(v, w, op);
    }
    if (!PyLong_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (isnan(v))
        return PyBool_FromLong(op == Py_NE);
    int order = pyb_int_compare_double(pyb_int_value(b), v);
    Py_RETURN_RICHCOMPARE(order, 0, reversed(op));
}

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

/* The value of an operand.  0 if it is neither float nor int, and its type may
   know what to do. */
static int
convert(PyObject *op, double *v)
{
    if (PyFloat_Check(op))
        *v = PyFloat_AS_DOUBLE(op);
    else if (PyLong_Check(op))
        *v = (double)pyb_int_value(op);
    else
        return 0;
    return 1;
}

/* BOTH_DOUBLES: leaves a binary slot to the other operand's type unless both
   operands are real numbers, whose values it declares. */
#define BOTH_DOUBLES(a, b, x, y)                                              \
    double x, y;                                                              \
    if (!convert((a), &x) || !convert((b), &y))                               \
    Py_RETURN_NOTIMPLEMENTED

static PyObject *
zero_division(const char *text)
{
    PyErr_SetString(PyExc_ZeroDivisionError, text);
    return NULL;
}

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
        return zero_division("float division by zero");
    return PyFloat_FromDouble(x / y);
}

/* x // y and x % y for y != 0: the remainder has y's sign, and the quotient is
   the whole number that belongs to it. */
static void
floor_divmod(double x, double y, double *quotient, double *rest)
{
    *rest = fmod(x, y);
    double inexact = (x - *rest) / y;

    if (*rest == 0.0)
        *rest = copysign(0.0, y);
    else if ((*rest < 0) != (y < 0)) {
        *rest += y;
        inexact -= 1.0;
    }
    /* The division may have missed the whole number a little. */
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
        return zero_division("float floor division by zero");
    floor_divmod(x, y, &quotient, &rest);
    return PyFloat_FromDouble(quotient);
}

static PyObject *
float_remainder(PyObject *a, PyObject *b)
{
    double quotient, rest;

    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return zero_division("float modulo");
    floor_divmod(x, y, &quotient, &rest);
    return PyFloat_FromDouble(rest);
}

static PyObject *
float_divmod(PyObject *a, PyObject *b)
{
    double quotient, rest;

    BOTH_DOUBLES(a, b, x, y);
    if (y == 0.0)
        return zero_division("float divmod()");
    floor_divmod(x, y, &quotient, &rest);
    return Py_BuildValue("(dd)", quotient, rest);
}

static PyObject *
float_power(PyObject *a, PyObject *b, PyObject *modulus)
{
    if (modulus != Py_None) {
        PyErr_SetString(PyExc_TypeError,
                        "pow() 3rd argument not allowed unless all arguments "
                        "are integers");
        return NULL;
    }
    BOTH_DOUBLES(a, b, x, y);
    if (x == 0.0 && y < 0.0 && isfinite(y))
        return zero_division("0.0 cannot be raised to a negative power");
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
    return PyFloat_FromDouble(-PyFloat_AS_DOUBLE(op));
}

static PyObject *
float_absolute(PyObject *op)
{
    return PyFloat_FromDouble(fabs(PyFloat_AS_DOUBLE(op)));
}

static int
float_bool(PyObject *op)
{
    return PyFloat_AS_DOUBLE(op) != 0.0;
}

static PyObject *
float_int(PyObject *op)
{
    return PyLong_FromDouble(PyFloat_AS_DOUBLE(op));
}

/* ------------------------------------------------------------------ */
/* Methods and attributes                                              */

static PyObject *
is_integer(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double v = PyFloat_AS_DOUBLE(self);
    return PyBool_FromLong(isfinite(v) && floor(v) == v);
}

static PyObject *
conjugate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return exact(self);
}

static PyObject *
get_real(PyObject *self, void *Py_UNUSED(closure))
{
    return exact(self);
}

static PyObject *
get_imag(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyFloat_FromDouble(0.0);
}

static PyMethodDef float_methods[] = {
    {"is_integer", is_integer, METH_NOARGS,
     "Return True if the float is an integer."},
    {"conjugate", conjugate, METH_NOARGS, "Return self."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef float_getset[] = {
    {"real", get_real, NULL, "the real part of a complex number", NULL},
    {"imag", get_imag, NULL, "the imaginary part of a complex number", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyNumberMethods float_as_number = {
    .nb_add = float_add,
    .nb_subtract = float_subtract,
    .nb_multiply = float_multiply,
    .nb_remainder = float_remainder,
    .nb_divmod = float_divmod,
    .nb_power = float_power,
    .nb_negative = float_negative,
    .nb_positive = exact,
    .nb_absolute = float_absolute,
    .nb_bool = float_bool,
    .nb_int = float_int,
    .nb_float = exact,
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
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "float(x=0, /)",
    .tp_richcompare = float_richcompare,
    .tp_methods = float_methods,
    .tp_getset = float_getset,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = float_new,
    .tp_free = PyObject_Free,
};
