/* fieldspec.c: fuzzes __format__ and str.format; the specifier, the template
   and what goes into them come from the input.

   Promised: NULL with an exception, or a str without; no reference is kept;
   what a specifier makes of an object is what a template makes of it, and is
   at least as wide as it says. */

#include "fuzz.h"

#include <string.h>

/* The result of {0:spec}, if the specifier is none that a template reads in
   another way. */
static void
check_in_template(PyObject *args, const char *spec, PyObject *text)
{
    char template[80];

    if (strpbrk(spec, "{}") != NULL)
        return;
    snprintf(template, sizeof template, "{0:%s}", spec);
    PyObject *str = PyUnicode_DecodeUTF8(
        template, (Py_ssize_t)strlen(template), "surrogateescape");
    PyObject *format = PyObject_GetAttrString(str, "format");
    PyObject *again = PyObject_Call(format, args, NULL);
    fuzz_raised(again == NULL);
    fuzz_check((again == NULL) == (text == NULL));
    fuzz_check(text == NULL || PyUnicode_Compare(text, again) == 0);
    Py_XDECREF(again);
    Py_DECREF(format);
    Py_DECREF(str);
}

static void
check_width(const char *spec, PyObject *op, PyObject *text)
{
    size_t digits = strspn(spec, "0123456789");

    if (text != NULL && digits > 0 && PyLong_CheckExact(op))
        fuzz_check(PyUnicode_GetLength(text) >= atoi(spec) ||
                   strchr("<>=^", spec[1]) != NULL);
}

/* Could the object be a width of more than four digits?  A template takes
   widths from its arguments, too. */
static int
is_wide(PyObject *op)
{
    PyObject *text = PyObject_Str(op);
    int wide = text == NULL || PyUnicode_GetLength(text) > 4;

    PyErr_Clear();
    Py_XDECREF(text);
    return wide;
}

static int
has_nested_field(const char *spec)
{
    const char *field = strchr(spec, '{');

    return field != NULL && strchr(field + 1, '{') != NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    char spec[64];

    fuzz_text(&in, spec, sizeof(spec));
    fuzz_limit_numbers(spec);
    PyObject *str = PyUnicode_DecodeUTF8(spec, (Py_ssize_t)strlen(spec),
                                         "surrogateescape");
    PyObject *op = fuzz_object(&in), *other = fuzz_object(&in);
    PyObject *args = PyTuple_Pack(2, op, other);
    Py_ssize_t before = Py_REFCNT(op);

    PyObject *text = PyObject_Format(op, str);
    fuzz_raised(text == NULL);
    check_width(spec, op, text);
    check_in_template(args, spec, text);
    Py_XDECREF(text);

    if (!has_nested_field(spec) || (!is_wide(op) && !is_wide(other))) {
        PyObject *format = PyObject_GetAttrString(str, "format");
        text = PyObject_Call(format, args, NULL);
        fuzz_raised(text == NULL);
        fuzz_check(text == NULL || PyUnicode_Check(text));
        Py_XDECREF(text);
        Py_DECREF(format);
    }
    fuzz_check(Py_REFCNT(op) == before);
    Py_DECREF(args);
    Py_DECREF(other);
    Py_DECREF(op);
    Py_DECREF(str);
    fuzz_end();
    return 0;
}
