/* strcase.c: the methods of str for kinds of characters. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/chars.h"
#include "types/str/str.h"
#include "types/str/strcase.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* Changing the case                                                   */

enum { CAPITAL_SIGMA = 0x3a3, SMALL_SIGMA = 0x3c3, FINAL_SIGMA = 0x3c2 };

/* Is the character before p, apart from ignorable ones, a letter with a
   case? */
static int
cased_before(const char *start, const char *p)
{
    while (p > start) {
        const char *before = p = pyb_utf8_skip_back(p, 1);
        PYB_ASSERT(p >= start);
        Py_UCS4 ch = pyb_utf8_next(&before);
        if (!pyb_chars_is_ignorable(ch))
            return pyb_chars_is_cased(ch);
    }
    return 0;
}

/* Likewise for the character behind p. */
static int
cased_behind(const char *p, const char *end)
{
    while (p < end) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (!pyb_chars_is_ignorable(ch))
            return pyb_chars_is_cased(ch);
    }
    return 0;
}

/* Does the sigma between place and behind end a word of s? */
static int
is_final(PyObject *s, const char *place, const char *behind)
{
    return cased_before(pyb_str_text(s), place) &&
           !cased_behind(behind, pyb_str_end(s));
}

static int
write_chars(struct pyb_text *out, const Py_UCS4 *chars, int count)
{
    for (int i = 0; i < count; i++)
        if (pyb_text_char(out, chars[i]) < 0)
            return -1;
    return 0;
}

/* s mapped by other, except for the first character, or with words the first
   one of each word, which is mapped by first. */
static PyObject *
map(PyObject *s, pyb_chars_mapping first, pyb_chars_mapping other, int words)
{
    struct pyb_text out = {0};
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);

    for (int within = 0; p < end;) {
        const char *place = p;
        const pyb_chars_mapping change = within ? other : first;
        Py_UCS4 ch = pyb_utf8_next(&p), mapped[PYB_CHARS_LONGEST];
        int count = change(ch, mapped);
        PYB_ASSERT(count > 0 && count <= PYB_CHARS_LONGEST);

        if (ch == CAPITAL_SIGMA && mapped[0] == SMALL_SIGMA &&
            change != pyb_chars_fold && is_final(s, place, p))
            mapped[0] = FINAL_SIGMA;
        if (write_chars(&out, mapped, count) < 0) {
            pyb_text_drop(&out);
            return NULL;
        }
        within = !words || pyb_chars_is_cased(ch);
    }
    return pyb_text_finish(&out);
}

static int
to_other(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    if (Py_UNICODE_ISUPPER(ch))
        return pyb_chars_lower(ch, out);
    if (Py_UNICODE_ISLOWER(ch))
        return pyb_chars_upper(ch, out);
    out[0] = ch;
    return 1;
}

/* Methods that are an expression of s. */
#define METHOD(NAME, RESULT)                                                  \
    PyObject *pyb_strcase_##NAME(PyObject *s, PyObject *Py_UNUSED(ignored))   \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(lower, map(s, pyb_chars_lower, pyb_chars_lower, 0))
METHOD(upper, map(s, pyb_chars_upper, pyb_chars_upper, 0))
METHOD(fold, map(s, pyb_chars_fold, pyb_chars_fold, 0))
METHOD(swap, map(s, to_other, to_other, 0))
METHOD(title, map(s, pyb_chars_title, pyb_chars_lower, 1))
METHOD(capitalize, map(s, pyb_chars_title, pyb_chars_lower, 0))

/* ------------------------------------------------------------------ */
/* Queries                                                             */

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

METHOD(isalnum, all_and_some(s, Py_UNICODE_ISALNUM))
METHOD(isalpha, all_and_some(s, Py_UNICODE_ISALPHA))
METHOD(isdecimal, all_and_some(s, Py_UNICODE_ISDECIMAL))
METHOD(isdigit, all_and_some(s, Py_UNICODE_ISDIGIT))
METHOD(isnumeric, all_and_some(s, Py_UNICODE_ISNUMERIC))
METHOD(isspace, all_and_some(s, Py_UNICODE_ISSPACE))
METHOD(isascii, PyBool_FromLong(PyUnicode_IS_ASCII(s) != 0))
METHOD(isprintable, PyBool_FromLong(all(s, Py_UNICODE_ISPRINTABLE)))
METHOD(isidentifier, PyBool_FromLong(PyUnicode_IsIdentifier(s)))

/* Do letters with a case exist, and are all of them of the right case? */
static PyObject *
all_cased(PyObject *s, int (*test)(Py_UCS4))
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int some = 0;

    while (p < end) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (test(ch))
            some = 1;
        else if (pyb_chars_is_cased(ch))
            Py_RETURN_FALSE;
    }
    return PyBool_FromLong(some);
}

METHOD(islower, all_cased(s, Py_UNICODE_ISLOWER))
METHOD(isupper, all_cased(s, Py_UNICODE_ISUPPER))

PyObject *
pyb_strcase_istitle(PyObject *s, PyObject *Py_UNUSED(ignored))
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int some = 0;

    for (Py_UCS4 previous = 0; p < end;) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (pyb_chars_is_cased(ch)) {
            /* Lower case follows a letter, another case begins a word. */
            if (Py_UNICODE_ISLOWER(ch) != pyb_chars_is_cased(previous))
                Py_RETURN_FALSE;
            some = 1;
        }
        previous = ch;
    }
    return PyBool_FromLong(some);
}
