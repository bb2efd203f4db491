/* format.c: fuzzes PyUnicode_FromFormat and PyErr_Format: the format and the
   values come from the input, laid out by a reading of the format that is
   written here anew.

   Promised: NULL with an exception, or a str without; PyErr_Format says the
   same; no reference is kept; an integer looks as C's printf has it. */

#include "fuzz.h"

#include <stdio.h>

enum { WORDS = 30, OBJECTS = 4 };

static uint64_t words[WORDS];
static int nwords;
static PyObject *objects[OBJECTS];

static void
add_pointer(const void *pointer)
{
    words[nwords++] = (uint64_t)(uintptr_t)pointer;
}

static void
add_string(int wide)
{
    static const char *const narrow[] = {"", "caf\303\251", "\377\360\237"};

    if (wide)
        add_pointer(L"\u00e9t\u00e9");
    else
        add_pointer(narrow[nwords % 3]);
}

/* A width or a precision, perhaps from the values. */
static const char *
pass_number(const char *p, struct fuzz_input *in)
{
    if (*p == '*') {
        words[nwords++] = (uint64_t)(uint32_t)((int)fuzz_below(in, 200) - 100);
        return p + 1;
    }
    return p + strspn(p, "0123456789");
}

/* Lays out the values of the unit behind a '%'; returns its end. */
static const char *
add(const char *p, struct fuzz_input *in)
{
    p = pass_number(p + strspn(p, "-0#"), in);
    if (*p == '.')
        p = pass_number(p + 1, in);
    int wide = *p == 'l' && p[1] != 'l';
    if (*p == 'l')
        p += p[1] == 'l' ? 2 : 1;
    else if (*p != '\0' && strchr("jzt", *p) != NULL)
        p++;

    if (*p == '\0' || strchr("diouxXcpsVASRUTN", *p) == NULL)
        return p + (*p == '%');
    if (strchr("diouxXc", *p) != NULL) {
        words[nwords++] = fuzz_word(in);
    } else if (*p == 's') {
        add_string(wide);
    } else if (*p == 'U') {
        add_pointer(objects[0]);
    } else if (*p == 'V') {
        add_pointer(fuzz_below(in, 2) ? objects[0] : NULL);
        add_string(wide);
    } else {
        add_pointer(objects[fuzz_below(in, OBJECTS)]);
    }
    return p + 1;
}

static void
lay_out(char *format, struct fuzz_input *in)
{
    const char *p = format;

    nwords = 0;
    memset(words, 0, sizeof(words));
    while ((p = strchr(p, '%')) != NULL) {
        if (nwords > WORDS - 4) {
            format[p - format] = '\0';
            return;
        }
        p = add(p + 1, in);
    }
}

#define W(i)                                                                  \
    words[i], words[i + 1], words[i + 2], words[i + 3], words[i + 4],         \
        words[i + 5]
#define ALL_WORDS W(0), W(6), W(12), W(18), W(24)

/* Does the format mean to C what it means here?  The flag 0 with a precision
   and the precision 0 differ, and so does '#'. */
static int
is_like_c(const char *format)
{
    size_t flags = strspn(format + 1, "-0");
    size_t width = strspn(format + 1 + flags, "0123456789");
    const char *p = format + 1 + flags + width;
    int precision = *p == '.';

    if (*format != '%')
        return 0;
    if (precision) {
        p++;
        if (atoi(p) == 0 || memchr(format, '0', 1 + flags) != NULL)
            return 0;
        p += strspn(p, "0123456789");
    }
    p += strspn(p, "ljzt") <= 1 ? strspn(p, "ljzt") : 0;
    return *p != '\0' && strchr("diouxX", *p) != NULL && p[1] == '\0';
}

static void
check_like_c(const char *format, PyObject *text)
{
    char expected[2048];

    if (text == NULL || !is_like_c(format))
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(expected, sizeof(expected), format, words[0]);
#pragma GCC diagnostic pop
    fuzz_check(PyUnicode_EqualToUTF8(text, expected));
}

/* PyErr_Format's exception has the same text. */
static void
check_exception(const char *format, PyObject *text)
{
    PyErr_Format(PyExc_ValueError, format, ALL_WORDS);
    PyObject *exception = PyErr_GetRaisedException();
    fuzz_check(exception != NULL);
    if (text != NULL) {
        PyObject *said = PyObject_Str(exception);
        fuzz_check(said != NULL && PyUnicode_Equal(said, text) == 1);
        Py_DECREF(said);
    }
    Py_DECREF(exception);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    Py_ssize_t before[OBJECTS];
    char format[64];

    fuzz_text(&in, format, sizeof(format));
    fuzz_limit_numbers(format);
    objects[0] = fuzz_str(&in);
    objects[1] = Py_NewRef((PyObject *)&PyList_Type);
    for (int i = 2; i < OBJECTS; i++)
        objects[i] = fuzz_object(&in);
    for (int i = 0; i < OBJECTS; i++)
        before[i] = Py_REFCNT(objects[i]);
    lay_out(format, &in);

    PyObject *text = PyUnicode_FromFormat(format, ALL_WORDS);
    fuzz_raised(text == NULL);
    check_like_c(format, text);
    check_exception(format, text);
    Py_XDECREF(text);
    for (int i = 0; i < OBJECTS; i++) {
        fuzz_check(Py_REFCNT(objects[i]) == before[i]);
        Py_DECREF(objects[i]);
    }
    fuzz_end();
    return 0;
}
