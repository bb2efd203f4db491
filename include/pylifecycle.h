/* pylifecycle.h: starting and ending the library.

   The thread that calls Py_Initialize is the attached one until the end of
   Py_Finalize, which it calls, too.  Py_IsInitialized, Py_IsFinalizing and
   Py_GetVersion may be called at any time and from any thread.

   Manual: "Interpreter initialization and finalization". */

#ifndef Py_LIFECYCLE_H
#define Py_LIFECYCLE_H

#include "pystate.h"

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
   the program still owns must not be used any more.  What finalizers make
   meanwhile is collected, too, in up to eight rounds.  In the middle of a
   collection it is a fatal error.  Py_Initialize may be called again.  Always
   0.  Py_Finalize: the same without a result. */
PyAPI_FUNC(int) Py_FinalizeEx(void);
PyAPI_FUNC(void) Py_Finalize(void);

/* Py_AtExit: func is to be called at the end of Py_Finalize, the last one
   given first; it may not use the API.  At most 32.  0, or -1. */
PyAPI_FUNC(int) Py_AtExit(void (*func)(void));

/* PyUnstable_AtExit: func(data) is to be called at the beginning of
   Py_Finalize, the last one given first, while the API can be used; what is
   pending afterwards is reported as unraisable.  The interpreter is ignored.
   0, or -1 with MemoryError. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) PyUnstable_AtExit(PyInterpreterState *interp,
                                  void (*func)(void *), void *data);
#endif

/* Py_GetVersion: PY_VERSION and this library's name; static. */
PyAPI_FUNC(const char *) Py_GetVersion(void);

/* Py_GetPlatform, Py_GetCompiler, Py_GetBuildInfo, Py_GetCopyright:
   sys.platform; the compiler in brackets, as "[GCC 12.2.0]"; the library's
   name and version; its copyright.  Static; at any time, from any thread. */
PyAPI_FUNC(const char *) Py_GetPlatform(void);
PyAPI_FUNC(const char *) Py_GetCompiler(void);
PyAPI_FUNC(const char *) Py_GetBuildInfo(void);
PyAPI_FUNC(const char *) Py_GetCopyright(void);

/* Py_Exit: Py_FinalizeEx, and the end of the process with that status. */
PyAPI_FUNC(void) _Py_NO_RETURN Py_Exit(int status);

/* ------------------------------------------------------------------ */
/* Where a program stands                                              */

/* Py_SetProgramName, Py_SetPythonHome: what Py_GetProgramName and
   Py_GetPythonHome return; the text is not copied.  Nothing else depends on
   it.  Unless set: "", and NULL. */
PyAPI_FUNC(void) Py_SetProgramName(const wchar_t *name);
PyAPI_FUNC(wchar_t *) Py_GetProgramName(void);
PyAPI_FUNC(void) Py_SetPythonHome(const wchar_t *home);
PyAPI_FUNC(wchar_t *) Py_GetPythonHome(void);

/* Py_SetPath: what the next Py_Initialize makes sys.path of, in place of
   PYBOEHM_PATH; NULL undoes it; the text is copied.  Py_GetPath: that text, or
   PYBOEHM_PATH, with colons; static until the next call. */
PyAPI_FUNC(void) Py_SetPath(const wchar_t *path);
PyAPI_FUNC(wchar_t *) Py_GetPath(void);

/* Py_GetPrefix, Py_GetExecPrefix, Py_GetProgramFullPath: "", since there is no
   installation of Python, nor its program. */
PyAPI_FUNC(wchar_t *) Py_GetPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetExecPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetProgramFullPath(void);

/* Py_GetArgcArgv: the arguments of Python's own program: 0 of them, and an
   array with NULL alone. */
PyAPI_FUNC(void) Py_GetArgcArgv(int *argc, wchar_t ***argv);

/* Py_DecodeLocale: text of the system as wide characters; bytes that are no
   text in the locale's encoding become lone surrogates.  For PyMem_RawFree.
   NULL on failure; *size, unless size is NULL, is the length, or (size_t)-1
   without memory.  Py_EncodeLocale: the way back, for PyMem_Free; NULL if a
   character has no bytes, which *error_pos, unless that is NULL, is the index
   of, or without memory, when *error_pos is (size_t)-1. */
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(wchar_t *) Py_DecodeLocale(const char *text, size_t *size);
PyAPI_FUNC(char *) Py_EncodeLocale(const wchar_t *text, size_t *error_pos);
#endif

/* ------------------------------------------------------------------ */
/* What needs an interpreter                                           */

/* Py_Main, Py_BytesMain, Py_RunMain: 1, an exit status, with a line on
   standard error: there is no interpreter. */
PyAPI_FUNC(int) Py_Main(int argc, wchar_t **argv);
#if _PYB_LIMITED_AT_LEAST(0x03080000)
PyAPI_FUNC(int) Py_BytesMain(int argc, char **argv);
#endif
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) Py_RunMain(void);
#endif

/* Py_NewInterpreter: NULL, without an exception.  Py_EndInterpreter: fatal,
   since it cannot be that of a Py_NewInterpreter. */
PyAPI_FUNC(PyThreadState *) Py_NewInterpreter(void);
PyAPI_FUNC(void) Py_EndInterpreter(PyThreadState *tstate);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIFECYCLE_H */
