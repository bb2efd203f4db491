/* mro.h: method resolution orders. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MRO_H
#define PYB_OBJECT_MRO_H

#include "object.h"

/* pyb_mro_default: the C3 linearisation of the type, from its tp_bases, each
   of which has its own tp_mro.  A new tuple, or NULL with TypeError if there
   is none. */
PyObject *pyb_mro_default(PyTypeObject *type);

/* pyb_mro_of: the same, unless the metatype has a method mro of its own: then
   what that returns. */
PyObject *pyb_mro_of(PyTypeObject *type);

#endif /* PYB_OBJECT_MRO_H */
