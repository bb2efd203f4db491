/* enumobject.h: enumerate and reversed.

   Both are types that are called to make iterators; there is nothing else to
   them in C.

   Manual: "Iterator Objects", "Built-in Functions". */

#ifndef Py_ENUMOBJECT_H
#define Py_ENUMOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyEnum_Type(iterable, start=0): pairs of a number and an item.
   PyReversed_Type(sequence): what __reversed__ gives, or else the items from
   the last one to the first. */
PyAPI_DATA(PyTypeObject) PyEnum_Type;
PyAPI_DATA(PyTypeObject) PyReversed_Type;

#ifdef __cplusplus
}
#endif

#endif /* Py_ENUMOBJECT_H */
