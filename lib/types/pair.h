/* pair.h: the tuple of two items that an iterator gives again and again. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_PAIR_H
#define PYB_TYPES_PAIR_H

#include "Python.h"

/* pyb_pair_new: (None, None), for an iterator to keep and to visit.  A new
   reference, or NULL with MemoryError. */
PyObject *pyb_pair_new(void);

/* pyb_pair_fill: a tuple of a and b, whose references are stolen: pair itself
   if its owner is the only one, else a fresh one.  A new reference, or NULL
   with MemoryError. */
PyObject *pyb_pair_fill(PyObject *pair, PyObject *a, PyObject *b);

#endif /* PYB_TYPES_PAIR_H */
