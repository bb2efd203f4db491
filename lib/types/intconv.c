/* intconv.c: ints from C numbers, bytes and text, and back. */

#include "Python.h"

#include "types/int.h"
#include "types/inttext.h"

/* ------------------------------------------------------------------ */
/* From C numbers                                                      */

#define FROM(NAME, TYPE)                                                      \
    PyObject *NAME(TYPE v)                                                    \
    {                                                                         \
        return pyb_int_from(v);                                               \
    }

FROM(PyLong_FromLong, long)
FROM(PyLong_FromUnsignedLong, unsigned long)
FROM(PyLong_FromSsize_t, Py_ssize_t)
FROM(PyLong_FromSize_t, size_t)
FROM(PyLong_FromLongLong, long long)
FROM(PyLong_FromUnsignedLongLong, unsigned long long)
FROM(PyLong_FromInt32, int32_t)
FROM(PyLong_FromUInt32, uint32_t)
FROM(PyLong_FromInt64, int64_t)
FROM(PyLong_FromUInt64, uint64_t)

PyObject *
PyLong_FromVoidPtr(void *p)
{
    return pyb_int_from((uintptr_t)p);
}

PyObject *
PyLong_FromDouble(double v)
{
    if (isnan(v)) {
        PyErr_SetString(PyExc_ValueError,
                        "cannot convert float NaN to integer");
        return NULL;
    }
    if (isinf(v)) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot convert float infinity to integer");
        return NULL;
    }
    /* cppcheck-suppress incorrectLogicOperator; it misreads the floats */
    if (v >= 0x1p127 || v < -0x1p127)
        return pyb_int_too_large();
    return pyb_int_from((pyb_int128)v);
}

/* ------------------------------------------------------------------ */
/* From text                                                           */

/* The int that text spells; shown is what an error quotes, or NULL for the
   text itself. */
static PyObject *
from_text(const char *text, const char **end, int base, PyObject *shown)
{
    pyb_int128 v = 0;

    switch (pyb_inttext_parse(text, end, base, &v)) {
    case PYB_INTTEXT_OK:
        return pyb_int_from(v);
    case PYB_INTTEXT_TOO_LARGE:
        return pyb_int_too_large();
    case PYB_INTTEXT_INVALID:
        break;
    }
    shown = shown != NULL ? Py_NewRef(shown)
                          : PyUnicode_FromStringAndSize(
                                text, (Py_ssize_t)strnlen(text, 200));
    if (shown == NULL)
        return NULL;
    PyErr_Format(PyExc_ValueError,
                 "invalid literal for int() with base %d: %.200R", base,
                 shown);
    Py_DECREF(shown);
    return NULL;
}

static int
check_base(int base)
{
    if (base == 0 || (2 <= base && base <= 36))
        return 0;
    PyErr_SetString(PyExc_ValueError, "int() arg 2 must be >= 2 and <= 36");
    return -1;
}

PyObject *
PyLong_FromString(const char *str, char **pend, int base)
{
    const char *end = str;

    if (check_base(base) < 0)
        return NULL;
    PyObject *result = from_text(str, &end, base, NULL);
    if (pend != NULL)
        *pend = (char *)(uintptr_t)end;
    return result;
}

PyObject *
PyLong_FromUnicodeObject(PyObject *u, int base)
{
    Py_ssize_t length;
    const char *end, *text = PyUnicode_AsUTF8AndSize(u, &length);

    if (text == NULL || check_base(base) < 0)
        return NULL;
    PyObject *result = from_text(text, &end, base, u);
    if (result != NULL && end != text + length) {
        Py_DECREF(result);
        PyErr_Format(PyExc_ValueError,
                     "invalid literal for int() with base %d: %.200R", base,
                     u);
        return NULL;
    }
    return result;
}

/* ------------------------------------------------------------------ */
/* To C numbers                                                        */

/* The value of an int or what has __index__. */
static int
value_of_index(PyObject *op, pyb_int128 *v)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (PyLong_Check(op)) {
        *v = pyb_int_value(op);
        return 0;
    }
    PyObject *number = PyNumber_Index(op);
    if (number == NULL)
        return -1;
    *v = pyb_int_value(number);
    Py_DECREF(number);
    return 0;
}

/* The value of an int and nothing else. */
static int
value_of_int(PyObject *op, pyb_int128 *v)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (!PyLong_Check(op)) {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return -1;
    }
    *v = pyb_int_value(op);
    return 0;
}

static int
overflow_error(const char *text)
{
    PyErr_SetString(PyExc_OverflowError, text);
    return -1;
}

long
PyLong_AsLong(PyObject *op)
{
    pyb_int128 v;

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

unsigned long
PyLong_AsUnsignedLongMask(PyObject *op)
{
    pyb_int128 v;

    return value_of_index(op, &v) < 0 ? (unsigned long)-1 : (unsigned long)v;
}

unsigned long long
PyLong_AsUnsignedLongLongMask(PyObject *op)
{
    pyb_int128 v;

    return value_of_index(op, &v) < 0 ? (unsigned long long)-1
                                      : (unsigned long long)v;
}

double
PyLong_AsDouble(PyObject *op)
{
    pyb_int128 v;

    return value_of_int(op, &v) < 0 ? -1.0 : (double)v;
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
    if (*v < 0 && least == 0) {
        PyErr_SetString(PyExc_ValueError, "Cannot convert negative int");
        return -1;
    }
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

/* What the flags say about the order of the bytes. */
static int
little_endian(int flags)
{
    if (flags == Py_ASNATIVEBYTES_DEFAULTS ||
        (flags & 3) == Py_ASNATIVEBYTES_NATIVE_ENDIAN)
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (flags & Py_ASNATIVEBYTES_LITTLE_ENDIAN) != 0;
}

/* How many bytes v takes, with its sign unless it has none and the flags allow
   to leave it out. */
static Py_ssize_t
bytes_needed(pyb_int128 v, int flags)
{
    int is_unsigned = flags == Py_ASNATIVEBYTES_DEFAULTS ||
                      (flags & Py_ASNATIVEBYTES_UNSIGNED_BUFFER);
    int bits = pyb_intmath_bits((pyb_uint128)(v < 0 ? ~v : v));

    if (v < 0 || !is_unsigned)
        bits++;
    return bits > 8 ? (bits + 7) / 8 : 1;
}

Py_ssize_t
PyLong_AsNativeBytes(PyObject *op, void *buffer, Py_ssize_t n_bytes, int flags)
{
    unsigned char *bytes = (unsigned char *)buffer;
    int defaults = flags == Py_ASNATIVEBYTES_DEFAULTS;
    pyb_int128 v;

    if (op == NULL || n_bytes < 0) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (!PyLong_Check(op) &&
        (defaults || !(flags & Py_ASNATIVEBYTES_ALLOW_INDEX))) {
        PyErr_Format(PyExc_TypeError, "expect int, got %s",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    if (value_of_index(op, &v) < 0)
        return -1;
    if (v < 0 && !defaults && (flags & Py_ASNATIVEBYTES_REJECT_NEGATIVE)) {
        PyErr_SetString(PyExc_ValueError, "Cannot convert negative int");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n_bytes; i++) {
        Py_ssize_t at = little_endian(flags) ? i : n_bytes - 1 - i;
        bytes[at] = (unsigned char)pyb_intmath_rshift(v, 8 * i);
    }
    return bytes_needed(v, flags);
}

/* The number that n bytes hold.  Bytes beyond the sixteenth may only repeat
   the sign. */
static PyObject *
from_bytes(const unsigned char *bytes, size_t n, int little, int is_signed)
{
    pyb_uint128 v = 0;
    int negative = 0;

    if (n != 0)
        negative = is_signed && bytes[little ? n - 1 : 0] >= 0x80;
    for (size_t i = n; i-- > 0;) {
        unsigned char byte = bytes[little ? i : n - 1 - i];
        if (i >= sizeof v && byte != (negative ? 0xff : 0))
            return pyb_int_too_large();
        if (i < sizeof v)
            v |= (pyb_uint128)byte << (8 * i);
    }
    if (negative && n < sizeof v)
        v |= ~(pyb_uint128)0 << (8 * n);
    if (negative ? v >> 127 == 0 : v >> 127 != 0)
        return pyb_int_too_large();
    return pyb_int_from((pyb_int128)v);
}

PyObject *
PyLong_FromNativeBytes(const void *buffer, size_t n_bytes, int flags)
{
    int is_unsigned = flags != Py_ASNATIVEBYTES_DEFAULTS &&
                      (flags & Py_ASNATIVEBYTES_UNSIGNED_BUFFER);

    if (buffer == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return from_bytes((const unsigned char *)buffer, n_bytes,
                      little_endian(flags), !is_unsigned);
}

PyObject *
PyLong_FromUnsignedNativeBytes(const void *buffer, size_t n_bytes, int flags)
{
    if (buffer == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return from_bytes((const unsigned char *)buffer, n_bytes,
                      little_endian(flags), 0);
}

/* ------------------------------------------------------------------ */
/* Questions                                                           */

/* -1, 0 or 1, or -2 with TypeError. */
static int
sign_of(PyObject *op)
{
    if (!PyLong_Check(op)) {
        PyErr_Format(PyExc_TypeError, "expected int, got %s",
                     Py_TYPE(op)->tp_name);
        return -2;
    }
    pyb_int128 v = pyb_int_value(op);
    return v < 0 ? -1 : v > 0;
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
    return op->_pyb_high == ((int64_t)op->_pyb_low < 0 ? -1 : 0);
}

Py_ssize_t
PyUnstable_Long_CompactValue(const PyLongObject *op)
{
    return (Py_ssize_t)op->_pyb_low;
}
