/* methods.h: the methods that bytes and bytearray share: self is one or the
   other, or of a subclass, and so is the result, without the subclass. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_BYTES_METHODS_H
#define PYB_TYPES_BYTES_METHODS_H

#include "Python.h"

#include "object/attr/cfunction.h"
#include "types/bytes/bytesfind.h"
#include "types/str/text.h"

/* A method's argument or self as bytes: they stay where they are until the
   view is released. */

/* pyb_bytes_self: self's; this never fails. */
struct pyb_span pyb_bytes_self(PyObject *self, Py_buffer *view);

/* pyb_bytes_arg: those of another object; 0, or -1 with TypeError and nothing
   to release. */
int pyb_bytes_arg(PyObject *op, Py_buffer *view, struct pyb_span *bytes);

/* pyb_bytes_like: bytes of self's kind.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_bytes_like(PyObject *self, struct pyb_span bytes);

/* pyb_bytes_like_text: bytes of self's kind with what was written; ends the
   text.  Returns NULL if writing failed. */
PyObject *pyb_bytes_like_text(PyObject *self, struct pyb_text *text,
                              int failed);

/* A table of (NAME, FLAGS) for the entries of both types.  The functions are
   pyb_bytes_NAME, with arguments as the flags say. */
#define PYB_BYTES_METHODS(F)                                                  \
    F(capitalize, METH_NOARGS)                                                \
    F(center, PYB_VARARGS)                                                    \
    F(count, METH_VARARGS)                                                    \
    F(endswith, METH_VARARGS)                                                 \
    F(find, METH_VARARGS)                                                     \
    F(fromhex, METH_O | METH_CLASS)                                           \
    F(index, METH_VARARGS)                                                    \
    F(isalnum, METH_NOARGS)                                                   \
    F(isalpha, METH_NOARGS)                                                   \
    F(isascii, METH_NOARGS)                                                   \
    F(isdigit, METH_NOARGS)                                                   \
    F(islower, METH_NOARGS)                                                   \
    F(isspace, METH_NOARGS)                                                   \
    F(istitle, METH_NOARGS)                                                   \
    F(isupper, METH_NOARGS)                                                   \
    F(ljust, PYB_VARARGS)                                                     \
    F(lower, METH_NOARGS)                                                     \
    F(lstrip, PYB_VARARGS)                                                    \
    F(maketrans, PYB_VARARGS | METH_STATIC)                                   \
    F(partition, METH_O)                                                      \
    F(removeprefix, METH_O)                                                   \
    F(removesuffix, METH_O)                                                   \
    F(replace, PYB_VARARGS)                                                   \
    F(rfind, METH_VARARGS)                                                    \
    F(rindex, METH_VARARGS)                                                   \
    F(rjust, PYB_VARARGS)                                                     \
    F(rpartition, METH_O)                                                     \
    F(rstrip, PYB_VARARGS)                                                    \
    F(startswith, METH_VARARGS)                                               \
    F(strip, PYB_VARARGS)                                                     \
    F(swapcase, METH_NOARGS)                                                  \
    F(title, METH_NOARGS)                                                     \
    F(upper, METH_NOARGS)                                                     \
    F(zfill, METH_O)

#define PYB_BYTES_KEYWORD_METHODS(F)                                          \
    F(decode)                                                                 \
    F(expandtabs)                                                             \
    F(hex)                                                                    \
    F(rsplit)                                                                 \
    F(split)                                                                  \
    F(splitlines)                                                             \
    F(translate)

#define PYB_BYTES_DECLARE(NAME, FLAGS)                                        \
    PyObject *pyb_bytes_##NAME(PyObject *self, PyObject *args);
#define PYB_BYTES_DECLARE_KEYWORDS(NAME)                                      \
    PyObject *pyb_bytes_##NAME(PyObject *self, PyObject *args, PyObject *kwds);
PYB_BYTES_METHODS(PYB_BYTES_DECLARE)
PYB_BYTES_KEYWORD_METHODS(PYB_BYTES_DECLARE_KEYWORDS)

/* PYB_BYTES_TABLE: the entries of both. */
#define PYB_BYTES_ENTRY(NAME, FLAGS) {#NAME, pyb_bytes_##NAME, FLAGS, NULL},
#define PYB_BYTES_KEYWORD_ENTRY(NAME)                                         \
    {#NAME, _PyCFunction_CAST(pyb_bytes_##NAME),                              \
     METH_VARARGS | METH_KEYWORDS, NULL},
#define PYB_BYTES_TABLE                                                       \
    PYB_BYTES_METHODS(PYB_BYTES_ENTRY)                                        \
    PYB_BYTES_KEYWORD_METHODS(PYB_BYTES_KEYWORD_ENTRY)

#endif /* PYB_TYPES_BYTES_METHODS_H */
