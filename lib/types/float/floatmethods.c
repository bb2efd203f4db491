/* floatmethods.c: the methods and attributes of float; see floathex.c for its
   text in hexadecimal digits. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "types/float/float.h"
#include "types/format/format.h"
#include "types/int/int.h"

#define FLOAT(op) PYB_CAST(PyFloatObject, PyFloat_Check, op)

/* ------------------------------------------------------------------ */
/* To integers                                                         */

static PyObject *
is_integer(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double v = FLOAT(self)->ob_fval;

    return PyBool_FromLong(isfinite(v) && floor(v) == v);
}

static PyObject *
float_trunc(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(FLOAT(self)->ob_fval);
}

static PyObject *
float_floor(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(floor(FLOAT(self)->ob_fval));
}

static PyObject *
float_ceil(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(ceil(FLOAT(self)->ob_fval));
}

/* A pair of ints without a common divisor. */
static PyObject *
as_integer_ratio(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double v = FLOAT(self)->ob_fval;
    int exponent;

    if (!isfinite(v))
        return PyErr_Format(isnan(v) ? PyExc_ValueError : PyExc_OverflowError,
                            "cannot convert %s to integer ratio",
                            isnan(v) ? "NaN" : "Infinity");
    int64_t numerator = (int64_t)ldexp(frexp(v, &exponent), DBL_MANT_DIG);
    if (numerator == 0)
        return Py_BuildValue("(ii)", 0, 1);
    for (exponent -= DBL_MANT_DIG; numerator % 2 == 0; exponent++)
        numerator /= 2;
    return Py_BuildValue(
        "(NN)", pyb_int_shifted(numerator, (size_t)Py_MAX(exponent, 0)),
        pyb_int_shifted(1, (size_t)Py_MAX(-exponent, 0)));
}

/* ------------------------------------------------------------------ */
/* Rounding                                                            */

/* The integer nearest to v; of two equally near ones the even one. */
static double
nearest_integer(double v)
{
    double whole = floor(v), rest = v - whole;

    return rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0.0) ? whole + 1.0
                                                                  : whole;
}

/* v converted to text and back, which rounds correctly.  NaN with
   MemoryError. */
static double
by_text(double v, char code, int precision)
{
    char *text = PyOS_double_to_string(v, code, precision, 0, NULL);

    if (text == NULL)
        return Py_NAN;
    double rounded = PyOS_string_to_double(text, NULL, NULL);
    PYB_ASSERT(!PyErr_Occurred()); /* it is what was written */
    PyMem_Free(text);
    return rounded;
}

/* Is v, with these digits before its point, nearer to the next power of ten
   than to 0?  The middle counts as nearer to 0, the even multiple. */
static int
is_above_half(double v, const char *digits)
{
    return digits[0] > '5' ||
           (digits[0] == '5' &&
            (digits[1 + strspn(digits + 1, "0")] != '\0' || v != trunc(v)));
}

/* v > 0 as a multiple of 10 ** power, power > 0.  NaN with an exception. */
static double
nearest_multiple(double v, int power)
{
    char *digits = PyOS_double_to_string(trunc(v), 'f', 0, 0, NULL);
    char one[8] = "0"; /* one such multiple, or 0 */
    double rounded;

    PYB_ASSERT(v > 0 && power > 0);
    if (digits == NULL)
        return Py_NAN;
    const int count = (int)strlen(digits);
    if (count == power && is_above_half(v, digits))
        PyOS_snprintf(one, sizeof one, "1e%d", power);
    rounded = count > power ? by_text(v, 'e', count - 1 - power)
                            : PyOS_string_to_double(one, NULL, NULL);
    PyMem_Free(digits);
    if (!isinf(rounded))
        return rounded;
    PyErr_SetString(PyExc_OverflowError,
                    "rounded value too large to represent");
    return Py_NAN;
}

static PyObject *
float_round(PyObject *self, PyObject *args)
{
    /* Beyond these every float is a multiple, or nearest to 0. */
    enum { MOST = DBL_DIG - DBL_MIN_10_EXP + 1, LEAST = -DBL_MAX_10_EXP - 1 };
    double v = FLOAT(self)->ob_fval;
    PyObject *digits = Py_None;

    if (!PyArg_UnpackTuple(args, "__round__", 0, 1, &digits))
        return NULL;
    if (digits == Py_None)
        return PyLong_FromDouble(isfinite(v) ? nearest_integer(v) : v);
    Py_ssize_t count = PyNumber_AsSsize_t(digits, NULL);
    if (count == -1 && PyErr_Occurred())
        return NULL;
    if (!isfinite(v) || v == 0.0 || count > MOST)
        return PyFloat_FromDouble(v);
    double rounded = count < LEAST ? 0.0
                     : count < 0   ? nearest_multiple(fabs(v), (int)-count)
                                   : by_text(fabs(v), 'f', (int)count);
    return isnan(rounded) ? NULL : PyFloat_FromDouble(copysign(rounded, v));
}

/* ------------------------------------------------------------------ */
/* The parts of a complex number                                       */

static PyObject *
conjugate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pyb_float_exact(self);
}

static PyObject *
get_real(PyObject *self, void *Py_UNUSED(closure))
{
    return pyb_float_exact(self);
}

static PyObject *
get_imag(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyFloat_FromDouble(0.0);
}

static PyObject *
getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(d)", PyFloat_AS_DOUBLE(self));
}

/* How doubles and floats lie in memory.  All machines that the library is
   built for have IEEE's formats. */
static PyObject *
getformat(PyObject *Py_UNUSED(cls), PyObject *arg)
{
    const char *name;

    if (!PyUnicode_Check(arg))
        return PyErr_Format(PyExc_TypeError,
                            "__getformat__() argument must be str, not %.50s",
                            arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
    name = PyUnicode_AsUTF8(arg);
    if (name == NULL)
        return NULL;
    if (strcmp(name, "double") != 0 && strcmp(name, "float") != 0)
        return pyb_raise(PyExc_ValueError, "__getformat__() argument 1 must "
                                           "be 'double' or 'float'");
    return PyUnicode_FromString(PY_BIG_ENDIAN ? "IEEE, big-endian"
                                              : "IEEE, little-endian");
}

PyMethodDef pyb_float_methods[] = {
    {"__format__", pyb_format_float, METH_O, NULL},
    {"__getformat__", getformat, METH_O | METH_CLASS,
     "Return the memory format of 'double' or 'float'."},
    {"__getnewargs__", getnewargs, METH_NOARGS, NULL},
    {"is_integer", is_integer, METH_NOARGS,
     "Return True if the float is an integer."},
    {"as_integer_ratio", as_integer_ratio, METH_NOARGS,
     "Return a pair of integers, whose ratio is exactly equal to the float."},
    {"hex", pyb_float_hex, METH_NOARGS,
     "Return a hexadecimal representation of a floating-point number."},
    {"fromhex", pyb_float_fromhex, METH_O | METH_CLASS,
     "Create a floating-point number from a hexadecimal string."},
    {"conjugate", conjugate, METH_NOARGS, "Return self."},
    {"__trunc__", float_trunc, METH_NOARGS,
     "Return the Integral closest to x between 0 and x."},
    {"__floor__", float_floor, METH_NOARGS,
     "Return the floor as an Integral."},
    {"__ceil__", float_ceil, METH_NOARGS,
     "Return the ceiling as an Integral."},
    {"__round__", float_round, PYB_VARARGS,
     "Return the Integral closest to x, rounding half toward even."},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef pyb_float_getset[] = {
    {"real", get_real, NULL, "the real part of a complex number", NULL},
    {"imag", get_imag, NULL, "the imaginary part of a complex number", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
