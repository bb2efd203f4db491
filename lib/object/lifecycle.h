/* lifecycle.h: which types the library brings along. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_LIFECYCLE_H
#define PYB_OBJECT_LIFECYCLE_H

#include "object.h"

/* pyb_lifecycle_is_ours: is it one of the static types that Py_Initialize
   makes ready, or of the exceptions? */
int pyb_lifecycle_is_ours(PyTypeObject *type);

#endif /* PYB_OBJECT_LIFECYCLE_H */
