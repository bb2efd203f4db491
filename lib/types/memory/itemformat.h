/* itemformat.h: formats of items, written as for the module struct.

   A format has an optional order ('@' or nothing: native sizes and alignment;
   '=': native order, '<': little-endian, '>' and '!': big-endian, these three
   with standard sizes and no alignment), and then units: a count, or nothing
   for 1, and the letter of a code. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_MEMORY_ITEMFORMAT_H
#define PYB_TYPES_MEMORY_ITEMFORMAT_H

#include "Python.h"

/* pyb_itemformat_native: the size of a format of one letter of native size,
   with or without '@', that stands for a C object; the letter is stored.  -1,
   without an exception, if the format is another one.  NULL stands for "B". */
int pyb_itemformat_native(const char *format, char *letter);

/* pyb_itemformat_unpack_native: the value of the C object of that letter at
   data.  A new reference, or NULL with an exception (NotImplementedError for
   a letter that stands for none). */
PyObject *pyb_itemformat_unpack_native(char letter, const char *data);

/* pyb_itemformat_size: the bytes of an item of any format; -1 with
   ValueError. */
Py_ssize_t pyb_itemformat_size(const char *format);

/* pyb_itemformat_unpack: the item of any format at data, of which size bytes
   are there: a tuple of its values, or its value if there is but one.  A new
   reference, or NULL with an exception. */
PyObject *pyb_itemformat_unpack(const char *format, const char *data,
                                Py_ssize_t size);

#endif /* PYB_TYPES_MEMORY_ITEMFORMAT_H */
