/* super.h: attributes of the bases of a class. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_SUPER_H
#define PYB_OBJECT_ATTR_SUPER_H

#include "object.h"

/* pyb_super_find: the attribute that comes first in start's MRO behind the
   class after, bound to obj (NULL: to start itself, as a class method is).  1
   and a new reference in *value, 0 and NULL if there is none, -1 with an
   exception. */
int pyb_super_find(PyTypeObject *start, PyTypeObject *after, PyObject *name,
                   PyObject *obj, PyObject **value);

#endif /* PYB_OBJECT_ATTR_SUPER_H */
