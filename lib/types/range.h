/* range.h: what ranges and their iterators share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_RANGE_H
#define PYB_TYPES_RANGE_H

#include "Python.h"

/* All arguments are exact ints; results are new references, or NULL with an
   exception. */

/* pyb_range_new: the range.  Steals its arguments, any of which may be NULL
   with an exception. */
PyObject *pyb_range_new(PyObject *start, PyObject *stop, PyObject *step);

/* pyb_range_number: start + i * step. */
PyObject *pyb_range_number(PyObject *start, PyObject *i, PyObject *step);

/* pyb_rangeiter_new: an iterator over length numbers from start on. */
PyObject *pyb_rangeiter_new(PyObject *start, PyObject *step, PyObject *length);

#endif /* PYB_TYPES_RANGE_H */
