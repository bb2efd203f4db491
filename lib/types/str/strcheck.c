/* strcheck.c: is a str as str.h says? */

#include "Python.h"

#include "types/str/str.h"
#include "types/str/utf8.h"

enum { SHORT = 64 };

/* Is the text that of a str (see utf8.h)?  Then each character is written as
   it was read. */
static int
is_text(const char *p, Py_ssize_t size)
{
    const char *end = p + size;
    char bytes[PYB_UTF8_LONGEST];

    while (p < end) {
        const unsigned char lead = (unsigned char)*p;
        const char *after = p;
        int length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

        if (length > end - p)
            return 0;
        Py_UCS4 ch = pyb_utf8_next(&after);
        if (ch >= PYB_UNICODE_END || pyb_utf8_put(bytes, ch) != length ||
            memcmp(bytes, p, (size_t)length) != 0)
            return 0;
        p = after;
    }
    return 1;
}

/* Is the flag right?  What is filled in may turn out to be ASCII where
   PyUnicode_New was told of greater characters. */
static int
is_flagged(const PyUnicodeObject *self, int ascii)
{
    if (self->_pyb_flags & PYB_STR_ASCII)
        return ascii;
    return !ascii || self->_pyb_chars == self + 1;
}

static void
check_text(const PyUnicodeObject *self)
{
    const char *text = self->_pyb_text;
    Py_ssize_t size = self->_pyb_size;
    const unsigned flags = self->_pyb_flags;

    PYB_ALWAYS(text != NULL && size >= 0 && text[size] == '\0', NULL,
               "the text of a str has no end");
    PYB_ALWAYS(is_text(text, size), NULL, "the text of a str is not UTF-8");
    PYB_ALWAYS(self->_pyb_length == pyb_utf8_count(text, size), NULL,
               "a str has not as many characters as were counted");
    PYB_ALWAYS(is_flagged(self, pyb_utf8_ascii(text, size) == size), NULL,
               "a str is ASCII, or is not, against its flag");
    PYB_ALWAYS(!(flags & PYB_STR_SURROGATES) ==
                   !pyb_str_has_surrogates(text, size),
               NULL, "a str has surrogates, or has not, against its flag");
    PYB_ALWAYS(self->hash == -1 || self->hash == Py_HashBuffer(text, size),
               NULL, "a str has the hash of another text");
}

/* Has the array the characters of the text? */
static int
is_array(const PyUnicodeObject *self, int kind)
{
    const char *p = self->_pyb_text;

    for (Py_ssize_t i = 0; i < self->_pyb_length; i++)
        if (PyUnicode_READ(kind, self->_pyb_chars, i) != pyb_utf8_next(&p))
            return 0;
    return 1;
}

static void
check_array(const PyUnicodeObject *self)
{
    const unsigned flags = self->_pyb_flags;
    int kind = (int)((flags & PYB_STR_KIND) >> PYB_STR_KIND_SHIFT);

    PYB_ALWAYS(kind == PyUnicode_1BYTE_KIND || kind == PyUnicode_2BYTE_KIND ||
                   kind == PyUnicode_4BYTE_KIND,
               NULL, "the array of a str has no kind");
    PYB_ALWAYS(PyUnicode_READ(kind, self->_pyb_chars, self->_pyb_length) == 0,
               NULL, "the array of a str has no end");
    PYB_ALWAYS((flags & PYB_STR_STALE) || is_array(self, kind), NULL,
               "a str has an array of other characters");
}

void
pyb_str_check_consistency(PyObject *op)
{
    const PyUnicodeObject *self =
        PYB_CAST(PyUnicodeObject, PyUnicode_Check, op);
    const unsigned flags = self->_pyb_flags;

    PYB_ALWAYS(self->_pyb_chars != NULL ||
                   !(flags & (PYB_STR_ASCII | PYB_STR_STALE)),
               NULL, "a str that needs its array has none");
    if (!(flags & PYB_STR_STALE))
        check_text(self);
    if (self->_pyb_chars != NULL)
        check_array(self);
}

void
pyb_str_check_short(PyObject *op)
{
    if (((PyUnicodeObject *)op)->_pyb_length <= SHORT)
        pyb_str_check_consistency(op);
}
