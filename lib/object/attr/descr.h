/* descr.h: what all descriptors made from tables share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_DESCR_H
#define PYB_OBJECT_ATTR_DESCR_H

#include "Python.h"

/* pyb_descr_new: a descriptor of the given kind; what the kind has beyond
   PyDescrObject is not set.  NULL with an exception. */
PyObject *pyb_descr_new(PyTypeObject *kind, PyTypeObject *type,
                        const char *name);

void pyb_descr_dealloc(PyObject *op);
int pyb_descr_traverse(PyObject *op, visitproc visit, void *arg);

/* pyb_descr_repr: "<KIND 'name' of 'type' objects>". */
PyObject *pyb_descr_repr(PyObject *op);

/* pyb_descr_check: is obj of the descriptor's type?  0, or -1 with
   TypeError. */
int pyb_descr_check(PyObject *op, PyObject *obj);

/* __reduce__, for those with which instances are taken apart. */
extern PyMethodDef pyb_descr_methods[];

/* __objclass__ and __name__; of those that can be called, __doc__,
   __qualname__ and __text_signature__. */
extern PyMemberDef pyb_descr_members[];
extern PyGetSetDef pyb_descr_getset[];

#endif /* PYB_OBJECT_ATTR_DESCR_H */
