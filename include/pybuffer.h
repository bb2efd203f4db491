/* pybuffer.h: direct access to the memory of objects that offer it.

   Py_buffer is in object.h.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Buffer Protocol". */

#ifndef Py_BUFFER_H
#define Py_BUFFER_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyBUF_MAX_NDIM: the most dimensions a buffer may have. */
#define PyBUF_MAX_NDIM 64

/* What PyObject_GetBuffer is asked for. */
#define PyBUF_SIMPLE 0
#define PyBUF_WRITABLE 0x0001
#define PyBUF_WRITEABLE PyBUF_WRITABLE
#define PyBUF_FORMAT 0x0004
#define PyBUF_ND 0x0008
#define PyBUF_STRIDES (0x0010 | PyBUF_ND)
#define PyBUF_C_CONTIGUOUS (0x0020 | PyBUF_STRIDES)
#define PyBUF_F_CONTIGUOUS (0x0040 | PyBUF_STRIDES)
#define PyBUF_ANY_CONTIGUOUS (0x0080 | PyBUF_STRIDES)
#define PyBUF_INDIRECT (0x0100 | PyBUF_STRIDES)

/* Usual requests; RO: for reading only. */
#define PyBUF_CONTIG (PyBUF_ND | PyBUF_WRITABLE)
#define PyBUF_CONTIG_RO (PyBUF_ND)
#define PyBUF_STRIDED (PyBUF_STRIDES | PyBUF_WRITABLE)
#define PyBUF_STRIDED_RO (PyBUF_STRIDES)
#define PyBUF_RECORDS (PyBUF_STRIDES | PyBUF_WRITABLE | PyBUF_FORMAT)
#define PyBUF_RECORDS_RO (PyBUF_STRIDES | PyBUF_FORMAT)
#define PyBUF_FULL (PyBUF_INDIRECT | PyBUF_WRITABLE | PyBUF_FORMAT)
#define PyBUF_FULL_RO (PyBUF_INDIRECT | PyBUF_FORMAT)

/* For memory views made from memory: may it be changed? */
#define PyBUF_READ 0x100
#define PyBUF_WRITE 0x200

/* PyObject_CheckBuffer: 1 if obj's type offers buffers, else 0. */
PyAPI_FUNC(int) PyObject_CheckBuffer(PyObject *obj);

/* PyObject_GetBuffer: fills view with obj's memory as flags ask.  0; or -1
   with an exception and view->obj NULL (TypeError if obj offers none,
   BufferError if not of this kind).  PyBuffer_Release ends the use. */
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *obj, Py_buffer *view, int flags);

/* PyBuffer_Release: gives the memory back and drops view->obj; nothing
   happens if that is NULL. */
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);

/* PyBuffer_FillInfo: for a bf_getbuffer: fills view with len bytes at buf;
   view->obj becomes a new reference to obj, which may be NULL.  0; or -1 with
   BufferError if flags ask to write and readonly is not 0. */
PyAPI_FUNC(int) PyBuffer_FillInfo(Py_buffer *view, PyObject *obj, void *buf,
                                  Py_ssize_t len, int readonly, int flags);

/* PyBuffer_IsContiguous: 1 if the memory is contiguous in order 'C', 'F' or
   ('A') either, else 0.  Never fails. */
PyAPI_FUNC(int) PyBuffer_IsContiguous(const Py_buffer *view, char order);

/* PyBuffer_GetPointer: the address of the item with the given indices, one
   per dimension.  Never fails. */
PyAPI_FUNC(void *)
    PyBuffer_GetPointer(const Py_buffer *view, const Py_ssize_t *indices);

/* PyBuffer_FillContiguousStrides: the byte strides of a contiguous array of
   order 'C' or 'F'. */
PyAPI_FUNC(void) PyBuffer_FillContiguousStrides(int ndims, Py_ssize_t *shape,
                                                Py_ssize_t *strides,
                                                int itemsize, char order);

/* PyBuffer_SizeFromFormat: the bytes of an item of this format, which is
   written as for the module struct.  -1 with ValueError (CPython:
   struct.error) if there is no such format. */
PyAPI_FUNC(Py_ssize_t) PyBuffer_SizeFromFormat(const char *format);

/* PyBuffer_ToContiguous: copies the items of view, one after another in order
   'C' or 'F', to buf; 'A': in 'F' if the memory is contiguous so, else in 'C'.
   len must be view->len.  0, or -1 with ValueError. */
PyAPI_FUNC(int) PyBuffer_ToContiguous(void *buf, const Py_buffer *view,
                                      Py_ssize_t len, char order);

/* PyBuffer_FromContiguous: the other way: len bytes at buf become items of
   view, at most as many as it has.  0; it never fails. */
PyAPI_FUNC(int) PyBuffer_FromContiguous(const Py_buffer *view, const void *buf,
                                        Py_ssize_t len, char order);

/* PyObject_CopyData: copies the items of src's buffer to dest's, which may be
   the larger one.  0; or -1 with an exception (TypeError if one offers no
   buffer, BufferError if dest's is too small or not writable). */
PyAPI_FUNC(int) PyObject_CopyData(PyObject *dest, PyObject *src);

/* The calls of old sources.  The buffer is released before they return, so
   the address is good only while nothing changes obj: use PyObject_GetBuffer.

   PyObject_AsCharBuffer, PyObject_AsReadBuffer, PyObject_AsWriteBuffer: set
   *buffer and *buffer_len to obj's memory.  0, or -1 with TypeError or
   BufferError (the last: always TypeError), or SystemError for a NULL. */
PyAPI_FUNC(int) PyObject_AsCharBuffer(PyObject *obj, const char **buffer,
                                      Py_ssize_t *buffer_len);
PyAPI_FUNC(int) PyObject_AsReadBuffer(PyObject *obj, const void **buffer,
                                      Py_ssize_t *buffer_len);
PyAPI_FUNC(int) PyObject_AsWriteBuffer(PyObject *obj, void **buffer,
                                       Py_ssize_t *buffer_len);

/* PyObject_CheckReadBuffer: 1 if obj gives a plain buffer to read, else 0.
   Never fails. */
PyAPI_FUNC(int) PyObject_CheckReadBuffer(PyObject *obj);

#ifdef __cplusplus
}
#endif

#endif /* Py_BUFFER_H */
