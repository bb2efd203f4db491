/* memorycast.c: memoryview.cast: the same memory with another format or
   shape. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/memory/itemformat.h"
#include "types/memory/memoryview.h"

static int
is_byte_format(char letter)
{
    return letter == 'b' || letter == 'B' || letter == 'c';
}

/* Formats of one letter, with '@' and without, that outlive all views. */
static char *
lasting_format(char letter, int with_at)
{
    static char formats[][3] = {
        "@c", "@b", "@B", "@?", "@h", "@H", "@i", "@I", "@l",
        "@L", "@q", "@Q", "@n", "@N", "@e", "@f", "@d", "@P",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(formats); i++)
        if (formats[i][1] == letter)
            return formats[i] + !with_at;
    PYB_ALWAYS(0, NULL, "a native format's letter is in no table");
    return NULL;
}

/* The view becomes one dimension of items of the format. */
static int
cast_to_1d(Py_buffer *view, const char *format)
{
    PYB_ASSERT(view->shape != NULL && view->strides != NULL);
    char letter = '\0', old;
    int size = pyb_itemformat_native(format, &letter);

    if (size < 0)
        return pyb_fail(PyExc_ValueError,
                        "memoryview: destination format must be a native "
                        "single character format prefixed with an optional "
                        "'@'");
    if (!is_byte_format(letter) &&
        (pyb_itemformat_native(view->format, &old) < 0 ||
         !is_byte_format(old)))
        return pyb_fail(PyExc_TypeError,
                        "memoryview: cannot cast between two non-byte "
                        "formats");
    if (view->len % size != 0)
        return pyb_fail(PyExc_TypeError,
                        "memoryview: length is not a multiple of itemsize");
    view->format = lasting_format(letter, *format == '@');
    view->itemsize = size;
    view->ndim = 1;
    view->shape[0] = view->len / size;
    view->strides[0] = size;
    view->suboffsets = NULL;
    return 0;
}

/* Stores the lengths of the dimensions; -1 with an exception.  *len becomes
   the bytes of all items, from those of one. */
static int
read_shape(PyObject *shape, Py_ssize_t *lengths, Py_ssize_t *len)
{
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(shape); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(shape, i);
        if (!PyLong_Check(item))
            return pyb_fail(PyExc_TypeError, "memoryview.cast(): elements of "
                                             "shape must be integers");
        lengths[i] = PyLong_AsSsize_t(item);
        if (lengths[i] == -1 && PyErr_Occurred())
            return -1;
        if (lengths[i] <= 0)
            return pyb_fail(PyExc_ValueError, "memoryview.cast(): elements of "
                                              "shape must be integers > 0");
        if (__builtin_mul_overflow(*len, lengths[i], len))
            return pyb_fail(PyExc_ValueError,
                            "memoryview.cast(): product(shape) > SSIZE_MAX");
    }
    return 0;
}

static int
cast_to_shape(Py_buffer *view, PyObject *shape)
{
    Py_ssize_t len = view->itemsize;

    PYB_ASSERT_OBJECT(PyTuple_Check(shape), shape);
    PYB_ASSERT(PyTuple_GET_SIZE(shape) <= PyBUF_MAX_NDIM);
    view->ndim = (int)PySequence_Fast_GET_SIZE(shape);
    if (read_shape(shape, view->shape, &len) < 0)
        return -1;
    if (len != view->len)
        return pyb_fail(
            PyExc_TypeError,
            "memoryview: product(shape) * itemsize != buffer size");
    PyBuffer_FillContiguousStrides(view->ndim, view->shape, view->strides,
                                   (int)view->itemsize, 'C');
    return 0;
}

static int
has_zero(const Py_buffer *view)
{
    for (int i = 0; i < view->ndim; i++)
        if (view->shape[i] == 0 || view->strides[i] == 0)
            return 1;
    return 0;
}

/* 0 if the memoryview may be cast to the shape, which may be NULL; -1 with an
   exception. */
static int
check_shapes(PyObject *op, PyObject *shape)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);

    if (!pyb_memory_is_contiguous(op, 'C'))
        return pyb_fail(
            PyExc_TypeError,
            "memoryview: casts are restricted to C-contiguous views");
    if ((shape != NULL || view->ndim != 1) && has_zero(view))
        return pyb_fail(
            PyExc_TypeError,
            "memoryview: cannot cast view with zeros in shape or strides");
    if (shape == NULL)
        return 0;
    if (!PyList_Check(shape) && !PyTuple_Check(shape))
        return pyb_fail(PyExc_TypeError, "shape must be a list or a tuple");
    if (PySequence_Fast_GET_SIZE(shape) > PyBUF_MAX_NDIM)
        return pyb_failf(PyExc_ValueError,
                         "memoryview: number of dimensions must not "
                         "exceed %d",
                         PyBUF_MAX_NDIM);
    if (view->ndim != 1 && PySequence_Fast_GET_SIZE(shape) != 1)
        return pyb_fail(PyExc_TypeError,
                        "memoryview: cast must be 1D -> ND or ND -> 1D");
    return 0;
}

/* The shape is a tuple: reading it runs no code that could change it, or
   release the memoryview. */
static PyObject *
cast(PyObject *op, const char *format, PyObject *shape)
{
    PyMemoryViewObject *self = PYB_MEMORY(op);
    Py_ssize_t ndim = shape == NULL ? 1 : PyTuple_GET_SIZE(shape);
    PyObject *result =
        pyb_memory_view_of(self->mbuf, &self->view,
                           Py_MAX((int)ndim, Py_MAX(self->view.ndim, 1)));

    if (result == NULL)
        return NULL;
    Py_buffer *view = PYB_MEMORY_VIEW(result);
    if (cast_to_1d(view, format) < 0 ||
        (shape != NULL && cast_to_shape(view, shape) < 0))
        Py_CLEAR(result);
    return result;
}

PyObject *
pyb_memory_cast(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"format", "shape", NULL};
    PyObject *format, *shape = NULL, *result = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:cast", names, &format,
                                     &shape) ||
        !pyb_memory_is_usable(op) || check_shapes(op, shape) < 0)
        return NULL;
    if (!PyUnicode_Check(format))
        return pyb_errors_type(
            "cast() argument 'format' must be str, not %.50s", format);
    PyObject *ascii = PyUnicode_AsASCIIString(format);
    if (ascii == NULL)
        return NULL;
    PyObject *fixed = shape == NULL         ? NULL
                      : PyList_Check(shape) ? PyList_AsTuple(shape)
                                            : Py_NewRef(shape);
    if (fixed != NULL || shape == NULL)
        result = cast(op, PyBytes_AS_STRING(ascii), fixed);
    Py_XDECREF(fixed);
    Py_DECREF(ascii);
    return result;
}
