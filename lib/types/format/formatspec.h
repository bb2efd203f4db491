/* formatspec.h: what a format specifier says: width, alignment and so on. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_FORMAT_FORMATSPEC_H
#define PYB_TYPES_FORMAT_FORMATSPEC_H

#include "Python.h"

/* struct pyb_formatspec: [[fill]align][sign][z][#][0][width][,|_][.precision]
   [type], with what stands for a part that is left out. */
struct pyb_formatspec {
    Py_UCS4 fill;         /* ' ' */
    Py_UCS4 align;        /* '<', '>', '=' or '^'; the caller's */
    Py_UCS4 sign;         /* '+', '-' or ' '; 0 */
    int no_negative_zero; /* z */
    int alternate;        /* # */
    Py_ssize_t width;     /* -1 */
    Py_UCS4 separator;    /* ',' or '_'; 0 */
    int group;            /* digits between separators: 3, or 4 */
    Py_ssize_t precision; /* -1 */
    Py_UCS4 type;         /* the caller's */
};

/* pyb_formatspec_is_empty: is spec, the argument of __format__, the empty
   str?  1, 0, or -1 with TypeError if it is no str. */
int pyb_formatspec_is_empty(PyObject *spec);

/* pyb_formatspec_parse: reads the str spec, which is for op; type and align
   are the defaults.  0, or -1 with ValueError. */
int pyb_formatspec_parse(struct pyb_formatspec *self, PyObject *spec,
                         PyObject *op, char type, char align);

/* pyb_formatspec_unknown: the ValueError for a type that op's type does not
   have.  Always NULL. */
PyObject *pyb_formatspec_unknown(const struct pyb_formatspec *self,
                                 PyObject *op);

/* pyb_formatspec_digit: appends the decimal digit ch to *number.  1; 0 if it
   is no digit; -1 with ValueError if the number becomes too large. */
int pyb_formatspec_digit(Py_UCS4 ch, Py_ssize_t *number);

/* struct pyb_padding: how often the fill character stands on either side. */
struct pyb_padding {
    Py_ssize_t left, right;
};

/* pyb_formatspec_padding: that for a text of the length; '=' is for the
   caller. */
struct pyb_padding pyb_formatspec_padding(const struct pyb_formatspec *self,
                                          Py_ssize_t length);

/* pyb_formatspec_fill: writes the character count times.  0, or -1 with
   MemoryError. */
int pyb_formatspec_fill(PyUnicodeWriter *writer, Py_UCS4 ch, Py_ssize_t count);

/* pyb_formatspec_pad: the first length characters of str, padded.  A new
   reference, or NULL with an exception. */
PyObject *pyb_formatspec_pad(const struct pyb_formatspec *self, PyObject *str,
                             Py_ssize_t length);

#endif /* PYB_TYPES_FORMAT_FORMATSPEC_H */
