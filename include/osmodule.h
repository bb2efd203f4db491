/* osmodule.h: paths.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Operating System Utilities". */

#ifndef Py_OSMODULE_H
#define Py_OSMODULE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#if _PYB_LIMITED_AT_LEAST(0x03060000)
/* PyOS_FSPath: path itself if it is a str or bytes, else what its __fspath__()
   returns, which must be one.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyOS_FSPath(PyObject *path);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_OSMODULE_H */
