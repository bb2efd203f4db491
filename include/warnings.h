/* warnings.h: issuing warnings.

   A warning is written to standard error as "CATEGORY: TEXT".
   DeprecationWarning, PendingDeprecationWarning, ImportWarning and
   ResourceWarning are ignored by default, as CPython does.  A hook replaces
   both, filter and output.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Exception Handling", section "Issuing warnings". */

#ifndef Py_WARNINGS_H
#define Py_WARNINGS_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyErr_WarnEx: issues a warning.  category is a subclass of Warning, NULL
   stands for RuntimeWarning; message is UTF-8; stack_level is ignored, there
   being no frames.  0, or -1 with an exception if the hook turned the warning
   into one, or on errors. */
PyAPI_FUNC(int) PyErr_WarnEx(PyObject *category, const char *message,
                             Py_ssize_t stack_level);
#define PyErr_Warn(category, msg) PyErr_WarnEx((category), (msg), 1)

/* PyErr_WarnFormat: the same with a text as PyUnicode_FromFormat makes it. */
PyAPI_FUNC(int) PyErr_WarnFormat(PyObject *category, Py_ssize_t stack_level,
                                 const char *format, ...);

/* PyErr_ResourceWarning: the same of category ResourceWarning about the object
   source, which is not kept. */
PyAPI_FUNC(int) PyErr_ResourceWarning(PyObject *source, Py_ssize_t stack_level,
                                      const char *format, ...);

/* PyErr_WarnExplicitObject: PyErr_WarnExplicit with a message and a file name
   that are str. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int)
    PyErr_WarnExplicitObject(PyObject *category, PyObject *message,
                             PyObject *filename, int lineno, PyObject *module,
                             PyObject *registry);
#endif

/* PyErr_WarnExplicit: the same; the place is written before the category as
   "FILENAME:LINENO: ".  module and registry are ignored. */
PyAPI_FUNC(int) PyErr_WarnExplicit(PyObject *category, const char *message,
                                   const char *filename, int lineno,
                                   const char *module, PyObject *registry);

/* PyErr_WarnExplicitFormat: PyErr_WarnExplicit with a text as
   PyUnicode_FromFormat makes it. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int)
    PyErr_WarnExplicitFormat(PyObject *category, const char *filename,
                             int lineno, const char *module,
                             PyObject *registry, const char *format, ...);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_WARNINGS_H */
