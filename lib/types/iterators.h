/* iterators.h: what zip and map share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ITERATORS_H
#define PYB_TYPES_ITERATORS_H

#include "Python.h"

/* pyb_iterators_of: a tuple of iterators over the items of args from number
   first on.  A new reference, or NULL with an exception. */
PyObject *pyb_iterators_of(PyObject *args, Py_ssize_t first);

/* pyb_iterators_next: what iterator number i of the tuple gives next: a new
   reference, or NULL at the end or with an exception. */
static inline PyObject *
pyb_iterators_next(PyObject *iterators, Py_ssize_t i)
{
    PyObject *it = PyTuple_GET_ITEM(iterators, i);

    return Py_TYPE(it)->tp_iternext(it);
}

#endif /* PYB_TYPES_ITERATORS_H */
