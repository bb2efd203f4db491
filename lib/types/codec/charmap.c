/* charmap.c: encodings of one byte for a character, by a mapping of the
   caller's. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/decoding.h"
#include "types/codec/encoding.h"
#include "types/codec/natives.h"
#include "types/str/utf8.h"

static const char undefined[] = "character maps to <undefined>";

/* A character that a mapping gives for a byte that has none. */
#define NO_CHAR ((Py_UCS4)0xfffe)

/* mapping[key], a new reference; None if there is no such key, and NULL with
   an exception. */
static PyObject *
look_up(PyObject *mapping, Py_UCS4 key)
{
    PyObject *number = PyLong_FromUnsignedLong(key);

    if (number == NULL)
        return NULL;
    PyObject *value = PyObject_GetItem(mapping, number);
    Py_DECREF(number);
    if (value == NULL && PyErr_ExceptionMatches(PyExc_LookupError)) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    return value;
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* Appends the character of this number.  1, 0 for none, -1 with TypeError. */
static int
put_number(struct pyb_decoding *in, PyObject *number)
{
    int overflow;
    long ch = PyLong_AsLongAndOverflow(number, &overflow);

    if (ch == NO_CHAR)
        return 0;
    if (overflow != 0 || ch < 0 || ch >= (long)PYB_UNICODE_END)
        return pyb_failf(PyExc_TypeError,
                         "character mapping must be in range(0x%x)",
                         (unsigned)PYB_UNICODE_END);
    return pyb_decoding_char(in, (Py_UCS4)ch) < 0 ? -1 : 1;
}

static int
put_text(struct pyb_decoding *in, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);

    if (length == 1 && PyUnicode_READ_CHAR(text, 0) == NO_CHAR)
        return 0;
    in->length += length;
    return pyb_text_str(&in->out, text) < 0 ? -1 : 1;
}

/* Appends what the byte stands for.  1, 0 for nothing, -1 with an
   exception. */
static int
put_byte(struct pyb_decoding *in, PyObject *mapping, unsigned char byte)
{
    PyObject *value = look_up(mapping, byte);
    int result = 0;

    if (value == NULL)
        return -1;
    if (PyLong_Check(value))
        result = put_number(in, value);
    else if (PyUnicode_Check(value))
        result = put_text(in, value);
    else if (value != Py_None)
        result = pyb_fail(PyExc_TypeError, "character mapping must return "
                                           "integer, None or str");
    Py_DECREF(value);
    return result;
}

/* The same for a table: the byte's character is that of this index. */
static int
put_from_table(struct pyb_decoding *in, PyObject *table, unsigned char byte)
{
    Py_UCS4 ch = byte < PyUnicode_GET_LENGTH(table)
                     ? PyUnicode_READ_CHAR(table, byte)
                     : NO_CHAR;

    if (ch == NO_CHAR)
        return 0;
    return pyb_decoding_char(in, ch) < 0 ? -1 : 1;
}

PyObject *
PyUnicode_DecodeCharmap(const char *string, Py_ssize_t length,
                        PyObject *mapping, const char *errors)
{
    struct pyb_decoding in = {"charmap", errors, string, length, .length = 0};
    Py_ssize_t i = 0;

    if (mapping == NULL)
        return PyUnicode_DecodeLatin1(string, length, errors);
    while (i >= 0 && i < in.size) {
        unsigned char byte = (unsigned char)in.bytes[i];
        int put = PyUnicode_CheckExact(mapping)
                      ? put_from_table(&in, mapping, byte)
                      : put_byte(&in, mapping, byte);
        if (put < 0)
            i = -1;
        else if (put == 0)
            i = pyb_decoding_fault(&in, i, i + 1, undefined);
        else
            i++;
    }
    return pyb_decoding_end(&in, i < 0);
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

/* What the character becomes: an int that is a byte, bytes, or None.  A new
   reference, or NULL with an exception. */
static PyObject *
look_up_bytes(PyObject *mapping, Py_UCS4 ch)
{
    PyObject *value = look_up(mapping, ch);
    int overflow;

    if (value == NULL || value == Py_None || PyBytes_Check(value))
        return value;
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "character mapping must return integer, bytes or None, "
                     "not %.400s",
                     Py_TYPE(value)->tp_name);
        Py_CLEAR(value);
        return NULL;
    }
    long byte = PyLong_AsLongAndOverflow(value, &overflow);
    if (overflow != 0 || byte < 0 || byte > 255) {
        PyErr_SetString(PyExc_TypeError,
                        "character mapping must be in range(256)");
        Py_CLEAR(value);
    }
    return value;
}

static int
has_char(const struct pyb_encoding *encoding, Py_UCS4 ch)
{
    PyObject *value = look_up_bytes(encoding->mapping, ch);

    if (value == NULL)
        return -1;
    int result = value != Py_None;
    Py_DECREF(value);
    return result;
}

static int
put_char(struct pyb_encoding *encoding, Py_UCS4 ch)
{
    PyObject *value = look_up_bytes(encoding->mapping, ch);
    int result = 0;

    if (value == NULL)
        return -1;
    if (PyLong_Check(value)) {
        char byte = (char)PyLong_AsLong(value);
        result = pyb_text_bytes(&encoding->out, &byte, 1) < 0 ? -1 : 1;
    } else if (value != Py_None) {
        result = pyb_text_bytes(&encoding->out, PyBytes_AS_STRING(value),
                                PyBytes_GET_SIZE(value)) < 0
                     ? -1
                     : 1;
    }
    Py_DECREF(value);
    return result;
}

PyObject *
pyb_charmap_encode(PyObject *str, PyObject *mapping, const char *errors)
{
    static const struct pyb_encoder encoder = {
        "charmap", undefined, 1, PYB_UNICODE_END, has_char, put_char};
    struct pyb_encoding encoding = {&encoder, errors, str, mapping,
                                    .length = 0};

    return pyb_encoding_run(&encoding);
}

PyObject *
PyUnicode_AsCharmapString(PyObject *unicode, PyObject *mapping)
{
    if (unicode == NULL || !PyUnicode_Check(unicode) || mapping == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    return pyb_charmap_encode(unicode, mapping, NULL);
}

PyObject *
PyUnicode_BuildEncodingMap(PyObject *string)
{
    if (string == NULL || !PyUnicode_Check(string) ||
        PyUnicode_GET_LENGTH(string) == 0) {
        PyErr_BadArgument();
        return NULL;
    }
    PyObject *map = PyDict_New();
    Py_ssize_t length = Py_MIN(PyUnicode_GET_LENGTH(string), 256);
    for (Py_ssize_t i = 0; map != NULL && i < length; i++) {
        Py_UCS4 ch = PyUnicode_READ_CHAR(string, i);
        if (ch == NO_CHAR)
            continue;
        PyObject *key = PyLong_FromUnsignedLong(ch);
        PyObject *byte = PyLong_FromSsize_t(i);
        if (key == NULL || byte == NULL || PyDict_SetItem(map, key, byte) < 0)
            Py_CLEAR(map);
        Py_XDECREF(key);
        Py_XDECREF(byte);
    }
    return map;
}
