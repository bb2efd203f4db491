/* strcase.c: the methods of str that are about kinds of characters. */

#include "Python.h"

#include "types/str.h"
#include "types/strcase.h"
#include "types/text.h"
#include "types/utf8.h"

static int
is_cased(Py_UCS4 ch)
{
    return Py_UNICODE_ISLOWER(ch) || Py_UNICODE_ISUPPER(ch) ||
           Py_UNICODE_ISTITLE(ch);
}

/* ------------------------------------------------------------------ */
/* Changing the case                                                   */

/* A mapper: what becomes of ch, which follows the character previous, 0 at
   the start. */
typedef Py_UCS4 (*mapper)(Py_UCS4 ch, Py_UCS4 previous);

static PyObject *
map(PyObject *s, mapper change)
{
    struct pyb_text out = {0};
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    Py_UCS4 previous = 0;

    while (p < end) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (pyb_text_char(&out, change(ch, previous)) < 0) {
            pyb_text_drop(&out);
            return NULL;
        }
        previous = ch;
    }
    return pyb_text_finish(&out);
}

static Py_UCS4
to_lower(Py_UCS4 ch, Py_UCS4 Py_UNUSED(previous))
{
    return Py_UNICODE_TOLOWER(ch);
}

static Py_UCS4
to_upper(Py_UCS4 ch, Py_UCS4 Py_UNUSED(previous))
{
    return Py_UNICODE_TOUPPER(ch);
}

static Py_UCS4
to_other(Py_UCS4 ch, Py_UCS4 Py_UNUSED(previous))
{
    return Py_UNICODE_ISUPPER(ch) ? Py_UNICODE_TOLOWER(ch)
                                  : Py_UNICODE_TOUPPER(ch);
}

static Py_UCS4
to_title(Py_UCS4 ch, Py_UCS4 previous)
{
    return is_cased(previous) ? Py_UNICODE_TOLOWER(ch)
                              : Py_UNICODE_TOTITLE(ch);
}

PyObject *
pyb_strcase_lower(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return map(s, to_lower);
}

PyObject *
pyb_strcase_upper(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return map(s, to_upper);
}

PyObject *
pyb_strcase_swap(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return map(s, to_other);
}

PyObject *
pyb_strcase_title(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return map(s, to_title);
}

PyObject *
pyb_strcase_capitalize(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    struct pyb_text out = {0};
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);

    for (int first = 1; p < end; first = 0) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        ch = first ? Py_UNICODE_TOTITLE(ch) : Py_UNICODE_TOLOWER(ch);
        if (pyb_text_char(&out, ch) < 0) {
            pyb_text_drop(&out);
            return NULL;
        }
    }
    return pyb_text_finish(&out);
}

/* ------------------------------------------------------------------ */
/* Questions                                                           */

static int
all(PyObject *s, int (*test)(Py_UCS4))
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);

    while (p < end)
        if (!test(pyb_utf8_next(&p)))
            return 0;
    return 1;
}

static PyObject *
all_and_some(PyObject *s, int (*test)(Py_UCS4))
{
    return PyBool_FromLong(pyb_str_size(s) > 0 && all(s, test));
}

PyObject *
pyb_strcase_isalnum(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISALNUM);
}

PyObject *
pyb_strcase_isalpha(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISALPHA);
}

PyObject *
pyb_strcase_isdecimal(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISDECIMAL);
}

PyObject *
pyb_strcase_isdigit(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISDIGIT);
}

PyObject *
pyb_strcase_isnumeric(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISNUMERIC);
}

PyObject *
pyb_strcase_isspace(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_and_some(s, Py_UNICODE_ISSPACE);
}

PyObject *
pyb_strcase_isascii(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(PyUnicode_IS_ASCII(s) != 0);
}

PyObject *
pyb_strcase_isprintable(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(all(s, Py_UNICODE_ISPRINTABLE));
}

PyObject *
pyb_strcase_isidentifier(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(PyUnicode_IsIdentifier(s));
}

/* Is there a letter with a case, and are all such of the right one? */
static PyObject *
all_cased(PyObject *s, int (*test)(Py_UCS4))
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int some = 0;

    while (p < end) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (test(ch))
            some = 1;
        else if (is_cased(ch))
            Py_RETURN_FALSE;
    }
    return PyBool_FromLong(some);
}

PyObject *
pyb_strcase_islower(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_cased(s, Py_UNICODE_ISLOWER);
}

PyObject *
pyb_strcase_isupper(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    return all_cased(s, Py_UNICODE_ISUPPER);
}

PyObject *
pyb_strcase_istitle(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int some = 0;

    for (Py_UCS4 previous = 0; p < end;) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (is_cased(ch)) {
            /* Lower case follows a letter, another case begins a word. */
            if (Py_UNICODE_ISLOWER(ch) != is_cased(previous))
                Py_RETURN_FALSE;
            some = 1;
        }
        previous = ch;
    }
    return PyBool_FromLong(some);
}
