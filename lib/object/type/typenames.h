/* typenames.h: the names of a type. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPENAMES_H
#define PYB_OBJECT_TYPE_TYPENAMES_H

#include "object.h"

/* pyb_typenames_last: the part behind the last dot of a dotted name, or all of
   a name without dots. */
const char *pyb_typenames_last(const char *name);

/* pyb_typenames_dotted: sets *name to "module.qualname", a new reference, and
   returns 1; 0 if the type is a builtin, or its module has no name; -1 with an
   exception.  *name is NULL then. */
int pyb_typenames_dotted(PyTypeObject *type, PyObject **name);

#endif /* PYB_OBJECT_TYPE_TYPENAMES_H */
