/* inherit.h: how a type's empty slots are filled from its bases. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_INHERIT_H
#define PYB_OBJECT_INHERIT_H

#include "object.h"

/* pyb_inherit_special: what comes from tp_base alone: sizes, offsets, flags,
   and garbage collection. */
void pyb_inherit_special(PyTypeObject *type);

/* pyb_inherit_slots: the slots of the type itself, from all of its tp_mro,
   which is set, as is tp_dict.  0, or -1 with an exception. */
int pyb_inherit_slots(PyTypeObject *type);

/* pyb_inherit_suites: the slots in the suites that the type has, from all of
   its tp_mro; suites it has not become tp_base's. */
void pyb_inherit_suites(PyTypeObject *type);

#endif /* PYB_OBJECT_INHERIT_H */
