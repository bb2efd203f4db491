/* row.h: the tuple that an iterator gives again and again.

   Who takes such a tuple apart at once, as most do, gives it back before the
   next step: then nobody can tell it from a fresh one. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ROW_H
#define PYB_TYPES_ROW_H

#include "Python.h"

/* pyb_row_new: n times None, for an iterator to keep and to visit.  A new
   reference, or NULL with MemoryError. */
PyObject *pyb_row_new(Py_ssize_t n);

/* pyb_row_take: a tuple of that length to be filled with pyb_row_set: row
   itself if its owner is the only one, else a fresh one.  A new reference, or
   NULL with MemoryError. */
PyObject *pyb_row_take(PyObject *row);

/* pyb_row_set: puts an item, whose reference is stolen, in the place of what
   is there. */
void pyb_row_set(PyObject *taken, Py_ssize_t i, PyObject *item);

/* pyb_row_give: what was taken, filled or not: items may be in it. */
PyObject *pyb_row_give(PyObject *taken);

/* pyb_row_pair: all of it for a row of two.  Steals a and b. */
PyObject *pyb_row_pair(PyObject *row, PyObject *a, PyObject *b);

#endif /* PYB_TYPES_ROW_H */
