/* oldbuffer.c: the buffer calls of Python 2, which the stable ABI keeps. */

#include "Python.h"

#include "object/error/errors.h"

/* The memory is given back at once: these calls have no release. */
static int
as_buffer(PyObject *obj, int flags, void **buffer, Py_ssize_t *length)
{
    Py_buffer view;

    if (obj == NULL || buffer == NULL || length == NULL)
        return pyb_fail_null_argument();
    if (PyObject_GetBuffer(obj, &view, flags) < 0)
        return -1;
    *buffer = view.buf;
    *length = view.len;
    PyBuffer_Release(&view);
    return 0;
}

int
PyObject_AsCharBuffer(PyObject *obj, const char **buffer,
                      Py_ssize_t *buffer_len)
{
    return as_buffer(obj, PyBUF_SIMPLE, (void **)buffer, buffer_len);
}

int
PyObject_AsReadBuffer(PyObject *obj, const void **buffer,
                      Py_ssize_t *buffer_len)
{
    return as_buffer(obj, PyBUF_SIMPLE, (void **)buffer, buffer_len);
}

int
PyObject_AsWriteBuffer(PyObject *obj, void **buffer, Py_ssize_t *buffer_len)
{
    int result = as_buffer(obj, PyBUF_WRITABLE, buffer, buffer_len);

    if (result < 0 && obj != NULL && buffer != NULL && buffer_len != NULL)
        PyErr_SetString(PyExc_TypeError,
                        "expected a writable bytes-like object");
    return result;
}

int
PyObject_CheckReadBuffer(PyObject *obj)
{
    Py_buffer view;

    if (!PyObject_CheckBuffer(obj))
        return 0;
    if (PyObject_GetBuffer(obj, &view, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return 0;
    }
    PyBuffer_Release(&view);
    return 1;
}
