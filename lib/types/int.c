/* int.c: the type int: objects that hold 128-bit numbers.

   The arithmetic itself is in intmath.c, conversion to and from C types in
   intconv.c, text in inttext.c. */

#include "Python.h"

#include "gc/control.h"
#include "object/spare.h"
#include "types/int.h"
#include "types/inttext.h"

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* Shared and immortal: the small numbers, which programs use most. */
#define ONE(n)                                                                \
    {                                                                         \
        {_Py_IMMORTAL_REFCNT, &PyLong_Type}, (uint64_t)(n), (n) < 0 ? -1 : 0  \
    }
#define FOUR(n) ONE(n), ONE((n) + 1), ONE((n) + 2), ONE((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n)                                                         \
    SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)

static PyLongObject small_ints[] = {
    SIXTY_FOUR(PYB_INT_SMALL_MIN),
    SIXTY_FOUR(PYB_INT_SMALL_MIN + 64),
    SIXTY_FOUR(PYB_INT_SMALL_MIN + 128),
    SIXTY_FOUR(PYB_INT_SMALL_MIN + 192),
    FOUR(PYB_INT_SMALL_MIN + 256),
    ONE(255),
    ONE(PYB_INT_SMALL_MAX),
};
_Static_assert(Py_ARRAY_LENGTH(small_ints) ==
                   PYB_INT_SMALL_MAX - PYB_INT_SMALL_MIN + 1,
               "one object for each small int");

static void
set_value(PyObject *op, pyb_int128 v)
{
    ((PyLongObject *)op)->_pyb_low = (uint64_t)v;
    ((PyLongObject *)op)->_pyb_high = (int64_t)(v >> 64);
}

PyObject *
pyb_int_from(pyb_int128 v)
{
    pyb_control_need("PyLong_FromLong");
    if (PYB_INT_SMALL_MIN <= v && v <= PYB_INT_SMALL_MAX)
        return (PyObject *)&small_ints[(int)v - PYB_INT_SMALL_MIN];
    PyObject *op = pyb_spare_new(&PyLong_Type, sizeof(PyLongObject));
    if (op != NULL)
        set_value(op, v);
    return op;
}

PyObject *
pyb_int_too_large(void)
{
    PyErr_SetString(PyExc_OverflowError,
                    "Python int too large for pyboehm's 128-bit integers");
    return NULL;
}

/* An int of the value unless the function that made it failed. */
static PyObject *
checked(int status, pyb_int128 v)
{
    return status < 0 ? pyb_int_too_large() : pyb_int_from(v);
}

/* An int with op's value that is no instance of a subtype. */
static PyObject *
exact(PyObject *op)
{
    return PyLong_CheckExact(op) ? Py_NewRef(op)
                                 : pyb_int_from(pyb_int_value(op));
}

/* ------------------------------------------------------------------ */
/* int(...)                                                            */

/* int(x, base). */
static PyObject *
from_text(PyObject *x, PyObject *base_object)
{
    if (x == NULL) {
        PyErr_SetString(PyExc_TypeError, "int() missing string argument");
        return NULL;
    }
    Py_ssize_t base = PyNumber_AsSsize_t(base_object, NULL);
    if (base == -1 && PyErr_Occurred())
        return NULL;
    if ((base != 0 && base < 2) || base > 36) {
        PyErr_SetString(PyExc_ValueError,
                        "int() base must be >= 2 and <= 36, or 0");
        return NULL;
    }
    if (PyUnicode_Check(x))
        return PyLong_FromUnicodeObject(x, (int)base);
    if (PyBytes_Check(x) || PyByteArray_Check(x)) {
        const char *text =
            PyBytes_Check(x) ? PyBytes_AsString(x) : PyByteArray_AsString(x);
        char *end;
        PyObject *result = PyLong_FromString(text, &end, (int)base);
        if (result != NULL ? end == text + PyObject_Size(x)
                           : !PyErr_ExceptionMatches(PyExc_ValueError))
            return result;
        Py_XDECREF(result);
        PyErr_Format(PyExc_ValueError,
                     "invalid literal for int() with base %zd: %.200R", base,
                     x);
        return NULL;
    }
    PyErr_SetString(PyExc_TypeError,
                    "int() can't convert non-string with explicit base");
    return NULL;
}

static PyObject *
int_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "base", NULL};
    PyObject *x = NULL, *base = NULL, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:int", names, &x, &base))
        return NULL;
    if (base != NULL)
        value = from_text(x, base);
    else
        value = x != NULL ? PyNumber_Long(x) : pyb_int_from(0);
    if (value == NULL || type == &PyLong_Type)
        return value;

    PyObject *op = type->tp_alloc(type, 0);
    if (op != NULL)
        set_value(op, pyb_int_value(value));
    Py_DECREF(value);
    return op;
}

static void
int_dealloc(PyObject *op)
{
    if (_PyB_LIKELY(PyLong_CheckExact(op)))
        pyb_spare_del(op, sizeof(PyLongObject));
    else
        Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------ */
/* Basic slots                                                         */

PyObject *
_PyLong_Format(PyObject *op, int base)
{
    char buffer[PYB_INTTEXT_SIZE];

    if (!PyLong_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return PyUnicode_FromString(
        pyb_inttext_format(pyb_int_value(op), base, 1, buffer));
}

static PyObject *
int_repr(PyObject *op)
{
    return _PyLong_Format(op, 10);
}

static Py_hash_t
int_hash(PyObject *op)
{
    pyb_int128 v = pyb_int_value(op);

    if (_PyB_LIKELY(v >= 0 && v < (pyb_int128)PyHASH_MODULUS))
        return (Py_hash_t)v; /* no division of 128 bits: 65 instructions */
    Py_hash_t hash = (Py_hash_t)(pyb_intmath_magnitude(v) % PyHASH_MODULUS);

    if (v < 0)
        hash = -hash;
    return hash == -1 ? -2 : hash;
}

static PyObject *
int_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyLong_Check(a) || !PyLong_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    pyb_int128 x = pyb_int_value(a), y = pyb_int_value(b);
    Py_RETURN_RICHCOMPARE(x, y, op);
}

int
pyb_int_compare_double(pyb_int128 v, double d)
{
    /* 2^127: no int reaches it, and -2^127 is the least of all. */
    const double limit = 0x1p127;

    if (d >= limit)
        return -1;
    if (d < -limit)
        return 1;
    pyb_int128 whole = (pyb_int128)d;
    double fraction = d - (double)whole;
    if (v != whole)
        return v < whole ? -1 : 1;
    return fraction > 0 ? -1 : fraction < 0;
}

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

/* BOTH_INTS: leaves a binary slot to the other operand's type unless both
   operands are ints, whose values it declares. */
#define BOTH_INTS(a, b, x, y)                                                 \
    if (!PyLong_Check(a) || !PyLong_Check(b))                                 \
        Py_RETURN_NOTIMPLEMENTED;                                             \
    pyb_int128 x = pyb_int_value(a), y = pyb_int_value(b)

static PyObject *
zero_division(const char *text)
{
    PyErr_SetString(PyExc_ZeroDivisionError, text);
    return NULL;
}

static PyObject *
int_add(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    pyb_int128 sum;
    int status = -__builtin_add_overflow(x, y, &sum);
    return checked(status, sum);
}

static PyObject *
int_subtract(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    pyb_int128 difference;
    int status = -__builtin_sub_overflow(x, y, &difference);
    return checked(status, difference);
}

static PyObject *
int_multiply(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    pyb_int128 product = 0;
    int status = pyb_intmath_multiply(x, y, &product);
    return checked(status, product);
}

static PyObject *
int_floor_divide(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    pyb_int128 quotient = 0;
    if (y == 0)
        return zero_division("integer division or modulo by zero");
    int status = pyb_intmath_floordiv(x, y, &quotient);
    return checked(status, quotient);
}

static PyObject *
int_remainder(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    if (y == 0)
        return zero_division("integer modulo by zero");
    return pyb_int_from(pyb_intmath_floormod(x, y));
}

static PyObject *
int_divmod(PyObject *a, PyObject *b)
{
    PyObject *quotient = int_floor_divide(a, b);

    if (quotient == NULL || quotient == Py_NotImplemented)
        return quotient;
    PyObject *rest = int_remainder(a, b);
    PyObject *pair = rest != NULL ? PyTuple_Pack(2, quotient, rest) : NULL;
    Py_DECREF(quotient);
    Py_XDECREF(rest);
    return pair;
}

static PyObject *
int_true_divide(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    if (y == 0)
        return zero_division("division by zero");
    return PyFloat_FromDouble(pyb_intmath_truediv(x, y));
}

/* pow(base, exponent, modulus).  The sign of the result is the modulus'. */
static PyObject *
power_mod(pyb_int128 base, pyb_int128 exponent, pyb_int128 modulus)
{
    if (modulus == 0) {
        PyErr_SetString(PyExc_ValueError, "pow() 3rd argument cannot be 0");
        return NULL;
    }
    pyb_uint128 m = pyb_intmath_magnitude(modulus);
    pyb_uint128 b = pyb_intmath_magnitude(base) % m;
    if (base < 0 && b != 0)
        b = m - b;
    if (exponent < 0) {
        if (pyb_intmath_inverse(b, m, &b) < 0) {
            PyErr_SetString(PyExc_ValueError, "base is not invertible for the "
                                              "given modulus");
            return NULL;
        }
        if (exponent == PYB_INT128_MIN)
            return pyb_int_too_large();
        exponent = -exponent;
    }
    pyb_uint128 result = pyb_intmath_powmod(b, exponent, m);
    if (modulus < 0 && result != 0)
        return pyb_int_from(-(pyb_int128)(m - result));
    return pyb_int_from((pyb_int128)result);
}

static PyObject *
int_power(PyObject *a, PyObject *b, PyObject *c)
{
    BOTH_INTS(a, b, x, y);
    if (c != Py_None)
        return PyLong_Check(c) ? power_mod(x, y, pyb_int_value(c))
                               : Py_NewRef(Py_NotImplemented);
    if (y < 0)
        return PyFloat_Type.tp_as_number->nb_power(a, b, c);
    pyb_int128 power = 0;
    int status = pyb_intmath_power(x, y, &power);
    return checked(status, power);
}

static PyObject *
int_negative(PyObject *op)
{
    pyb_int128 v = pyb_int_value(op), negative = 0;
    int status =
        pyb_intmath_signed(pyb_intmath_magnitude(v), v > 0, &negative);
    return checked(status, negative);
}

static PyObject *
int_absolute(PyObject *op)
{
    return pyb_int_value(op) < 0 ? int_negative(op) : exact(op);
}

static PyObject *
int_invert(PyObject *op)
{
    return pyb_int_from(~pyb_int_value(op));
}

static int
int_bool(PyObject *op)
{
    return pyb_int_value(op) != 0;
}

static PyObject *
negative_shift(void)
{
    PyErr_SetString(PyExc_ValueError, "negative shift count");
    return NULL;
}

static PyObject *
int_lshift(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    pyb_int128 shifted = 0;
    if (y < 0)
        return negative_shift();
    int status = pyb_intmath_lshift(x, y, &shifted);
    return checked(status, shifted);
}

static PyObject *
int_rshift(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    return y < 0 ? negative_shift() : pyb_int_from(pyb_intmath_rshift(x, y));
}

static PyObject *
int_and(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    return pyb_int_from(x & y);
}

static PyObject *
int_xor(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    return pyb_int_from(x ^ y);
}

static PyObject *
int_or(PyObject *a, PyObject *b)
{
    BOTH_INTS(a, b, x, y);
    return pyb_int_from(x | y);
}

static PyObject *
int_float(PyObject *op)
{
    return PyFloat_FromDouble((double)pyb_int_value(op));
}

/* ------------------------------------------------------------------ */
/* Methods and attributes                                              */

static PyObject *
bit_length(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pyb_int_from(
        pyb_intmath_bits(pyb_intmath_magnitude(pyb_int_value(self))));
}

static PyObject *
bit_count(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    pyb_uint128 v = pyb_intmath_magnitude(pyb_int_value(self));
    return pyb_int_from(__builtin_popcountll((uint64_t)v) +
                        __builtin_popcountll((uint64_t)(v >> 64)));
}

static PyObject *
conjugate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return exact(self);
}

static PyObject *
get_self(PyObject *self, void *Py_UNUSED(closure))
{
    return exact(self);
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

static PyMethodDef int_methods[] = {
    {"bit_length", bit_length, METH_NOARGS,
     "Number of bits necessary to represent self in binary."},
    {"bit_count", bit_count, METH_NOARGS,
     "Number of ones in the binary representation of the absolute value."},
    {"conjugate", conjugate, METH_NOARGS, "Returns self."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef int_getset[] = {
    {"real", get_self, NULL, "the real part of a complex number", NULL},
    {"imag", get_zero, NULL, "the imaginary part of a complex number", NULL},
    {"numerator", get_self, NULL,
     "the numerator of a rational number in lowest terms", NULL},
    {"denominator", get_one, NULL,
     "the denominator of a rational number in lowest terms", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyNumberMethods int_as_number = {
    .nb_add = int_add,
    .nb_subtract = int_subtract,
    .nb_multiply = int_multiply,
    .nb_remainder = int_remainder,
    .nb_divmod = int_divmod,
    .nb_power = int_power,
    .nb_negative = int_negative,
    .nb_positive = exact,
    .nb_absolute = int_absolute,
    .nb_bool = int_bool,
    .nb_invert = int_invert,
    .nb_lshift = int_lshift,
    .nb_rshift = int_rshift,
    .nb_and = int_and,
    .nb_xor = int_xor,
    .nb_or = int_or,
    .nb_int = exact,
    .nb_float = int_float,
    .nb_floor_divide = int_floor_divide,
    .nb_true_divide = int_true_divide,
    .nb_index = exact,
};

PyTypeObject PyLong_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "int",
    .tp_basicsize = sizeof(PyLongObject),
    .tp_dealloc = int_dealloc,
    .tp_repr = int_repr,
    .tp_as_number = &int_as_number,
    .tp_hash = int_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_LONG_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "int([x]) -> integer\n"
              "int(x, base=10) -> integer",
    .tp_richcompare = int_richcompare,
    .tp_methods = int_methods,
    .tp_getset = int_getset,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = int_new,
    .tp_free = PyObject_Free,
};
