/* bytes.h: what the files that make up bytes and bytearray share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_BYTES_H
#define PYB_TYPES_BYTES_H

#include "types/search.h"
#include "types/text.h"

/* pyb_bytes_make: the bytes of bytes(source, encoding, errors), or of
   bytearray(...) as name says; each of them may be NULL.  A new reference, or
   NULL with an exception. */
PyObject *pyb_bytes_make(const char *name, PyObject *source,
                         const char *encoding, const char *errors);

/* pyb_bytes_byte: the value of an integer that is to be a byte; -1 with an
   exception (ValueError that begins with name if it is out of range). */
int pyb_bytes_byte(PyObject *op, const char *name);

/* pyb_bytes_from_iterable: bytes of the integers that an iterable gives; name
   is what they are for.  A new reference, or NULL with an exception. */
PyObject *pyb_bytes_from_iterable(const char *name, PyObject *iterable);

/* pyb_bytes_get_pair: the buffers of the operands of a + b, to be released; 0,
   or -1 with an exception and nothing to release. */
int pyb_bytes_get_pair(PyObject *a, Py_buffer *left, PyObject *b,
                       Py_buffer *right);

/* pyb_bytes_compare: a op b, a new reference. */
PyObject *pyb_bytes_compare(struct pyb_span a, struct pyb_span b, int op);

/* pyb_bytes_find_arg: what is to be found in bytes: an integer, which *byte
   gets, or an object whose buffer view gets, to be released.  0, or -1 with
   an exception. */
int pyb_bytes_find_arg(PyObject *element, char *byte, Py_buffer *view,
                       struct pyb_span *needle);

/* pyb_bytes_contains: element in hay; 1, 0, or -1 with an exception. */
int pyb_bytes_contains(struct pyb_span hay, PyObject *element);

/* pyb_bytes_iter: a new iterator of the type over bytes or a bytearray. */
PyObject *pyb_bytes_iter(PyTypeObject *type, PyObject *op);

/* The methods of bytes, and those that bytearray shares: they take whatever
   has a buffer as self. */
extern PyMethodDef pyb_bytes_methods[];
PyObject *pyb_bytes_decode(PyObject *self, PyObject *args, PyObject *kwds);
PyObject *pyb_bytes_hex(PyObject *self, PyObject *ignored);
PyObject *pyb_bytes_find(PyObject *self, PyObject *args);
PyObject *pyb_bytes_startswith(PyObject *self, PyObject *args);
PyObject *pyb_bytes_endswith(PyObject *self, PyObject *args);

#endif /* PYB_TYPES_BYTES_H */
