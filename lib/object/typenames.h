/* typenames.h: what a type is called and says about itself. */

#ifndef PYB_OBJECT_TYPENAMES_H
#define PYB_OBJECT_TYPENAMES_H

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif

#include "object.h"

/* pyb_typenames_doc, pyb_typenames_signature: tp_doc without the signature
   that stands before a line "--", and that signature alone; None if there is
   none.  A new reference, or NULL with an exception. */
PyObject *pyb_typenames_doc(PyTypeObject *type);
PyObject *pyb_typenames_signature(PyTypeObject *type);

/* pyb_typenames_dotted: sets *name to "module.qualname", a new reference, and
   returns 1; 0 if the type is a builtin, or its module has no name; -1 with an
   exception.  *name is NULL then. */
int pyb_typenames_dotted(PyTypeObject *type, PyObject **name);

#endif /* PYB_OBJECT_TYPENAMES_H */
