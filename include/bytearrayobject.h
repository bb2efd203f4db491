/* bytearrayobject.h: bytearray, mutable sequences of bytes.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Byte Array Objects". */

#ifndef Py_BYTEARRAYOBJECT_H
#define Py_BYTEARRAYOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bytearray, and its iterators. */
PyAPI_DATA(PyTypeObject) PyByteArray_Type;
PyAPI_DATA(PyTypeObject) PyByteArrayIter_Type;

/* PyByteArrayObject: ob_start holds ob_size bytes and a NUL, somewhere in the
   ob_alloc bytes of memory from ob_bytes on; the size is fixed while
   ob_exports buffers are out.  Both are NULL, and ob_alloc 0, only in an
   instance not yet filled. */
typedef struct {
    PyObject_VAR_HEAD
    Py_ssize_t ob_alloc;
    char *ob_bytes;
    char *ob_start;
    Py_ssize_t ob_exports;
} PyByteArrayObject;

/* PyByteArray_Check, PyByteArray_CheckExact: is op a bytearray (of any
   subtype; exactly)?  May be called in tp_traverse. */
#define PyByteArray_Check(op) PyObject_TypeCheck((op), &PyByteArray_Type)
#define PyByteArray_CheckExact(op) Py_IS_TYPE((op), &PyByteArray_Type)

/* PyByteArray_FromObject: bytearray(o).  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyByteArray_FromObject(PyObject *o);

/* PyByteArray_FromStringAndSize: the len bytes at string, or len bytes still
   to be filled in for NULL.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyByteArray_FromStringAndSize(const char *string, Py_ssize_t len);

/* PyByteArray_Concat: the bytes of two objects that offer buffers.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyByteArray_Concat(PyObject *a, PyObject *b);

/* PyByteArray_Size, PyByteArray_AsString: how many bytes, and the bytes,
   which end with a NUL and stay where they are until the size changes.  They
   check nothing, nor do PyByteArray_GET_SIZE and PyByteArray_AS_STRING. */
PyAPI_FUNC(Py_ssize_t) PyByteArray_Size(PyObject *bytearray);
PyAPI_FUNC(char *) PyByteArray_AsString(PyObject *bytearray);
#define PyByteArray_GET_SIZE(self) Py_SIZE(self)
#define PyByteArray_AS_STRING(self) PyByteArray_AsString(_PyObject_CAST(self))

/* PyByteArray_Resize: changes the size; new bytes are undefined.  0, or -1
   with BufferError, ValueError (len < 0) or MemoryError. */
PyAPI_FUNC(int) PyByteArray_Resize(PyObject *bytearray, Py_ssize_t len);

#ifdef __cplusplus
}
#endif

#endif /* Py_BYTEARRAYOBJECT_H */
