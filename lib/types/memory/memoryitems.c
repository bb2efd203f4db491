/* memoryitems.c: items of memoryviews: indices, slices, assignment, lists. */

#include "Python.h"

#include "object/error/errors.h"
#include "object/protocol/buffercopy.h"
#include "object/protocol/sequence.h"
#include "types/iter/iterators.h"
#include "types/memory/itemformat.h"
#include "types/memory/memoryview.h"

/* The letter of the format if it has one alone, of any kind; '\0' with
   NotImplementedError. */
static char
format_letter(const Py_buffer *view)
{
    PYB_ASSERT(view->format != NULL);
    const char *format =
        view->format[0] == '@' ? view->format + 1 : view->format;

    if (format[0] != '\0' && format[1] == '\0')
        return format[0];
    PyErr_Format(PyExc_NotImplementedError,
                 "memoryview: unsupported format %s", view->format);
    return '\0';
}

/* ------------------------------------------------------------------ */
/* Where an item is                                                    */

/* Steps to item i, which may count from the end, of a dimension; NULL with
   IndexError. */
static char *
step(const Py_buffer *view, char *data, int dim, Py_ssize_t i)
{
    PYB_ASSERT(0 <= dim && dim < view->ndim && view->shape[dim] >= 0);
    if (i < 0)
        i += view->shape[dim];
    if (i < 0 || i >= view->shape[dim]) {
        PyErr_Format(PyExc_IndexError, "index out of bounds on dimension %d",
                     dim + 1);
        return NULL;
    }
    return pyb_buffer_at(view, data, dim, i);
}

static char *
find_item(const Py_buffer *view, Py_ssize_t i)
{
    if (view->ndim == 0)
        return pyb_raise(PyExc_TypeError, "invalid indexing of 0-dim memory");
    if (view->ndim > 1)
        return pyb_raise(PyExc_NotImplementedError,
                         "multi-dimensional sub-views are not implemented");
    return step(view, view->buf, 0, i);
}

/* The item that a tuple of indices names.  Foreign code may release the
   memoryview while they are converted. */
static char *
find_item_of_tuple(PyObject *op, PyObject *indices)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);
    Py_ssize_t n = PyTuple_GET_SIZE(indices);
    char *data = view->buf;

    if (n < view->ndim)
        return pyb_raise(PyExc_NotImplementedError,
                         "sub-views are not implemented");
    if (n > view->ndim) {
        PyErr_Format(PyExc_TypeError,
                     "cannot index %d-dimension view with %zd-element tuple",
                     view->ndim, n);
        return NULL;
    }
    for (int dim = 0; data != NULL && dim < n; dim++) {
        Py_ssize_t i = PyNumber_AsSsize_t(PyTuple_GET_ITEM(indices, dim),
                                          PyExc_IndexError);
        if ((i == -1 && PyErr_Occurred()) || !pyb_memory_is_usable(op))
            return NULL;
        data = step(view, data, dim, i);
    }
    return data;
}

/* Is key a tuple of what the check accepts? */
static int
is_tuple_of(PyObject *key, int (*check)(PyObject *))
{
    if (!PyTuple_Check(key))
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++)
        if (!check(PyTuple_GET_ITEM(key, i)))
            return 0;
    return 1;
}

static int
is_slice(PyObject *op)
{
    return PySlice_Check(op);
}

static int
is_tuple_of_slices(PyObject *key)
{
    return is_tuple_of(key, is_slice) && PyTuple_GET_SIZE(key) > 0;
}

static int
is_whole(PyObject *key)
{
    return key == Py_Ellipsis ||
           (PyTuple_Check(key) && PyTuple_GET_SIZE(key) == 0);
}

/* The item that a key names: an index, or a tuple of them. */
static char *
find_item_of_key(PyObject *op, PyObject *key)
{
    if (!PyIndex_Check(key))
        return find_item_of_tuple(op, key);
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if ((i == -1 && PyErr_Occurred()) || !pyb_memory_is_usable(op))
        return NULL;
    return find_item(PYB_MEMORY_VIEW(op), i);
}

/* Narrows a view to a slice of its first dimension; shape and strides are
   changed where they are.  0, or -1 with an exception. */
static int
narrow(Py_buffer *view, PyObject *slice)
{
    Py_ssize_t start, stop, step;

    PYB_ASSERT(view->ndim > 0);
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
        return -1;
    Py_ssize_t n = PySlice_AdjustIndices(view->shape[0], &start, &stop, step);
    PYB_ASSERT(n == 0 || (0 <= start && start < view->shape[0]));
    PYB_ASSERT(n == 0 || (0 <= start + (n - 1) * step &&
                          start + (n - 1) * step < view->shape[0]));
    view->buf = (char *)view->buf + view->strides[0] * start;
    view->shape[0] = n;
    /* The stride of one item or of none is not used: it may wrap. */
    view->strides[0] = (Py_ssize_t)((size_t)view->strides[0] * (size_t)step);
    view->len = view->itemsize;
    for (int i = 0; i < view->ndim; i++)
        view->len *= view->shape[i];
    return 0;
}

/* ------------------------------------------------------------------ */
/* Reading                                                             */

static PyObject *
memory_item(PyObject *op, Py_ssize_t i)
{
    char letter, *data;

    if (!pyb_memory_is_usable(op) ||
        (letter = format_letter(PYB_MEMORY_VIEW(op))) == '\0' ||
        (data = find_item(PYB_MEMORY_VIEW(op), i)) == NULL)
        return NULL;
    return pyb_itemformat_unpack_native(letter, data);
}

static PyObject *
item_of_key(PyObject *op, PyObject *key)
{
    char letter, *data;

    if ((letter = format_letter(PYB_MEMORY_VIEW(op))) == '\0' ||
        (data = find_item_of_key(op, key)) == NULL)
        return NULL;
    return pyb_itemformat_unpack_native(letter, data);
}

static PyObject *
slice_of(PyObject *op, PyObject *slice)
{
    PyObject *part = pyb_memory_again(op);

    if (part != NULL && narrow(PYB_MEMORY_VIEW(part), slice) < 0)
        Py_CLEAR(part);
    return part;
}

static PyObject *
scalar_subscript(PyObject *op, PyObject *key)
{
    if (key == Py_Ellipsis)
        return Py_NewRef(op);
    if (is_whole(key))
        return item_of_key(op, key);
    return pyb_raise(PyExc_TypeError, "invalid indexing of 0-dim memory");
}

static PyObject *
memory_subscript(PyObject *op, PyObject *key)
{
    if (!pyb_memory_is_usable(op))
        return NULL;
    if (PYB_MEMORY_VIEW(op)->ndim == 0)
        return scalar_subscript(op, key);
    if (PyIndex_Check(key) || is_tuple_of(key, PyIndex_Check))
        return item_of_key(op, key);
    if (PySlice_Check(key))
        return slice_of(op, key);
    if (is_tuple_of_slices(key))
        return pyb_raise(PyExc_NotImplementedError,
                         "multi-dimensional slicing is not implemented");
    return pyb_raise(PyExc_TypeError, "memoryview: invalid slice key");
}

static Py_ssize_t
memory_length(PyObject *op)
{
    if (!pyb_memory_is_usable(op))
        return -1;
    if (PYB_MEMORY_VIEW(op)->ndim == 0)
        return pyb_fail(PyExc_TypeError, "0-dim memory has no length");
    return PYB_MEMORY_VIEW(op)->shape[0];
}

/* ------------------------------------------------------------------ */
/* Assignment                                                          */

/* Formats are the same but for '@'; NULL stands for "B". */
static int
have_same_structure(const Py_buffer *a, const Py_buffer *b)
{
    const char *format = a->format != NULL ? a->format : "B";
    const char *other = b->format != NULL ? b->format : "B";

    return strcmp(format + (*format == '@'), other + (*other == '@')) == 0 &&
           a->itemsize == b->itemsize && pyb_memory_same_shape(a, b);
}

static int
assign_slice(PyObject *op, PyObject *slice, PyObject *value)
{
    PyObject *part = NULL;
    int result = -1;
    Py_buffer from;

    if (PyObject_GetBuffer(value, &from, PyBUF_FULL_RO) < 0)
        return -1;
    if (pyb_memory_is_usable(op))
        part = slice_of(op, slice);
    if (part == NULL)
        goto release;
    if (!pyb_memory_is_usable(op)) { /* an index may have released it */
        Py_DECREF(part);
        goto release;
    }
    if (have_same_structure(PYB_MEMORY_VIEW(part), &from))
        result = pyb_buffer_copy(PYB_MEMORY_VIEW(part), &from);
    else
        PyErr_SetString(PyExc_ValueError,
                        "memoryview assignment: lvalue and rvalue have "
                        "different structures");
    Py_DECREF(part);
release:
    PyBuffer_Release(&from);
    return result;
}

static int
assign_item(PyObject *op, char letter, PyObject *key, PyObject *value)
{
    char *data = find_item_of_key(op, key);

    return data == NULL ? -1 : pyb_memory_pack(op, letter, data, value);
}

static int
assign_scalar(PyObject *op, char letter, PyObject *key, PyObject *value)
{
    if (!is_whole(key))
        return pyb_fail(PyExc_TypeError, "invalid indexing of 0-dim memory");
    return pyb_memory_pack(op, letter, PYB_MEMORY_VIEW(op)->buf, value);
}

static int
assign(PyObject *op, char letter, PyObject *key, PyObject *value)
{
    int ndim = PYB_MEMORY_VIEW(op)->ndim;

    if (ndim == 0)
        return assign_scalar(op, letter, key, value);
    if (PyIndex_Check(key) && ndim > 1)
        return pyb_fail(PyExc_NotImplementedError,
                        "sub-views are not implemented");
    if (PyIndex_Check(key) || is_tuple_of(key, PyIndex_Check))
        return assign_item(op, letter, key, value);
    if (PySlice_Check(key) && ndim == 1)
        return assign_slice(op, key, value);
    if (PySlice_Check(key) || is_tuple_of_slices(key))
        return pyb_fail(PyExc_NotImplementedError,
                        "memoryview slice assignments are currently "
                        "restricted to ndim = 1");
    return pyb_fail(PyExc_TypeError, "memoryview: invalid slice key");
}

static int
memory_ass_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    if (!pyb_memory_is_usable(op))
        return -1;
    char letter = format_letter(PYB_MEMORY_VIEW(op));
    if (letter == '\0')
        return -1;
    if (PYB_MEMORY_VIEW(op)->readonly)
        return pyb_fail(PyExc_TypeError, "cannot modify read-only memory");
    if (value == NULL)
        return pyb_fail(PyExc_TypeError, "cannot delete memory");
    return assign(op, letter, key, value);
}

PyMappingMethods pyb_memory_as_mapping = {
    .mp_length = memory_length,
    .mp_subscript = memory_subscript,
    .mp_ass_subscript = memory_ass_subscript,
};

PySequenceMethods pyb_memory_as_sequence = {
    .sq_length = memory_length,
    .sq_item = memory_item,
};

/* ------------------------------------------------------------------ */
/* All items                                                           */

/* The items from dimension dim on: a list of lists, and so on. */
static PyObject *
list_of(const Py_buffer *view, char letter, int dim, char *data)
{
    PYB_ASSERT(dim <= view->ndim);
    if (dim == view->ndim)
        return pyb_itemformat_unpack_native(letter, data);
    PyObject *list = PyList_New(view->shape[dim]);
    for (Py_ssize_t i = 0; list != NULL && i < view->shape[dim]; i++) {
        PyObject *item =
            list_of(view, letter, dim + 1, pyb_buffer_at(view, data, dim, i));
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, item);
    }
    return list;
}

PyObject *
pyb_memory_tolist(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);
    char letter;

    if (!pyb_memory_is_usable(op) || (letter = format_letter(view)) == '\0')
        return NULL;
    pyb_memory_hold(op);
    PyObject *list = list_of(view, letter, 0, view->buf);
    pyb_memory_let_go(op);
    return list;
}

PyObject *
pyb_memory_count(PyObject *op, PyObject *value)
{
    PyObject *it = PyObject_GetIter(op);

    if (it == NULL)
        return NULL;
    Py_ssize_t count = PySequence_Count(it, value);
    Py_DECREF(it);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* The comparisons may release the memoryview. */
PyObject *
pyb_memory_index(PyObject *op, PyObject *args)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);
    PyObject *value;
    Py_ssize_t i, stop;

    if (!pyb_memory_is_usable(op))
        return NULL;
    if (view->ndim == 0)
        return pyb_raise(PyExc_TypeError, "invalid lookup on 0-dim memory");
    if (view->ndim > 1)
        return pyb_raise(PyExc_NotImplementedError,
                         "multi-dimensional lookup is not implemented");
    if (pyb_sequence_range_args(args, view->shape[0], &value, &i, &stop) < 0)
        return NULL;
    for (; i < stop; i++) {
        PyObject *item = memory_item(op, i);
        if (item == NULL)
            return NULL;
        int same = PyObject_RichCompareBool(item, value, Py_EQ);
        Py_DECREF(item);
        if (same != 0)
            return same > 0 ? PyLong_FromSsize_t(i) : NULL;
    }
    return pyb_raise(PyExc_ValueError, "memoryview.index(x): x not found");
}

/* ------------------------------------------------------------------ */
/* The iterator                                                        */

PyObject *
pyb_memory_iter(PyObject *op)
{
    if (!pyb_memory_is_usable(op))
        return NULL;
    int ndim = PYB_MEMORY_VIEW(op)->ndim;
    if (ndim == 0)
        return pyb_raise(PyExc_TypeError, "invalid indexing of 0-dim memory");
    if (ndim > 1)
        return pyb_raise(PyExc_NotImplementedError,
                         "multi-dimensional sub-views are not implemented");
    if (format_letter(PYB_MEMORY_VIEW(op)) == '\0')
        return NULL;
    return pyb_iterator_new(&_PyMemoryIter_Type, op, 0);
}

static PyObject *
iter_next(PyObject *op)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    if (it->of == NULL)
        return NULL;
    PYB_ASSERT(PYB_MEMORY_VIEW(it->of)->ndim == 1); /* checked by iter() */
    if (it->index < PYB_MEMORY_VIEW(it->of)->shape[0])
        return memory_item(it->of, it->index++);
    Py_CLEAR(it->of);
    return NULL;
}

PyTypeObject _PyMemoryIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "memory_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = iter_next,
};
