/* pythonrun.h: compiling and running Python's text, for which there is no
   interpreter.

   The functions here need an initialised library (Py_Initialize) and are
   called from the attached thread.

   Manual: "The Very High Level Layer". */

#ifndef Py_PYTHONRUN_H
#define Py_PYTHONRUN_H

#include "compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Py_CompileString: NULL with NotImplementedError. */
PyAPI_FUNC(PyObject *)
    Py_CompileString(const char *str, const char *filename, int start);

#ifndef Py_LIMITED_API

/* Py_CompileStringExFlags, Py_CompileStringObject, Py_CompileStringFlags: NULL
   with NotImplementedError. */
PyAPI_FUNC(PyObject *)
    Py_CompileStringExFlags(const char *str, const char *filename, int start,
                            PyCompilerFlags *flags, int optimize);
PyAPI_FUNC(PyObject *)
    Py_CompileStringObject(const char *str, PyObject *filename, int start,
                           PyCompilerFlags *flags, int optimize);
#define Py_CompileStringFlags(str, filename, start, flags)                    \
    Py_CompileStringExFlags((str), (filename), (start), (flags), -1)

/* PyRun_StringFlags, PyRun_FileExFlags, PyRun_String, PyRun_File,
   PyRun_FileEx, PyRun_FileFlags: NULL with NotImplementedError; the file stays
   open. */
PyAPI_FUNC(PyObject *)
    PyRun_StringFlags(const char *str, int start, PyObject *globals,
                      PyObject *locals, PyCompilerFlags *flags);
PyAPI_FUNC(PyObject *)
    PyRun_FileExFlags(FILE *fp, const char *filename, int start,
                      PyObject *globals, PyObject *locals, int closeit,
                      PyCompilerFlags *flags);
#define PyRun_String(str, start, globals, locals)                             \
    PyRun_StringFlags((str), (start), (globals), (locals), NULL)
#define PyRun_File(fp, filename, start, globals, locals)                      \
    PyRun_FileExFlags((fp), (filename), (start), (globals), (locals), 0, NULL)
#define PyRun_FileEx(fp, filename, start, globals, locals, closeit)           \
    PyRun_FileExFlags((fp), (filename), (start), (globals), (locals),         \
                      (closeit), NULL)
#define PyRun_FileFlags(fp, filename, start, globals, locals, flags)          \
    PyRun_FileExFlags((fp), (filename), (start), (globals), (locals), 0,      \
                      (flags))

/* PyRun_SimpleStringFlags, PyRun_SimpleFileExFlags, PyRun_AnyFileExFlags,
   PyRun_SimpleString, PyRun_SimpleFile, PyRun_SimpleFileEx, PyRun_AnyFile,
   PyRun_AnyFileEx, PyRun_AnyFileFlags: -1, with a line of NotImplementedError
   on standard error; the file stays open. */
PyAPI_FUNC(int)
    PyRun_SimpleStringFlags(const char *command, PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_SimpleFileExFlags(FILE *fp, const char *filename,
                                        int closeit, PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_AnyFileExFlags(FILE *fp, const char *filename,
                                     int closeit, PyCompilerFlags *flags);
#define PyRun_SimpleString(command) PyRun_SimpleStringFlags((command), NULL)
#define PyRun_SimpleFile(fp, filename)                                        \
    PyRun_SimpleFileExFlags((fp), (filename), 0, NULL)
#define PyRun_SimpleFileEx(fp, filename, closeit)                             \
    PyRun_SimpleFileExFlags((fp), (filename), (closeit), NULL)
#define PyRun_AnyFileEx(fp, filename, closeit)                                \
    PyRun_AnyFileExFlags((fp), (filename), (closeit), NULL)
#define PyRun_AnyFileFlags(fp, filename, flags)                               \
    PyRun_AnyFileExFlags((fp), (filename), 0, (flags))
#define PyRun_AnyFile(fp, filename)                                           \
    PyRun_AnyFileExFlags((fp), (filename), 0, NULL)

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_PYTHONRUN_H */
