/* classhooks.h: the methods of attributes and bases that a new class calls. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_CLASSHOOKS_H
#define PYB_OBJECT_TYPE_CLASSHOOKS_H

#include "object.h"

/* pyb_classhooks_set_names: calls __set_name__(type, name) of every attribute
   in the type's dictionary that has one.  0, or -1 with an exception that has
   a note about the attribute. */
int pyb_classhooks_set_names(PyTypeObject *type);

/* pyb_classhooks_init_subclass: calls the next __init_subclass__ in the MRO
   behind the type itself, with the keywords (a dictionary or NULL).  0, or -1
   with an exception. */
int pyb_classhooks_init_subclass(PyTypeObject *type, PyObject *kwds);

#endif /* PYB_OBJECT_TYPE_CLASSHOOKS_H */
