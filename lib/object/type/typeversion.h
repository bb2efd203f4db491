/* typeversion.h: changes of types, and the version tags by which a lookup in
   one is recognised. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPEVERSION_H
#define PYB_OBJECT_TYPE_TYPEVERSION_H

#include "object.h"

/* pyb_type_put: sets an entry of the type's own dictionary, or, where value is
   NULL, deletes it.  All of the library's changes of a type that is ready go
   through here.  1, 0 if there is nothing to delete, or -1 with an
   exception. */
int pyb_type_put(PyTypeObject *type, PyObject *name, PyObject *value);
int pyb_type_put_string(PyTypeObject *type, const char *name, PyObject *value);

/* pyb_type_last_tag: the last tag that was given. */
unsigned int pyb_type_last_tag(void);

/* pyb_type_retire: before a type is cleared: it and its subclasses have no tag
   any more, since changes of its bases do not reach them from now on. */
void pyb_type_retire(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_TYPEVERSION_H */
