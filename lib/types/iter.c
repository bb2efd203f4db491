/* iter.c: iterators over anything that has numbered items, and over what a
   callable returns. */

#include "Python.h"

/* Takes away the pending exception if it only says that there is no more.  1
   if it did, else 0. */
static int
take_end(PyObject *also)
{
    if (!PyErr_ExceptionMatches(PyExc_StopIteration) &&
        (also == NULL || !PyErr_ExceptionMatches(also)))
        return 0;
    PyErr_Clear();
    return 1;
}

/* ------------------------------------------------------------------ */
/* Numbered items                                                      */

struct seq_iter {
    PyObject ob_base;
    Py_ssize_t index; /* of the next item */
    PyObject *seq;    /* NULL at the end */
};

PyObject *
PySeqIter_New(PyObject *seq)
{
    if (seq == NULL || !PySequence_Check(seq)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    struct seq_iter *it = PyObject_GC_New(struct seq_iter, &PySeqIter_Type);
    if (it == NULL)
        return NULL;
    it->index = 0;
    it->seq = Py_NewRef(seq);
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

static void
seq_iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(((struct seq_iter *)op)->seq);
    PyObject_GC_Del(op);
}

static int
seq_iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct seq_iter *)op)->seq);
    return 0;
}

static PyObject *
seq_iter_next(PyObject *op)
{
    struct seq_iter *it = (struct seq_iter *)op;

    if (it->seq == NULL)
        return NULL;
    if (it->index == PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError, "iter index too large");
        return NULL;
    }
    PyObject *seq = Py_NewRef(it->seq); /* its code may end this iterator */
    PyObject *item = PySequence_GetItem(seq, it->index);
    if (item != NULL)
        it->index++;
    else if (take_end(PyExc_IndexError))
        Py_CLEAR(it->seq);
    Py_DECREF(seq);
    return item;
}

static PyObject *
seq_iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct seq_iter *it = (struct seq_iter *)op;
    Py_ssize_t n = 0;

    if (it->seq != NULL) {
        if (Py_TYPE(it->seq)->tp_as_sequence->sq_length == NULL &&
            (Py_TYPE(it->seq)->tp_as_mapping == NULL ||
             Py_TYPE(it->seq)->tp_as_mapping->mp_length == NULL))
            Py_RETURN_NOTIMPLEMENTED;
        n = PyObject_Size(it->seq);
        if (n < 0)
            return NULL;
    }
    return PyLong_FromSsize_t(Py_MAX(n - it->index, 0));
}

static PyMethodDef seq_iter_methods[] = {
    {"__length_hint__", seq_iter_length_hint, METH_NOARGS,
     PyDoc_STR("Private method returning an estimate of len(list(it)).")},
    {NULL, NULL, 0, NULL}};

PyTypeObject PySeqIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "iterator",
    .tp_basicsize = sizeof(struct seq_iter),
    .tp_dealloc = seq_iter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = seq_iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = seq_iter_next,
    .tp_methods = seq_iter_methods,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------------ */
/* Results of a callable                                               */

struct call_iter {
    PyObject ob_base;
    PyObject *callable; /* NULL at the end */
    PyObject *sentinel; /* NULL at the end */
};

PyObject *
PyCallIter_New(PyObject *callable, PyObject *sentinel)
{
    struct call_iter *it = PyObject_GC_New(struct call_iter, &PyCallIter_Type);

    if (it == NULL)
        return NULL;
    it->callable = Py_NewRef(callable);
    it->sentinel = Py_NewRef(sentinel);
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

/* The end, after which it owns nothing. */
static void
call_iter_end(PyObject *op)
{
    Py_CLEAR(((struct call_iter *)op)->callable);
    Py_CLEAR(((struct call_iter *)op)->sentinel);
}

static void
call_iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    call_iter_end(op);
    PyObject_GC_Del(op);
}

static int
call_iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct call_iter *)op)->callable);
    Py_VISIT(((struct call_iter *)op)->sentinel);
    return 0;
}

/* The result, whose reference is taken over, or NULL if it is the sentinel,
   the iterator has ended meanwhile, or the comparison failed. */
static PyObject *
check_result(struct call_iter *it, PyObject *result)
{
    int same = 1;

    if (it->sentinel != NULL) {
        PyObject *sentinel = Py_NewRef(it->sentinel);
        same = PyObject_RichCompareBool(sentinel, result, Py_EQ);
        Py_DECREF(sentinel);
    }
    if (same == 0)
        return result;
    Py_DECREF(result);
    if (same > 0)
        call_iter_end((PyObject *)it);
    return NULL;
}

static PyObject *
call_iter_next(PyObject *op)
{
    struct call_iter *it = (struct call_iter *)op;

    if (it->callable == NULL)
        return NULL;
    PyObject *callable = Py_NewRef(it->callable);
    PyObject *result = PyObject_CallNoArgs(callable);
    Py_DECREF(callable);
    if (result != NULL)
        return check_result(it, result);
    if (take_end(NULL))
        call_iter_end(op);
    return NULL;
}

PyTypeObject PyCallIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "callable_iterator",
    .tp_basicsize = sizeof(struct call_iter),
    .tp_dealloc = call_iter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = call_iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = call_iter_next,
    .tp_free = PyObject_GC_Del,
};
