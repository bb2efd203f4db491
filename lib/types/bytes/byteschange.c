/* byteschange.c: the methods of bytes and bytearray that replace bytes by
   others, and hexadecimal digits. */

#include "Python.h"

#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "types/bytes/methods.h"

/* ------------------------------------------------------------------ */
/* replace                                                             */

/* An empty old one stands before each byte and at the end. */
static int
write_between(struct pyb_text *out, struct pyb_span bytes, struct pyb_span by,
              Py_ssize_t max)
{
    for (Py_ssize_t i = 0; i <= bytes.size; i++)
        if ((i < max && pyb_text_bytes(out, by.data, by.size) < 0) ||
            (i < bytes.size && pyb_text_bytes(out, bytes.data + i, 1) < 0))
            return -1;
    return 0;
}

static int
write_replaced(struct pyb_text *out, struct pyb_span bytes,
               struct pyb_span old, struct pyb_span by, Py_ssize_t max)
{
    const char *end = bytes.data + bytes.size, *place;

    if (old.size == 0)
        return write_between(out, bytes, by, max);
    while (max-- > 0 && (place = pyb_bytesfind_first(bytes, old)) != NULL) {
        if (pyb_text_bytes(out, bytes.data, place - bytes.data) < 0 ||
            pyb_text_bytes(out, by.data, by.size) < 0)
            return -1;
        bytes.data = place + old.size;
        bytes.size = end - bytes.data;
    }
    return pyb_text_bytes(out, bytes.data, bytes.size);
}

PyObject *
pyb_bytes_replace(PyObject *self, PyObject *args)
{
    PyObject *old_arg, *by_arg, *max_arg;
    Py_ssize_t max = -1;
    Py_buffer view, old_view, by_view;
    struct pyb_span old, by;
    struct pyb_text out = {0};

    /* The first call has CPython's message for a wrong number of arguments;
       the second one reads max. */
    if (!PyArg_UnpackTuple(args, "replace", 2, 3, &old_arg, &by_arg,
                           &max_arg) ||
        !PyArg_ParseTuple(args, "OO|n:replace", &old_arg, &by_arg, &max) ||
        pyb_bytes_arg(old_arg, &old_view, &old) < 0)
        return NULL;
    if (pyb_bytes_arg(by_arg, &by_view, &by) < 0) {
        PyBuffer_Release(&old_view);
        return NULL;
    }
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int failed = write_replaced(&out, bytes, old, by,
                                max < 0 ? PY_SSIZE_T_MAX : max) < 0;
    PyBuffer_Release(&view);
    PyBuffer_Release(&old_view);
    PyBuffer_Release(&by_view);
    return pyb_bytes_like_text(self, &out, failed);
}

/* ------------------------------------------------------------------ */
/* translate                                                           */

enum { BYTES = 256 };

PyObject *
pyb_bytes_maketrans(PyObject *Py_UNUSED(self), PyObject *args)
{
    PyObject *from_arg, *to_arg, *result = NULL;
    Py_buffer from_view, to_view;
    struct pyb_span from, to;

    if (!PyArg_UnpackTuple(args, "maketrans", 2, 2, &from_arg, &to_arg) ||
        pyb_bytes_arg(from_arg, &from_view, &from) < 0)
        return NULL;
    if (pyb_bytes_arg(to_arg, &to_view, &to) < 0) {
        PyBuffer_Release(&from_view);
        return NULL;
    }
    if (from.size != to.size)
        PyErr_SetString(PyExc_ValueError,
                        "maketrans arguments must have same length");
    else
        result = PyBytes_FromStringAndSize(NULL, BYTES);
    if (result != NULL) {
        char *table = PyBytes_AS_STRING(result);
        for (int i = 0; i < BYTES; i++)
            table[i] = (char)i;
        for (Py_ssize_t i = 0; i < from.size; i++)
            table[(unsigned char)from.data[i]] = to.data[i];
    }
    PyBuffer_Release(&from_view);
    PyBuffer_Release(&to_view);
    return result;
}

/* The bytes that are not dropped, as the table (NULL: as they are) has it. */
static PyObject *
translate(PyObject *self, const char *table, struct pyb_span drop)
{
    struct pyb_text out = {0};
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int failed = 0;

    for (Py_ssize_t i = 0; !failed && i < bytes.size; i++) {
        char c = bytes.data[i];
        if (drop.size > 0 && memchr(drop.data, c, (size_t)drop.size) != NULL)
            continue;
        if (table != NULL)
            c = table[(unsigned char)c];
        failed = pyb_text_bytes(&out, &c, 1) < 0;
    }
    PyBuffer_Release(&view);
    return pyb_bytes_like_text(self, &out, failed);
}

PyObject *
pyb_bytes_translate(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "delete", NULL};
    PyObject *table_arg, *drop_arg = NULL, *result = NULL;
    Py_buffer table_view = {0}, drop_view = {0};
    struct pyb_span table = {NULL, BYTES}, drop = {NULL, 0};

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:translate", names,
                                     &table_arg, &drop_arg))
        return NULL;
    if (table_arg != Py_None &&
        pyb_bytes_arg(table_arg, &table_view, &table) < 0)
        return NULL;
    if (table.size != BYTES)
        PyErr_SetString(PyExc_ValueError,
                        "translation table must be 256 characters long");
    else if (drop_arg == NULL ||
             pyb_bytes_arg(drop_arg, &drop_view, &drop) == 0)
        result = translate(self, table.data, drop);
    PyBuffer_Release(&table_view);
    PyBuffer_Release(&drop_view);
    return result;
}

/* ------------------------------------------------------------------ */
/* Hexadecimal digits                                                  */

static int
digit_value(Py_UCS4 c)
{
    if (c >= '0' && c <= '9')
        return (int)c - '0';
    if (c >= 'a' && c <= 'f')
        return (int)c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? (int)c - 'A' + 10 : -1;
}

/* Writes the bytes of pairs of digits; white space may stand between pairs. */
static int
read_hex(struct pyb_text *out, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), i = 0;

    while (i < length) {
        Py_UCS4 c = PyUnicode_ReadChar(text, i);
        if (c < 128 && Py_ISSPACE(c)) {
            i++;
            continue;
        }
        int high = digit_value(c), low = -1;
        if (high >= 0) {
            i++;
            low = i < length ? digit_value(PyUnicode_ReadChar(text, i)) : -1;
        }
        if (high < 0 || low < 0)
            return pyb_failf(PyExc_ValueError,
                             "non-hexadecimal number found in fromhex() arg "
                             "at position %zd",
                             i);
        char byte = (char)(high << 4 | low);
        if (pyb_text_bytes(out, &byte, 1) < 0)
            return -1;
        i++;
    }
    return 0;
}

PyObject *
pyb_bytes_fromhex(PyObject *type, PyObject *text)
{
    struct pyb_text out = {0};

    if (!PyUnicode_Check(text))
        return pyb_errors_type("fromhex() argument must be str, not %.50s",
                               text);
    PyObject *bytes = pyb_text_end_bytes(&out, read_hex(&out, text) < 0);
    if (bytes == NULL || type == (PyObject *)&PyBytes_Type)
        return bytes;
    PyObject *result = PyObject_CallOneArg(type, bytes);
    Py_DECREF(bytes);
    return result;
}

/* The separator as one ASCII character; -1 with an exception. */
static int
parse_separator(PyObject *sep)
{
    Py_ssize_t length = PyObject_Size(sep);
    Py_UCS4 c;

    if (length < 0)
        return -1;
    if (length != 1)
        return pyb_fail(PyExc_ValueError, "sep must be length 1.");
    if (PyUnicode_Check(sep))
        c = PyUnicode_ReadChar(sep, 0);
    else if (PyBytes_Check(sep))
        c = (unsigned char)*PyBytes_AS_STRING(sep);
    else
        return pyb_fail(PyExc_TypeError, "sep must be str or bytes.");
    if (c >= 128)
        return pyb_fail(PyExc_ValueError, "sep must be ASCII.");
    return (int)c;
}

/* Does a separator stand before byte i?  Groups are counted from the right,
   negative ones from the left; 0: none. */
static int
begins_group(Py_ssize_t i, Py_ssize_t size, Py_ssize_t group)
{
    if (i == 0 || group == 0)
        return 0;
    return group > 0 ? (size - i) % group == 0 : i % -group == 0;
}

PyObject *
pyb_bytes_hex(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"sep", "bytes_per_sep", NULL};
    PyObject *sep_arg = NULL;
    int sep = 0, group = 1, failed = 0;
    struct pyb_text out = {0};
    Py_buffer view;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO&:hex", names, &sep_arg,
                                     pyb_getargs_int, &group) ||
        (sep_arg != NULL && (sep = parse_separator(sep_arg)) < 0))
        return NULL;
    if (sep_arg == NULL)
        group = 0;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    for (Py_ssize_t i = 0; !failed && i < bytes.size; i++) {
        unsigned char byte = (unsigned char)bytes.data[i];
        const char three[] = {(char)sep, Py_hexdigits[byte >> 4],
                              Py_hexdigits[byte & 15]};
        int skip = !begins_group(i, bytes.size, group);
        failed = pyb_text_bytes(&out, three + skip, 3 - skip) < 0;
    }
    PyBuffer_Release(&view);
    return pyb_text_end(&out, failed);
}
