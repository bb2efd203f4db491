/* iterprotocol.h: what can be done with iterables and iterators.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Iterator Protocol", and PyObject_GetIter of "Object Protocol". */

#ifndef Py_ITERPROTOCOL_H
#define Py_ITERPROTOCOL_H

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyObject_GetIter: an iterator over o; o itself if it is one.  A new
   reference, or NULL with TypeError if o cannot be iterated over. */
PyAPI_FUNC(PyObject *) PyObject_GetIter(PyObject *o);

/* PyIter_Check: 1 if PyIter_Next may be called with o, else 0. */
PyAPI_FUNC(int) PyIter_Check(PyObject *o);

/* PyObject_GetAIter: o.__aiter__(), a new reference, or NULL with an
   exception: TypeError if the type has none, or if it gives no asynchronous
   iterator.
   PyAIter_Check: 1 if o is such an iterator: its type has am_anext; else
   0. */
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(PyObject *) PyObject_GetAIter(PyObject *o);
PyAPI_FUNC(int) PyAIter_Check(PyObject *o);
#endif

/* PyIter_NextItem: 1 and a new reference to the next item in *item; 0 and
   NULL there when there are no more; -1 and NULL there with an exception,
   TypeError if iter is no iterator. */
#if _PYB_LIMITED_AT_LEAST(0x030E0000)
PyAPI_FUNC(int) PyIter_NextItem(PyObject *iter, PyObject **item);
#endif

/* PyIter_Next: the next item of an iterator, a new reference.  NULL without
   an exception when there are no more, else with one. */
PyAPI_FUNC(PyObject *) PyIter_Next(PyObject *iter);

/* PyIter_Send: sends value into an iterator.  PYGEN_NEXT: *result is what it
   yields; PYGEN_RETURN: *result is its final value; PYGEN_ERROR: NULL there,
   and an exception.  The results are new references. */
PyAPI_FUNC(PySendResult)
    PyIter_Send(PyObject *iter, PyObject *value, PyObject **result);

#ifdef __cplusplus
}
#endif

#endif /* Py_ITERPROTOCOL_H */
