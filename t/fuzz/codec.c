/* codec.c: fuzzes the codecs with each error handler, whole and in pieces,
   charmaps and translation.

   Promised: a handler that replaces everything lets no decoder fail, nor an
   encoder; what was decoded and has no surrogates is decoded again from what
   it is encoded to; and a text in pieces is decoded like the whole, but for
   octal escapes. */

#include "fuzz.h"

enum { TEXT = 128 };

static const char *const encodings[] = {
    "utf-7",  "utf-16",    "utf-16-le", "utf-16-be",
    "utf-32", "utf-32-le", "utf-32-be", "unicode-escape",
    "utf-8",  "latin-1",   "ascii",     "raw-unicode-escape",
};
enum { ENCODINGS = 12, REVERSED = 9 }; /* the first ones have all texts */

static const char *const handlers[] = {
    "ignore", "replace",         "backslashreplace",
    "strict", "surrogateescape", "surrogatepass",
};
enum { HANDLERS = 6, REPLACERS = 3 };

static int
has_surrogates(PyObject *str)
{
    PyObject *bytes = PyUnicode_AsUTF8String(str);

    PyErr_Clear();
    Py_XDECREF(bytes);
    return bytes == NULL;
}

static void
check_reversed(PyObject *str, const char *encoding)
{
    PyObject *bytes = PyUnicode_AsEncodedString(str, encoding, NULL);

    fuzz_check(bytes != NULL);
    PyObject *again = PyUnicode_FromEncodedObject(bytes, encoding, NULL);
    fuzz_check(again != NULL);
    fuzz_check(PyUnicode_Equal(again, str) == 1);
    Py_DECREF(again);
    Py_DECREF(bytes);
}

static PyObject *
feed(PyObject *decoder, const char *text, Py_ssize_t size, int final)
{
    return PyObject_CallMethod(decoder, "decode", "y#i", text, size, final);
}

static int
is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* Would an octal escape of the text go on at this place?  It ends with the
   piece that it begins in, as in CPython. */
static int
cuts_octal(const char *text, Py_ssize_t size, Py_ssize_t at,
           const char *encoding)
{
    return strcmp(encoding, "unicode-escape") == 0 && at > 0 && at < size &&
           is_octal(text[at - 1]) && is_octal(text[at]);
}

/* The text in two pieces; whole is what all of it decodes to, or NULL. */
static void
check_pieces(const char *text, Py_ssize_t size, Py_ssize_t at,
             const char *encoding, PyObject *whole)
{
    PyObject *decoder = PyCodec_IncrementalDecoder(encoding, NULL);
    PyObject *first, *second = NULL;

    fuzz_check(decoder != NULL);
    first = feed(decoder, text, at, 0);
    if (first != NULL)
        second = feed(decoder, text + at, size - at, 1);
    fuzz_raised(second == NULL);
    if (second != NULL && whole != NULL &&
        !cuts_octal(text, size, at, encoding)) {
        PyObject *both = PyUnicode_Concat(first, second);
        fuzz_check(PyUnicode_Equal(both, whole) == 1);
        Py_DECREF(both);
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_DECREF(decoder);
}

static void
check_encoders(PyObject *str, unsigned handler)
{
    for (int i = 0; i < ENCODINGS; i++) {
        PyObject *bytes =
            PyUnicode_AsEncodedString(str, encodings[i], handlers[handler]);
        fuzz_raised(bytes == NULL);
        fuzz_check(bytes != NULL || handler >= REPLACERS);
        Py_XDECREF(bytes);
    }
}

/* A mapping from characters to other ones, made of the text. */
static void
check_mappings(PyObject *str, PyObject *table, const char *text,
               Py_ssize_t size, const char *errors)
{
    PyObject *result = PyUnicode_DecodeCharmap(text, size, table, errors);
    fuzz_raised(result == NULL);
    Py_XDECREF(result);
    PyObject *map = PyUnicode_BuildEncodingMap(table);
    fuzz_raised(map == NULL);
    if (map == NULL)
        return;
    result = PyUnicode_AsCharmapString(str, map);
    fuzz_raised(result == NULL);
    Py_XDECREF(result);
    result = PyUnicode_Translate(str, map, errors);
    fuzz_check(result != NULL); /* it has no None */
    Py_DECREF(result);
    Py_DECREF(map);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    unsigned which = fuzz_below(&in, ENCODINGS);
    unsigned handler = fuzz_below(&in, HANDLERS);
    Py_ssize_t at = (Py_ssize_t)fuzz_below(&in, TEXT);
    const char *text = (const char *)in.p; /* nulls and all */
    Py_ssize_t n = Py_MIN((Py_ssize_t)(in.end - in.p), (Py_ssize_t)TEXT);

    PyObject *str =
        PyUnicode_Decode(text, n, encodings[which], handlers[handler]);
    int names = PyErr_ExceptionMatches(PyExc_UnicodeError) &&
                strstr(encodings[which], "unicode-escape") != NULL;
    fuzz_raised(str == NULL);
    fuzz_check(str != NULL || handler >= REPLACERS || names);
    PyObject *whole = handler == REPLACERS
                          ? Py_XNewRef(str)
                          : PyUnicode_Decode(text, n, encodings[which], NULL);
    PyErr_Clear();
    check_pieces(text, n, Py_MIN(at, n), encodings[which], whole);
    if (str != NULL) {
        if (which < REVERSED && !has_surrogates(str))
            check_reversed(str, encodings[which]);
        check_encoders(str, handler);
        PyObject *table = fuzz_str(&in);
        check_mappings(str, table, text, n, handlers[handler]);
        Py_DECREF(table);
    }
    Py_XDECREF(str);
    Py_XDECREF(whole);
    fuzz_end();
    return 0;
}
