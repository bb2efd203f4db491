/* memorytype.c: the type memoryview: attributes and methods. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/memory/memoryview.h"

/* ------------------------------------------------------------------ */
/* Life                                                                */

static PyObject *
memory_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"object", NULL};
    PyObject *base;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:memoryview", names, &base))
        return NULL;
    return PyMemoryView_FromObject(base);
}

static void
memory_dealloc(PyObject *op)
{
    PyMemoryViewObject *self = PYB_MEMORY(op);

    PYB_ASSERT_OBJECT(self->exports == 0, op);
    PyObject_GC_UnTrack(op);
    if (self->weakreflist != NULL)
        PyObject_ClearWeakRefs(op);
    pyb_memory_release(op);
    Py_CLEAR(self->mbuf);
    PyObject_GC_Del(op);
}

static int
memory_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PYB_MEMORY(op)->mbuf);
    return 0;
}

/* While a buffer is in use the memory must stay: the user of the buffer has a
   reference to the memoryview, and gives it up in its own tp_clear. */
static int
memory_clear(PyObject *op)
{
    if (PYB_MEMORY(op)->exports == 0)
        pyb_memory_release(op);
    return 0;
}

static PyObject *
memory_repr(PyObject *op)
{
    return PyUnicode_FromFormat(pyb_memory_is_released(op)
                                    ? "<released memory at %p>"
                                    : "<memory at %p>",
                                op);
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

enum {
    OBJ,
    NBYTES,
    READONLY,
    ITEMSIZE,
    FORMAT,
    NDIM,
    SHAPE,
    STRIDES,
    SUBOFFSETS
};

static PyObject *
tuple_of(const Py_ssize_t *numbers, int n)
{
    PyObject *tuple = PyTuple_New(numbers == NULL ? 0 : n);

    for (int i = 0; tuple != NULL && numbers != NULL && i < n; i++) {
        PyObject *number = PyLong_FromSsize_t(numbers[i]);
        if (number == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, number);
    }
    return tuple;
}

static PyObject *
get_field(PyObject *op, void *which)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);

    if (!pyb_memory_is_usable(op))
        return NULL;
    switch ((int)(intptr_t)which) {
    case OBJ:
        return Py_NewRef(view->obj != NULL ? view->obj : Py_None);
    case NBYTES:
        return PyLong_FromSsize_t(view->len);
    case READONLY:
        return PyBool_FromLong(view->readonly);
    case ITEMSIZE:
        return PyLong_FromSsize_t(view->itemsize);
    case FORMAT:
        return PyUnicode_FromString(view->format);
    case NDIM:
        return PyLong_FromLong(view->ndim);
    case SHAPE:
        return tuple_of(view->shape, view->ndim);
    case STRIDES:
        return tuple_of(view->strides, view->ndim);
    default:
        return tuple_of(view->suboffsets, view->ndim);
    }
}

static PyObject *
get_contiguous(PyObject *op, void *order)
{
    if (!pyb_memory_is_usable(op))
        return NULL;
    if (order != NULL)
        return PyBool_FromLong(
            pyb_memory_is_contiguous(op, *(const char *)order));
    return PyBool_FromLong(pyb_memory_is_contiguous(op, 'C') ||
                           pyb_memory_is_contiguous(op, 'F'));
}

#define FIELD(NAME, WHICH, DOC)                                               \
    {                                                                         \
        NAME, get_field, NULL, PyDoc_STR(DOC), (void *)(intptr_t)(WHICH)      \
    }

static PyGetSetDef memory_getset[] = {
    FIELD("obj", OBJ, "The object whose memory it is."),
    FIELD("nbytes", NBYTES, "The bytes of all items."),
    FIELD("readonly", READONLY, "Whether the memory may only be read."),
    FIELD("itemsize", ITEMSIZE, "The bytes of an item."),
    FIELD("format", FORMAT,
          "The format of an item, as for the module struct."),
    FIELD("ndim", NDIM, "The number of dimensions."),
    FIELD("shape", SHAPE, "The length of each dimension."),
    FIELD("strides", STRIDES, "The bytes to the next item of a dimension."),
    FIELD("suboffsets", SUBOFFSETS, "For arrays of pointers to arrays."),
    {"c_contiguous", get_contiguous, NULL,
     PyDoc_STR("Whether the memory is one block in C's order."), "C"},
    {"f_contiguous", get_contiguous, NULL,
     PyDoc_STR("Whether the memory is one block in Fortran's order."), "F"},
    {"contiguous", get_contiguous, NULL,
     PyDoc_STR("Whether the memory is one block."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
memory_release(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return pyb_result_none(pyb_memory_release(op));
}

static PyObject *
memory_enter(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return pyb_memory_is_usable(op) ? Py_NewRef(op) : NULL;
}

static PyObject *
to_bytes(PyObject *op, char order)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, view->len);

    if (bytes != NULL)
        PyBuffer_ToContiguous(PyBytes_AS_STRING(bytes), view, view->len,
                              order);
    return bytes;
}

/* The letter of the argument order; '\0' with an exception. */
static char
read_order(PyObject *order)
{
    if (order == Py_None)
        return 'C';
    if (!PyUnicode_Check(order)) {
        pyb_errors_type(
            "tobytes() argument 'order' must be str or None, not %.50s",
            order);
        return '\0';
    }
    const char *text = PyUnicode_AsUTF8(order);
    if (text != NULL && strlen(text) == 1 && strchr("CFA", *text) != NULL)
        return *text;
    if (text != NULL)
        PyErr_SetString(PyExc_ValueError, "order must be 'C', 'F' or 'A'");
    return '\0';
}

static PyObject *
memory_tobytes(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"order", NULL};
    PyObject *order = Py_None;
    char letter;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:tobytes", names,
                                     &order) ||
        (letter = read_order(order)) == '\0' || !pyb_memory_is_usable(op))
        return NULL;
    return to_bytes(op, letter);
}

/* bytes.hex knows the arguments. */
static PyObject *
memory_hex(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *result = NULL;

    if (!pyb_memory_is_usable(op))
        return NULL;
    PyObject *bytes = to_bytes(op, 'C');
    PyObject *hex =
        bytes == NULL ? NULL : PyObject_GetAttrString(bytes, "hex");
    if (hex != NULL)
        result = PyObject_Call(hex, args, kwds);
    if (result != NULL && !pyb_memory_is_usable(op)) /* an index released it */
        Py_CLEAR(result);
    Py_XDECREF(hex);
    Py_XDECREF(bytes);
    return result;
}

static PyObject *
memory_toreadonly(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyObject *result = pyb_memory_is_usable(op) ? pyb_memory_again(op) : NULL;

    if (result != NULL)
        PYB_MEMORY_VIEW(result)->readonly = 1;
    return result;
}

static PyMethodDef memory_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"release", memory_release, METH_NOARGS,
     PyDoc_STR("Release the underlying buffer exposed by the memoryview "
               "object.")},
    {"tobytes", _PyCFunction_CAST(memory_tobytes),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Return the data in the buffer as bytes, in order 'C', 'F' or "
               "'A'.")},
    {"hex", _PyCFunction_CAST(memory_hex), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Return the data in the buffer as hexadecimal digits.")},
    {"tolist", pyb_memory_tolist, METH_NOARGS,
     PyDoc_STR("Return the data in the buffer as a list of items.")},
    {"cast", _PyCFunction_CAST(pyb_memory_cast), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Return a view with another format or shape.")},
    {"toreadonly", memory_toreadonly, METH_NOARGS,
     PyDoc_STR("Return a read-only view.")},
    {"count", pyb_memory_count, METH_O,
     PyDoc_STR("Return number of occurrences of value.")},
    {"index", pyb_memory_index, METH_VARARGS,
     PyDoc_STR("Return first index of value; ValueError if it is not "
               "present.")},
    {"__enter__", memory_enter, METH_NOARGS, NULL},
    {"__exit__", memory_release, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyMemoryView_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "memoryview",
    .tp_basicsize = offsetof(PyMemoryViewObject, ob_array),
    .tp_itemsize = sizeof(Py_ssize_t),
    .tp_dealloc = memory_dealloc,
    .tp_repr = memory_repr,
    .tp_as_sequence = &pyb_memory_as_sequence,
    .tp_as_mapping = &pyb_memory_as_mapping,
    .tp_hash = pyb_memory_hash,
    .tp_as_buffer = &pyb_memory_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_SEQUENCE,
    .tp_doc = PyDoc_STR("memoryview(object)\n"
                        "\n"
                        "The memory of an object, as a sequence of items."),
    .tp_traverse = memory_traverse,
    .tp_clear = memory_clear,
    .tp_richcompare = pyb_memory_richcompare,
    .tp_weaklistoffset = offsetof(PyMemoryViewObject, weakreflist),
    .tp_iter = pyb_memory_iter,
    .tp_methods = memory_methods,
    .tp_getset = memory_getset,
    .tp_new = memory_new,
};
