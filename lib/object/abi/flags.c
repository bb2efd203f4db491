/* flags.c: the options of CPython's command line, which binary modules read.
 */

#include "Python.h"

int Py_DebugFlag, Py_VerboseFlag, Py_QuietFlag, Py_InteractiveFlag,
    Py_InspectFlag, Py_OptimizeFlag, Py_NoSiteFlag, Py_BytesWarningFlag,
    Py_FrozenFlag, Py_IgnoreEnvironmentFlag, Py_DontWriteBytecodeFlag,
    Py_NoUserSiteDirectory, Py_UnbufferedStdioFlag, Py_IsolatedFlag;
int Py_HashRandomizationFlag = 1;
