/* str.h: declarations that the files of str share.

   Invariants of a PyUnicodeObject: _pyb_text holds _pyb_size bytes of UTF-8
   (see utf8.h) for _pyb_length characters, and a NUL; _pyb_flags has their
   properties; hash is their hash, or -1 if it is not known yet.
   _pyb_chars, unless it is NULL, holds the same characters in an array of
   their kind, and a NUL; that of an ASCII str is always there, and is the
   text.

   One of text and array (for ASCII both) follows an exact str in its block;
   the other one, and both of an instance of a subtype, are blocks of
   PyMem_Malloc.  See strfill.c for a str that is written to: while it has
   PYB_STR_STALE the array is what counts, and the text, of which the other
   files know nothing else, is not there yet. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_STR_H
#define PYB_TYPES_STR_STR_H

#include "Python.h"

#include "gc/base/fatal.h"

/* Flags of a str.  PyUnicode_IS_ASCII knows the first one. */
enum {
    PYB_STR_ASCII = 1,      /* all characters are ASCII, and known to be */
    PYB_STR_SURROGATES = 2, /* there are lone surrogates */
    PYB_STR_INTERNED = 4,   /* the str is in the table of intern.c */
    PYB_STR_STALE = 8,      /* the text has to be made from the array */
    /* Three bits are the kind, or 0 if it is not known yet. */
    PYB_STR_KIND = 0x70,
    PYB_STR_KIND_SHIFT = 4,
    PYB_STR_READ = 0x80 /* a character was looked for in the text */
};

/* pyb_str_settle: makes the text of a str that is stale; never fails. */
void pyb_str_settle(PyObject *op);

/* pyb_str_check_consistency: fatal if a str contradicts itself, see fatal.h.
   pyb_str_check_short: the same of a short one alone. */
void pyb_str_check_consistency(PyObject *op);
void pyb_str_check_short(PyObject *op);

/* pyb_str_has_surrogates: is there a character from U+D800 up to U+DFFF? */
int pyb_str_has_surrogates(const char *text, Py_ssize_t size);

/* A str's fields, with a text. */
static inline PyUnicodeObject *
pyb_str_settled(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(op), op);
    if (_PyB_UNLIKELY(((PyUnicodeObject *)op)->_pyb_flags & PYB_STR_STALE))
        pyb_str_settle(op);
    return (PyUnicodeObject *)op;
}

/* A str object's parts. */
static inline const char *
pyb_str_text(PyObject *op)
{
    return pyb_str_settled(op)->_pyb_text;
}

static inline Py_ssize_t
pyb_str_size(PyObject *op)
{
    return pyb_str_settled(op)->_pyb_size;
}

static inline unsigned int
pyb_str_flags(PyObject *op)
{
    return pyb_str_settled(op)->_pyb_flags;
}

static inline const char *
pyb_str_end(PyObject *op)
{
    return pyb_str_text(op) + pyb_str_size(op);
}

/* pyb_str_new: the str of trusted text.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_str_new(const char *text, Py_ssize_t size);

/* pyb_str_concat: the text of left and then that of right, of which neither is
   empty.  A new reference, or NULL with MemoryError. */
PyObject *pyb_str_concat(PyObject *left, PyObject *right);

/* pyb_str_grow: appends the text of right to the str in *p, where that can be
   done in place: nothing else refers to it, and it is a long one.  1, or 0 if
   it cannot; -1, and *p is NULL, with MemoryError. */
int pyb_str_grow(PyObject **p, PyObject *right);

/* pyb_str_exact: op, a str of any subtype, as an exact str.  A new
   reference, or NULL with an exception. */
PyObject *pyb_str_exact(PyObject *op);

/* pyb_str_check: 0 if op is a str, else -1 with TypeError "bad argument type
   for built-in operation". */
int pyb_str_check(PyObject *op);

/* pyb_str_require: 0 if op is a str, else -1 with TypeError "must be str, not
   X". */
int pyb_str_require(PyObject *op);

/* pyb_str_read: the character with the index, as PyUnicode_READ_CHAR; but
   nothing is allocated. */
Py_UCS4 pyb_str_read(PyObject *op, Py_ssize_t index);

/* pyb_str_at: the beginning of the character with the index, which may be the
   length. */
const char *pyb_str_at(PyObject *op, Py_ssize_t index);

/* pyb_str_index: the index of the character that begins at a place in the
   text. */
Py_ssize_t pyb_str_index(PyObject *op, const char *place);

/* pyb_str_make_chars: makes op's array if there is none.  0, or -1 without an
   exception. */
int pyb_str_make_chars(PyObject *op);

/* pyb_str_char: the str of the character with that index, which exists.  A new
   reference, or NULL with MemoryError. */
PyObject *pyb_str_char(PyObject *op, Py_ssize_t index);

/* pyb_str_slice: the str of the part from start up to end of op's text; op
   itself if that is all.  A new reference, or NULL with MemoryError. */
PyObject *pyb_str_slice(PyObject *op, const char *start, const char *end);

/* pyb_str_equal: do two strs have the same text?  1 or 0. */
int pyb_str_equal(PyObject *a, PyObject *b);

/* pyb_intern_forget: an interned str dies. */
void pyb_intern_forget(PyObject *op);

/* pyb_str_hash: a str's hash; never fails. */
Py_hash_t pyb_str_hash(PyObject *op);

/* pyb_str_repr, pyb_str_iter: tp_repr and tp_iter. */
PyObject *pyb_str_repr(PyObject *op);
PyObject *pyb_str_iter(PyObject *op);

/* pyb_str_subscript, pyb_str_repeat: slots. */
PyObject *pyb_str_subscript(PyObject *op, PyObject *key);
PyObject *pyb_str_repeat(PyObject *op, Py_ssize_t count);

/* pyb_str_strip: s without leading and trailing characters that are in chars,
   or without white space for chars == NULL; sides is 1 for the left end, 2
   for the right one, 3 for both.  A new reference, or NULL with an
   exception. */
enum { PYB_STRIP_LEFT = 1, PYB_STRIP_RIGHT = 2, PYB_STRIP_BOTH = 3 };
PyObject *pyb_str_strip(PyObject *s, PyObject *chars, int sides);

/* pyb_str_number: s with the digits and the white space of all scripts in
   ASCII, up to the first other character that is not ASCII, which becomes '?';
   numbers are read from it.  A new reference, or NULL with TypeError or
   MemoryError. */
PyObject *pyb_str_number(PyObject *s);

/* pyb_str_methods: tp_methods. */
extern PyMethodDef pyb_str_methods[];

#endif /* PYB_TYPES_STR_STR_H */
