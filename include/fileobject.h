/* fileobject.h: files, which are objects with the methods of files, their
   descriptors and names.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "File Objects"; "Operating System Utilities". */

#ifndef Py_FILEOBJECT_H
#define Py_FILEOBJECT_H

#include <stdio.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyFile_FromFd: io.open for a file descriptor; name is not looked at.  A new
   reference, or NULL with an exception: ModuleNotFoundError unless the program
   has a module io. */
PyAPI_FUNC(PyObject *)
    PyFile_FromFd(int fd, const char *name, const char *mode, int buffering,
                  const char *encoding, const char *errors,
                  const char *newline, int closefd);

/* PyFile_GetLine: p.readline(): with n > 0 of n characters at most; with 0 a
   line of any length; with n < 0 that without its line end, and EOFError at
   the end of the file.  A str or bytes, a new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyFile_GetLine(PyObject *p, int n);

/* PyFile_WriteObject: p.write(repr(obj)), or of str(obj) if flags is
   Py_PRINT_RAW.  PyFile_WriteString: p.write of a C string.  0, or -1 with an
   exception; the latter does nothing if one is pending already. */
PyAPI_FUNC(int) PyFile_WriteObject(PyObject *obj, PyObject *p, int flags);
PyAPI_FUNC(int) PyFile_WriteString(const char *s, PyObject *p);

/* PyObject_AsFileDescriptor: p itself if it is an int, else the int that its
   fileno() returns.  -1 with TypeError, ValueError (it is negative),
   OverflowError, or what fileno() raises. */
PyAPI_FUNC(int) PyObject_AsFileDescriptor(PyObject *p);

#ifndef Py_LIMITED_API
/* Py_fopen: fopen; path is a str, bytes, or has __fspath__.  No program that is
   executed later inherits the file.  NULL with OSError, TypeError or another
   exception.  Py_fclose: fclose: 0, or EOF with errno; no exception. */
PyAPI_FUNC(FILE *) Py_fopen(PyObject *path, const char *mode);
PyAPI_FUNC(int) Py_fclose(FILE *file);

/* Py_UniversalNewlineFgets: fgets, and each of "\r", "\n" and "\r\n" is read
   as "\n".  NULL at the end of the file; and with errno ENXIO if fobj, which
   is not used, is not NULL.  Needs no library; any thread. */
PyAPI_FUNC(char *)
    Py_UniversalNewlineFgets(char *buf, int n, FILE *stream, PyObject *fobj);

/* PyFile_OpenCodeObject, PyFile_OpenCode: opens a file of code for reading of
   bytes: io.open(path, "rb"), or what the hook returns.  The path is a str, or
   UTF-8.  A new reference, or NULL with an exception: TypeError,
   UnicodeDecodeError, ModuleNotFoundError unless the program has a module io,
   what that or the hook raises. */
PyAPI_FUNC(PyObject *) PyFile_OpenCodeObject(PyObject *path);
PyAPI_FUNC(PyObject *) PyFile_OpenCode(const char *utf8path);

/* PyFile_SetOpenCodeHook: sets the hook for good; it gets the path, borrowed,
   and userData, which Boehm sees.  At any time before another thread runs.  0,
   or -1 if there is one: with SystemError if the library is initialised. */
typedef PyObject *(*Py_OpenCodeHookFunction)(PyObject *path, void *userData);
PyAPI_FUNC(int)
    PyFile_SetOpenCodeHook(Py_OpenCodeHookFunction hook, void *userData);

/* Py_FdIsInteractive: 1 if the file is a terminal, else 0; filename is not
   looked at.  At any time, from any thread. */
PyAPI_FUNC(int) Py_FdIsInteractive(FILE *file, const char *filename);
#endif

/* How file names become bytes: always "utf-8" with "surrogateescape".  Old
   code reads these; they must not be changed. */
PyAPI_DATA(const char *) Py_FileSystemDefaultEncoding;
#if _PYB_LIMITED_AT_LEAST(0x03060000)
PyAPI_DATA(const char *) Py_FileSystemDefaultEncodeErrors;
#endif
PyAPI_DATA(int) Py_HasFileSystemDefaultEncoding;
/* Py_UTF8Mode: 1: the system's encoding is UTF-8 here. */
#if _PYB_LIMITED_AT_LEAST(0x03080000)
PyAPI_DATA(int) Py_UTF8Mode;
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_FILEOBJECT_H */
