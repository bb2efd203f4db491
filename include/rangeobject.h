/* rangeobject.h: ranges: the numbers from one to another, step by step.

   A range holds ints and nothing else, so neither it nor its iterator is a
   container.  Ranges are made by calling the type.

   Manual: "Built-in Types", part "Ranges". */

#ifndef Py_RANGEOBJECT_H
#define Py_RANGEOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The types of ranges and of their iterators; range needs no
   longrange_iterator, which has no objects. */
PyAPI_DATA(PyTypeObject) PyRange_Type;
PyAPI_DATA(PyTypeObject) PyRangeIter_Type;
PyAPI_DATA(PyTypeObject) PyLongRangeIter_Type;

/* PyRange_Check: is op a range?  May be called in tp_traverse. */
#define PyRange_Check(op) Py_IS_TYPE((op), &PyRange_Type)

#ifdef __cplusplus
}
#endif

#endif /* Py_RANGEOBJECT_H */
