/* pydebug.h: the options of CPython's command line as variables.  CPython
   deprecates them.

   Manual: "Global configuration variables". */

#ifndef Py_PYDEBUG_H
#define Py_PYDEBUG_H

#include <stdlib.h>

#include "pyport.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

/* All are 0, but Py_HashRandomizationFlag, which is 1.  A program may set
   them; the library does not look at them. */
PyAPI_DATA(int) Py_DebugFlag;
PyAPI_DATA(int) Py_VerboseFlag;
PyAPI_DATA(int) Py_QuietFlag;
PyAPI_DATA(int) Py_InteractiveFlag;
PyAPI_DATA(int) Py_InspectFlag;
PyAPI_DATA(int) Py_OptimizeFlag;
PyAPI_DATA(int) Py_NoSiteFlag;
PyAPI_DATA(int) Py_BytesWarningFlag;
PyAPI_DATA(int) Py_FrozenFlag;
PyAPI_DATA(int) Py_IgnoreEnvironmentFlag;
PyAPI_DATA(int) Py_DontWriteBytecodeFlag;
PyAPI_DATA(int) Py_NoUserSiteDirectory;
PyAPI_DATA(int) Py_UnbufferedStdioFlag;
PyAPI_DATA(int) Py_HashRandomizationFlag;
PyAPI_DATA(int) Py_IsolatedFlag;

/* Py_GETENV: getenv, or NULL if Py_IgnoreEnvironmentFlag is set. */
#define Py_GETENV(s) (Py_IgnoreEnvironmentFlag ? NULL : getenv(s))

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_PYDEBUG_H */
