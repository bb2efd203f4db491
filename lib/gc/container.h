/* container.h: what tp_alloc needs of container.c. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONTAINER_H
#define PYB_GC_CONTAINER_H

#include "object.h"

/* pyb_container_new: a new zeroed object with room for nitems items, not
   negative, untracked; its ob_size, if it has one, is not set.  NULL with an
   exception. */
PyObject *pyb_container_new(PyTypeObject *type, Py_ssize_t nitems);

#endif /* PYB_GC_CONTAINER_H */
