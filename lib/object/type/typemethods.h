/* typemethods.h: the methods of every type. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPEMETHODS_H
#define PYB_OBJECT_TYPE_TYPEMETHODS_H

#include "methodobject.h"

extern PyMethodDef pyb_typemethods[];

#endif /* PYB_OBJECT_TYPE_TYPEMETHODS_H */
