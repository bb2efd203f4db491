/* picklebufobject.h: a buffer that is to be pickled apart from the object that
   has it.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Pickle buffer objects". */

#ifndef Py_PICKLEBUFOBJECT_H
#define Py_PICKLEBUFOBJECT_H

#include "object.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

/* pickle.PickleBuffer.  PyPickleBuffer_Check: is op one?  It has no
   subclasses.  May be called in tp_traverse. */
PyAPI_DATA(PyTypeObject) PyPickleBuffer_Type;
#define PyPickleBuffer_Check(op) Py_IS_TYPE((op), &PyPickleBuffer_Type)

/* PyPickleBuffer_FromObject: holds the buffer of an object, of any layout.  A
   new reference, or NULL with TypeError or what the object raises. */
PyAPI_FUNC(PyObject *) PyPickleBuffer_FromObject(PyObject *base);

/* PyPickleBuffer_GetBuffer: the buffer, valid until it is released, not to be
   changed; NULL with ValueError if it has been, or TypeError.
   PyPickleBuffer_Release: gives it back, once; 0, or -1 with TypeError. */
PyAPI_FUNC(const Py_buffer *) PyPickleBuffer_GetBuffer(PyObject *op);
PyAPI_FUNC(int) PyPickleBuffer_Release(PyObject *op);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_PICKLEBUFOBJECT_H */
