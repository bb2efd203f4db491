/* text.c: fuzzes the codecs, repr and what takes a str apart.

   Promised: exactly what is UTF-8 is decoded; what surrogateescape decodes it
   encodes again; repr reads back; what is taken apart can be put together. */

#include "fuzz.h"

enum { TEXT = 128 };

/* The length of the UTF-8 character at p, 0 if there is none; by the table of
   the standard, where each row is the range of the second byte. */
static size_t
character(const unsigned char *p, size_t size)
{
    unsigned lead = p[0], low = 0x80, high = 0xbf;
    size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

    if (length == 1)
        return 1;
    if (lead < 0xc2 || lead > 0xf4 || size < length)
        return 0;
    low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : low;
    high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : high;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The number of characters, or -1. */
static Py_ssize_t
count(const char *text, size_t size)
{
    Py_ssize_t n = 0;

    for (size_t at = 0; at < size; n++) {
        size_t length = character((const unsigned char *)text + at, size - at);
        if (length == 0)
            return -1;
        at += length;
    }
    return n;
}

static void
check_bytes(PyObject *bytes, const char *text, size_t size)
{
    fuzz_check(bytes != NULL);
    fuzz_check(PyBytes_GET_SIZE(bytes) == (Py_ssize_t)size);
    fuzz_check(memcmp(PyBytes_AS_STRING(bytes), text, size) == 0);
    Py_DECREF(bytes);
}

static void
check_codec(const char *text, size_t size, const char *encoding,
            const char *errors)
{
    PyObject *str = PyUnicode_Decode(text, (Py_ssize_t)size, encoding, errors);

    fuzz_raised(str == NULL);
    if (str == NULL) {
        fuzz_check(strcmp(errors, "surrogateescape") != 0);
        return;
    }
    if (strcmp(errors, "strict") == 0 ||
        strcmp(errors, "surrogatepass") == 0 ||
        strcmp(errors, "surrogateescape") == 0)
        check_bytes(PyUnicode_AsEncodedString(str, encoding, errors), text,
                    size);
    PyObject *bytes =
        PyUnicode_AsEncodedString(str, "ascii", "backslashreplace");
    fuzz_check(bytes != NULL);
    Py_DECREF(bytes);
    Py_DECREF(str);
}

static void
check_utf8(const char *text, size_t size)
{
    Py_ssize_t n = count(text, size), consumed = -1;
    PyObject *str = PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, NULL);

    fuzz_raised(str == NULL);
    fuzz_check((str != NULL) == (n >= 0));
    if (str != NULL)
        fuzz_check(PyUnicode_GET_LENGTH(str) == n);
    Py_XDECREF(str);

    str = PyUnicode_DecodeUTF8Stateful(text, (Py_ssize_t)size, "replace",
                                       &consumed);
    fuzz_check(str != NULL && consumed >= 0 && consumed <= (Py_ssize_t)size &&
               consumed + 3 >= (Py_ssize_t)size);
    Py_DECREF(str);
}

static int
hex(const char **p, int digits)
{
    int value = 0;

    for (; digits > 0; digits--, ++*p)
        value = 16 * value +
                (Py_ISDIGIT(**p) ? **p - '0' : Py_TOLOWER(**p) - 'a' + 10);
    return value;
}

/* The character that repr wrote at *p. */
static Py_UCS4
unescape(PyObject *repr, const char **p)
{
    char c = *(*p)++;

    fuzz_check(PyUnicode_GET_LENGTH(repr) > 0);
    if (c != '\\')
        return (unsigned char)c;
    switch (c = *(*p)++) {
    case 'x':
        return (Py_UCS4)hex(p, 2);
    case 'u':
        return (Py_UCS4)hex(p, 4);
    case 'U':
        return (Py_UCS4)hex(p, 8);
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return (unsigned char)c;
    }
}

/* What PyObject_ASCII or the repr of bytes shows is op. */
static void
check_shown(PyObject *repr, PyObject *op, size_t prefix)
{
    fuzz_check(repr != NULL);
    const char *p = PyUnicode_AsUTF8(repr) + prefix;
    char quote = *p++;
    Py_ssize_t n = PyObject_Size(op);

    for (Py_ssize_t i = 0; i < n; i++) {
        fuzz_check(*p != quote && *p != '\0');
        Py_UCS4 shown = unescape(repr, &p);
        Py_UCS4 there = PyUnicode_Check(op)
                            ? PyUnicode_ReadChar(op, i)
                            : (unsigned char)PyBytes_AS_STRING(op)[i];
        fuzz_check(shown == there);
    }
    fuzz_check(*p == quote && p[1] == '\0');
    Py_DECREF(repr);
}

static void
check_equal(PyObject *op, PyObject *str)
{
    fuzz_check(op != NULL);
    fuzz_check(PyUnicode_Equal(op, str) == 1);
    Py_DECREF(op);
}

/* Taking str apart at sep, and putting it together again. */
static void
check_parts(PyObject *str, PyObject *sep)
{
    PyObject *parts = PyUnicode_Split(str, sep, -1);
    fuzz_raised(parts == NULL);
    fuzz_check((parts == NULL) == (PyUnicode_GET_LENGTH(sep) == 0));
    if (parts == NULL)
        return;
    Py_ssize_t n = PyUnicode_Count(str, sep, 0, PY_SSIZE_T_MAX);
    fuzz_check(PyList_GET_SIZE(parts) == n + 1);
    check_equal(PyUnicode_Join(sep, parts), str);
    Py_DECREF(parts);

    PyObject *three = PyUnicode_Partition(str, sep);
    fuzz_check(three != NULL);
    PyObject *nothing = PyUnicode_FromString("");
    check_equal(PyUnicode_Join(nothing, three), str);
    Py_DECREF(nothing);
    Py_DECREF(three);
    check_equal(PyUnicode_Replace(str, sep, sep, -1), str);
    Py_ssize_t found = PyUnicode_Find(str, sep, 0, PY_SSIZE_T_MAX, 1);
    fuzz_check((found >= 0) == (n > 0));
}

static void
check_str(PyObject *str, PyObject *sep, Py_ssize_t at)
{
    check_shown(PyObject_ASCII(str), str, 0);

    PyObject *left = PyUnicode_Substring(str, 0, at);
    PyObject *right = PyUnicode_Substring(str, at, PY_SSIZE_T_MAX);
    check_equal(PyUnicode_Concat(left, right), str);
    Py_DECREF(left);
    Py_DECREF(right);
    check_parts(str, sep);

    Py_UCS4 *copy = PyUnicode_AsUCS4Copy(str);
    fuzz_check(copy != NULL);
    check_equal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, copy,
                                          PyUnicode_GET_LENGTH(str)),
                str);
    PyMem_Free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const encodings[] = {"utf-8", "ascii", "latin-1"};
    static const char *const handlers[] = {
        "strict",           "replace",         "ignore",
        "backslashreplace", "surrogateescape", "surrogatepass",
    };
    struct fuzz_input in = fuzz_begin(data, size);
    char separator[8];
    const char *encoding = encodings[fuzz_below(&in, 3)];
    const char *errors = handlers[fuzz_below(&in, 6)];
    Py_ssize_t at = (Py_ssize_t)fuzz_below(&in, 16);
    size_t nsep = fuzz_text(&in, separator, sizeof(separator));
    const char *text = (const char *)in.p; /* nulls and all */
    size_t n = Py_MIN((size_t)(in.end - in.p), (size_t)TEXT);

    check_utf8(text, n);
    check_codec(text, n, encoding, errors);
    PyObject *bytes = PyBytes_FromStringAndSize(text, (Py_ssize_t)n);
    check_shown(PyObject_Repr(bytes), bytes, 1);
    Py_DECREF(bytes);
    PyObject *str =
        PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, "surrogateescape");
    PyObject *sep =
        PyUnicode_DecodeUTF8(separator, (Py_ssize_t)nsep, "surrogateescape");
    check_str(str, sep, at);
    Py_DECREF(str);
    Py_DECREF(sep);
    fuzz_end();
    return 0;
}
