/* iter.c: iterators over objects with numbered items, and over the results of
   a callable. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/iter/iterators.h"

/* Clears the pending exception if it only marks the end.  1 if it did, else
   0. */
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

PyObject *
PySeqIter_New(PyObject *seq)
{
    if (seq == NULL || !PySequence_Check(seq))
        return PYB_BAD_CALL(NULL);
    return pyb_iterator_new(&PySeqIter_Type, seq, 0);
}

static PyObject *
seq_iter_next(PyObject *op)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ASSERT_OBJECT(Py_IS_TYPE(op, &PySeqIter_Type), op);
    PYB_ASSERT_OBJECT(it->index >= 0, op);
    if (it->of == NULL)
        return NULL;
    if (it->index == PY_SSIZE_T_MAX)
        return pyb_raise(PyExc_OverflowError, "iter index too large");
    PyObject *seq = Py_NewRef(it->of); /* its code may end this iterator */
    PyObject *item = PySequence_GetItem(seq, it->index);
    if (item != NULL)
        it->index++;
    else if (take_end(PyExc_IndexError))
        Py_CLEAR(it->of);
    Py_DECREF(seq);
    return item;
}

static PyObject *
seq_iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct pyb_iterator *it = PYB_ITERATOR(op);
    Py_ssize_t n = 0;

    PYB_ASSERT_OBJECT(Py_IS_TYPE(op, &PySeqIter_Type), op);
    PYB_ASSERT_OBJECT(it->index >= 0, op);
    if (it->of != NULL) {
        PYB_ASSERT_OBJECT(Py_TYPE(it->of)->tp_as_sequence != NULL, it->of);
        if (Py_TYPE(it->of)->tp_as_sequence->sq_length == NULL &&
            (Py_TYPE(it->of)->tp_as_mapping == NULL ||
             Py_TYPE(it->of)->tp_as_mapping->mp_length == NULL))
            Py_RETURN_NOTIMPLEMENTED;
        PyObject *seq = Py_NewRef(it->of); /* as in seq_iter_next */
        n = PyObject_Size(seq);
        Py_DECREF(seq);
        if (n < 0)
            return NULL;
    }
    return PyLong_FromSsize_t(Py_MAX(n - it->index, 0));
}

static PyMethodDef seq_iter_methods[] =
    PYB_ITERATOR_TABLE(seq_iter_length_hint);

PyTypeObject PySeqIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = seq_iter_next,
    .tp_methods = seq_iter_methods,
};

/* ------------------------------------------------------------------ */
/* Results of a callable                                               */

struct call_iter {
    PyObject ob_base;
    PyObject *callable; /* NULL at the end */
    PyObject *sentinel; /* NULL at the end */
};

#define IS_CALL_ITER(op) Py_IS_TYPE(op, &PyCallIter_Type)
#define CALL_ITER(op) PYB_CAST(struct call_iter, IS_CALL_ITER, op)

PyObject *
PyCallIter_New(PyObject *callable, PyObject *sentinel)
{
    struct call_iter *it = PyObject_GC_New(struct call_iter, &PyCallIter_Type);

    if (it == NULL)
        return NULL;
    PYB_ASSERT(callable != NULL && sentinel != NULL);
    it->callable = Py_NewRef(callable);
    it->sentinel = Py_NewRef(sentinel);
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

/* Ends the iterator, which then owns nothing. */
static void
call_iter_end(PyObject *op)
{
    Py_CLEAR(CALL_ITER(op)->callable);
    Py_CLEAR(CALL_ITER(op)->sentinel);
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
    Py_VISIT(CALL_ITER(op)->callable);
    Py_VISIT(CALL_ITER(op)->sentinel);
    return 0;
}

/* Returns the result, which is stolen, or NULL if it is the sentinel, the
   iterator has ended meanwhile, or the comparison failed. */
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
    struct call_iter *it = CALL_ITER(op);

    if (it->callable == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(it->sentinel != NULL, op);
    PyObject *callable = Py_NewRef(it->callable);
    PyObject *result = PyObject_CallNoArgs(callable);
    Py_DECREF(callable);
    if (result != NULL)
        return check_result(it, result);
    if (take_end(NULL))
        call_iter_end(op);
    return NULL;
}

static PyObject *
call_iter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct call_iter *it = CALL_ITER(op);

    if (it->callable == NULL || it->sentinel == NULL)
        return pyb_reduce_call("iter", NULL, "(())");
    return pyb_reduce_call("iter", NULL, "(OO)", it->callable, it->sentinel);
}

static PyMethodDef call_iter_methods[] = {
    {"__reduce__", call_iter_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyCallIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "callable_iterator",
    .tp_basicsize = sizeof(struct call_iter),
    .tp_dealloc = call_iter_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = call_iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = call_iter_next,
    .tp_methods = call_iter_methods,
};
