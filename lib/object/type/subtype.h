/* subtype.h: the slots of heap types that define none. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_SUBTYPE_H
#define PYB_OBJECT_TYPE_SUBTYPE_H

#include "object.h"

/* pyb_subtype_dealloc: finalizes, clears the weak references, the members and
   the dictionary that the type added to its base, calls the base's tp_dealloc,
   and releases the instance's reference to its type. */
void pyb_subtype_dealloc(PyObject *self);

/* pyb_subtype_traverse, pyb_subtype_clear: likewise for traversal. */
int pyb_subtype_traverse(PyObject *self, visitproc visit, void *arg);
int pyb_subtype_clear(PyObject *self);

/* pyb_subtype_set_finalize: gives the type the finalizer that comes first in
   its MRO: a method __del__ (the str del is that name), or another type's
   tp_finalize.  Cannot fail. */
void pyb_subtype_set_finalize(PyTypeObject *type, PyObject *del);

#endif /* PYB_OBJECT_TYPE_SUBTYPE_H */
