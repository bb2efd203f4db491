/* pyframe.h: frames, which no call has.

   There is no interpreter: no frame is ever current.  Generators of bindings
   make frames for places that an exception passes (frameobject.h).

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.  They get a frame;
   NULL or another object is SystemError.

   Manual: "Frame Objects". */

#ifndef Py_PYFRAME_H
#define Py_PYFRAME_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type frame; PyFrame_Check: is op one?  May be called in tp_traverse. */
PyAPI_DATA(PyTypeObject) PyFrame_Type;
#define PyFrame_Check(op) Py_IS_TYPE((op), &PyFrame_Type)

/* PyFrame_GetCode: its code object, a new reference.  PyFrame_GetLineNumber:
   the first line of that. */
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(PyCodeObject *) PyFrame_GetCode(PyFrameObject *frame);
PyAPI_FUNC(int) PyFrame_GetLineNumber(PyFrameObject *frame);
#endif

#ifndef Py_LIMITED_API

/* PyFrame_GetGlobals: what PyFrame_New got, a new reference.
   PyFrame_GetBuiltins, PyFrame_GetLocals: the dictionary of the module
   builtins, and an empty one; new references.  PyFrame_GetBack,
   PyFrame_GetGenerator: NULL, without an exception: there is none.
   PyFrame_GetLasti: -1: nothing is executed. */
PyAPI_FUNC(PyObject *) PyFrame_GetGlobals(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetBuiltins(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetLocals(PyFrameObject *frame);
PyAPI_FUNC(PyFrameObject *) PyFrame_GetBack(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetGenerator(PyFrameObject *frame);
PyAPI_FUNC(int) PyFrame_GetLasti(PyFrameObject *frame);

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_PYFRAME_H */
