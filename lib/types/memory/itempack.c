/* itempack.c: storing a value as a C object in a memoryview's memory. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/memory/itemformat.h"
#include "types/memory/memoryview.h"

/* A C object, and the bytes of it. */
union item {
    unsigned char bytes[8];
    long long integer;
    unsigned long long natural;
    signed char b;
    unsigned char B;
    short h;
    unsigned short H;
    int i;
    unsigned I;
    long l;
    unsigned long L;
    Py_ssize_t n;
    size_t N;
    float f;
    double d;
    void *P;
    _Bool truth;
};

static int
bad_value(char letter)
{
    return pyb_failf(PyExc_ValueError,
                     "memoryview: invalid value for format '%c'", letter);
}

static int
bad_type(char letter)
{
    return pyb_failf(PyExc_TypeError,
                     "memoryview: invalid type for format '%c'", letter);
}

/* Replaces the exception of a conversion by memoryview's, if it says no more
   than that. */
static int
fail(char letter)
{
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        return bad_type(letter);
    if (PyErr_ExceptionMatches(PyExc_OverflowError) ||
        PyErr_ExceptionMatches(PyExc_ValueError))
        return bad_value(letter);
    return -1;
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

/* Stores a value of a signed type if it is between the limits. */
#define SIGNED(FIELD, LEAST, MOST)                                            \
    if (value < (LEAST) || value > (MOST))                                    \
        return bad_value(letter);                                             \
    item->FIELD = (__typeof__(item->FIELD))value;                             \
    return 0

static int
pack_signed(char letter, PyObject *number, union item *item)
{
    long long value = PyLong_AsLongLong(number);

    if (value == -1 && PyErr_Occurred())
        return fail(letter);
    switch (letter) {
    case 'b':
        SIGNED(b, SCHAR_MIN, SCHAR_MAX);
    case 'h':
        SIGNED(h, SHRT_MIN, SHRT_MAX);
    case 'i':
        SIGNED(i, INT_MIN, INT_MAX);
    case 'l':
        SIGNED(l, LONG_MIN, LONG_MAX);
    case 'n':
        SIGNED(n, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX);
    default:
        item->integer = value;
        return 0;
    }
}

#define UNSIGNED(FIELD, MOST)                                                 \
    if (value > (MOST))                                                       \
        return bad_value(letter);                                             \
    item->FIELD = (__typeof__(item->FIELD))value;                             \
    return 0

static int
pack_unsigned(char letter, PyObject *number, union item *item)
{
    unsigned long long value = PyLong_AsUnsignedLongLong(number);

    if (value == (unsigned long long)-1 && PyErr_Occurred())
        return fail(letter);
    switch (letter) {
    case 'B':
        UNSIGNED(B, UCHAR_MAX);
    case 'H':
        UNSIGNED(H, USHRT_MAX);
    case 'I':
        UNSIGNED(I, UINT_MAX);
    case 'L':
        UNSIGNED(L, ULONG_MAX);
    case 'N':
        UNSIGNED(N, SIZE_MAX);
    default:
        item->natural = value;
        return 0;
    }
}

static int
pack_integer(char letter, PyObject *value, union item *item)
{
    PyObject *number = PyNumber_Index(value);

    if (number == NULL)
        return fail(letter);
    int result = strchr("bhilqn", letter) != NULL
                     ? pack_signed(letter, number, item)
                     : pack_unsigned(letter, number, item);
    Py_DECREF(number);
    return result;
}

static int
pack_real(char letter, PyObject *value, union item *item)
{
    double number = PyFloat_AsDouble(value);

    if (number == -1 && PyErr_Occurred())
        return fail(letter);
    if (letter == 'd') {
        item->d = number;
    } else if (letter == 'f') {
        item->f = (float)number;
    } else if (PyFloat_Pack2(number, (char *)item->bytes, PY_LITTLE_ENDIAN) <
               0) {
        return fail(letter);
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Others                                                              */

static int
pack_truth(PyObject *value, union item *item)
{
    int truth = PyObject_IsTrue(value);

    item->truth = truth > 0;
    return truth < 0 ? -1 : 0;
}

static int
pack_char(PyObject *value, union item *item)
{
    if (!PyBytes_Check(value))
        return bad_type('c');
    if (PyBytes_GET_SIZE(value) != 1)
        return bad_value('c');
    item->bytes[0] = (unsigned char)PyBytes_AS_STRING(value)[0];
    return 0;
}

static int
pack_pointer(PyObject *value, union item *item)
{
    item->P = PyLong_AsVoidPtr(value);
    return item->P == NULL && PyErr_Occurred() ? fail('P') : 0;
}

static int
pack(char letter, PyObject *value, union item *item)
{
    switch (letter) {
    case '?':
        return pack_truth(value, item);
    case 'c':
        return pack_char(value, item);
    case 'P':
        return pack_pointer(value, item);
    case 'e':
    case 'f':
    case 'd':
        return pack_real(letter, value, item);
    default:
        return pack_integer(letter, value, item);
    }
}

int
pyb_memory_pack(PyObject *op, char letter, char *data, PyObject *value)
{
    const char format[2] = {letter, '\0'};
    char same;
    union item item = {{0}};
    int size = pyb_itemformat_native(format, &same);

    if (size < 0)
        return pyb_failf(PyExc_NotImplementedError,
                         "memoryview: format %s not supported", format);
    if (pack(letter, value, &item) < 0 || !pyb_memory_is_usable(op))
        return -1;
    memcpy(data, item.bytes, (size_t)size);
    return 0;
}
