/* str.h: what the files that make up str share.

   Invariants of a PyUnicodeObject: _pyb_text holds _pyb_size bytes of UTF-8
   (see utf8.h) for _pyb_length characters, and a NUL; _pyb_flags says what is
   true of them; _pyb_hash is their hash, or -1 while it is not known.  The
   text of an exact str follows the object in the same block, that of an
   instance of a subtype is a block of PyMem_Malloc. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_H
#define PYB_TYPES_STR_H

#include "Python.h"

/* Flags of a str.  PyUnicode_IS_ASCII knows the first one. */
enum {
    PYB_STR_ASCII = 1,      /* all characters are ASCII */
    PYB_STR_SURROGATES = 2, /* there are lone surrogates */
    PYB_STR_INTERNED = 4    /* the str is in the table of intern.c */
};

/* A str object's parts. */
static inline const char *
pyb_str_text(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_text;
}

static inline Py_ssize_t
pyb_str_size(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_size;
}

static inline const char *
pyb_str_end(PyObject *op)
{
    return pyb_str_text(op) + pyb_str_size(op);
}

static inline unsigned int
pyb_str_flags(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_flags;
}

/* pyb_str_new: the str of trusted text.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_str_new(const char *text, Py_ssize_t size);

/* pyb_str_exact: op, a str of any subtype, as an exact str.  A new
   reference, or NULL with an exception. */
PyObject *pyb_str_exact(PyObject *op);

/* pyb_str_check: 0 if op is a str, else -1 with TypeError "bad argument type
   for built-in operation". */
int pyb_str_check(PyObject *op);

/* pyb_str_require: 0 if op is a str, else -1 with TypeError "must be str, not
   X". */
int pyb_str_require(PyObject *op);

/* pyb_str_at: where the character with the index begins, which may be the
   length. */
const char *pyb_str_at(PyObject *op, Py_ssize_t index);

/* pyb_str_index: the index of the character that begins at a place in the
   text. */
Py_ssize_t pyb_str_index(PyObject *op, const char *place);

/* pyb_str_slice: the str of what stands from start up to end in op's text;
   op itself if that is all.  A new reference, or NULL with MemoryError. */
PyObject *pyb_str_slice(PyObject *op, const char *start, const char *end);

/* pyb_str_equal: have two strs the same text?  1 or 0. */
int pyb_str_equal(PyObject *a, PyObject *b);

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

/* pyb_str_methods: tp_methods. */
extern PyMethodDef pyb_str_methods[];

#endif /* PYB_TYPES_STR_H */
