/* picklebuffer.c: PickleBuffer: a buffer that is to be pickled apart.

   Manual: "Pickle buffer objects"; Python's library, "pickle". */

#include "Python.h"

#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "types/memory/memoryview.h"

static char byte_format[] = "B";

/* view.obj is NULL when the buffer has been released. */
typedef struct {
    PyObject_HEAD
    Py_buffer view;
    PyObject *weaklist;
} picklebuffer;

#define PICKLEBUFFER(op) PYB_CAST(picklebuffer, PyPickleBuffer_Check, op)

PyObject *
PyPickleBuffer_FromObject(PyObject *base)
{
    if (base == NULL)
        return pyb_errors_null_argument();
    PyObject *op = PyPickleBuffer_Type.tp_alloc(&PyPickleBuffer_Type, 0);
    if (op != NULL &&
        PyObject_GetBuffer(base, &PICKLEBUFFER(op)->view, PyBUF_FULL_RO) < 0)
        Py_CLEAR(op);
    return op;
}

static int
check(PyObject *op)
{
    if (op == NULL)
        return pyb_fail_null_argument();
    if (PyPickleBuffer_Check(op))
        return 0;
    return pyb_failf(PyExc_TypeError, "expected PickleBuffer, %.200s found",
                     Py_TYPE(op)->tp_name);
}

const Py_buffer *
PyPickleBuffer_GetBuffer(PyObject *op)
{
    if (check(op) < 0)
        return NULL;
    if (PICKLEBUFFER(op)->view.obj == NULL)
        return pyb_raise(PyExc_ValueError, "operation forbidden on released "
                                           "PickleBuffer object");
    return &PICKLEBUFFER(op)->view;
}

int
PyPickleBuffer_Release(PyObject *op)
{
    if (check(op) < 0)
        return -1;
    PyBuffer_Release(&PICKLEBUFFER(op)->view);
    return 0;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *new (PyTypeObject *Py_UNUSED(type), PyObject *args,
                      PyObject *kwargs)
{
    PyObject *base;

    if (!pyb_getargs_no_keywords("PickleBuffer", kwargs) ||
        !PyArg_ParseTuple(args, "O:PickleBuffer", &base))
        return NULL;
    return PyPickleBuffer_FromObject(base);
}

static int
traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PICKLEBUFFER(op)->view.obj);
    return 0;
}

static int
clear(PyObject *op)
{
    PyBuffer_Release(&PICKLEBUFFER(op)->view);
    return 0;
}

static void
dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    clear(op);
    PyObject_GC_Del(op);
}

/* Others get the buffer as the object offers it. */
static int
getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    const Py_buffer *mine = PyPickleBuffer_GetBuffer(op);

    if (mine == NULL) {
        view->obj = NULL;
        return -1;
    }
    return PyObject_GetBuffer(mine->obj, view, flags);
}

static PyBufferProcs buffer = {.bf_getbuffer = getbuffer};

/* A memoryview of the bytes, which have to be contiguous, in one dimension. */
static PyObject *
raw(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    const Py_buffer *mine = PyPickleBuffer_GetBuffer(op);
    Py_ssize_t one = 1;

    if (mine == NULL)
        return NULL;
    if (mine->suboffsets != NULL || !PyBuffer_IsContiguous(mine, 'A'))
        return pyb_raise(PyExc_BufferError, "cannot extract raw buffer from "
                                            "non-contiguous buffer");
    PyObject *whole = PyMemoryView_FromObject(op);
    if (whole == NULL)
        return NULL;
    Py_buffer flat = *PYB_MEMORY_VIEW(whole);
    flat.format = byte_format;
    flat.itemsize = 1;
    flat.ndim = 1;
    flat.shape = &flat.len;
    flat.strides = &one;
    flat.suboffsets = NULL;
    PyObject *bytes = pyb_memory_view_of(PYB_MEMORY(whole)->mbuf, &flat, 1);
    Py_DECREF(whole);
    return bytes;
}

static PyObject *
release(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return pyb_result_none(PyPickleBuffer_Release(op));
}

static PyMethodDef methods[] = {
    {"raw", raw, METH_NOARGS, PyDoc_STR("A memoryview of the bytes.")},
    {"release", release, METH_NOARGS, PyDoc_STR("Give the buffer back.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyPickleBuffer_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "pickle.PickleBuffer",
    .tp_basicsize = sizeof(picklebuffer),
    .tp_dealloc = dealloc,
    .tp_as_buffer = &buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = PyDoc_STR("A buffer that is pickled apart from its object."),
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_weaklistoffset = offsetof(picklebuffer, weaklist),
    .tp_methods = methods,
    .tp_new = new,
};
