/* buffercopy.c: copies between buffers of any layout. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/protocol/buffercopy.h"

/* A walk over the items of a view in the order of a contiguous array.  `view'
   is a copy that has strides even if they were not asked for. */
struct walk {
    Py_buffer view;
    Py_ssize_t strides[PyBUF_MAX_NDIM], indices[PyBUF_MAX_NDIM];
    int first, direction; /* the dimension that runs fastest, and the next */
};

static void
walk_begin(struct walk *walk, const Py_buffer *view, char order)
{
    PYB_ASSERT(view->ndim >= 0 && view->ndim <= PyBUF_MAX_NDIM);
    PYB_ASSERT(view->ndim == 0 || view->shape != NULL);
    walk->view = *view;
    walk->first = order == 'F' ? 0 : view->ndim - 1;
    walk->direction = order == 'F' ? 1 : -1;
    for (int i = 0; i < view->ndim; i++)
        walk->indices[i] = 0;
    if (view->strides == NULL) {
        PyBuffer_FillContiguousStrides(view->ndim, view->shape, walk->strides,
                                       (int)view->itemsize, 'C');
        walk->view.strides = walk->strides;
    }
}

/* The address of the item whose turn it is; the next one's turn is then. */
static char *
walk_next(struct walk *walk)
{
    char *item = PyBuffer_GetPointer(&walk->view, walk->indices);

    for (int n = 0, i = walk->first; n < walk->view.ndim;
         n++, i += walk->direction) {
        if (++walk->indices[i] < walk->view.shape[i])
            break;
        walk->indices[i] = 0;
    }
    return item;
}

static Py_ssize_t
count_items(const Py_buffer *view, Py_ssize_t len)
{
    return view->itemsize > 0 ? len / view->itemsize : 0;
}

int
PyBuffer_ToContiguous(void *buf, const Py_buffer *view, Py_ssize_t len,
                      char order)
{
    struct walk walk;
    char *out = buf;

    if (len != view->len)
        return pyb_fail(PyExc_ValueError,
                        "PyBuffer_ToContiguous: len != view->len");
    if (PyBuffer_IsContiguous(view, order)) {
        if (len > 0)
            memcpy(buf, view->buf, (size_t)len);
        return 0;
    }
    walk_begin(&walk, view, order);
    for (Py_ssize_t left = count_items(view, len); left > 0; left--) {
        memcpy(out, walk_next(&walk), (size_t)view->itemsize);
        out += view->itemsize;
    }
    return 0;
}

int
PyBuffer_FromContiguous(const Py_buffer *view, const void *buf, Py_ssize_t len,
                        char order)
{
    struct walk walk;
    const char *in = buf;

    len = Py_MIN(len, view->len);
    if (PyBuffer_IsContiguous(view, order)) {
        if (len > 0)
            memcpy(view->buf, buf, (size_t)len);
        return 0;
    }
    walk_begin(&walk, view, order);
    for (Py_ssize_t left = count_items(view, len); left > 0; left--) {
        memcpy(walk_next(&walk), in, (size_t)view->itemsize);
        in += view->itemsize;
    }
    return 0;
}

/* Memory that is contiguous in the same order on both sides is one block. */
static int
are_blocks(const Py_buffer *dest, const Py_buffer *src)
{
    return (PyBuffer_IsContiguous(dest, 'C') &&
            PyBuffer_IsContiguous(src, 'C')) ||
           (PyBuffer_IsContiguous(dest, 'F') &&
            PyBuffer_IsContiguous(src, 'F'));
}

/* Items that are not one block go through a block of their own: so it does no
   harm if they overlap. */
int
pyb_buffer_copy(const Py_buffer *dest, const Py_buffer *src)
{
    PYB_ASSERT(src->len <= dest->len);
    if (src->len <= 0)
        return 0;
    if (are_blocks(dest, src)) {
        memmove(dest->buf, src->buf, (size_t)src->len);
        return 0;
    }
    char *block = PyMem_Malloc((size_t)src->len);
    if (block == NULL)
        return PYB_MEMORY_ERROR(-1);
    PyBuffer_ToContiguous(block, src, src->len, 'C');
    PyBuffer_FromContiguous(dest, block, src->len, 'C');
    PyMem_Free(block);
    return 0;
}

int
PyObject_CopyData(PyObject *dest, PyObject *src)
{
    Py_buffer to, from;
    int result = -1;

    if (dest == NULL || src == NULL)
        return pyb_fail_null_argument();
    if (!PyObject_CheckBuffer(dest) || !PyObject_CheckBuffer(src))
        return pyb_fail(
            PyExc_TypeError,
            "both destination and source must be bytes-like objects");
    if (PyObject_GetBuffer(dest, &to, PyBUF_FULL) < 0)
        return -1;
    if (PyObject_GetBuffer(src, &from, PyBUF_FULL_RO) < 0)
        goto release_dest;
    if (to.len < from.len)
        PyErr_SetString(PyExc_BufferError, "destination is too small to "
                                           "receive data from source");
    else
        result = pyb_buffer_copy(&to, &from);
    PyBuffer_Release(&from);
release_dest:
    PyBuffer_Release(&to);
    return result;
}
