/* byteswriter.c: PyBytesWriter: bytes piece by piece.

   Manual: "Bytes Objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/bytes/bytes.h"

struct PyBytesWriter {
    struct pyb_text text; /* data is never NULL */
};

enum { ROOM_AT_FIRST = 64 };

PyBytesWriter *
PyBytesWriter_Create(Py_ssize_t size)
{
    if (size < 0)
        return pyb_raise(PyExc_ValueError, "size must be >= 0");
    PyBytesWriter *writer = PyMem_Calloc(1, sizeof *writer);
    if (writer == NULL)
        return PYB_MEMORY_ERROR(NULL);
    if (pyb_text_room(&writer->text, Py_MAX(size, ROOM_AT_FIRST)) == NULL) {
        PyMem_Free(writer);
        return NULL;
    }
    writer->text.size = size;
    return writer;
}

void
PyBytesWriter_Discard(PyBytesWriter *writer)
{
    if (writer == NULL)
        return;
    pyb_text_drop(&writer->text);
    PyMem_Free(writer);
}

PyObject *
PyBytesWriter_Finish(PyBytesWriter *writer)
{
    PyObject *op = pyb_text_finish_bytes(&writer->text);

    PyMem_Free(writer);
    return op;
}

PyObject *
PyBytesWriter_FinishWithSize(PyBytesWriter *writer, Py_ssize_t size)
{
    if (PyBytesWriter_Resize(writer, size) == 0)
        return PyBytesWriter_Finish(writer);
    PyBytesWriter_Discard(writer);
    return NULL;
}

PyObject *
PyBytesWriter_FinishWithPointer(PyBytesWriter *writer, void *buf)
{
    uintptr_t size = (uintptr_t)buf - (uintptr_t)writer->text.data;

    if (size <= (uintptr_t)writer->text.room)
        return PyBytesWriter_FinishWithSize(writer, (Py_ssize_t)size);
    PyBytesWriter_Discard(writer);
    return pyb_raise(PyExc_ValueError, "invalid end pointer");
}

void *
PyBytesWriter_GetData(PyBytesWriter *writer)
{
    PYB_ASSERT(writer->text.data != NULL);
    return writer->text.data;
}

Py_ssize_t
PyBytesWriter_GetSize(PyBytesWriter *writer)
{
    return writer->text.size;
}

int
PyBytesWriter_Grow(PyBytesWriter *writer, Py_ssize_t size)
{
    if (size < -writer->text.size)
        return pyb_fail(PyExc_ValueError, "invalid size");
    if (size > 0 && pyb_text_room(&writer->text, size) == NULL)
        return -1;
    writer->text.size += size;
    PYB_ASSERT(writer->text.size >= 0 &&
               writer->text.size <= writer->text.room);
    return 0;
}

int
PyBytesWriter_Resize(PyBytesWriter *writer, Py_ssize_t size)
{
    if (size < 0)
        return pyb_fail(PyExc_ValueError, "size must be >= 0");
    return PyBytesWriter_Grow(writer, size - writer->text.size);
}

void *
PyBytesWriter_GrowAndUpdatePointer(PyBytesWriter *writer, Py_ssize_t size,
                                   void *buf)
{
    Py_ssize_t offset = (char *)buf - writer->text.data;

    if (PyBytesWriter_Grow(writer, size) < 0)
        return NULL;
    return writer->text.data + offset;
}

int
PyBytesWriter_WriteBytes(PyBytesWriter *writer, const void *bytes,
                         Py_ssize_t size)
{
    if (size < 0)
        size = (Py_ssize_t)strlen(bytes);
    return pyb_text_bytes(&writer->text, bytes, size);
}

int
PyBytesWriter_Format(PyBytesWriter *writer, const char *format, ...)
{
    Py_ssize_t size = writer->text.size;
    va_list va;

    va_start(va, format);
    int result = pyb_bytes_format(&writer->text, format, va);
    va_end(va);
    if (result < 0)
        writer->text.size = size;
    return result;
}
