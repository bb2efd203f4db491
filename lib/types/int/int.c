/* int.c: the type int.

   What fits in 64 bits is computed here and in intmath.c, all else in bigint.c
   and bigconv.c; conversion to and from C types is in intconv.c, text in
   inttext.c, the methods in intmethods.c. */

#include "Python.h"

#include "gc/control.h"
#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/int/bigint.h"
#include "types/int/int.h"
#include "types/int/inttext.h"

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* Shared and immortal: the small numbers, which programs use most. */
#define ONE(n)                                                                \
    {                                                                         \
        {_Py_IMMORTAL_REFCNT, &PyLong_Type}, 0,                               \
        {                                                                     \
            (n)                                                               \
        }                                                                     \
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
set_value(PyObject *op, int64_t v)
{
    ((PyLongObject *)op)->_pyb_size = 0;
    ((PyLongObject *)op)->_pyb_number._pyb_value = v;
}

PyObject *
pyb_int_from(int64_t v)
{
    pyb_control_need("PyLong_FromLong");
    if (PYB_INT_SMALL_MIN <= v && v <= PYB_INT_SMALL_MAX)
        return (PyObject *)&small_ints[v - PYB_INT_SMALL_MIN];
    PyObject *op = pyb_freelist_new(&PyLong_Type, sizeof(PyLongObject));
    if (op != NULL)
        set_value(op, v);
    return op;
}

PyObject *
pyb_int_from_wide(pyb_int128 v)
{
    pyb_uint128 magnitude = pyb_intmath_magnitude(v);
    mp_limb_t limbs[] = {(mp_limb_t)magnitude, (mp_limb_t)(magnitude >> 64)};

    if (_PyB_LIKELY((int64_t)v == v))
        return pyb_int_from((int64_t)v);
    return pyb_bigint_from_limbs(limbs, Py_ARRAY_LENGTH(limbs), v < 0);
}

PyObject *
pyb_int_exact(PyObject *op)
{
    struct pyb_bigint_view view;

    if (PyLong_CheckExact(op))
        return Py_NewRef(op);
    if (pyb_int_is_compact(op))
        return pyb_int_from(pyb_int_compact(op));
    mpz_srcptr z = pyb_bigint_see(op, &view);
    return pyb_bigint_from_limbs(mpz_limbs_read(z), mpz_size(z),
                                 mpz_sgn(z) < 0);
}

/* ------------------------------------------------------------------ */
/* int(...)                                                            */

/* int(x, base). */
static PyObject *
from_text(PyObject *x, PyObject *base_object)
{
    if (x == NULL)
        return pyb_raise(PyExc_TypeError, "int() missing string argument");
    Py_ssize_t base = PyNumber_AsSsize_t(base_object, NULL);
    if (base == -1 && PyErr_Occurred())
        return NULL;
    if ((base != 0 && base < 2) || base > 36)
        return pyb_raise(PyExc_ValueError,
                         "int() base must be >= 2 and <= 36, or 0");
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
        PyObject *shown = PyBytes_FromObject(x);
        if (shown != NULL)
            PyErr_Format(PyExc_ValueError,
                         "invalid literal for int() with base %zd: %.200R",
                         base, shown);
        Py_XDECREF(shown);
        return NULL;
    }
    return pyb_raise(PyExc_TypeError,
                     "int() can't convert non-string with explicit base");
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
    if (op != NULL && pyb_int_is_compact(value))
        set_value(op, pyb_int_compact(value));
    else if (op != NULL && pyb_bigint_copy(op, value) < 0)
        Py_CLEAR(op);
    Py_DECREF(value);
    return op;
}

static void
int_dealloc(PyObject *op)
{
    if (_PyB_UNLIKELY(!pyb_int_is_compact(op)))
        pyb_bigint_drop(op);
    if (_PyB_LIKELY(PyLong_CheckExact(op)))
        pyb_freelist_del(op, sizeof(PyLongObject));
    else
        Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------ */
/* Basic slots                                                         */

PyObject *
_PyLong_Format(PyObject *op, int base)
{
    char buffer[PYB_INTTEXT_SIZE];

    if (!PyLong_Check(op))
        return PYB_BAD_CALL(NULL);
    if (!pyb_int_is_compact(op))
        return pyb_bigint_text(op, base, 1);
    return PyUnicode_FromString(
        pyb_inttext_format(pyb_int_compact(op), base, 1, buffer));
}

static PyObject *
int_repr(PyObject *op)
{
    return _PyLong_Format(op, 10);
}

static Py_hash_t
int_hash(PyObject *op)
{
    struct pyb_bigint_view view;
    Py_hash_t hash;

    if (!pyb_int_is_compact(op))
        hash =
            (Py_hash_t)mpz_tdiv_ui(pyb_bigint_see(op, &view), PyHASH_MODULUS);
    else if (0 <= pyb_int_compact(op) &&
             pyb_int_compact(op) < (int64_t)PyHASH_MODULUS)
        return pyb_int_compact(op);
    else
        hash = (Py_hash_t)(pyb_intmath_magnitude(pyb_int_compact(op)) %
                           PyHASH_MODULUS);
    if (pyb_int_sign(op) < 0)
        hash = -hash;
    return hash == -1 ? -2 : hash;
}

static PyObject *
int_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyLong_Check(a) || !PyLong_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (pyb_int_is_compact(a) && pyb_int_is_compact(b))
        Py_RETURN_RICHCOMPARE(pyb_int_compact(a), pyb_int_compact(b), op);
    int order = pyb_bigint_compare(a, b);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

/* NEED_INTS: leaves a binary slot to the other operand's type unless both
   operands are ints. */
#define NEED_INTS(a, b)                                                       \
    if (!PyLong_Check(a) || !PyLong_Check(b))                                 \
    Py_RETURN_NOTIMPLEMENTED

/* BOTH_COMPACT: the values of both operands; if one is big, the function is
   called instead. */
#define BOTH_COMPACT(a, b, x, y, FUNCTION)                                    \
    if (_PyB_UNLIKELY(!pyb_int_is_compact(a) || !pyb_int_is_compact(b)))      \
        return FUNCTION(a, b);                                                \
    int64_t x = pyb_int_compact(a), y = pyb_int_compact(b)

static PyObject *
int_add(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_add);
    int64_t sum;
    return _PyB_LIKELY(!__builtin_add_overflow(x, y, &sum))
               ? pyb_int_from(sum)
               : pyb_int_from_wide((pyb_int128)x + y);
}

static PyObject *
int_subtract(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_subtract);
    int64_t difference;
    return _PyB_LIKELY(!__builtin_sub_overflow(x, y, &difference))
               ? pyb_int_from(difference)
               : pyb_int_from_wide((pyb_int128)x - y);
}

static PyObject *
int_multiply(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_multiply);
    return pyb_int_from_wide((pyb_int128)x * y);
}

static PyObject *
int_floor_divide(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    if (pyb_int_sign(b) == 0)
        return pyb_raise(PyExc_ZeroDivisionError,
                         "integer division or modulo by zero");
    BOTH_COMPACT(a, b, x, y, pyb_bigint_floordiv);
    return y == -1 ? pyb_int_from_wide(-(pyb_int128)x)
                   : pyb_int_from(pyb_intmath_floordiv(x, y));
}

static PyObject *
int_remainder(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    if (pyb_int_sign(b) == 0)
        return pyb_raise(PyExc_ZeroDivisionError, "integer modulo by zero");
    BOTH_COMPACT(a, b, x, y, pyb_bigint_floormod);
    return pyb_int_from(y == -1 ? 0 : pyb_intmath_floormod(x, y));
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

/* Is op's number a double's, without rounding? */
static int
is_exact_double(PyObject *op)
{
    const int64_t most = (int64_t)1 << DBL_MANT_DIG;

    return pyb_int_is_compact(op) && -most <= pyb_int_compact(op) &&
           pyb_int_compact(op) <= most;
}

static PyObject *
int_true_divide(PyObject *a, PyObject *b)
{
    double quotient;

    NEED_INTS(a, b);
    if (pyb_int_sign(b) == 0)
        return pyb_raise(PyExc_ZeroDivisionError, "division by zero");
    if (is_exact_double(a) && is_exact_double(b))
        quotient = (double)pyb_int_compact(a) / (double)pyb_int_compact(b);
    else if (pyb_bigint_truediv(a, b, &quotient) < 0)
        return NULL;
    return PyFloat_FromDouble(quotient);
}

static PyObject *
int_power(PyObject *a, PyObject *b, PyObject *c)
{
    pyb_int128 power;

    NEED_INTS(a, b);
    if (c != Py_None) {
        if (!PyLong_Check(c))
            Py_RETURN_NOTIMPLEMENTED;
        if (pyb_int_sign(c) == 0)
            return pyb_raise(PyExc_ValueError,
                             "pow() 3rd argument cannot be 0");
        return pyb_bigint_powmod(a, b, c);
    }
    if (pyb_int_sign(b) < 0)
        return PyFloat_Type.tp_as_number->nb_power(a, b, c);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_power);
    return pyb_intmath_power(x, y, &power) < 0 ? pyb_bigint_power(a, b)
                                               : pyb_int_from_wide(power);
}

static PyObject *
int_negative(PyObject *op)
{
    return pyb_int_is_compact(op)
               ? pyb_int_from_wide(-(pyb_int128)pyb_int_compact(op))
               : pyb_bigint_negative(op);
}

static PyObject *
int_absolute(PyObject *op)
{
    return pyb_int_sign(op) < 0 ? int_negative(op) : pyb_int_exact(op);
}

static PyObject *
int_invert(PyObject *op)
{
    return pyb_int_is_compact(op) ? pyb_int_from(~pyb_int_compact(op))
                                  : pyb_bigint_invert(op);
}

static int
int_bool(PyObject *op)
{
    return pyb_int_sign(op) != 0;
}

static PyObject *
negative_shift(void)
{
    return pyb_raise(PyExc_ValueError, "negative shift count");
}

static PyObject *
int_lshift(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    if (pyb_int_sign(b) < 0)
        return negative_shift();
    if (pyb_int_sign(a) == 0)
        return pyb_int_from(0);
    if (!pyb_int_is_compact(b))
        return pyb_raise(PyExc_OverflowError, "too many digits in integer");
    int64_t count = pyb_int_compact(b);
    if (!pyb_int_is_compact(a) || count >= 64)
        return pyb_bigint_lshift(a, (size_t)count);
    return pyb_int_from_wide(
        (pyb_int128)((pyb_uint128)(pyb_int128)pyb_int_compact(a) << count));
}

static PyObject *
int_rshift(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    if (pyb_int_sign(b) < 0)
        return negative_shift();
    if (!pyb_int_is_compact(b))
        return pyb_int_from(pyb_int_sign(a) < 0 ? -1 : 0);
    int64_t count = pyb_int_compact(b);
    if (!pyb_int_is_compact(a))
        return pyb_bigint_rshift(a, (size_t)count);
    return pyb_int_from(pyb_int_compact(a) >> Py_MIN(count, 63));
}

static PyObject *
int_and(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_and);
    return pyb_int_from(x & y);
}

static PyObject *
int_xor(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_xor);
    return pyb_int_from(x ^ y);
}

static PyObject *
int_or(PyObject *a, PyObject *b)
{
    NEED_INTS(a, b);
    BOTH_COMPACT(a, b, x, y, pyb_bigint_or);
    return pyb_int_from(x | y);
}

static PyObject *
int_float(PyObject *op)
{
    double d;

    return pyb_int_as_double(op, &d) < 0 ? NULL : PyFloat_FromDouble(d);
}

static PyNumberMethods int_as_number = {
    .nb_add = int_add,
    .nb_subtract = int_subtract,
    .nb_multiply = int_multiply,
    .nb_remainder = int_remainder,
    .nb_divmod = int_divmod,
    .nb_power = int_power,
    .nb_negative = int_negative,
    .nb_positive = pyb_int_exact,
    .nb_absolute = int_absolute,
    .nb_bool = int_bool,
    .nb_invert = int_invert,
    .nb_lshift = int_lshift,
    .nb_rshift = int_rshift,
    .nb_and = int_and,
    .nb_xor = int_xor,
    .nb_or = int_or,
    .nb_int = pyb_int_exact,
    .nb_float = int_float,
    .nb_floor_divide = int_floor_divide,
    .nb_true_divide = int_true_divide,
    .nb_index = pyb_int_exact,
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
    .tp_methods = pyb_int_methods,
    .tp_getset = pyb_int_getset,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = int_new,
    .tp_free = PyObject_Free,
};
