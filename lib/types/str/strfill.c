/* strfill.c: strings that are filled in: PyUnicode_New, and what changes a
   str.

   A str that is written to is stale (PYB_STR_STALE): its array counts, and its
   text is made from that when it is first asked for.  It has room for the
   longest text that may become, so that this cannot fail; the room is kept,
   and the str may become stale again as long as it is not shared.

   What is written through PyUnicode_DATA cannot be checked: characters that
   are none, or not ASCII where that was promised, are replaced. */

#include "Python.h"

#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

#define STR(op) PYB_CAST(PyUnicodeObject, PyUnicode_Check, op)

/* ------------------------------------------------------------------ */
/* The text of an array                                                */

/* The bytes of the longest text of that many characters of a kind, and its
   NUL: a character of one byte takes up to two in UTF-8, one of two three. */
static size_t
text_room(int kind, Py_ssize_t length)
{
    size_t longest = kind == PyUnicode_1BYTE_KIND   ? 2
                     : kind == PyUnicode_2BYTE_KIND ? 3
                                                    : 4;

    return longest * (size_t)length + 1;
}

/* Replaces what is not ASCII. */
static void
mend_ascii(char *text, Py_ssize_t size)
{
    for (Py_ssize_t i = pyb_utf8_ascii(text, size); i < size; i++)
        if ((unsigned char)text[i] >= 0x80)
            text[i] = '?';
}

/* Replaces what is no character, so that array and text stay the same. */
static void
mend_chars(Py_UCS4 *chars, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < length; i++)
        if (chars[i] >= PYB_UNICODE_END)
            chars[i] = Py_UNICODE_REPLACEMENT_CHARACTER;
}

void
pyb_str_settle(PyObject *op)
{
    PyUnicodeObject *self = STR(op);
    const int kind = PyUnicode_KIND(op);

    self->_pyb_flags &= ~(unsigned int)PYB_STR_STALE;
    if (PyUnicode_IS_ASCII(op)) {
        mend_ascii(self->_pyb_chars, self->_pyb_length);
        PYB_EXPENSIVE(pyb_str_check_short(op));
        return;
    }
    if (kind == PyUnicode_4BYTE_KIND)
        mend_chars(self->_pyb_chars, self->_pyb_length);
    char *text = (char *)(uintptr_t)self->_pyb_text, *out = text;
    for (Py_ssize_t i = 0; i < self->_pyb_length; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, self->_pyb_chars, i);
        if (Py_UNICODE_IS_SURROGATE(ch))
            self->_pyb_flags |= PYB_STR_SURROGATES;
        out += pyb_utf8_put(out, ch);
    }
    *out = '\0';
    self->_pyb_size = out - text;
    PYB_EXPENSIVE(pyb_str_check_short(op));
}

/* Makes op stale, with text, a block of PyMem_Malloc, as the room for its
   text. */
static void
make_stale(PyUnicodeObject *op, char *text)
{
    text[0] = '\0';
    op->_pyb_text = text;
    op->_pyb_size = 0;
    op->_pyb_flags &= ~(unsigned int)PYB_STR_SURROGATES;
    op->_pyb_flags |= PYB_STR_STALE;
}

/* ------------------------------------------------------------------ */
/* Making                                                              */

/* A str with an array for that many characters behind it, and no text. */
static PyUnicodeObject *
new_array(int kind, Py_ssize_t length)
{
    if (length > (PY_SSIZE_T_MAX / 4 - (Py_ssize_t)sizeof(PyUnicodeObject)))
        return PYB_MEMORY_ERROR(NULL);
    PyUnicodeObject *op = (PyUnicodeObject *)pyb_freelist_new(
        &PyUnicode_Type, sizeof(*op) + ((size_t)length + 1) * (size_t)kind);
    if (op == NULL)
        return NULL;
    op->_pyb_length = length;
    op->hash = -1;
    op->_pyb_chars = op + 1;
    op->_pyb_flags = (unsigned int)kind << PYB_STR_KIND_SHIFT;
    PyUnicode_WRITE(kind, op->_pyb_chars, length, 0);
    return op;
}

static PyObject *
new_ascii(Py_ssize_t length)
{
    PyUnicodeObject *op = new_array(PyUnicode_1BYTE_KIND, length);

    if (op == NULL)
        return NULL;
    op->_pyb_text = op->_pyb_chars;
    op->_pyb_size = length;
    op->_pyb_flags |= PYB_STR_ASCII | PYB_STR_STALE;
    return (PyObject *)op;
}

static PyObject *
new_other(int kind, Py_ssize_t length)
{
    PyUnicodeObject *op = new_array(kind, length);

    if (op == NULL)
        return NULL;
    char *text = PyMem_Malloc(text_room(kind, length));
    if (text == NULL) {
        PyObject_Free(op);
        return PYB_MEMORY_ERROR(NULL);
    }
    make_stale(op, text);
    return (PyObject *)op;
}

PyObject *
PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar)
{
    if (size == 0)
        return pyb_str_new("", 0);
    if (maxchar >= PYB_UNICODE_END)
        return pyb_raise(PyExc_SystemError,
                         "invalid maximum character passed to PyUnicode_New");
    if (size < 0)
        return pyb_raise(PyExc_SystemError,
                         "Negative size passed to PyUnicode_New");
    if (maxchar < 0x80)
        return new_ascii(size);
    return new_other(maxchar < 0x100     ? PyUnicode_1BYTE_KIND
                     : maxchar < 0x10000 ? PyUnicode_2BYTE_KIND
                                         : PyUnicode_4BYTE_KIND,
                     size);
}

/* ------------------------------------------------------------------ */
/* Changing                                                            */

/* 0 if op may be changed, else -1 with SystemError: nothing else may know its
   text. */
static int
check_modifiable(PyObject *op)
{
    if (Py_REFCNT(op) == 1 && STR(op)->hash == -1 &&
        !(STR(op)->_pyb_flags & PYB_STR_INTERNED) && PyUnicode_CheckExact(op))
        return 0;
    return pyb_fail(PyExc_SystemError,
                    "Cannot modify a string currently used");
}

/* Prepares op, which is modifiable, for a change of its array.  0, or -1 with
   MemoryError.  ASCII characters are the text, and are replaced by others. */
static int
open_chars(PyObject *op)
{
    PyUnicodeObject *self = STR(op);

    if (PyUnicode_IS_ASCII(op) || (self->_pyb_flags & PYB_STR_STALE))
        return 0;
    if (_PyUnicode_Ready(op) < 0)
        return -1;
    char *text = (char *)(uintptr_t)self->_pyb_text;
    if (text == (char *)(self + 1)) { /* which has no room for another text */
        text = PyMem_Malloc(text_room(PyUnicode_KIND(op), self->_pyb_length));
        if (text == NULL)
            return PYB_MEMORY_ERROR(-1);
    }
    make_stale(self, text);
    return 0;
}

int
PyUnicode_WriteChar(PyObject *unicode, Py_ssize_t index, Py_UCS4 character)
{
    if (pyb_str_check(unicode) < 0)
        return -1;
    if (index < 0 || index >= PyUnicode_GET_LENGTH(unicode))
        return pyb_fail(PyExc_IndexError, "string index out of range");
    if (check_modifiable(unicode) < 0)
        return -1;
    if (character > PyUnicode_MAX_CHAR_VALUE(unicode))
        return pyb_fail(PyExc_ValueError, "character out of range");
    if (open_chars(unicode) < 0)
        return -1;
    PyUnicode_WRITE(PyUnicode_KIND(unicode), STR(unicode)->_pyb_chars, index,
                    character);
    return 0;
}

Py_ssize_t
PyUnicode_Fill(PyObject *unicode, Py_ssize_t start, Py_ssize_t length,
               Py_UCS4 fill_char)
{
    if (!PyUnicode_Check(unicode))
        return PYB_BAD_CALL(-1);
    if (check_modifiable(unicode) < 0)
        return -1;
    if (start < 0)
        return pyb_fail(PyExc_IndexError, "string index out of range");
    if (fill_char > PyUnicode_MAX_CHAR_VALUE(unicode))
        return pyb_fail(PyExc_ValueError, "fill character is bigger than the "
                                          "string maximum character");
    length = Py_MIN(length, PyUnicode_GET_LENGTH(unicode) - start);
    if (length <= 0)
        return 0;
    if (open_chars(unicode) < 0)
        return -1;
    const int kind = PyUnicode_KIND(unicode);
    for (Py_ssize_t i = start; i < start + length; i++)
        PyUnicode_WRITE(kind, STR(unicode)->_pyb_chars, i, fill_char);
    return length;
}

/* ------------------------------------------------------------------ */
/* Copying                                                             */

/* Some characters of a str. */
struct part {
    PyObject *str;
    Py_ssize_t start, count;
};

/* A bound of the part's characters; the greatest of them unless the str's
   bound is enough. */
static Py_UCS4
greatest(struct part from, Py_UCS4 enough)
{
    Py_UCS4 most = PyUnicode_MAX_CHAR_VALUE(from.str);

    if (most <= enough)
        return most;
    const void *chars = STR(from.str)->_pyb_chars;
    most = 0;
    for (Py_ssize_t i = from.start; i < from.start + from.count; i++)
        most =
            Py_MAX(most, PyUnicode_READ(PyUnicode_KIND(from.str), chars, i));
    return most;
}

/* Copies to the array of to, which is stale or ASCII and wide enough, from
   index at on.  from has an array. */
static void
copy(PyObject *to, Py_ssize_t at, struct part from)
{
    const int kind = PyUnicode_KIND(to);
    void *out = STR(to)->_pyb_chars;
    const int other = PyUnicode_KIND(from.str);
    const char *in = STR(from.str)->_pyb_chars;

    if (kind == other) {
        memmove((char *)out + at * kind, in + from.start * kind,
                (size_t)(from.count * kind));
        return;
    }
    for (Py_ssize_t i = 0; i < from.count; i++)
        PyUnicode_WRITE(kind, out, at + i,
                        PyUnicode_READ(other, in, from.start + i));
}

static const char *
kind_name(PyObject *op)
{
    if (PyUnicode_IS_ASCII(op))
        return "ascii";
    switch (PyUnicode_KIND(op)) {
    case PyUnicode_1BYTE_KIND:
        return "latin1";
    case PyUnicode_2BYTE_KIND:
        return "UCS2";
    default:
        return "UCS4";
    }
}

/* Are these indices of a part of op?  0, or -1 with IndexError. */
static int
check_start(PyObject *op, Py_ssize_t start)
{
    if (start >= 0 && start <= PyUnicode_GET_LENGTH(op))
        return 0;
    return pyb_fail(PyExc_IndexError, "string index out of range");
}

Py_ssize_t
PyUnicode_CopyCharacters(PyObject *to, Py_ssize_t to_start, PyObject *from,
                         Py_ssize_t from_start, Py_ssize_t how_many)
{
    if (!PyUnicode_Check(from) || !PyUnicode_Check(to))
        return PYB_BAD_CALL(-1);
    if (check_start(from, from_start) < 0 || check_start(to, to_start) < 0)
        return -1;
    if (how_many < 0)
        return pyb_fail(PyExc_SystemError, "how_many cannot be negative");
    how_many = Py_MIN(how_many, PyUnicode_GET_LENGTH(from) - from_start);
    if (how_many > PyUnicode_GET_LENGTH(to) - to_start)
        return pyb_failf(PyExc_SystemError,
                         "Cannot write %zi characters at %zi in a string of "
                         "%zi characters",
                         how_many, to_start, PyUnicode_GET_LENGTH(to));
    if (how_many == 0)
        return 0;
    if (check_modifiable(to) < 0)
        return -1;
    struct part part = {from, from_start, how_many};
    const Py_UCS4 most = PyUnicode_MAX_CHAR_VALUE(to);
    if (_PyUnicode_Ready(from) < 0)
        return -1;
    if (greatest(part, most) > most)
        return pyb_failf(PyExc_SystemError,
                         "Cannot copy %s characters into a string of %s "
                         "characters",
                         kind_name(from), kind_name(to));
    if (open_chars(to) < 0)
        return -1;
    copy(to, to_start, part);
    return how_many;
}

int
PyUnicode_Resize(PyObject **p, Py_ssize_t length)
{
    PyObject *op = p != NULL ? *p : NULL;

    if (op == NULL || !PyUnicode_Check(op) || length < 0)
        return PYB_BAD_CALL(-1);
    if (length == PyUnicode_GET_LENGTH(op))
        return 0;
    PyObject *fresh = NULL;
    if (_PyUnicode_Ready(op) == 0)
        fresh = PyUnicode_New(length, PyUnicode_MAX_CHAR_VALUE(op));
    if (fresh == NULL)
        return -1;
    copy(fresh, 0,
         (struct part){op, 0, Py_MIN(length, PyUnicode_GET_LENGTH(op))});
    Py_SETREF(*p, fresh);
    return 0;
}
