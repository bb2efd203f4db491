/* sysmodule.h: the module sys, and writing to the standard streams.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Utilities", section "System Functions". */

#ifndef Py_SYSMODULE_H
#define Py_SYSMODULE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PySys_GetObject: sys.name, borrowed, or NULL without an exception. */
PyAPI_FUNC(PyObject *) PySys_GetObject(const char *name);

/* PySys_GetAttr, PySys_GetAttrString: sys.name, a new reference, or NULL with
   RuntimeError "lost sys.NAME" if there is none. */
PyAPI_FUNC(PyObject *) PySys_GetAttr(PyObject *name);
PyAPI_FUNC(PyObject *) PySys_GetAttrString(const char *name);

/* PySys_GetOptionalAttr, PySys_GetOptionalAttrString: 1 and a new reference in
   *value; 0 and NULL if there is no such attribute; -1 and NULL with an
   exception. */
PyAPI_FUNC(int) PySys_GetOptionalAttr(PyObject *name, PyObject **value);
PyAPI_FUNC(int)
    PySys_GetOptionalAttrString(const char *name, PyObject **value);

/* PySys_SetObject: sys.name = value; NULL deletes.  0, or -1 with an
   exception. */
PyAPI_FUNC(int) PySys_SetObject(const char *name, PyObject *value);

/* PySys_WriteStdout, PySys_WriteStderr: printf to the stream, at most 1000
   bytes of text.  A pending exception stays. */
PyAPI_FUNC(void) PySys_WriteStdout(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(void) PySys_WriteStderr(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));

/* PySys_FormatStdout, PySys_FormatStderr: the same with
   PyUnicode_FromFormat's formats, and without a limit. */
PyAPI_FUNC(void) PySys_FormatStdout(const char *format, ...);
PyAPI_FUNC(void) PySys_FormatStderr(const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif /* Py_SYSMODULE_H */
