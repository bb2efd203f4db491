/* sliceobject.h: slices, the start:stop:step of subscripts.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Slice Objects", "Ellipsis Object". */

#ifndef Py_SLICEOBJECT_H
#define Py_SLICEOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* slice, and the type of Ellipsis. */
PyAPI_DATA(PyTypeObject) PySlice_Type;
PyAPI_DATA(PyTypeObject) PyEllipsis_Type;

/* PySliceObject: the three parts are owned and never NULL. */
typedef struct {
    PyObject_HEAD
    PyObject *start, *stop, *step;
} PySliceObject;

/* PySlice_Check: is op a slice?  May be called in tp_traverse. */
#define PySlice_Check(op) Py_IS_TYPE((op), &PySlice_Type)

/* PySlice_New: a slice of three objects; NULL stands for None.  A new
   reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *)
    PySlice_New(PyObject *start, PyObject *stop, PyObject *step);

/* PySlice_Unpack: the parts as C integers, too large ones cut off to fit, None
   replaced by the end it stands for.  0, or -1 with an exception (ValueError
   for a step of 0). */
PyAPI_FUNC(int) PySlice_Unpack(PyObject *slice, Py_ssize_t *start,
                               Py_ssize_t *stop, Py_ssize_t *step);

/* PySlice_AdjustIndices: fits start and stop to a sequence of that length and
   returns the length of the slice.  Never fails. */
PyAPI_FUNC(Py_ssize_t)
    PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t *start,
                          Py_ssize_t *stop, Py_ssize_t step);

/* PySlice_GetIndicesEx: both in one.  0, or -1 with an exception. */
PyAPI_FUNC(int)
    PySlice_GetIndicesEx(PyObject *slice, Py_ssize_t length, Py_ssize_t *start,
                         Py_ssize_t *stop, Py_ssize_t *step,
                         Py_ssize_t *slicelength);

/* PySlice_GetIndices: the old form: indices out of range are errors, -1
   without an exception being certain.  Use PySlice_GetIndicesEx. */
PyAPI_FUNC(int)
    PySlice_GetIndices(PyObject *slice, Py_ssize_t length, Py_ssize_t *start,
                       Py_ssize_t *stop, Py_ssize_t *step);

#ifdef __cplusplus
}
#endif

#endif /* Py_SLICEOBJECT_H */
