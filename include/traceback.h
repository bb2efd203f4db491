/* traceback.h: tracebacks, which exceptions do not have here.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Exception Handling". */

#ifndef Py_TRACEBACK_H
#define Py_TRACEBACK_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type traceback, which has no objects.  PyTraceBack_Check: is op one?
   May be called in tp_traverse. */
PyAPI_DATA(PyTypeObject) PyTraceBack_Type;
#define PyTraceBack_Check(op) Py_IS_TYPE((op), &PyTraceBack_Type)

#ifndef Py_LIMITED_API
/* PyTracebackObject: what sources read of one. */
typedef struct _traceback PyTracebackObject;
struct _traceback {
    PyObject ob_base;
    PyTracebackObject *tb_next;
    PyFrameObject *tb_frame;
    int tb_lasti;
    int tb_lineno;
};
#endif

/* PyTraceBack_Here: does nothing: the pending exception stays as it is,
   without a traceback.  0. */
PyAPI_FUNC(int) PyTraceBack_Here(PyFrameObject *frame);

/* PyTraceBack_Print: 0 for NULL, of which there is nothing to print; else -1
   with SystemError, since no object is a traceback. */
PyAPI_FUNC(int) PyTraceBack_Print(PyObject *tb, PyObject *file);

#ifdef __cplusplus
}
#endif

#endif /* Py_TRACEBACK_H */
