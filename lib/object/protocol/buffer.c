/* buffer.c: the buffer protocol: asks objects for their memory. */

#include "Python.h"

#include "object/error/errors.h"

int
PyObject_CheckBuffer(PyObject *obj)
{
    PyBufferProcs *procs = Py_TYPE(obj)->tp_as_buffer;

    return procs != NULL && procs->bf_getbuffer != NULL;
}

int
PyObject_GetBuffer(PyObject *obj, Py_buffer *view, int flags)
{
    /* These two flags are for memoryviews, and easily passed here by
       mistake. */
    if (flags == PyBUF_READ || flags == PyBUF_WRITE)
        return PYB_BAD_CALL(-1);
    if (!PyObject_CheckBuffer(obj)) {
        PyErr_Format(PyExc_TypeError,
                     "a bytes-like object is required, not '%.100s'",
                     Py_TYPE(obj)->tp_name);
        view->obj = NULL;
        return -1;
    }
    return Py_TYPE(obj)->tp_as_buffer->bf_getbuffer(obj, view, flags);
}

void
PyBuffer_Release(Py_buffer *view)
{
    PyObject *obj = view->obj;

    if (obj == NULL)
        return;
    PyBufferProcs *procs = Py_TYPE(obj)->tp_as_buffer;
    if (procs != NULL && procs->bf_releasebuffer != NULL)
        procs->bf_releasebuffer(obj, view);
    view->obj = NULL;
    Py_DECREF(obj);
}

int
PyBuffer_FillInfo(Py_buffer *view, PyObject *obj, void *buf, Py_ssize_t len,
                  int readonly, int flags)
{
    if (view == NULL)
        return pyb_fail(PyExc_BufferError,
                        "PyBuffer_FillInfo: view==NULL argument is obsolete");
    if (flags == PyBUF_READ || flags == PyBUF_WRITE)
        return PYB_BAD_CALL(-1);
    if ((flags & PyBUF_WRITABLE) && readonly) {
        PyErr_SetString(PyExc_BufferError, "Object is not writable.");
        view->obj = NULL;
        return -1;
    }

    view->obj = Py_XNewRef(obj);
    view->buf = buf;
    view->len = len;
    view->readonly = readonly;
    view->itemsize = 1;
    view->format = NULL;
    if (flags & PyBUF_FORMAT)
        view->format = (char *)"B";
    view->ndim = 1;
    /* One dimension of bytes: shape and strides are in the view itself. */
    view->shape = (flags & PyBUF_ND) ? &view->len : NULL;
    view->strides =
        (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->itemsize : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

/* ------------------------------------------------------------------ */
/* The layout of the memory                                            */

/* 1 if the strides are those of a contiguous array with dimensions that grow
   from `first' on, in steps of 1 or -1. */
static int
has_contiguous_strides(const Py_buffer *view, int first, int direction)
{
    Py_ssize_t stride = view->itemsize;

    for (int n = 0, i = first; n < view->ndim; n++, i += direction) {
        /* The stride of a single item, or of none, has no meaning. */
        if (view->shape[i] > 1 && view->strides[i] != stride)
            return 0;
        stride *= view->shape[i];
    }
    return 1;
}

static int
is_c_contiguous(const Py_buffer *view)
{
    return view->len == 0 || view->strides == NULL ||
           has_contiguous_strides(view, view->ndim - 1, -1);
}

static int
is_fortran_contiguous(const Py_buffer *view)
{
    if (view->len == 0)
        return 1;
    if (view->strides != NULL)
        return has_contiguous_strides(view, 0, 1);

    /* C order, which is the same if only one dimension counts. */
    int dimensions = 0;
    for (int i = 0; view->shape != NULL && i < view->ndim; i++)
        dimensions += view->shape[i] != 1;
    return dimensions <= 1;
}

int
PyBuffer_IsContiguous(const Py_buffer *view, char order)
{
    if (view->suboffsets != NULL)
        return 0;
    switch (order) {
    case 'C':
        return is_c_contiguous(view);
    case 'F':
        return is_fortran_contiguous(view);
    case 'A':
        return is_c_contiguous(view) || is_fortran_contiguous(view);
    default:
        return 0;
    }
}

void *
PyBuffer_GetPointer(const Py_buffer *view, const Py_ssize_t *indices)
{
    char *pointer = (char *)view->buf;

    for (int i = 0; i < view->ndim; i++) {
        pointer += view->strides[i] * indices[i];
        if (view->suboffsets != NULL && view->suboffsets[i] >= 0)
            pointer = *(char **)pointer + view->suboffsets[i];
    }
    return pointer;
}

void
PyBuffer_FillContiguousStrides(int ndims, Py_ssize_t *shape,
                               Py_ssize_t *strides, int itemsize, char order)
{
    Py_ssize_t stride = itemsize;

    for (int n = 0; n < ndims; n++) {
        int i = order == 'F' ? n : ndims - 1 - n;
        strides[i] = stride;
        stride *= shape[i];
    }
}
