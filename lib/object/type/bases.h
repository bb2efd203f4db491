/* bases.h: the properties that a type's bases determine together. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_BASES_H
#define PYB_OBJECT_TYPE_BASES_H

#include "object.h"

/* pyb_bases_metatype: the most derived of metatype and the bases' types,
   borrowed; NULL with TypeError if there is none. */
PyTypeObject *pyb_bases_metatype(PyTypeObject *metatype, PyObject *bases);

/* pyb_bases_best: the base with the instance layout that includes the layouts
   of the others, borrowed; NULL with TypeError if there is none, or if one of
   the bases is not a type that may be a base.  bases is a tuple, not empty. */
PyTypeObject *pyb_bases_best(PyObject *bases);

/* pyb_bases_solid: the type itself, or the nearest of its bases, that
   determines the layout of its instances; borrowed. */
PyTypeObject *pyb_bases_solid(PyTypeObject *type);

/* pyb_bases_immutable: are the types of the tuple, from number first on,
   immutable?  0, or -1 with TypeError about the immutable type called name. */
int pyb_bases_immutable(PyObject *bases, Py_ssize_t first, const char *name);

#endif /* PYB_OBJECT_TYPE_BASES_H */
