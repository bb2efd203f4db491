/* charsets.c: encodings of one byte for a character by their names, and UTF-8
   with a mark.  Manual: Python's library, "Standard Encodings". */

#include "oracle.h"

static void
decoded(const char *name, const char *errors, const char *bytes,
        Py_ssize_t size)
{
    char label[60];

    snprintf(label, sizeof label, "%s, %s", name,
             errors != NULL ? errors : "strict");
    show(label, PyUnicode_Decode(bytes, size, name, errors));
}

static void
encoded(const char *name, const char *errors, const char *utf8)
{
    PyObject *str = need(PyUnicode_FromString(utf8));
    char label[60];

    snprintf(label, sizeof label, "%s, %s", name,
             errors != NULL ? errors : "strict");
    show(label, PyUnicode_AsEncodedString(str, name, errors));
    Py_DECREF(str);
}

static void
each_byte(const char *name)
{
    char bytes[256];

    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    decoded(name, NULL, bytes, 128);
    decoded(name, NULL, bytes, 256);
    decoded(name, "replace", bytes + 128, 128);
    decoded(name, "ignore", bytes + 128, 128);
    decoded(name, "surrogateescape", bytes + 128, 128);
    encoded(name, NULL, "plain");
    encoded(name, NULL, "na\xc3\xafve \xe2\x82\xac");
    encoded(name, "replace", "\xd0\x96 \xe2\x82\xac \xf0\x9f\x90\x8d!");
    encoded(name, "xmlcharrefreplace", "\xd0\x96 \xf0\x9f\x90\x8d!");
}

static void
by_codec(const char *name)
{
    PyObject *bytes = need(PyBytes_FromString("caf\xe9"));
    PyObject *text = need(PyUnicode_FromString("caf\xc3\xa9"));
    PyObject *decoder = need(PyCodec_IncrementalDecoder(name, "strict"));

    say("%s", name);
    RESULT(PyCodec_KnownEncoding(name));
    SHOW(PyCodec_Decode(bytes, name, NULL));
    SHOW(PyCodec_Encode(text, name, "strict"));
    SHOW(PyObject_CallMethod(decoder, "decode", "O", bytes));
    drop_all(bytes, text, decoder);
}

static void
with_mark(void)
{
    static const char name[] = "utf-8-sig";
    PyObject *encoder = need(PyCodec_IncrementalEncoder(name, "strict"));
    PyObject *decoder = need(PyCodec_IncrementalDecoder(name, "strict"));

    decoded(name, NULL, "\xef\xbb\xbfhey", 6);
    decoded(name, NULL, "hey", 3);
    decoded(name, NULL, "\xef\xbb\xbf\xef\xbb\xbf", 6);
    decoded(name, NULL, "\xef\xbb", 2);
    decoded(name, NULL, "\xef\xbb\xbf\xff", 4);
    decoded(name, "replace", "\xef\xbb\xbf\xff", 4);
    encoded(name, NULL, "hey");
    encoded(name, NULL, "");
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "one"));
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "two"));
    Py_XDECREF(PyObject_CallMethod(encoder, "reset", NULL));
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "again"));
    SHOW(PyObject_CallMethod(decoder, "decode", "y#", "\xef", (Py_ssize_t)1));
    SHOW(PyObject_CallMethod(decoder, "decode", "y#", "\xbb\xbfh",
                             (Py_ssize_t)3));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "\xef\xbb\xbf"));
    Py_XDECREF(PyObject_CallMethod(decoder, "reset", NULL));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "\xef\xbb\xbf"));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "\xc3"));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "\xa9"));
    SHOW(PyObject_CallMethod(decoder, "decode", "yi", "\xc3", 1));
    drop_all(encoder, decoder);
}

void
oracle_program(void)
{
    each_byte("cp1252");
    each_byte("Windows-1252");
    each_byte("iso8859-15");
    each_byte("ISO_8859-2");
    each_byte("koi8-r");
    each_byte("cp437");
    each_byte("cp1251");
    each_byte("cp1255");
    by_codec("cp1252");
    by_codec("iso8859_15");
    with_mark();
    RESULT(PyCodec_KnownEncoding("no such encoding"));
    RESULT(PyCodec_KnownEncoding(""));
    decoded("no such encoding", NULL, "abc", 3);
    decoded("cp0", NULL, "abc", 3);
}
