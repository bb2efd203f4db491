/* eval.h: evaluating code, for which there is no interpreter.

   The functions here need an initialised library (Py_Initialize) and are
   called from the attached thread.

   Manual: "The Very High Level Layer". */

#ifndef Py_EVAL_H
#define Py_EVAL_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyEval_EvalCode, PyEval_EvalCodeEx: NULL with NotImplementedError. */
PyAPI_FUNC(PyObject *)
    PyEval_EvalCode(PyObject *code, PyObject *globals, PyObject *locals);
PyAPI_FUNC(PyObject *)
    PyEval_EvalCodeEx(PyObject *code, PyObject *globals, PyObject *locals,
                      PyObject *const *args, int argcount,
                      PyObject *const *kws, int kwcount, PyObject *const *defs,
                      int defcount, PyObject *kwdefs, PyObject *closure);

/* PyEval_EvalFrame, PyEval_EvalFrameEx: NULL with NotImplementedError. */
PyAPI_FUNC(PyObject *) PyEval_EvalFrame(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyEval_EvalFrameEx(PyFrameObject *frame, int exc);

#ifdef __cplusplus
}
#endif

#endif /* Py_EVAL_H */
