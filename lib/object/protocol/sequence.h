/* sequence.h: functions of sequence.c for the rest of the library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PROTOCOL_SEQUENCE_H
#define PYB_OBJECT_PROTOCOL_SEQUENCE_H

#include "Python.h"

/* pyb_sequence_bound: stores the integer that bounds a slice, cut off to fit;
   None, if none is not 0, keeps *index.  0, or -1 with an exception. */
int pyb_sequence_bound(PyObject *op, int none, Py_ssize_t *index);

/* pyb_sequence_range_args: (value[, start[, stop]]), the arguments of the
   method index, with start and stop cut to 0 ... size; value is borrowed.  0,
   or -1 with an exception. */
int pyb_sequence_range_args(PyObject *args, Py_ssize_t size, PyObject **value,
                            Py_ssize_t *start, Py_ssize_t *stop);

/* pyb_sequence_iterable_arg: ([iterable]), the arguments that make a list or
   a tuple; *iterable is borrowed, or NULL.  Keywords are an error if plain is
   not 0.  0, or -1 with an exception. */
int pyb_sequence_iterable_arg(const char *name, int plain, PyObject *args,
                              PyObject *kwds, PyObject **iterable);

/* pyb_sequence_join: the str of name, open, the parts of the list joined by
   ", ", and close.  The list is stolen; NULL is passed on.  A new reference,
   or NULL with an exception. */
PyObject *pyb_sequence_join(const char *name, const char *open,
                            PyObject *parts, const char *close);

#endif /* PYB_OBJECT_PROTOCOL_SEQUENCE_H */
