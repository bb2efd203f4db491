/* bases.h: what follows from a type's bases together. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_BASES_H
#define PYB_OBJECT_BASES_H

#include "object.h"

/* pyb_bases_metatype: the most derived of metatype and the bases' types,
   borrowed; NULL with TypeError if there is none. */
PyTypeObject *pyb_bases_metatype(PyTypeObject *metatype, PyObject *bases);

/* pyb_bases_best: the base whose instance layout the others' are part of,
   borrowed; NULL with TypeError if there is none, or one of the bases is not
   a type that may be one.  bases is a tuple, not empty. */
PyTypeObject *pyb_bases_best(PyObject *bases);

/* pyb_bases_solid: the type itself, or the nearest of its bases, that
   determines the layout of its instances; borrowed. */
PyTypeObject *pyb_bases_solid(PyTypeObject *type);

/* pyb_bases_immutable: are the types of the tuple immutable, from the first
   of them that counts?  0, or -1 with TypeError about an immutable type of
   that name. */
int pyb_bases_immutable(PyObject *bases, Py_ssize_t first, const char *name);

#endif /* PYB_OBJECT_BASES_H */
