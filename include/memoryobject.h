/* memoryobject.h: memoryview: the memory of another object, as an object.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "MemoryView objects". */

#ifndef Py_MEMORYOBJECT_H
#define Py_MEMORYOBJECT_H

#include "object.h"
#include "pybuffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* memoryview. */
PyAPI_DATA(PyTypeObject) PyMemoryView_Type;

/* PyMemoryView_Check: is op a memoryview?  (There are no subtypes.)  May be
   called in tp_traverse. */
#define PyMemoryView_Check(op) Py_IS_TYPE((op), &PyMemoryView_Type)

/* PyMemoryView_FromObject: a memoryview of base's buffer, which is kept until
   the last view of it is gone or released; that of a memoryview is shared with
   it.  A new reference, or NULL with an exception (TypeError if base offers no
   buffer). */
PyAPI_FUNC(PyObject *) PyMemoryView_FromObject(PyObject *base);

/* PyMemoryView_FromMemory: a memoryview of size bytes at mem, to read
   (PyBUF_READ) or also to write (PyBUF_WRITE).  The caller keeps the memory
   alive as long as the view is used.  A new reference, or NULL with an
   exception (SystemError for NULL, a negative size or another flag). */
PyAPI_FUNC(PyObject *)
    PyMemoryView_FromMemory(char *mem, Py_ssize_t size, int flags);

/* PyMemoryView_FromBuffer: a memoryview of what info describes.  Shape,
   strides and suboffsets are copied; info->obj is ignored, and info never
   released: the caller keeps memory and format alive.  A new reference, or
   NULL with an exception (ValueError if info->buf is NULL). */
#if !defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030B0000
PyAPI_FUNC(PyObject *) PyMemoryView_FromBuffer(const Py_buffer *info);
#endif

/* PyMemoryView_GetContiguous: a memoryview of base's memory if that is
   contiguous in order 'C', 'F' or ('A') either; else, for PyBUF_READ, of a
   bytes object with a copy that is.  A new reference, or NULL with an
   exception (BufferError for PyBUF_WRITE if the memory is not contiguous, or
   read-only). */
PyAPI_FUNC(PyObject *)
    PyMemoryView_GetContiguous(PyObject *base, int buffertype, char order);

#ifndef Py_LIMITED_API
/* _PyManagedBufferObject: a buffer that several memoryviews share; its type,
   and that of iterators over memoryviews. */
typedef struct _PyManagedBufferObject _PyManagedBufferObject;
PyAPI_DATA(PyTypeObject) _PyManagedBuffer_Type;
PyAPI_DATA(PyTypeObject) _PyMemoryIter_Type;

/* PyMemoryViewObject: to be read through the macros below only. */
typedef struct {
    PyObject_VAR_HEAD
    _PyManagedBufferObject *mbuf; /* owned, visited, cleared */
    Py_hash_t hash;               /* -1: not computed yet */
    int flags;                    /* 1: released */
    Py_ssize_t exports;           /* buffers of this view that are in use */
    Py_buffer view;               /* view.obj is borrowed from mbuf */
    PyObject *weakreflist;
    Py_ssize_t ob_array[1]; /* shape, strides, suboffsets */
} PyMemoryViewObject;

/* PyMemoryView_GET_BUFFER: the Py_buffer of what is known to be a memoryview;
   it belongs to that.  PyMemoryView_GET_BASE: the object whose memory it is,
   borrowed; or NULL. */
#define PyMemoryView_GET_BUFFER(op) (&((PyMemoryViewObject *)(op))->view)
#define PyMemoryView_GET_BASE(op) (((PyMemoryViewObject *)(op))->view.obj)
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_MEMORYOBJECT_H */
