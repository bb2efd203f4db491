/* frameobject.h: making frames.

   Python.h does not include it.  The function here needs an initialised
   library (Py_Initialize) and is called from the attached thread.

   Manual: "Frame Objects". */

#ifndef Py_FRAMEOBJECT_H
#define Py_FRAMEOBJECT_H

#include "pyframe.h"
#include "pystate.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* PyFrame_New: a frame for the code object; nothing is executed.  globals is a
   dictionary; tstate and locals are not looked at.  A new reference, or NULL
   with an exception: SystemError for NULL or another object. */
PyAPI_FUNC(PyFrameObject *)
    PyFrame_New(PyThreadState *tstate, PyCodeObject *code, PyObject *globals,
                PyObject *locals);

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_FRAMEOBJECT_H */
