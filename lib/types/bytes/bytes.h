/* bytes.h: declarations that the files of bytes and bytearray share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_BYTES_BYTES_H
#define PYB_TYPES_BYTES_BYTES_H

#include "types/bytes/bytesfind.h"
#include "types/str/text.h"

/* pyb_bytearray_check: fatal if a bytearray contradicts itself, see
   gc/base/fatal.h. */
void pyb_bytearray_check(const PyByteArrayObject *self);

/* pyb_bytes_make: the bytes of bytes(source, encoding, errors), or, if name
   says so, of bytearray(...); each argument may be NULL.  A new reference, or
   NULL with an exception. */
PyObject *pyb_bytes_make(const char *name, PyObject *source,
                         const char *encoding, const char *errors);

/* pyb_bytes_byte: the value of an integer as a byte; -1 with an exception
   (ValueError that begins with name if it is out of range). */
int pyb_bytes_byte(PyObject *op, const char *name);

/* pyb_bytes_from_iterable: bytes of the integers of an iterable; name is the
   type for messages.  A new reference, or NULL with an exception. */
PyObject *pyb_bytes_from_iterable(const char *name, PyObject *iterable);

/* pyb_bytes_get_pair: the buffers of the operands of a + b, to be released; 0,
   or -1 with an exception and nothing to release. */
int pyb_bytes_get_pair(PyObject *a, Py_buffer *left, PyObject *b,
                       Py_buffer *right);

/* pyb_bytes_compare: a op b, a new reference. */
PyObject *pyb_bytes_compare(struct pyb_span a, struct pyb_span b, int op);

/* pyb_bytes_find_arg: the bytes to be searched for: an integer, stored in
   *byte, or an object with a buffer, stored in view, which must be released.
   0, or -1 with an exception. */
int pyb_bytes_find_arg(PyObject *element, char *byte, Py_buffer *view,
                       struct pyb_span *needle);

/* pyb_bytes_contains: element in hay; 1, 0, or -1 with an exception. */
int pyb_bytes_contains(struct pyb_span hay, PyObject *element);

/* pyb_bytes_format: appends what PyBytes_FromFormatV makes; 0, or -1 with an
   exception, and then perhaps a part. */
int pyb_bytes_format(struct pyb_text *out, const char *format, va_list vargs);

/* nb_remainder. */
PyObject *pyb_bytes_remainder(PyObject *left, PyObject *right);
PyObject *pyb_bytearray_remainder(PyObject *left, PyObject *right);

/* The methods of bytes; those that bytearray shares are in methods.h. */
extern PyMethodDef pyb_bytes_methods[];

#endif /* PYB_TYPES_BYTES_BYTES_H */
