/* pyerrors.h: raising, testing and reporting exceptions.

   At most one exception is pending at a time; it is always an instance of
   BaseException, made at once when it is raised.  There are no frames here,
   so tracebacks are None unless a program sets them.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Exception Handling". */

#ifndef Py_ERRORS_H
#define Py_ERRORS_H

#include <stdarg.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Exception objects                                                   */

/* What every exception object begins with.  args is a tuple; the others may
   be NULL. */
#define PyException_HEAD                                                      \
    PyObject_HEAD                                                             \
    PyObject *dict;                                                           \
    PyObject *args;                                                           \
    PyObject *notes;                                                          \
    PyObject *traceback;                                                      \
    PyObject *context;                                                        \
    PyObject *cause;                                                          \
    char suppress_context;

/* Instances of the exception classes that have fields of their own. */
typedef struct {
    PyException_HEAD
} PyBaseExceptionObject;

typedef struct {
    PyException_HEAD PyObject *msg;
    PyObject *excs; /* a tuple */
} PyBaseExceptionGroupObject;

typedef struct {
    PyException_HEAD PyObject *msg;
    PyObject *filename;
    PyObject *lineno;
    PyObject *offset;
    PyObject *end_lineno;
    PyObject *end_offset;
    PyObject *text;
    PyObject *print_file_and_line;
} PySyntaxErrorObject;

typedef struct {
    PyException_HEAD PyObject *encoding;
    PyObject *object;
    Py_ssize_t start;
    Py_ssize_t end;
    PyObject *reason;
} PyUnicodeErrorObject;

typedef struct {
    PyException_HEAD PyObject *code;
} PySystemExitObject;

typedef struct {
    PyException_HEAD PyObject *myerrno;
    PyObject *strerror;
    PyObject *filename;
    PyObject *filename2;
    Py_ssize_t written; /* of a BlockingIOError; else, and if unknown, -1 */
} PyOSErrorObject;
typedef PyOSErrorObject PyEnvironmentErrorObject;

typedef struct {
    PyException_HEAD PyObject *value;
} PyStopIterationObject;

typedef struct {
    PyException_HEAD PyObject *msg;
    PyObject *name;
    PyObject *path;
    PyObject *name_from;
} PyImportErrorObject;

typedef struct {
    PyException_HEAD PyObject *name;
} PyNameErrorObject;

typedef struct {
    PyException_HEAD PyObject *obj;
    PyObject *name;
} PyAttributeErrorObject;

/* PyExceptionClass_Check, PyExceptionInstance_Check: is it a class derived
   from BaseException, an instance of one?  1 or 0. */
#define PyExceptionClass_Check(x)                                             \
    (PyType_Check((x)) &&                                                     \
     PyType_FastSubclass((PyTypeObject *)(x), Py_TPFLAGS_BASE_EXC_SUBCLASS))
#define PyExceptionInstance_Check(x)                                          \
    PyType_FastSubclass(Py_TYPE(x), Py_TPFLAGS_BASE_EXC_SUBCLASS)
#define PyExceptionInstance_Class(x) _PyObject_CAST(Py_TYPE(x))

/* PyExceptionClass_Name: the class's name, without what precedes its last
   dot. */
PyAPI_FUNC(const char *) PyExceptionClass_Name(PyObject *ob);

/* PyException_GetTraceback, GetCause, GetContext: new references, NULL
   without an exception if there is none. */
PyAPI_FUNC(PyObject *) PyException_GetTraceback(PyObject *ex);
PyAPI_FUNC(PyObject *) PyException_GetCause(PyObject *ex);
PyAPI_FUNC(PyObject *) PyException_GetContext(PyObject *ex);

/* PyException_SetTraceback: tb is a traceback or None.  0, or -1 with
   TypeError. */
PyAPI_FUNC(int) PyException_SetTraceback(PyObject *ex, PyObject *tb);

/* PyException_SetCause, SetContext: steal the reference; NULL clears.  A
   cause also suppresses the context. */
PyAPI_FUNC(void) PyException_SetCause(PyObject *ex, PyObject *cause);
PyAPI_FUNC(void) PyException_SetContext(PyObject *ex, PyObject *context);

/* PyException_GetArgs: args, a new reference.  PyException_SetArgs: the tuple
   args becomes it. */
#if _PYB_LIMITED_AT_LEAST(0x030C0000)
PyAPI_FUNC(PyObject *) PyException_GetArgs(PyObject *ex);
PyAPI_FUNC(void) PyException_SetArgs(PyObject *ex, PyObject *args);
#endif

/* PyUnicodeDecodeError_Create: a new UnicodeDecodeError for the bytes object
   of the given length.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyUnicodeDecodeError_Create(const char *encoding, const char *object,
                                Py_ssize_t length, Py_ssize_t start,
                                Py_ssize_t end, const char *reason);

/* Attributes of UnicodeEncodeError, UnicodeDecodeError and
   UnicodeTranslateError; TypeError for another object, or for an attribute
   that was set to what is of no use.

   GetEncoding, GetReason return a str, GetObject what could not be encoded,
   decoded or translated: a str, for decoding bytes.  New references, or NULL
   with an exception.

   GetStart stores the index of the first character or byte that was wrong,
   GetEnd that of the one behind the last; both are adjusted to the object:
   start is less than its length, and end at least 1, unless it is empty.  They
   and SetStart, SetEnd, SetReason return 0, or -1 with an exception. */
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetEncoding(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetReason(PyObject *exc);
PyAPI_FUNC(int)
    PyUnicodeEncodeError_GetStart(PyObject *exc, Py_ssize_t *start);
PyAPI_FUNC(int) PyUnicodeEncodeError_SetStart(PyObject *exc, Py_ssize_t start);
PyAPI_FUNC(int) PyUnicodeEncodeError_GetEnd(PyObject *exc, Py_ssize_t *end);
PyAPI_FUNC(int) PyUnicodeEncodeError_SetEnd(PyObject *exc, Py_ssize_t end);
PyAPI_FUNC(int)
    PyUnicodeEncodeError_SetReason(PyObject *exc, const char *reason);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetEncoding(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetReason(PyObject *exc);
PyAPI_FUNC(int)
    PyUnicodeDecodeError_GetStart(PyObject *exc, Py_ssize_t *start);
PyAPI_FUNC(int) PyUnicodeDecodeError_SetStart(PyObject *exc, Py_ssize_t start);
PyAPI_FUNC(int) PyUnicodeDecodeError_GetEnd(PyObject *exc, Py_ssize_t *end);
PyAPI_FUNC(int) PyUnicodeDecodeError_SetEnd(PyObject *exc, Py_ssize_t end);
PyAPI_FUNC(int)
    PyUnicodeDecodeError_SetReason(PyObject *exc, const char *reason);
PyAPI_FUNC(PyObject *) PyUnicodeTranslateError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeTranslateError_GetReason(PyObject *exc);
PyAPI_FUNC(int)
    PyUnicodeTranslateError_GetStart(PyObject *exc, Py_ssize_t *start);
PyAPI_FUNC(int)
    PyUnicodeTranslateError_SetStart(PyObject *exc, Py_ssize_t start);
PyAPI_FUNC(int) PyUnicodeTranslateError_GetEnd(PyObject *exc, Py_ssize_t *end);
PyAPI_FUNC(int) PyUnicodeTranslateError_SetEnd(PyObject *exc, Py_ssize_t end);
PyAPI_FUNC(int)
    PyUnicodeTranslateError_SetReason(PyObject *exc, const char *reason);

/* ------------------------------------------------------------------ */
/* The pending exception                                               */

#if _PYB_LIMITED_AT_LEAST(0x030C0000)
/* PyErr_GetRaisedException: takes the pending exception away; a new
   reference, or NULL if there was none. */
PyAPI_FUNC(PyObject *) PyErr_GetRaisedException(void);

/* PyErr_SetRaisedException: exc becomes the pending exception in place of
   what was; steals the reference; NULL clears. */
PyAPI_FUNC(void) PyErr_SetRaisedException(PyObject *exc);
#endif

/* PyErr_Fetch, PyErr_Restore, PyErr_NormalizeException: the same in three
   parts, as code written before 3.12 wants it.  Fetch hands out new
   references or NULLs, Restore steals its arguments. */
PyAPI_FUNC(void)
    PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback);
PyAPI_FUNC(void)
    PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback);
PyAPI_FUNC(void) PyErr_NormalizeException(PyObject **type, PyObject **value,
                                          PyObject **traceback);

/* PyErr_Occurred: the type of the pending exception, borrowed, or NULL. */
PyAPI_FUNC(PyObject *) PyErr_Occurred(void);

/* PyErr_Clear: forgets the pending exception, if any. */
PyAPI_FUNC(void) PyErr_Clear(void);

/* PyErr_GivenExceptionMatches: is err (a class or an instance) of the class
   exc, or of one in the tuple exc?  1 or 0.  PyErr_ExceptionMatches: the same
   of the pending exception. */
PyAPI_FUNC(int) PyErr_GivenExceptionMatches(PyObject *err, PyObject *exc);
PyAPI_FUNC(int) PyErr_ExceptionMatches(PyObject *exc);

/* ------------------------------------------------------------------ */
/* The handled exception                                               */

/* Each thread state has one exception that is being handled, or none: what
   "except" has caught, until its block ends.  Code that catches sets it, and
   sets what was there before again at the end.  An exception raised meanwhile
   by PyErr_SetObject and kin gets it as its context, unless it is that
   exception; only the one of PyErr_NoMemory, which takes no memory, has no
   context. */
#if _PYB_LIMITED_AT_LEAST(0x030B0000)
/* PyErr_GetHandledException: the handled exception, a new reference; NULL,
   without an exception, if there is none. */
PyAPI_FUNC(PyObject *) PyErr_GetHandledException(void);

/* PyErr_SetHandledException: exc is the handled exception from now on, to
   which a reference is gained; NULL or None: there is none. */
PyAPI_FUNC(void) PyErr_SetHandledException(PyObject *exc);
#endif

#if _PYB_LIMITED_AT_LEAST(0x03030000)
/* PyErr_GetExcInfo, PyErr_SetExcInfo: the same in three parts.  Get hands out
   new references, or None for what is not there.  Set steals its arguments;
   only value counts, the others follow from it. */
PyAPI_FUNC(void)
    PyErr_GetExcInfo(PyObject **type, PyObject **value, PyObject **traceback);
PyAPI_FUNC(void)
    PyErr_SetExcInfo(PyObject *type, PyObject *value, PyObject *traceback);
#endif

/* ------------------------------------------------------------------ */
/* Raising                                                             */

/* PyErr_SetString: raises type(string); the string is UTF-8.  PyErr_SetObject:
   raises type(value), type() for NULL or None, type(*value) for a tuple, or
   value itself if it is an instance of type.  PyErr_SetNone: raises type().
   No reference is stolen. */
PyAPI_FUNC(void) PyErr_SetString(PyObject *type, const char *string);
PyAPI_FUNC(void) PyErr_SetObject(PyObject *type, PyObject *value);
PyAPI_FUNC(void) PyErr_SetNone(PyObject *type);

/* PyErr_Format, PyErr_FormatV: raise type(text) with the text that
   PyUnicode_FromFormat makes.  Always NULL. */
PyAPI_FUNC(PyObject *) PyErr_Format(PyObject *type, const char *format, ...);
PyAPI_FUNC(PyObject *)
    PyErr_FormatV(PyObject *type, const char *format, va_list vargs);

/* PyErr_NoMemory: raises MemoryError, which takes no memory.  Always NULL. */
PyAPI_FUNC(PyObject *) PyErr_NoMemory(void);

/* PyErr_BadArgument: raises TypeError "bad argument type for built-in
   operation".  Always 0. */
PyAPI_FUNC(int) PyErr_BadArgument(void);

/* PyErr_BadInternalCall: raises SystemError "FILE:LINE: bad argument to
   internal function". */
PyAPI_FUNC(void) PyErr_BadInternalCall(void);
PyAPI_FUNC(void) _PyErr_BadInternalCall(const char *filename, int lineno);
#define PyErr_BadInternalCall() _PyErr_BadInternalCall(__FILE__, __LINE__)

/* PyErr_SetFromErrno and kin: raise type(errno, strerror(errno)[, filename[,
   0, filename2]]).  Always NULL. */
PyAPI_FUNC(PyObject *) PyErr_SetFromErrno(PyObject *type);
PyAPI_FUNC(PyObject *)
    PyErr_SetFromErrnoWithFilename(PyObject *type, const char *filename);
PyAPI_FUNC(PyObject *)
    PyErr_SetFromErrnoWithFilenameObject(PyObject *type, PyObject *filename);
PyAPI_FUNC(PyObject *)
    PyErr_SetFromErrnoWithFilenameObjects(PyObject *type, PyObject *filename,
                                          PyObject *filename2);

/* PyErr_SetImportError, PyErr_SetImportErrorSubclass: raise ImportError, or a
   subclass of it, with msg, name and path; NULL stands for None in the last
   two.  Always NULL. */
PyAPI_FUNC(PyObject *)
    PyErr_SetImportError(PyObject *msg, PyObject *name, PyObject *path);
PyAPI_FUNC(PyObject *)
    PyErr_SetImportErrorSubclass(PyObject *exception, PyObject *msg,
                                 PyObject *name, PyObject *path);

/* PyErr_NewException, PyErr_NewExceptionWithDoc: a new exception class of the
   name "module.Class"; base (a class or a tuple of them) may be NULL for
   Exception; dict's items, if any, become its attributes.  A new reference,
   or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyErr_NewException(const char *name, PyObject *base, PyObject *dict);
PyAPI_FUNC(PyObject *)
    PyErr_NewExceptionWithDoc(const char *name, const char *doc,
                              PyObject *base, PyObject *dict);

/* PyErr_CheckSignals: 0; or -1 with KeyboardInterrupt in the thread that
   called Py_Initialize after a PyErr_SetInterrupt.  Signals themselves are the
   program's own affair here. */
PyAPI_FUNC(int) PyErr_CheckSignals(void);

/* ------------------------------------------------------------------ */
/* Reporting                                                           */

/* PyErr_PrintEx, PyErr_Print: write the pending exception to sys.stderr as
   "TypeError: text" and clear it; nothing happens without one.  Before that
   come the exceptions it came of, and the place that a SyntaxError tells; its
   notes and what is in a group follow.  sys.stderr is the C library's stderr,
   or what the program has put there; if its write() fails, or there is
   nothing, the C library's again; None gets nothing.  With set_sys_last_vars
   sys.last_exc keeps it; PyErr_Print asks for that.  SystemExit ends the
   process with its code instead; text in its place is written, whatever
   sys.stderr is. */
PyAPI_FUNC(void) PyErr_PrintEx(int set_sys_last_vars);
PyAPI_FUNC(void) PyErr_Print(void);

/* PyErr_DisplayException, PyErr_Display: write an exception there in the same
   form; a pending one stays. */
PyAPI_FUNC(void) PyErr_DisplayException(PyObject *exc);
PyAPI_FUNC(void)
    PyErr_Display(PyObject *unused, PyObject *value, PyObject *tb);

/* PyErr_SyntaxLocation, PyErr_SyntaxLocationEx, PyErr_SyntaxLocationObject,
   PyErr_RangedSyntaxLocationObject: sets the attributes lineno, offset,
   end_lineno, end_offset, filename and text of the pending exception; a
   negative number becomes None.  What fails is left out.
   PyErr_ProgramText, PyErr_ProgramTextObject: a line of a file, counted from
   1, with its end; a new reference, or NULL without an exception. */
PyAPI_FUNC(void) PyErr_SyntaxLocation(const char *filename, int lineno);
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(void)
    PyErr_SyntaxLocationEx(const char *filename, int lineno, int col_offset);
#endif
PyAPI_FUNC(PyObject *) PyErr_ProgramText(const char *filename, int lineno);
#ifndef Py_LIMITED_API
PyAPI_FUNC(void)
    PyErr_SyntaxLocationObject(PyObject *filename, int lineno, int col_offset);
PyAPI_FUNC(void)
    PyErr_RangedSyntaxLocationObject(PyObject *filename, int lineno,
                                     int col_offset, int end_lineno,
                                     int end_col_offset);
PyAPI_FUNC(PyObject *) PyErr_ProgramTextObject(PyObject *filename, int lineno);
#endif

/* PyErr_WriteUnraisable: reports the pending exception where it cannot be
   raised, and clears it: calls sys.unraisablehook, or else the hook set from
   C, or else writes to sys.stderr.  obj, which may be NULL, is where it came
   from.  PyErr_FormatUnraisable: the same with a message in place of the
   default one.  Both do nothing without a pending exception, cannot fail, and
   leave no exception behind. */
PyAPI_FUNC(void) PyErr_WriteUnraisable(PyObject *obj);
PyAPI_FUNC(void) PyErr_FormatUnraisable(const char *format, ...);

/* Py_FatalError: writes "Fatal Python error: FUNCTION: MESSAGE" to standard
   error and aborts the process. */
PyAPI_FUNC(void) _Py_NO_RETURN
    _Py_FatalErrorFunc(const char *func, const char *message);
PyAPI_FUNC(void) _Py_NO_RETURN Py_FatalError(const char *message);
#define Py_FatalError(message) _Py_FatalErrorFunc(__func__, (message))

/* ------------------------------------------------------------------ */
/* Standard exceptions: borrowed references that stay valid             */

PyAPI_DATA(PyObject *) PyExc_BaseException;
PyAPI_DATA(PyObject *) PyExc_Exception;
#if _PYB_LIMITED_AT_LEAST(0x030B0000)
PyAPI_DATA(PyObject *) PyExc_BaseExceptionGroup;
#endif
PyAPI_DATA(PyObject *) PyExc_StopAsyncIteration;
PyAPI_DATA(PyObject *) PyExc_StopIteration;
PyAPI_DATA(PyObject *) PyExc_GeneratorExit;
PyAPI_DATA(PyObject *) PyExc_ArithmeticError;
PyAPI_DATA(PyObject *) PyExc_LookupError;
PyAPI_DATA(PyObject *) PyExc_AssertionError;
PyAPI_DATA(PyObject *) PyExc_AttributeError;
PyAPI_DATA(PyObject *) PyExc_BufferError;
PyAPI_DATA(PyObject *) PyExc_EOFError;
PyAPI_DATA(PyObject *) PyExc_FloatingPointError;
PyAPI_DATA(PyObject *) PyExc_OSError;
PyAPI_DATA(PyObject *) PyExc_ImportError;
PyAPI_DATA(PyObject *) PyExc_ModuleNotFoundError;
PyAPI_DATA(PyObject *) PyExc_IndexError;
PyAPI_DATA(PyObject *) PyExc_KeyError;
PyAPI_DATA(PyObject *) PyExc_KeyboardInterrupt;
PyAPI_DATA(PyObject *) PyExc_MemoryError;
PyAPI_DATA(PyObject *) PyExc_NameError;
PyAPI_DATA(PyObject *) PyExc_OverflowError;
PyAPI_DATA(PyObject *) PyExc_RuntimeError;
PyAPI_DATA(PyObject *) PyExc_RecursionError;
PyAPI_DATA(PyObject *) PyExc_NotImplementedError;
PyAPI_DATA(PyObject *) PyExc_PythonFinalizationError;
PyAPI_DATA(PyObject *) PyExc_SyntaxError;
PyAPI_DATA(PyObject *) PyExc_IndentationError;
PyAPI_DATA(PyObject *) PyExc_TabError;
PyAPI_DATA(PyObject *) PyExc_ReferenceError;
PyAPI_DATA(PyObject *) PyExc_SystemError;
PyAPI_DATA(PyObject *) PyExc_SystemExit;
PyAPI_DATA(PyObject *) PyExc_TypeError;
PyAPI_DATA(PyObject *) PyExc_UnboundLocalError;
PyAPI_DATA(PyObject *) PyExc_UnicodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeEncodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeDecodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeTranslateError;
PyAPI_DATA(PyObject *) PyExc_ValueError;
PyAPI_DATA(PyObject *) PyExc_ZeroDivisionError;
PyAPI_DATA(PyObject *) PyExc_BlockingIOError;
PyAPI_DATA(PyObject *) PyExc_BrokenPipeError;
PyAPI_DATA(PyObject *) PyExc_ChildProcessError;
PyAPI_DATA(PyObject *) PyExc_ConnectionError;
PyAPI_DATA(PyObject *) PyExc_ConnectionAbortedError;
PyAPI_DATA(PyObject *) PyExc_ConnectionRefusedError;
PyAPI_DATA(PyObject *) PyExc_ConnectionResetError;
PyAPI_DATA(PyObject *) PyExc_FileExistsError;
PyAPI_DATA(PyObject *) PyExc_FileNotFoundError;
PyAPI_DATA(PyObject *) PyExc_InterruptedError;
PyAPI_DATA(PyObject *) PyExc_IsADirectoryError;
PyAPI_DATA(PyObject *) PyExc_NotADirectoryError;
PyAPI_DATA(PyObject *) PyExc_PermissionError;
PyAPI_DATA(PyObject *) PyExc_ProcessLookupError;
PyAPI_DATA(PyObject *) PyExc_TimeoutError;

/* Other names of OSError. */
PyAPI_DATA(PyObject *) PyExc_EnvironmentError;
PyAPI_DATA(PyObject *) PyExc_IOError;

/* Categories of warnings. */
PyAPI_DATA(PyObject *) PyExc_Warning;
PyAPI_DATA(PyObject *) PyExc_UserWarning;
PyAPI_DATA(PyObject *) PyExc_DeprecationWarning;
PyAPI_DATA(PyObject *) PyExc_PendingDeprecationWarning;
PyAPI_DATA(PyObject *) PyExc_SyntaxWarning;
PyAPI_DATA(PyObject *) PyExc_RuntimeWarning;
PyAPI_DATA(PyObject *) PyExc_FutureWarning;
PyAPI_DATA(PyObject *) PyExc_ImportWarning;
PyAPI_DATA(PyObject *) PyExc_UnicodeWarning;
PyAPI_DATA(PyObject *) PyExc_BytesWarning;
PyAPI_DATA(PyObject *) PyExc_ResourceWarning;
PyAPI_DATA(PyObject *) PyExc_EncodingWarning;

#ifdef __cplusplus
}
#endif

#endif /* Py_ERRORS_H */
