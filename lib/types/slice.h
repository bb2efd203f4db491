/* slice.h: slices of sequences whose length is an int of any size. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SLICE_H
#define PYB_TYPES_SLICE_H

#include "Python.h"

/* The parts of a slice as exact ints, which are owned. */
struct pyb_slice_parts {
    PyObject *start, *stop, *step;
};

/* pyb_slice_parts: fills *parts with the indices in a sequence of that length,
   an int of at least 0.  0, or -1 with an exception and nothing to drop. */
int pyb_slice_parts(PyObject *slice, PyObject *length,
                    struct pyb_slice_parts *parts);
void pyb_slice_drop(struct pyb_slice_parts *parts);

/* pyb_slice_exact: PyNumber_Index, but never an instance of a subclass. */
PyObject *pyb_slice_exact(PyObject *op);

#endif /* PYB_TYPES_SLICE_H */
