/* unicodewriter.h: _PyUnicodeWriter, under which name public modules know the
   writer of strings since 3.3; new sources use PyUnicodeWriter
   (unicodeobject.h).

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: none; these are not documented.

   A writer is a variable of the caller's.  It begins with
   _PyUnicodeWriter_Init and ends with _PyUnicodeWriter_Finish or
   _PyUnicodeWriter_Dealloc.  Its other members are hints, which may be set and
   mean nothing here; there is no array of characters in it. */

#ifndef Py_UNICODEWRITER_H
#define Py_UNICODEWRITER_H

#include "../unicodeobject.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    PyUnicodeWriter *_pyb_writer; /* NULL until something is written */
    Py_ssize_t min_length;
    Py_UCS4 min_char;
    unsigned char overallocate;
    unsigned char readonly;
} _PyUnicodeWriter;

/* _PyUnicodeWriter_Init: an empty writer.  _PyUnicodeWriter_Finish: the str
   that was written, a new reference, or NULL with MemoryError.
   _PyUnicodeWriter_Dealloc: drops it.  After either the writer is empty. */
PyAPI_FUNC(void) _PyUnicodeWriter_Init(_PyUnicodeWriter *writer);
PyAPI_FUNC(PyObject *) _PyUnicodeWriter_Finish(_PyUnicodeWriter *writer);
PyAPI_FUNC(void) _PyUnicodeWriter_Dealloc(_PyUnicodeWriter *writer);

/* _PyUnicodeWriter_Prepare, _PyUnicodeWriter_PrepareKind: announce length more
   characters, up to maxchar, or of a kind.  0, or -1 with MemoryError. */
PyAPI_FUNC(int) _PyUnicodeWriter_Prepare(_PyUnicodeWriter *writer,
                                         Py_ssize_t length, Py_UCS4 maxchar);
PyAPI_FUNC(int) _PyUnicodeWriter_PrepareKind(_PyUnicodeWriter *writer,
                                             enum PyUnicode_Kind kind);

/* Append a character; a str; a part of a str; ASCII text (size -1: up to its
   NUL); Latin-1 text.  0, or -1 with an exception, the writer unchanged. */
PyAPI_FUNC(int)
    _PyUnicodeWriter_WriteChar(_PyUnicodeWriter *writer, Py_UCS4 ch);
PyAPI_FUNC(int)
    _PyUnicodeWriter_WriteStr(_PyUnicodeWriter *writer, PyObject *str);
PyAPI_FUNC(int)
    _PyUnicodeWriter_WriteSubstring(_PyUnicodeWriter *writer, PyObject *str,
                                    Py_ssize_t start, Py_ssize_t end);
PyAPI_FUNC(int)
    _PyUnicodeWriter_WriteASCIIString(_PyUnicodeWriter *writer,
                                      const char *str, Py_ssize_t size);
PyAPI_FUNC(int)
    _PyUnicodeWriter_WriteLatin1String(_PyUnicodeWriter *writer,
                                       const char *str, Py_ssize_t size);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_UNICODEWRITER_H */
