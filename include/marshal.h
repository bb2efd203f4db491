/* marshal.h: objects as bytes, in the format of compiled modules.

   Python.h does not include it.  Without an interpreter there are no compiled
   modules, so nothing is written or read.

   The functions here need an initialised library (Py_Initialize) and are
   called from the attached thread.

   Manual: "Data marshalling support". */

#ifndef Py_MARSHAL_H
#define Py_MARSHAL_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The format's version in CPython. */
#define Py_MARSHAL_VERSION 5

/* PyMarshal_ReadObjectFromString, PyMarshal_WriteObjectToString: NULL with
   NotImplementedError. */
PyAPI_FUNC(PyObject *)
    PyMarshal_ReadObjectFromString(const char *data, Py_ssize_t len);
PyAPI_FUNC(PyObject *)
    PyMarshal_WriteObjectToString(PyObject *value, int version);

#ifdef __cplusplus
}
#endif

#endif /* Py_MARSHAL_H */
