/* codecs.c: what is said of characters and bytes that an encoding does not
   have.  Manual: "Codec registry and support functions", "Unicode
   Exceptions". */

#include "oracle.h"

static const char *const handlers[] = {
    NULL,
    "strict",
    "ignore",
    "replace",
    "backslashreplace",
    "xmlcharrefreplace",
    "surrogateescape",
    "surrogatepass",
    "nonsense",
};
static const char *const encodings[] = {"utf-8", "ascii", "latin-1"};

static void
encode(PyObject *str)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(encodings); i++)
        for (size_t k = 0; k < Py_ARRAY_LENGTH(handlers); k++) {
            say("%s, %s", encodings[i],
                handlers[k] != NULL ? handlers[k] : "none");
            SHOW(PyUnicode_AsEncodedString(str, encodings[i], handlers[k]));
        }
}

/* Strings of up to three of these characters. */
static void
runs(void)
{
    enum { KINDS = 6 };
    static const Py_UCS4 chars[KINDS] = {'a',    0xe9,   0x20ac,
                                         0xd800, 0xdc80, 0x1f600};

    for (int code = 1; code < KINDS * KINDS * KINDS; code++) {
        Py_UCS4 text[3];
        Py_ssize_t length = 0;
        for (int rest = code; rest != 0; rest /= KINDS)
            text[length++] = chars[rest % KINDS];
        PyObject *str = need(
            PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, length));
        show_kept("text", str);
        encode(str);
        Py_DECREF(str);
    }
}

/* Nothing to encode or to decode: what is still looked at? */
static void
nothing(const char *encoding)
{
    PyObject *str = need(PyUnicode_FromString(""));
    PyObject *bytes = need(PyBytes_FromString(""));

    for (size_t k = 0; k < Py_ARRAY_LENGTH(handlers); k++) {
        const char *errors = handlers[k];
        say("nothing, %s, %s", encoding != NULL ? encoding : "no encoding",
            errors != NULL ? errors : "none");
        SHOW(PyUnicode_Decode("", 0, encoding, errors));
        SHOW(PyUnicode_FromEncodedObject(bytes, encoding, errors));
        SHOW(PyUnicode_AsEncodedString(str, encoding, errors));
        SHOW(PyObject_CallFunction((PyObject *)&PyUnicode_Type, "Oss", bytes,
                                   encoding != NULL ? encoding : "utf-8",
                                   errors != NULL ? errors : "strict"));
        SHOW(PyObject_CallFunction((PyObject *)&PyBytes_Type, "Oss", str,
                                   encoding != NULL ? encoding : "utf-8",
                                   errors != NULL ? errors : "strict"));
    }
    drop_all(str, bytes);
}

/* Errors of these functions name the argument. */
static void
arguments(void)
{
    PyObject *str = need(PyUnicode_FromString("a"));
    PyObject *bytes = need(PyBytes_FromString("a"));
    PyObject *array = need(PyByteArray_FromObject(bytes));
    PyObject *number = need(PyLong_FromLong(1));

    SHOW(PyObject_CallMethod(str, "encode", "i", 5));
    SHOW(PyObject_CallMethod(str, "encode", "si", "ascii", 5));
    SHOW(PyObject_CallMethod(bytes, "decode", "i", 5));
    SHOW(PyObject_CallMethod(array, "decode", "sO", "ascii", Py_None));
    SHOW(PyObject_CallFunction((PyObject *)&PyUnicode_Type, "Oi", bytes, 5));
    SHOW(PyObject_CallFunction((PyObject *)&PyBytes_Type, "Osi", str, "ascii",
                               5));
    SHOW(PyObject_CallFunction((PyObject *)&PyByteArray_Type, "Oi", str, 5));
    SHOW(PyObject_CallFunction((PyObject *)&PyModule_Type, "i", 5));
    SHOW(PyObject_CallMethod(number, "to_bytes", "ii", 1, 5));
    SHOW(PyObject_CallMethod(number, "from_bytes", "Oi", bytes, 5));
    drop_all(str, bytes, array, number);
}

void
oracle_program(void)
{
    runs();
    arguments();
    nothing(NULL);
    nothing("utf-8");
    nothing("ascii");
    nothing("latin-1");
    nothing("nonsense");
}
