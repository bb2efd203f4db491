/* mro.h: method resolution orders. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_MRO_H
#define PYB_OBJECT_TYPE_MRO_H

#include "object.h"

/* pyb_mro_default: the C3 linearisation of the type, from its tp_bases, each
   of which has its own tp_mro.  A new tuple, or NULL with TypeError if there
   is none. */
PyObject *pyb_mro_default(PyTypeObject *type);

/* pyb_mro_of: as pyb_mro_default; but if the metatype has its own method mro,
   the result of that. */
PyObject *pyb_mro_of(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_MRO_H */
