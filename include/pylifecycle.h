/* pylifecycle.h: starting and ending the library.

   The thread that calls Py_Initialize is the attached one until the end of
   Py_Finalize, which it calls, too.  Py_IsInitialized, Py_IsFinalizing and
   Py_GetVersion may be called at any time and from any thread.

   Manual: "Interpreter initialization and finalization". */

#ifndef Py_LIFECYCLE_H
#define Py_LIFECYCLE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Py_Initialize: makes the library usable; nothing happens if it already is.
   A failure is a fatal error.  A thread that Boehm does not know is made known
   until Py_Finalize; Boehm has to have been told of threads, see hosts.md.
   Py_InitializeEx: the same; signal handlers are
   not touched in any case. */
PyAPI_FUNC(void) Py_Initialize(void);
PyAPI_FUNC(void) Py_InitializeEx(int initsigs);

/* Py_IsInitialized: 1 between Py_Initialize and Py_Finalize, else 0. */
PyAPI_FUNC(int) Py_IsInitialized(void);

/* Py_IsFinalizing: 1 while Py_Finalize runs, else 0. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int) Py_IsFinalizing(void);
#endif

/* Py_FinalizeEx: runs the exit functions, drops all modules, collects, and
   closes the library; nothing happens if it is not initialised.  Objects that
   the program still owns must not be used any more.  In the middle of a
   collection it is a fatal error.  Py_Initialize may be called again.  Always
   0.  Py_Finalize: the same without a result. */
PyAPI_FUNC(int) Py_FinalizeEx(void);
PyAPI_FUNC(void) Py_Finalize(void);

/* Py_AtExit: func is to be called at the end of Py_Finalize, the last one
   given first; it may not use the API.  At most 32.  0, or -1. */
PyAPI_FUNC(int) Py_AtExit(void (*func)(void));

/* Py_GetVersion: PY_VERSION and a word on who says so; static. */
PyAPI_FUNC(const char *) Py_GetVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIFECYCLE_H */
