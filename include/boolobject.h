/* boolobject.h: bool, the two truth values.

   There are exactly two of them, both immortal; bool is a subtype of int.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Boolean Objects". */

#ifndef Py_BOOLOBJECT_H
#define Py_BOOLOBJECT_H

#include "longobject.h"

#ifdef __cplusplus
extern "C" {
#endif

PyAPI_DATA(PyLongObject) _Py_FalseStruct;
PyAPI_DATA(PyLongObject) _Py_TrueStruct;

/* Py_False, Py_True: borrowed or owned makes no difference. */
#define Py_False _PyObject_CAST(&_Py_FalseStruct)
#define Py_True _PyObject_CAST(&_Py_TrueStruct)
#define Py_RETURN_TRUE return Py_True
#define Py_RETURN_FALSE return Py_False

/* PyBool_Check: is op one of the two?  May be called in tp_traverse. */
#define PyBool_Check(op) Py_IS_TYPE((op), &PyBool_Type)

/* Py_IsTrue, Py_IsFalse: identity with the one or the other, 1 or 0. */
PyAPI_FUNC(int) Py_IsTrue(PyObject *x);
PyAPI_FUNC(int) Py_IsFalse(PyObject *x);
#define Py_IsTrue(x) Py_Is((x), Py_True)
#define Py_IsFalse(x) Py_Is((x), Py_False)

/* PyBool_FromLong: Py_True unless v is 0; a new reference.  Never fails. */
PyAPI_FUNC(PyObject *) PyBool_FromLong(long v);

#ifdef __cplusplus
}
#endif

#endif /* Py_BOOLOBJECT_H */
