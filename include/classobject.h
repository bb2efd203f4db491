/* classobject.h: bound methods: any callable with the object that it gets as
   its first argument.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Method Objects". */

#ifndef Py_CLASSOBJECT_H
#define Py_CLASSOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyMethodObject: im_func, called with im_self in front of its arguments, both
   owned. */
typedef struct {
    PyObject_HEAD
    PyObject *im_func;
    PyObject *im_self;
    PyObject *im_weakreflist;
    vectorcallfunc vectorcall;
} PyMethodObject;

/* The type of bound methods. */
PyAPI_DATA(PyTypeObject) PyMethod_Type;

/* PyMethod_Check: is op a bound method?  May be called in tp_traverse. */
#define PyMethod_Check(op) Py_IS_TYPE((op), &PyMethod_Type)

/* PyMethod_New: func bound to self, both not NULL.  A new reference, or NULL
   with an exception. */
PyAPI_FUNC(PyObject *) PyMethod_New(PyObject *func, PyObject *self);

/* PyMethod_Function, PyMethod_Self: the two parts, borrowed; NULL with
   SystemError if op is not a bound method.  The macros do not check. */
PyAPI_FUNC(PyObject *) PyMethod_Function(PyObject *op);
PyAPI_FUNC(PyObject *) PyMethod_Self(PyObject *op);
#define PyMethod_GET_FUNCTION(op) (((PyMethodObject *)(void *)(op))->im_func)
#define PyMethod_GET_SELF(op) (((PyMethodObject *)(void *)(op))->im_self)

/* ------------------------------------------------------------------ */
/* Instance methods                                                    */

#ifndef Py_LIMITED_API
/* PyInstanceMethodObject: makes any callable, func, owned, a method where it
   is an attribute of a class, as functions are by themselves. */
typedef struct {
    PyObject_HEAD
    PyObject *func;
} PyInstanceMethodObject;

PyAPI_DATA(PyTypeObject) PyInstanceMethod_Type;

/* PyInstanceMethod_Check: is op an instance method?  May be called in
   tp_traverse. */
#define PyInstanceMethod_Check(op) Py_IS_TYPE((op), &PyInstanceMethod_Type)

/* PyInstanceMethod_New: one for func, not NULL.  A new reference, or NULL with
   an exception. */
PyAPI_FUNC(PyObject *) PyInstanceMethod_New(PyObject *func);

/* PyInstanceMethod_Function: its func, borrowed; NULL with SystemError if op
   is no instance method.  The macro does not check. */
PyAPI_FUNC(PyObject *) PyInstanceMethod_Function(PyObject *op);
#define PyInstanceMethod_GET_FUNCTION(op)                                     \
    (((PyInstanceMethodObject *)(void *)(op))->func)
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_CLASSOBJECT_H */
