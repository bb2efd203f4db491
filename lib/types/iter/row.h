/* row.h: the tuple that an iterator returns repeatedly.

   Most callers unpack such a tuple at once and release it before the next
   step; then it can be reused without any visible difference. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ITER_ROW_H
#define PYB_TYPES_ITER_ROW_H

#include "Python.h"

/* pyb_row_new: a tuple of n times None, which an iterator keeps and visits.  A
   new reference, or NULL with MemoryError. */
PyObject *pyb_row_new(Py_ssize_t n);

/* pyb_row_take: a tuple of that length to be filled with pyb_row_set: row
   itself if its owner is the only one, else a fresh one.  A new reference, or
   NULL with MemoryError. */
PyObject *pyb_row_take(PyObject *row);

/* pyb_row_set: replaces an item; the reference is stolen. */
void pyb_row_set(PyObject *taken, Py_ssize_t i, PyObject *item);

/* pyb_row_give: returns the tuple that was taken, for the caller; not all of
   its items need be set. */
PyObject *pyb_row_give(PyObject *taken);

/* pyb_row_pair: the whole sequence for a row of two.  Steals a and b. */
PyObject *pyb_row_pair(PyObject *row, PyObject *a, PyObject *b);

#endif /* PYB_TYPES_ITER_ROW_H */
