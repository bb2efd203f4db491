/* intmethods.c: the methods and attributes of int. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "types/format/format.h"
#include "types/int/bigint.h"
#include "types/int/int.h"

/* ------------------------------------------------------------------ */
/* Bits and bytes                                                      */

static PyObject *
bit_length(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pyb_int_from((int64_t)pyb_int_bits(self));
}

static PyObject *
bit_count(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    struct pyb_bigint_view view;
    return pyb_int_from(
        (int64_t)mpz_popcount(pyb_bigint_see_magnitude(self, &view)));
}

/* The flag of PyLong_AsNativeBytes for the name of an order, which may be
   NULL; -1 with ValueError. */
static int
order_flag(PyObject *name)
{
    if (name == NULL || PyUnicode_CompareWithASCIIString(name, "big") == 0)
        return Py_ASNATIVEBYTES_BIG_ENDIAN;
    if (PyUnicode_CompareWithASCIIString(name, "little") == 0)
        return Py_ASNATIVEBYTES_LITTLE_ENDIAN;
    return pyb_fail(PyExc_ValueError,
                    "byteorder must be either 'little' or 'big'");
}

static PyObject *
to_bytes(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"length", "byteorder", "signed", NULL};
    PyObject *order = NULL;
    Py_ssize_t length = 1;
    int is_signed = 0, flags;

    if (!pyb_getargs_named(args, kwds, "|nU$p:to_bytes", names, &length,
                           &order, &is_signed) ||
        (flags = order_flag(order)) < 0)
        return NULL;
    if (length < 0)
        return pyb_raise(PyExc_ValueError,
                         "length argument must be non-negative");
    if (pyb_int_sign(self) < 0 && !is_signed)
        return pyb_raise(PyExc_OverflowError,
                         "can't convert negative int to unsigned");
    if (!is_signed)
        flags |= Py_ASNATIVEBYTES_UNSIGNED_BUFFER;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, length);
    if (bytes == NULL)
        return NULL;
    Py_ssize_t needed =
        PyLong_AsNativeBytes(self, PyBytes_AS_STRING(bytes), length, flags);
    PYB_ASSERT(needed >= 0); /* self is an int, and the flags are right */
    /* No bytes at all suffice for 0 and -1, which are only a sign. */
    if (needed <= length || (length == 0 && pyb_int_clamped(self) <= 0 &&
                             pyb_int_clamped(self) >= -1))
        return bytes;
    Py_DECREF(bytes);
    return pyb_raise(PyExc_OverflowError, "int too big to convert");
}

static PyObject *
from_bytes(PyObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"bytes", "byteorder", "signed", NULL};
    PyObject *source, *order = NULL;
    int is_signed = 0, flags;

    if (!pyb_getargs_named(args, kwds, "O|U$p:from_bytes", names, &source,
                           &order, &is_signed) ||
        (flags = order_flag(order)) < 0)
        return NULL;
    PyObject *bytes = PyObject_Bytes(source);
    if (bytes == NULL)
        return NULL;
    if (!is_signed)
        flags |= Py_ASNATIVEBYTES_UNSIGNED_BUFFER;
    PyObject *op = PyLong_FromNativeBytes(
        PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes), flags);
    Py_DECREF(bytes);
    if (op != NULL && type != (PyObject *)&PyLong_Type)
        Py_SETREF(op, PyObject_CallOneArg(type, op));
    return op;
}

/* ------------------------------------------------------------------ */
/* Attributes of all numbers                                           */

static PyObject *
get_exact(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pyb_int_exact(self);
}

static PyObject *
is_integer(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_TRUE;
}

static PyObject *
as_integer_ratio(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(Ni)", pyb_int_exact(self), 1);
}

static PyObject *
int_round(PyObject *self, PyObject *args)
{
    PyObject *digits = NULL;

    if (!PyArg_UnpackTuple(args, "__round__", 0, 1, &digits))
        return NULL;
    if (digits == NULL)
        return pyb_int_exact(self);
    Py_ssize_t count = PyNumber_AsSsize_t(digits, NULL);
    if (count == -1 && PyErr_Occurred())
        return NULL;
    if (count >= 0)
        return pyb_int_exact(self);
    return pyb_bigint_round(self, -(size_t)count);
}

static PyObject *
get_self(PyObject *self, void *Py_UNUSED(closure))
{
    return pyb_int_exact(self);
}

static PyObject *
get_zero(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return pyb_int_from(0);
}

static PyObject *
get_one(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return pyb_int_from(1);
}

static PyObject *
getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(N)", pyb_int_exact(self));
}

PyMethodDef pyb_int_methods[] = {
    {"__format__", pyb_format_int, METH_O, NULL},
    {"bit_length", bit_length, METH_NOARGS,
     "Number of bits necessary to represent self in binary."},
    {"bit_count", bit_count, METH_NOARGS,
     "Number of ones in the binary representation of the absolute value."},
    {"to_bytes", _PyCFunction_CAST(to_bytes), METH_VARARGS | METH_KEYWORDS,
     "Return an array of bytes representing an integer."},
    {"from_bytes", _PyCFunction_CAST(from_bytes),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "Return the integer represented by the given array of bytes."},
    {"conjugate", get_exact, METH_NOARGS, "Returns self."},
    {"is_integer", is_integer, METH_NOARGS, "Returns True."},
    {"as_integer_ratio", as_integer_ratio, METH_NOARGS,
     "Return a pair of integers, whose ratio is equal to the original int."},
    {"__trunc__", get_exact, METH_NOARGS, "Truncating an int returns itself."},
    {"__floor__", get_exact, METH_NOARGS, "Flooring an int returns itself."},
    {"__ceil__", get_exact, METH_NOARGS, "Ceiling of an int returns itself."},
    {"__getnewargs__", getnewargs, METH_NOARGS, NULL},
    {"__round__", int_round, PYB_VARARGS,
     "Rounding an int returns itself; with ndigits, a multiple."},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef pyb_int_getset[] = {
    {"real", get_self, NULL, "the real part of a complex number", NULL},
    {"imag", get_zero, NULL, "the imaginary part of a complex number", NULL},
    {"numerator", get_self, NULL,
     "the numerator of a rational number in lowest terms", NULL},
    {"denominator", get_one, NULL,
     "the denominator of a rational number in lowest terms", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
