/* bytesiter.c: the iterators of bytes and bytearray. */

#include "Python.h"

#include "types/bytes.h"

/* seq is NULL once the end was reached; i is the number of the next item. */
struct bytes_iter {
    PyObject_HEAD
    PyObject *seq;
    Py_ssize_t i;
};

#define ITER(op) ((struct bytes_iter *)(op))

PyObject *
pyb_bytes_iter(PyTypeObject *type, PyObject *op)
{
    struct bytes_iter *it = PyObject_GC_New(struct bytes_iter, type);

    if (it == NULL)
        return NULL;
    it->seq = Py_NewRef(op);
    it->i = 0;
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

static void
iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ITER(op)->seq);
    PyObject_GC_Del(op);
}

static int
iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ITER(op)->seq);
    return 0;
}

static PyObject *
iter_next(PyObject *op)
{
    struct bytes_iter *it = ITER(op);

    if (it->seq == NULL)
        return NULL;
    if (it->i >= Py_SIZE(it->seq)) {
        Py_CLEAR(it->seq);
        return NULL;
    }
    const char *data = PyBytes_Check(it->seq) ? PyBytes_AS_STRING(it->seq)
                                              : PyByteArray_AS_STRING(it->seq);
    return PyLong_FromLong((unsigned char)data[it->i++]);
}

static PyObject *
iter_length_hint(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    struct bytes_iter *it = ITER(op);
    Py_ssize_t left = it->seq == NULL ? 0 : Py_SIZE(it->seq) - it->i;

    return PyLong_FromSsize_t(Py_MAX(left, 0));
}

static PyMethodDef iter_methods[] = {
    {"__length_hint__", iter_length_hint, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#define ITER_TYPE(name)                                                       \
    {                                                                         \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = (name),              \
                                            .tp_basicsize =                   \
                                                sizeof(struct bytes_iter),    \
                                            .tp_dealloc = iter_dealloc,       \
                                            .tp_getattro =                    \
                                                PyObject_GenericGetAttr,      \
                                            .tp_flags = Py_TPFLAGS_DEFAULT |  \
                                                        Py_TPFLAGS_HAVE_GC,   \
                                            .tp_traverse = iter_traverse,     \
                                            .tp_iter = PyObject_SelfIter,     \
                                            .tp_iternext = iter_next,         \
                                            .tp_methods = iter_methods,       \
                                            .tp_free = PyObject_GC_Del,       \
    }

PyTypeObject PyBytesIter_Type = ITER_TYPE("bytes_iterator");
PyTypeObject PyByteArrayIter_Type = ITER_TYPE("bytearray_iterator");
