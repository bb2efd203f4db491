/* itemformat.c: formats of items: their sizes, and the values of items. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/memory/itemformat.h"

enum kind {
    PAD,
    CHAR,
    STRING,
    PASCAL,
    TRUTH,
    SIGNED,
    UNSIGNED,
    REAL,
    POINTER
};

/* A code; standard is 0 for one that only the native order has. */
struct code {
    enum kind kind;
    char letter;
    unsigned char native, align, standard;
};

#define CODE(LETTER, KIND, TYPE, STANDARD)                                    \
    {                                                                         \
        KIND, LETTER, sizeof(TYPE), _Alignof(TYPE), STANDARD                  \
    }

static const struct code codes[] = {
    CODE('x', PAD, char, 1),
    CODE('c', CHAR, char, 1),
    CODE('s', STRING, char, 1),
    CODE('p', PASCAL, char, 1),
    CODE('?', TRUTH, _Bool, 1),
    CODE('b', SIGNED, signed char, 1),
    CODE('B', UNSIGNED, unsigned char, 1),
    CODE('h', SIGNED, short, 2),
    CODE('H', UNSIGNED, unsigned short, 2),
    CODE('i', SIGNED, int, 4),
    CODE('I', UNSIGNED, unsigned, 4),
    CODE('l', SIGNED, long, 4),
    CODE('L', UNSIGNED, unsigned long, 4),
    CODE('q', SIGNED, long long, 8),
    CODE('Q', UNSIGNED, unsigned long long, 8),
    CODE('n', SIGNED, Py_ssize_t, 0),
    CODE('N', UNSIGNED, size_t, 0),
    CODE('e', REAL, short, 2),
    CODE('f', REAL, float, 4),
    CODE('d', REAL, double, 8),
    CODE('P', POINTER, void *, 0),
};

static const struct code *
find_code(char letter)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(codes); i++)
        if (codes[i].letter == letter)
            return &codes[i];
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Reading a format                                                    */

/* format moves along; the unit read last is `count' times `code', of which
   each takes `size' bytes, and the first is at `offset'.  `end' is where the
   unit after it would begin without alignment. */
struct reader {
    const char *format;
    int native, big_endian;
    const struct code *code;
    Py_ssize_t count, size, offset, end;
};

static struct reader
begin(const char *format)
{
    struct reader reader = {.format = format, .native = 1};

    reader.big_endian = PY_BIG_ENDIAN;
    if (*format != '\0' && strchr("@=<>!", *format) != NULL) {
        reader.native = *format == '@';
        if (*format == '<')
            reader.big_endian = 0;
        else if (*format == '>' || *format == '!')
            reader.big_endian = 1;
        reader.format++;
    }
    return reader;
}

static int
too_long(void)
{
    return pyb_fail(PyExc_ValueError, "total struct size too long");
}

static int
read_count(struct reader *reader)
{
    reader->count = 1;
    if (!Py_ISDIGIT(*reader->format))
        return 0;
    for (reader->count = 0; Py_ISDIGIT(*reader->format); reader->format++)
        if (__builtin_mul_overflow(reader->count, 10, &reader->count) ||
            __builtin_add_overflow(reader->count, *reader->format - '0',
                                   &reader->count))
            return too_long();
    if (*reader->format == '\0')
        return pyb_fail(PyExc_ValueError,
                        "repeat count given without format specifier");
    return 0;
}

/* Places the unit behind the one before.  The first one's offset is 0, which
   is aligned for any code. */
static int
place(struct reader *reader)
{
    Py_ssize_t align = reader->native ? reader->code->align : 1, bytes;

    reader->size =
        reader->native ? reader->code->native : reader->code->standard;
    if (__builtin_add_overflow(reader->end, align - 1, &reader->offset))
        return too_long();
    reader->offset -= reader->offset % align;
    if (__builtin_mul_overflow(reader->count, reader->size, &bytes) ||
        __builtin_add_overflow(reader->offset, bytes, &reader->end))
        return too_long();
    return 0;
}

/* Reads the next unit; 1, 0 at the end of the format, or -1 with
   ValueError. */
static int
read_unit(struct reader *reader)
{
    while (Py_ISSPACE(*reader->format))
        reader->format++;
    if (*reader->format == '\0')
        return 0;
    if (read_count(reader) < 0)
        return -1;
    reader->code = find_code(*reader->format);
    if (reader->code == NULL ||
        (!reader->native && reader->code->standard == 0))
        return pyb_fail(PyExc_ValueError, "bad char in struct format");
    reader->format++;
    return place(reader) < 0 ? -1 : 1;
}

Py_ssize_t
pyb_itemformat_size(const char *format)
{
    struct reader reader = begin(format);
    int unit;

    while ((unit = read_unit(&reader)) > 0)
        ;
    return unit < 0 ? -1 : reader.end;
}

Py_ssize_t
PyBuffer_SizeFromFormat(const char *format)
{
    if (format == NULL)
        return pyb_fail_null_argument();
    return pyb_itemformat_size(format);
}

int
pyb_itemformat_native(const char *format, char *letter)
{
    if (format == NULL)
        format = "B";
    if (*format == '@')
        format++;
    const struct code *code = *format == '\0' ? NULL : find_code(*format);
    if (code == NULL || format[1] != '\0' || code->kind == PAD ||
        code->kind == STRING || code->kind == PASCAL)
        return -1;
    *letter = *format;
    return code->native;
}

/* ------------------------------------------------------------------ */
/* Values                                                              */

/* The bits of an unsigned integer of up to 8 bytes. */
static uint64_t
read_bits(const char *data, Py_ssize_t size, int big_endian)
{
    uint64_t bits = 0;

    PYB_ASSERT(size <= (Py_ssize_t)sizeof bits);
    for (Py_ssize_t i = 0; i < size; i++) {
        Py_ssize_t at = big_endian ? i : size - 1 - i;
        bits = bits << 8 | (unsigned char)data[at];
    }
    return bits;
}

/* The value of bits in two's complement. */
static int64_t
extend_sign(uint64_t bits, Py_ssize_t size)
{
    PYB_ASSERT(size >= 1 && size <= (Py_ssize_t)sizeof bits);
    uint64_t sign = UINT64_C(1) << (8 * size - 1);

    return (int64_t)((bits ^ sign) - sign);
}

static double
real_value(uint64_t bits, Py_ssize_t size)
{
    uint32_t low_bits = (uint32_t)bits;
    const char half[2] = {(char)bits, (char)(bits >> 8)}; /* little-endian */
    double value;
    float narrow;

    PYB_ASSERT(size == 2 || size == sizeof narrow || size == sizeof value);
    if (size == 2)
        return PyFloat_Unpack2(half, 1);
    if (size == sizeof narrow) {
        memcpy(&narrow, &low_bits, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The value at data of a code that is not about many bytes. */
static PyObject *
unpack_value(enum kind kind, const char *data, Py_ssize_t size, int big_endian)
{
    uint64_t bits = read_bits(data, size, big_endian);

    switch (kind) {
    case CHAR:
        return PyBytes_FromStringAndSize(data, 1);
    case TRUTH:
        return PyBool_FromLong(bits != 0);
    case SIGNED:
        return PyLong_FromLongLong(extend_sign(bits, size));
    case REAL:
        return PyFloat_FromDouble(real_value(bits, size));
    default:
        PYB_ASSERT(kind == UNSIGNED || kind == POINTER);
        return PyLong_FromUnsignedLongLong(bits);
    }
}

PyObject *
pyb_itemformat_unpack_native(char letter, const char *data)
{
    const char format[2] = {letter, '\0'};
    char same;
    int size = pyb_itemformat_native(format, &same);

    if (size < 0)
        return PyErr_Format(PyExc_NotImplementedError,
                            "memoryview: format %s not supported", format);
    return unpack_value(find_code(letter)->kind, data, size, PY_BIG_ENDIAN);
}

/* The bytes of a string with its length in front; that is cut to what there
   is. */
static PyObject *
unpack_pascal(const char *data, Py_ssize_t room)
{
    Py_ssize_t length = room == 0 ? 0 : (unsigned char)*data;

    if (room == 0)
        return PyBytes_FromStringAndSize(NULL, 0);
    return PyBytes_FromStringAndSize(data + 1, Py_MIN(length, room - 1));
}

static int
unpack_unit(const struct reader *reader, const char *data, PyObject *values)
{
    enum kind kind = reader->code->kind;

    data += reader->offset;
    if (kind == PAD)
        return 0;
    if (kind == STRING)
        return pyb_append_stolen(
            values, PyBytes_FromStringAndSize(data, reader->count));
    if (kind == PASCAL)
        return pyb_append_stolen(values, unpack_pascal(data, reader->count));
    for (Py_ssize_t i = 0; i < reader->count; i++, data += reader->size)
        if (pyb_append_stolen(values, unpack_value(kind, data, reader->size,
                                                   reader->big_endian)) < 0)
            return -1;
    return 0;
}

/* The tuple of a list, or its one item; steals the list. */
static PyObject *
end(PyObject *values)
{
    PyObject *result = PyList_GET_SIZE(values) == 1
                           ? Py_NewRef(PyList_GET_ITEM(values, 0))
                           : PyList_AsTuple(values);

    Py_DECREF(values);
    return result;
}

PyObject *
pyb_itemformat_unpack(const char *format, const char *data, Py_ssize_t size)
{
    Py_ssize_t needed = pyb_itemformat_size(format);
    struct reader reader = begin(format);

    if (needed < 0)
        return NULL;
    if (needed > size)
        return PyErr_Format(
            PyExc_ValueError,
            "unpack_from requires a buffer of at least %zd bytes for "
            "unpacking %zd bytes at offset 0 (actual buffer size is %zd)",
            needed, needed, size);
    PyObject *values = PyList_New(0);
    if (values == NULL)
        return NULL;
    while (read_unit(&reader) > 0)
        if (unpack_unit(&reader, data, values) < 0) {
            Py_DECREF(values);
            return NULL;
        }
    return end(values);
}
