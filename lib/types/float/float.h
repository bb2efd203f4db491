/* float.h: declarations that the files of float share, and complex. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_FLOAT_FLOAT_H
#define PYB_TYPES_FLOAT_FLOAT_H

#include "Python.h"

/* pyb_float_copy_digits: copies length bytes of text without the underscores
   between digits, and a NUL after them.  -1 if an underscore is anywhere else,
   or a NUL is in the text. */
int pyb_float_copy_digits(char *out, const char *text, Py_ssize_t length);

/* pyb_float_strtod: strtod in the locale "C". */
double pyb_float_strtod(const char *text);

/* pyb_float_exact: an exact float with op's value.  A new reference, or NULL
   with MemoryError. */
PyObject *pyb_float_exact(PyObject *op);

/* pyb_float_methods, pyb_float_getset: tp_methods and tp_getset. */
extern PyMethodDef pyb_float_methods[];
extern PyGetSetDef pyb_float_getset[];
PyObject *pyb_float_hex(PyObject *self, PyObject *ignored);
PyObject *pyb_float_fromhex(PyObject *type, PyObject *string);

#endif /* PYB_TYPES_FLOAT_FLOAT_H */
