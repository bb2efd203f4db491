/* genericalias.h: classes with arguments, list[int], and unions of classes,
   int | str, which is in union.c. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_GENERICALIAS_H
#define PYB_OBJECT_TYPE_GENERICALIAS_H

#include "Python.h"

/* pyb_genericalias_write: writes a member of an alias or a union: a class as
   its name, anything else as its repr.  0, or -1 with an exception. */
int pyb_genericalias_write(PyUnicodeWriter *out, PyObject *item);

/* The type of unions. */
extern PyTypeObject pyb_union_type;

/* a | b of classes, aliases, unions and None, and no other operation. */
extern PyNumberMethods pyb_union_as_number;

#endif /* PYB_OBJECT_TYPE_GENERICALIAS_H */
