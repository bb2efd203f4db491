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

/* PySys_WriteStdout, PySys_WriteStderr: printf to sys.stdout or sys.stderr, at
   most 1000 bytes of text.  These are the C library's streams, unless the
   program has put a file of its own there; the C library's get the text, too,
   where there is none, or its write fails.  A pending exception stays.
   Tracebacks and warnings go to the C library's stderr. */
PyAPI_FUNC(void) PySys_WriteStdout(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(void) PySys_WriteStderr(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));

/* PySys_FormatStdout, PySys_FormatStderr: the same with
   PyUnicode_FromFormat's formats, and without a limit. */
PyAPI_FUNC(void) PySys_FormatStdout(const char *format, ...);
PyAPI_FUNC(void) PySys_FormatStderr(const char *format, ...);

/* ------------------------------------------------------------------ */
/* Arguments and options                                               */

/* PySys_SetArgvEx: sys.argv = the arguments, [""] if there are none; if
   updatepath is not 0, the directory of the program argv[0], "" without one,
   becomes the first of sys.path.  PySys_SetArgv: with updatepath 1.  Fatal if
   that fails. */
PyAPI_FUNC(void) PySys_SetArgvEx(int argc, wchar_t **argv, int updatepath);
PyAPI_FUNC(void) PySys_SetArgv(int argc, wchar_t **argv);

/* PySys_SetPath: sys.path = the directories between the colons.  Fatal if that
   fails. */
PyAPI_FUNC(void) PySys_SetPath(const wchar_t *path);

/* PySys_AddWarnOption, PySys_AddWarnOptionUnicode: appends to
   sys.warnoptions, which nothing here looks at.  PySys_HasWarnOptions: 1 if
   that has any, else 0.  PySys_ResetWarnOptions: empties it.  A failure is
   without an exception. */
PyAPI_FUNC(void) PySys_AddWarnOption(const wchar_t *option);
PyAPI_FUNC(void) PySys_AddWarnOptionUnicode(PyObject *option);
PyAPI_FUNC(int) PySys_HasWarnOptions(void);
PyAPI_FUNC(void) PySys_ResetWarnOptions(void);

/* PySys_AddXOption: "name=value" sets an item of sys._xoptions, "name" sets it
   to True; nothing here looks at it.  PySys_GetXOptions: sys._xoptions,
   borrowed, or NULL with an exception. */
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(void) PySys_AddXOption(const wchar_t *option);
PyAPI_FUNC(PyObject *) PySys_GetXOptions(void);
#endif

/* ------------------------------------------------------------------ */
/* Audit hooks                                                         */

/* PySys_Audit: calls the audit hooks with the event and a tuple that
   Py_BuildValue makes of the format, NULL for none; PySys_AuditTuple: with a
   tuple, or NULL.  0, or -1 with the exception of the first hook that fails;
   TypeError if args is no tuple.  The library itself has no events. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int) PySys_Audit(const char *event, const char *format, ...);
PyAPI_FUNC(int) PySys_AuditTuple(const char *event, PyObject *args);
#endif

/* PySys_AddAuditHook: hook(event, args, data) is called for each event until
   Py_Finalize has ended; also before Py_Initialize.  The hooks that there are
   get the event "sys.addaudithook" first: if one fails with an Exception, the
   new one is not added, and 0 is returned.  0, or -1 with an exception. */
#ifndef Py_LIMITED_API
typedef int (*Py_AuditHookFunction)(const char *event, PyObject *args,
                                    void *data);
PyAPI_FUNC(int) PySys_AddAuditHook(Py_AuditHookFunction hook, void *data);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_SYSMODULE_H */
