/* statictypes.h: the library's own static types. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_STATICTYPES_H
#define PYB_OBJECT_TYPE_STATICTYPES_H

#include "object.h"

/* pyb_statictypes_init: makes them ready, except exceptions.  0, or -1 with an
   exception. */
int pyb_statictypes_init(void);

/* pyb_statictypes_has: is this one of them, or a static exception? */
int pyb_statictypes_has(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_STATICTYPES_H */
