/* percent.c: fuzzes str % object and bytes % object; the format and what goes
   into it come from the input.

   Promised: NULL with an exception, or a str or bytes without; no reference is
   kept; numbers look as C's printf has them where Python follows C. */

#include "fuzz.h"

#include <math.h>
#include <stdio.h>

/* Does the format of one unit mean to C what it means to Python?  With flag 0
   and a precision it does not, nor with '#' before o, x and X. */
static int
is_like_c(const char *format, const char *letters)
{
    size_t flags = strspn(format + 1, "-0 +#");
    const char *p = format + 1 + flags;

    if (*format != '%')
        return 0;
    p += strspn(p, "0123456789");
    if (*p == '.') {
        if (memchr(format, '0', 1 + flags) != NULL || atoi(p + 1) == 0)
            return 0;
        p++;
        p += strspn(p, "0123456789");
    }
    return *p != '\0' && strchr(letters, *p) != NULL && p[1] == '\0' &&
           (strchr("oxX", *p) == NULL || strchr(format, '#') == NULL);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
check_like_c(const char *format, PyObject *op, PyObject *text)
{
    char expected[2048], wide[80];

    if (PyFloat_CheckExact(op) && isfinite(PyFloat_AS_DOUBLE(op)) &&
        is_like_c(format, "eEfFgG")) {
        snprintf(expected, sizeof(expected), format, PyFloat_AS_DOUBLE(op));
    } else if (PyLong_CheckExact(op) && is_like_c(format, "dixXo")) {
        int overflow;
        long v = PyLong_AsLongAndOverflow(op, &overflow);
        size_t n = strlen(format);
        if (overflow || (v < 0 && strchr("di", format[n - 1]) == NULL) ||
            (strpbrk(format, " +") != NULL &&
             strchr("di", format[n - 1]) == NULL))
            return;
        snprintf(wide, sizeof(wide), "%.*sl%c", (int)n - 1, format,
                 format[n - 1]);
        snprintf(expected, sizeof(expected), wide, v);
    } else {
        return;
    }
    fuzz_check(text != NULL);
    fuzz_check(PyUnicode_EqualToUTF8(text, expected));
}

static PyObject *
make_dict(struct fuzz_input *in)
{
    PyObject *dict = PyDict_New();

    for (unsigned n = fuzz_below(in, 4); n > 0; n--) {
        PyObject *key = fuzz_str(in), *value = fuzz_object(in);
        fuzz_check(PyDict_SetItem(dict, key, value) == 0);
        Py_DECREF(key);
        Py_DECREF(value);
    }
    return dict;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    char format[64];

    fuzz_text(&in, format, sizeof(format));
    fuzz_limit_numbers(format);
    PyObject *str = PyUnicode_DecodeUTF8(format, (Py_ssize_t)strlen(format),
                                         "surrogateescape");
    PyObject *op = fuzz_below(&in, 8) == 7 ? make_dict(&in) : fuzz_object(&in);
    Py_ssize_t before = Py_REFCNT(op);

    PyObject *text = PyNumber_Remainder(str, op);
    fuzz_raised(text == NULL);
    check_like_c(format, op, text);
    Py_XDECREF(text);
    PyObject *bytes = PyBytes_FromString(format);
    Py_SETREF(bytes, PyNumber_Remainder(bytes, op));
    fuzz_raised(bytes == NULL);
    Py_XDECREF(bytes);
    fuzz_check(Py_REFCNT(op) == before);
    Py_DECREF(op);
    Py_DECREF(str);
    fuzz_end();
    return 0;
}
