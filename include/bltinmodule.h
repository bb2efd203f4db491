/* bltinmodule.h: zip, map and filter.

   All three are types that are called to make iterators; there is nothing else
   to them in C.

   Manual: "Iterator Objects", "Built-in Functions". */

#ifndef Py_BLTINMODULE_H
#define Py_BLTINMODULE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyZip_Type(*iterables, strict=False): tuples of one item of each.
   PyMap_Type(function, *iterables): what function(*items) returns.
   PyFilter_Type(function, iterable): the items for which it is true. */
PyAPI_DATA(PyTypeObject) PyZip_Type;
PyAPI_DATA(PyTypeObject) PyMap_Type;
PyAPI_DATA(PyTypeObject) PyFilter_Type;

#ifdef __cplusplus
}
#endif

#endif /* Py_BLTINMODULE_H */
