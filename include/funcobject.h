/* funcobject.h: functions written in Python, of which there are none.

   The functions here need an initialised library (Py_Initialize) and are
   called from the attached thread.

   Manual: "Function Objects". */

#ifndef Py_FUNCOBJECT_H
#define Py_FUNCOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* The type function, which has no objects: functions written in C are of
   PyCFunction_Type.  PyFunction_Check: is op one?  May be called in
   tp_traverse. */
PyAPI_DATA(PyTypeObject) PyFunction_Type;
#define PyFunction_Check(op) Py_IS_TYPE((op), &PyFunction_Type)

/* PyFunction_New, PyFunction_NewWithQualName: NULL with
   NotImplementedError. */
PyAPI_FUNC(PyObject *) PyFunction_New(PyObject *code, PyObject *globals);
PyAPI_FUNC(PyObject *)
    PyFunction_NewWithQualName(PyObject *code, PyObject *globals,
                               PyObject *qualname);

/* PyFunction_GetCode, PyFunction_GetGlobals, PyFunction_GetModule,
   PyFunction_GetDefaults, PyFunction_GetKwDefaults, PyFunction_GetClosure,
   PyFunction_GetAnnotations: NULL with SystemError, since no object is such a
   function. */
PyAPI_FUNC(PyObject *) PyFunction_GetCode(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetGlobals(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetModule(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetDefaults(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetKwDefaults(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetClosure(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetAnnotations(PyObject *op);

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_FUNCOBJECT_H */
