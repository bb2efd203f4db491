/* iterobject.h: two general iterators.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Iterator Objects". */

#ifndef Py_ITEROBJECT_H
#define Py_ITEROBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The types of what the two functions make. */
PyAPI_DATA(PyTypeObject) PySeqIter_Type;
PyAPI_DATA(PyTypeObject) PyCallIter_Type;

/* PySeqIter_Check, PyCallIter_Check: is op one?  May be called in
   tp_traverse. */
#define PySeqIter_Check(op) Py_IS_TYPE((op), &PySeqIter_Type)
#define PyCallIter_Check(op) Py_IS_TYPE((op), &PyCallIter_Type)

/* PySeqIter_New: an iterator over the items 0, 1, ... of a sequence, which
   ends with the first IndexError.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PySeqIter_New(PyObject *seq);

/* PyCallIter_New: an iterator over what callable() returns, which ends with
   the first result that equals sentinel.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyCallIter_New(PyObject *callable, PyObject *sentinel);

#ifdef __cplusplus
}
#endif

#endif /* Py_ITEROBJECT_H */
