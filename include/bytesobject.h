/* bytesobject.h: bytes, immutable sequences of bytes.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Bytes Objects". */

#ifndef Py_BYTESOBJECT_H
#define Py_BYTESOBJECT_H

#include <assert.h>
#include <stdarg.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bytes, and its iterators. */
PyAPI_DATA(PyTypeObject) PyBytes_Type;
PyAPI_DATA(PyTypeObject) PyBytesIter_Type;

/* PyBytesObject: ob_sval holds ob_size bytes and a NUL; ob_shash is their
   hash, or -1 while it is not known. */
typedef struct {
    PyObject_VAR_HEAD
    Py_hash_t ob_shash;
    char ob_sval[1];
} PyBytesObject;

/* PyBytes_Check, PyBytes_CheckExact: is op bytes (of any subtype; exactly)?
   May be called in tp_traverse. */
#define PyBytes_Check(op)                                                     \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_BYTES_SUBCLASS)
#define PyBytes_CheckExact(op) Py_IS_TYPE((op), &PyBytes_Type)

/* PyBytes_FromStringAndSize: the len bytes at v, or for v == NULL len bytes
   that the caller fills in before other code sees the object.  A new
   reference, or NULL with MemoryError, SystemError (len < 0) or
   OverflowError. */
PyAPI_FUNC(PyObject *)
    PyBytes_FromStringAndSize(const char *v, Py_ssize_t len);

/* PyBytes_FromString: the bytes of a C string.  A new reference, or NULL with
   an exception. */
PyAPI_FUNC(PyObject *) PyBytes_FromString(const char *v);

/* PyBytes_FromFormat, PyBytes_FromFormatV: formatted in the manner of printf:
   %% %c %d %u %ld %lu %zd %zu %i %x %s %p, the precision of %s too.  Any other
   unit is copied, with all that follows it.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyBytes_FromFormat(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(PyObject *) PyBytes_FromFormatV(const char *format, va_list vargs)
    Py_GCC_ATTRIBUTE((format(printf, 1, 0)));

/* PyBytes_FromObject: the bytes of an object that offers a buffer, or of a
   list, tuple or other iterable of ints.  A new reference, or NULL with
   TypeError, ValueError or another exception. */
PyAPI_FUNC(PyObject *) PyBytes_FromObject(PyObject *o);

/* PyBytes_Size: how many bytes; -1 with TypeError if op is not bytes. */
PyAPI_FUNC(Py_ssize_t) PyBytes_Size(PyObject *op);

/* PyBytes_AsString: the bytes, which end with a NUL; not to be changed nor
   freed.  NULL with TypeError if op is not bytes. */
PyAPI_FUNC(char *) PyBytes_AsString(PyObject *op);

/* PyBytes_AsStringAndSize: both.  With length == NULL there must be no NUL
   among the bytes (ValueError).  0, or -1 with an exception. */
PyAPI_FUNC(int)
    PyBytes_AsStringAndSize(PyObject *obj, char **buffer, Py_ssize_t *length);

/* PyBytes_AS_STRING, PyBytes_GET_SIZE: without checks. */
static inline char *
PyBytes_AS_STRING(PyObject *op)
{
    return ((PyBytesObject *)op)->ob_sval;
}
#define PyBytes_AS_STRING(op) (PyBytes_AS_STRING(_PyObject_CAST(op)))
#define PyBytes_GET_SIZE(op) Py_SIZE(op)

/* PyBytes_Concat: *bytes, whose reference is stolen, becomes *bytes +
   newpart; NULL with an exception on failure.  Nothing happens if it is NULL;
   newpart == NULL clears it.  PyBytes_ConcatAndDel steals newpart as well. */
PyAPI_FUNC(void) PyBytes_Concat(PyObject **bytes, PyObject *newpart);
PyAPI_FUNC(void) PyBytes_ConcatAndDel(PyObject **bytes, PyObject *newpart);

/* PyBytes_Join: sep.join(iterable).  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyBytes_Join(PyObject *sep, PyObject *iterable);

/* PyBytes_DecodeEscape: the bytes that len bytes at s spell, written as between
   the quotes of a literal.  errors says what becomes of \x without two digits:
   NULL or "strict": ValueError; "replace": a question mark; "ignore": nothing.
   Another escape that is none stays as it is, with a DeprecationWarning.  The
   last two arguments are not looked at.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PyBytes_DecodeEscape(const char *s, Py_ssize_t len, const char *errors,
                         Py_ssize_t unicode, const char *recode_encoding);

/* PyBytes_Repr: repr(obj), with smartquotes == 0 always in single quotes.  A
   new reference to a str, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyBytes_Repr(PyObject *obj, int smartquotes);

/* _PyBytes_Resize: changes the size of bytes that only the caller knows; the
   object may move.  0; or -1 with an exception, the object freed and *bytes
   NULL. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) _PyBytes_Resize(PyObject **bytes, Py_ssize_t newsize);

/* ------------------------------------------------------------------ */
/* Bytes piece by piece                                                */

/* A writer has bytes in a buffer that grows, and a size, which counts those
   that belong to the result.  It ends with PyBytesWriter_Discard or a function
   whose name has Finish in it.  Opaque. */
typedef struct PyBytesWriter PyBytesWriter;

/* PyBytesWriter_Create: a writer of size bytes, to be filled in.  NULL with
   MemoryError, or ValueError (size < 0). */
PyAPI_FUNC(PyBytesWriter *) PyBytesWriter_Create(Py_ssize_t size);

/* PyBytesWriter_Discard: frees the writer; NULL is ignored.
   PyBytesWriter_Finish: its bytes, a new reference; frees it.
   PyBytesWriter_FinishWithSize: the same after PyBytesWriter_Resize; a new
   reference.  PyBytesWriter_FinishWithPointer: the bytes before buf, which
   points into the buffer; a new reference.  All three: NULL with MemoryError
   or ValueError; the writer is freed then, too. */
PyAPI_FUNC(void) PyBytesWriter_Discard(PyBytesWriter *writer);
PyAPI_FUNC(PyObject *) PyBytesWriter_Finish(PyBytesWriter *writer);
PyAPI_FUNC(PyObject *)
    PyBytesWriter_FinishWithSize(PyBytesWriter *writer, Py_ssize_t size);
PyAPI_FUNC(PyObject *)
    PyBytesWriter_FinishWithPointer(PyBytesWriter *writer, void *buf);

/* PyBytesWriter_GetData: where the bytes are, until the size next changes;
   never NULL.  PyBytesWriter_GetSize: how many there are. */
PyAPI_FUNC(void *) PyBytesWriter_GetData(PyBytesWriter *writer);
PyAPI_FUNC(Py_ssize_t) PyBytesWriter_GetSize(PyBytesWriter *writer);

/* PyBytesWriter_WriteBytes: appends size bytes, or for size < 0 a C string.
   PyBytesWriter_Format: what PyBytes_FromFormat makes.  0, or -1 with an
   exception, and the writer is as before. */
PyAPI_FUNC(int) PyBytesWriter_WriteBytes(PyBytesWriter *writer,
                                         const void *bytes, Py_ssize_t size);
PyAPI_FUNC(int)
    PyBytesWriter_Format(PyBytesWriter *writer, const char *format, ...)
        Py_GCC_ATTRIBUTE((format(printf, 2, 3)));

/* PyBytesWriter_Resize: sets the size.  PyBytesWriter_Grow: adds to it, or for
   size < 0 takes away.  What is new is to be filled in.  0, or -1 with
   MemoryError or ValueError, and the writer is as before.
   PyBytesWriter_GrowAndUpdatePointer: the same; the place that corresponds to
   buf, which points into the buffer; NULL with an exception. */
PyAPI_FUNC(int) PyBytesWriter_Resize(PyBytesWriter *writer, Py_ssize_t size);
PyAPI_FUNC(int) PyBytesWriter_Grow(PyBytesWriter *writer, Py_ssize_t size);
PyAPI_FUNC(void *)
    PyBytesWriter_GrowAndUpdatePointer(PyBytesWriter *writer, Py_ssize_t size,
                                       void *buf);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_BYTESOBJECT_H */
