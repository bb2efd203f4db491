/* inherit.h: fills a type's empty slots from its bases. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_INHERIT_H
#define PYB_OBJECT_TYPE_INHERIT_H

#include "object.h"

/* pyb_inherit_special: inherits from tp_base alone: sizes, offsets, flags, and
   garbage collection. */
void pyb_inherit_special(PyTypeObject *type);

/* pyb_inherit_slots: inherits the slots of the type itself, from all of its
   tp_mro, which must be set, as must tp_dict.  0, or -1 with an exception. */
int pyb_inherit_slots(PyTypeObject *type);

/* pyb_inherit_suites: inherits the slots in the type's suites, from all of its
   tp_mro; a missing suite becomes tp_base's. */
void pyb_inherit_suites(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_INHERIT_H */
