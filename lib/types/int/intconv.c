/* intconv.c: ints from C numbers, bytes and text, and back. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/int/bigint.h"
#include "types/int/int.h"
#include "types/int/inttext.h"
#include "types/str/str.h"

/* ------------------------------------------------------------------ */
/* From C numbers                                                      */

#define FROM(NAME, TYPE)                                                      \
    PyObject *NAME(TYPE v)                                                    \
    {                                                                         \
        return pyb_int_from(v);                                               \
    }
#define FROM_UNSIGNED(NAME, TYPE)                                             \
    PyObject *NAME(TYPE v)                                                    \
    {                                                                         \
        return pyb_int_from_wide(v);                                          \
    }

FROM(PyLong_FromLong, long)
FROM_UNSIGNED(PyLong_FromUnsignedLong, unsigned long)
FROM(PyLong_FromSsize_t, Py_ssize_t)
FROM_UNSIGNED(PyLong_FromSize_t, size_t)
FROM(PyLong_FromLongLong, long long)
FROM_UNSIGNED(PyLong_FromUnsignedLongLong, unsigned long long)
FROM(PyLong_FromInt32, int32_t)
FROM(PyLong_FromUInt32, uint32_t)
FROM(PyLong_FromInt64, int64_t)
FROM_UNSIGNED(PyLong_FromUInt64, uint64_t)

PyObject *
PyLong_FromVoidPtr(void *p)
{
    return pyb_int_from_wide((uintptr_t)p);
}

PyObject *
PyLong_FromDouble(double v)
{
    if (isnan(v))
        return pyb_raise(PyExc_ValueError,
                         "cannot convert float NaN to integer");
    if (isinf(v))
        return pyb_raise(PyExc_OverflowError,
                         "cannot convert float infinity to integer");
    /* cppcheck-suppress incorrectLogicOperator; it misreads the floats */
    if (v >= -0x1p63 && v < 0x1p63)
        return pyb_int_from((int64_t)v);
    int exponent;
    int64_t digits = (int64_t)ldexp(frexp(v, &exponent), DBL_MANT_DIG);
    return pyb_int_shifted(digits, (size_t)(exponent - DBL_MANT_DIG));
}

/* ------------------------------------------------------------------ */
/* From text                                                           */

static PyObject *
invalid_literal(int base, PyObject *shown)
{
    return PyErr_Format(PyExc_ValueError,
                        "invalid literal for int() with base %d: %.200R", base,
                        shown);
}

static int
check_base(int base)
{
    if (base == 0 || (2 <= base && base <= 36))
        return 0;
    return pyb_fail(PyExc_ValueError, "int() arg 2 must be >= 2 and <= 36");
}

/* Raises ValueError, and returns 1, if a text has more digits than it may. */
static int
has_too_many_digits(const struct pyb_inttext *text)
{
    int most = pyb_int_max_str_digits;

    if (most == 0 || (text->base & (text->base - 1)) == 0 ||
        text->count <= (size_t)most)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "Exceeds the limit (%d digits) for integer string "
                 "conversion: value has %zu digits; use "
                 "sys.set_int_max_str_digits() to increase the limit",
                 most, text->count);
    return 1;
}

/* The int of a text that pyb_inttext_parse has read. */
static PyObject *
from_parsed(const struct pyb_inttext *text)
{
    if (!text->large)
        return pyb_int_from_wide(text->negative ? -(pyb_int128)text->magnitude
                                                : (pyb_int128)text->magnitude);
    unsigned char *digits = PyMem_Malloc(text->count);
    if (digits == NULL)
        return PYB_MEMORY_ERROR(NULL);
    pyb_inttext_values(text, digits);
    PyObject *op = pyb_bigint_from_digits(digits, text->count, text->base,
                                          text->negative);
    PyMem_Free(digits);
    return op;
}

PyObject *
PyLong_FromString(const char *str, char **pend, int base)
{
    struct pyb_inttext text;

    if (check_base(base) < 0)
        return NULL;
    int result = pyb_inttext_parse(str, base, &text);
    if (pend != NULL)
        *pend = (char *)(uintptr_t)text.end;
    if (has_too_many_digits(&text))
        return NULL;
    if (result == 0)
        return from_parsed(&text);
    PyObject *shown =
        PyUnicode_FromStringAndSize(str, (Py_ssize_t)strnlen(str, 200));
    if (shown == NULL)
        return NULL;
    invalid_literal(text.base, shown);
    Py_DECREF(shown);
    return NULL;
}

PyObject *
PyLong_FromUnicodeObject(PyObject *u, int base)
{
    struct pyb_inttext text;
    PyObject *op = NULL;

    if (check_base(base) < 0)
        return NULL;
    PyObject *ascii = pyb_str_number(u);
    if (ascii == NULL)
        return NULL;
    int result = pyb_inttext_parse(pyb_str_text(ascii), base, &text);
    if (text.end != pyb_str_end(ascii)) /* a NUL does not end the text */
        result = -1;
    if (!has_too_many_digits(&text))
        op = result == 0 ? from_parsed(&text) : invalid_literal(base, u);
    Py_DECREF(ascii);
    return op;
}

/* ------------------------------------------------------------------ */
/* To C numbers                                                        */

/* The value of an int or an object with __index__, or the nearest one of 128
   bits: no C type has as many. */
static int
value_of_index(PyObject *op, pyb_int128 *v)
{
    if (op == NULL)
        return PYB_BAD_CALL(-1);
    if (PyLong_Check(op)) {
        *v = pyb_int_clamped(op);
        return 0;
    }
    PyObject *number = PyNumber_Index(op);
    if (number == NULL)
        return -1;
    *v = pyb_int_clamped(number);
    Py_DECREF(number);
    return 0;
}

/* The same of an int, and of no other object. */
static int
value_of_int(PyObject *op, pyb_int128 *v)
{
    if (op == NULL)
        return PYB_BAD_CALL(-1);
    if (!PyLong_Check(op))
        return pyb_fail(PyExc_TypeError, "an integer is required");
    *v = pyb_int_clamped(op);
    return 0;
}

_Static_assert(sizeof(long) == sizeof(int64_t) &&
                   sizeof(long long) == sizeof(int64_t),
               "a compact int fits in a long and in a Py_ssize_t");

/* Is op a compact int?  Most are, and need no conversion. */
static inline int
is_compact_int(PyObject *op)
{
    return op != NULL && PyLong_Check(op) && pyb_int_is_compact(op);
}

static int
overflow_error(const char *text)
{
    return pyb_fail(PyExc_OverflowError, text);
}

long
PyLong_AsLong(PyObject *op)
{
    pyb_int128 v;

    if (_PyB_LIKELY(is_compact_int(op)))
        return pyb_int_compact(op);
    if (value_of_index(op, &v) < 0)
        return -1;
    if (v < LONG_MIN || v > LONG_MAX)
        return overflow_error("Python int too large to convert to C long");
    return (long)v;
}

int
PyLong_AsInt(PyObject *op)
{
    pyb_int128 v;

    if (value_of_index(op, &v) < 0)
        return -1;
    if (v < INT_MIN || v > INT_MAX)
        return overflow_error("Python int too large to convert to C int");
    return (int)v;
}

long long
PyLong_AsLongLong(PyObject *op)
{
    pyb_int128 v;

    if (_PyB_LIKELY(is_compact_int(op)))
        return pyb_int_compact(op);
    if (value_of_index(op, &v) < 0)
        return -1;
    if (v < LLONG_MIN || v > LLONG_MAX)
        return overflow_error("int too big to convert");
    return (long long)v;
}

long
PyLong_AsLongAndOverflow(PyObject *op, int *overflow)
{
    pyb_int128 v;

    *overflow = 0;
    if (value_of_index(op, &v) < 0)
        return -1;
    *overflow = v > LONG_MAX ? 1 : v < LONG_MIN ? -1 : 0;
    return *overflow ? -1 : (long)v;
}

long long
PyLong_AsLongLongAndOverflow(PyObject *op, int *overflow)
{
    pyb_int128 v;

    *overflow = 0;
    if (value_of_index(op, &v) < 0)
        return -1;
    *overflow = v > LLONG_MAX ? 1 : v < LLONG_MIN ? -1 : 0;
    return *overflow ? -1 : (long long)v;
}

Py_ssize_t
PyLong_AsSsize_t(PyObject *op)
{
    pyb_int128 v;

    if (_PyB_LIKELY(is_compact_int(op)))
        return pyb_int_compact(op);
    if (value_of_int(op, &v) < 0)
        return -1;
    if (v < PY_SSIZE_T_MIN || v > PY_SSIZE_T_MAX)
        return overflow_error("Python int too large to convert to C ssize_t");
    return (Py_ssize_t)v;
}

/* The value of an int from 0 to limit; negative and large are the texts of the
   errors. */
static int
unsigned_value(PyObject *op, pyb_uint128 *v, uint64_t limit,
               const char *negative, const char *large)
{
    pyb_int128 number;

    if (value_of_int(op, &number) < 0)
        return -1;
    if (number < 0)
        return overflow_error(negative);
    if (number > limit)
        return overflow_error(large);
    *v = (pyb_uint128)number;
    return 0;
}

size_t
PyLong_AsSize_t(PyObject *op)
{
    pyb_uint128 v;

    if (unsigned_value(op, &v, SIZE_MAX,
                       "can't convert negative value to size_t",
                       "Python int too large to convert to C size_t") < 0)
        return (size_t)-1;
    return (size_t)v;
}

unsigned long
PyLong_AsUnsignedLong(PyObject *op)
{
    pyb_uint128 v;

    if (unsigned_value(op, &v, ULONG_MAX,
                       "can't convert negative value to unsigned int",
                       "Python int too large to convert to C unsigned "
                       "long") < 0)
        return (unsigned long)-1;
    return (unsigned long)v;
}

unsigned long long
PyLong_AsUnsignedLongLong(PyObject *op)
{
    pyb_uint128 v;

    if (unsigned_value(op, &v, ULLONG_MAX,
                       "can't convert negative int to unsigned",
                       "int too big to convert") < 0)
        return (unsigned long long)-1;
    return (unsigned long long)v;
}

/* The lowest 64 bits of an int or an object with __index__. */
static int
lowest_bits(PyObject *op, uint64_t *bits)
{
    if (op == NULL)
        return PYB_BAD_CALL(-1);
    PyObject *number = PyNumber_Index(op);
    if (number == NULL)
        return -1;
    const PyLongObject *self = (PyLongObject *)number;
    if (pyb_int_is_compact(number))
        *bits = (uint64_t)pyb_int_compact(number);
    else if (pyb_int_sign(number) < 0)
        *bits = -self->_pyb_number._pyb_limbs[0];
    else
        *bits = self->_pyb_number._pyb_limbs[0];
    Py_DECREF(number);
    return 0;
}

unsigned long
PyLong_AsUnsignedLongMask(PyObject *op)
{
    uint64_t bits;

    return lowest_bits(op, &bits) < 0 ? (unsigned long)-1
                                      : (unsigned long)bits;
}

unsigned long long
PyLong_AsUnsignedLongLongMask(PyObject *op)
{
    uint64_t bits;

    return lowest_bits(op, &bits) < 0 ? (unsigned long long)-1 : bits;
}

double
PyLong_AsDouble(PyObject *op)
{
    pyb_int128 v;
    double d;

    if (value_of_int(op, &v) < 0 || pyb_int_as_double(op, &d) < 0)
        return -1.0;
    return d;
}

void *
PyLong_AsVoidPtr(PyObject *op)
{
    pyb_int128 v;

    if (value_of_int(op, &v) < 0)
        return NULL;
    if (v < INTPTR_MIN || v > UINTPTR_MAX) {
        overflow_error(v < 0 ? "Python int too large to convert to C long"
                             : "Python int too large to convert to C unsigned "
                               "long");
        return NULL;
    }
    return (void *)(uintptr_t)v;
}

/* The value of op for a C type with the given limits. */
static int
fixed_value(PyObject *op, pyb_int128 *v, pyb_int128 least, pyb_int128 most,
            const char *text)
{
    if (value_of_index(op, v) < 0)
        return -1;
    if (*v < 0 && least == 0)
        return pyb_fail(PyExc_ValueError, "Cannot convert negative int");
    return *v < least || *v > most ? overflow_error(text) : 0;
}

#define AS_FIXED(NAME, TYPE, LEAST, MOST)                                     \
    int NAME(PyObject *op, TYPE *value)                                       \
    {                                                                         \
        pyb_int128 v;                                                         \
        if (fixed_value(op, &v, (LEAST), (MOST),                              \
                        "Python int too large to convert to C " #TYPE) < 0)   \
            return -1;                                                        \
        *value = (TYPE)v;                                                     \
        return 0;                                                             \
    }

AS_FIXED(PyLong_AsInt32, int32_t, INT32_MIN, INT32_MAX)
AS_FIXED(PyLong_AsUInt32, uint32_t, 0, UINT32_MAX)
AS_FIXED(PyLong_AsInt64, int64_t, INT64_MIN, INT64_MAX)
AS_FIXED(PyLong_AsUInt64, uint64_t, 0, UINT64_MAX)

/* ------------------------------------------------------------------ */
/* Bytes                                                               */

/* The byte order according to the flags. */
static int
little_endian(int flags)
{
    if (flags == Py_ASNATIVEBYTES_DEFAULTS ||
        (flags & 3) == Py_ASNATIVEBYTES_NATIVE_ENDIAN)
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (flags & Py_ASNATIVEBYTES_LITTLE_ENDIAN) != 0;
}

/* The number of bytes for an int, including its sign unless it is not negative
   and the flags allow omitting it. */
static Py_ssize_t
bytes_needed(PyObject *op, int flags)
{
    int is_unsigned = flags == Py_ASNATIVEBYTES_DEFAULTS ||
                      (flags & Py_ASNATIVEBYTES_UNSIGNED_BUFFER);
    size_t bits = pyb_int_bits(op);

    if (pyb_int_sign(op) < 0 && pyb_int_is_power_of_two(op))
        bits--; /* as many as ~op has */
    if (pyb_int_sign(op) < 0 || !is_unsigned)
        bits++;
    return bits > 8 ? (Py_ssize_t)((bits + 7) / 8) : 1;
}

/* The lowest n bytes of an int's two's complement. */
static void
to_bytes(PyObject *op, unsigned char *bytes, size_t n, int little)
{
    if (!pyb_int_is_compact(op)) {
        pyb_bigint_to_bytes(op, bytes, n, little);
        return;
    }
    int64_t rest = pyb_int_compact(op);
    for (size_t i = 0; i < n; i++, rest >>= 8)
        bytes[little ? i : n - 1 - i] = (unsigned char)rest;
}

Py_ssize_t
PyLong_AsNativeBytes(PyObject *op, void *buffer, Py_ssize_t n_bytes, int flags)
{
    int defaults = flags == Py_ASNATIVEBYTES_DEFAULTS;
    Py_ssize_t needed = -1;

    if (op == NULL || n_bytes < 0)
        return PYB_BAD_CALL(-1);
    if (!PyLong_Check(op) &&
        (defaults || !(flags & Py_ASNATIVEBYTES_ALLOW_INDEX)))
        return pyb_failf(PyExc_TypeError, "expect int, got %s",
                         Py_TYPE(op)->tp_name);
    PyObject *number = PyNumber_Index(op);
    if (number == NULL)
        return -1;
    if (pyb_int_sign(number) < 0 && !defaults &&
        (flags & Py_ASNATIVEBYTES_REJECT_NEGATIVE)) {
        PyErr_SetString(PyExc_ValueError, "Cannot convert negative int");
    } else {
        to_bytes(number, (unsigned char *)buffer, (size_t)n_bytes,
                 little_endian(flags));
        needed = bytes_needed(number, flags);
    }
    Py_DECREF(number);
    return needed;
}

/* The value of n bytes. */
static PyObject *
from_bytes(const unsigned char *bytes, size_t n, int little, int is_signed)
{
    uint64_t v = 0;

    if (n > sizeof v)
        return pyb_bigint_from_bytes(bytes, n, little, is_signed);
    if (n != 0 && is_signed && bytes[little ? n - 1 : 0] >= 0x80)
        v = UINT64_MAX;
    for (size_t i = n; i-- > 0;)
        v = v << 8 | bytes[little ? i : n - 1 - i];
    return is_signed ? pyb_int_from((int64_t)v) : pyb_int_from_wide(v);
}

PyObject *
PyLong_FromNativeBytes(const void *buffer, size_t n_bytes, int flags)
{
    int is_unsigned = flags != Py_ASNATIVEBYTES_DEFAULTS &&
                      (flags & Py_ASNATIVEBYTES_UNSIGNED_BUFFER);

    if (buffer == NULL)
        return PYB_BAD_CALL(NULL);
    return from_bytes((const unsigned char *)buffer, n_bytes,
                      little_endian(flags), !is_unsigned);
}

PyObject *
PyLong_FromUnsignedNativeBytes(const void *buffer, size_t n_bytes, int flags)
{
    if (buffer == NULL)
        return PYB_BAD_CALL(NULL);
    return from_bytes((const unsigned char *)buffer, n_bytes,
                      little_endian(flags), 0);
}

PyObject *
_PyLong_FromByteArray(const unsigned char *bytes, size_t n, int little_endian,
                      int is_signed)
{
    if (bytes == NULL)
        return PYB_BAD_CALL(NULL);
    return from_bytes(bytes, n, little_endian, is_signed);
}

/* What is wrong with that many bytes for an int; NULL if they suffice.  No
   bytes at all do for 0 and -1, which are only a sign. */
static const char *
misfit(PyObject *op, size_t n, int is_signed)
{
    int flags = is_signed ? 0 : Py_ASNATIVEBYTES_UNSIGNED_BUFFER;
    int fits = n != 0 ? (size_t)bytes_needed(op, flags) <= n
                      : pyb_int_clamped(op) <= 0 && pyb_int_clamped(op) >= -1;

    if (pyb_int_sign(op) < 0 && !is_signed)
        return "can't convert negative int to unsigned";
    return fits ? NULL : "int too big to convert";
}

int
_PyLong_AsByteArray(PyLongObject *op, unsigned char *bytes, size_t n,
                    int little, int is_signed, int with_exceptions)
{
    PyObject *self = (PyObject *)op;

    if (self == NULL || !PyLong_Check(self))
        return PYB_BAD_CALL(-1);
    const char *wrong = misfit(self, n, is_signed);
    if (is_signed || pyb_int_sign(self) >= 0)
        to_bytes(self, bytes, n, little);
    if (wrong != NULL && with_exceptions)
        PyErr_SetString(PyExc_OverflowError, wrong);
    return wrong != NULL ? -1 : 0;
}

/* ------------------------------------------------------------------ */
/* Queries                                                             */

int
_PyLong_Sign(PyObject *op)
{
    return pyb_int_sign(op);
}

int64_t
_PyLong_NumBits(PyObject *op)
{
    return (int64_t)pyb_int_bits(op);
}

/* -1, 0 or 1, or -2 with TypeError. */
static int
sign_of(PyObject *op)
{
    if (!PyLong_Check(op)) {
        PyErr_Format(PyExc_TypeError, "expected int, got %s",
                     Py_TYPE(op)->tp_name);
        return -2;
    }
    return pyb_int_sign(op);
}

int
PyLong_GetSign(PyObject *op, int *sign)
{
    int result = sign_of(op);

    if (result == -2)
        return -1;
    *sign = result;
    return 0;
}

int
PyLong_IsPositive(PyObject *op)
{
    int sign = sign_of(op);
    return sign == -2 ? -1 : sign == 1;
}

int
PyLong_IsNegative(PyObject *op)
{
    int sign = sign_of(op);
    return sign == -2 ? -1 : sign == -1;
}

int
PyLong_IsZero(PyObject *op)
{
    int sign = sign_of(op);
    return sign == -2 ? -1 : sign == 0;
}

int
PyUnstable_Long_IsCompact(const PyLongObject *op)
{
    return op->_pyb_size == 0;
}

Py_ssize_t
PyUnstable_Long_CompactValue(const PyLongObject *op)
{
    return (Py_ssize_t)op->_pyb_number._pyb_value;
}
