/* cellobject.h: cells: a variable that several functions share, as an object.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Cell Objects". */

#ifndef Py_CELLOBJECT_H
#define Py_CELLOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyCellObject: ob_ref is owned, visited and cleared; NULL while the cell is
   empty. */
typedef struct {
    PyObject_HEAD
    PyObject *ob_ref;
} PyCellObject;

PyAPI_DATA(PyTypeObject) PyCell_Type;

/* PyCell_Check: is op a cell?  May be called in tp_traverse. */
#define PyCell_Check(op) Py_IS_TYPE((op), &PyCell_Type)

/* PyCell_New: a tracked cell that holds obj, to which it gains a reference;
   NULL: an empty one.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyCell_New(PyObject *obj);

/* PyCell_Get: what the cell holds, a new reference; NULL without an exception
   if it is empty, NULL with SystemError if op is no cell. */
PyAPI_FUNC(PyObject *) PyCell_Get(PyObject *op);

/* PyCell_Set: the cell holds value from now on, to which it gains a reference;
   NULL empties it.  What was in it is released.  0, or -1 with SystemError if
   op is no cell. */
PyAPI_FUNC(int) PyCell_Set(PyObject *op, PyObject *value);

/* PyCell_GET, PyCell_SET: the same for what is known to be a cell.  The former
   is borrowed; the latter steals value and releases nothing. */
#define PyCell_GET(op) (((PyCellObject *)(op))->ob_ref)
#define PyCell_SET(op, value) ((void)(PyCell_GET(op) = _PyObject_CAST(value)))

#ifdef __cplusplus
}
#endif

#endif /* Py_CELLOBJECT_H */
