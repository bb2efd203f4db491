/* genobject.h: generators and coroutines written in Python, of which there are
   none.

   Part of pyboehm; included by Python.h. */

#ifndef Py_GENOBJECT_H
#define Py_GENOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* The types generator, coroutine and async_generator, which have no
   objects. */
PyAPI_DATA(PyTypeObject) PyGen_Type;
PyAPI_DATA(PyTypeObject) PyCoro_Type;
PyAPI_DATA(PyTypeObject) PyAsyncGen_Type;

/* PyGen_Check and kin: is op one?  May be called in tp_traverse. */
#define PyGen_Check(op) PyObject_TypeCheck((op), &PyGen_Type)
#define PyGen_CheckExact(op) Py_IS_TYPE((op), &PyGen_Type)
#define PyCoro_CheckExact(op) Py_IS_TYPE((op), &PyCoro_Type)
#define PyAsyncGen_CheckExact(op) Py_IS_TYPE((op), &PyAsyncGen_Type)

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_GENOBJECT_H */
