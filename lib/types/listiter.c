/* listiter.c: the iterators of lists, in both directions. */

#include "Python.h"

#include "types/list.h"

/* There is no tp_clear, as in CPython: whoever closes a cycle through an
   iterator has one. */
struct list_iter {
    PyObject ob_base;
    Py_ssize_t index; /* of the next item */
    PyObject *list;   /* NULL at the end */
};

#define ITER(op) ((struct list_iter *)(op))

static PyObject *
new_iter(PyTypeObject *type, PyObject *list)
{
    struct list_iter *it = PyObject_GC_New(struct list_iter, type);

    if (it == NULL)
        return NULL;
    it->index = type == &PyListRevIter_Type ? Py_SIZE(list) - 1 : 0;
    it->list = Py_NewRef(list);
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

PyObject *
pyb_list_iter(PyObject *self)
{
    return new_iter(&PyListIter_Type, self);
}

PyObject *
pyb_list_reversed(PyObject *self, PyObject *Py_UNUSED(none))
{
    return new_iter(&PyListRevIter_Type, self);
}

static void
iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ITER(op)->list);
    PyObject_GC_Del(op);
}

static int
iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ITER(op)->list);
    return 0;
}

/* The item at the index, which then moves on by step; a new reference.  NULL
   outside of the list, and that is the end for good. */
static PyObject *
take(struct list_iter *it, Py_ssize_t step)
{
    PyObject *item;

    if (it->list == NULL)
        return NULL;
    if ((size_t)it->index >= (size_t)Py_SIZE(it->list)) {
        Py_CLEAR(it->list);
        return NULL;
    }
    item = Py_NewRef(PyList_GET_ITEM(it->list, it->index));
    it->index += step;
    return item;
}

static PyObject *
next(PyObject *op)
{
    return take(ITER(op), 1);
}

static PyObject *
previous(PyObject *op)
{
    return take(ITER(op), -1);
}

static PyObject *
length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    Py_ssize_t left = ITER(op)->list ? Py_SIZE(ITER(op)->list) : 0;

    return PyLong_FromSsize_t(Py_MAX(left - ITER(op)->index, 0));
}

/* Of a list that became shorter nothing is left. */
static PyObject *
reverse_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    Py_ssize_t left = ITER(op)->index + 1;

    if (ITER(op)->list == NULL || Py_SIZE(ITER(op)->list) < left)
        left = 0;
    return PyLong_FromSsize_t(left);
}

#define HINT_DOC "Private method returning an estimate of len(list(it))."

static PyMethodDef iter_methods[] = {
    {"__length_hint__", length_hint, METH_NOARGS, PyDoc_STR(HINT_DOC)},
    {NULL, NULL, 0, NULL}};

static PyMethodDef reverse_methods[] = {
    {"__length_hint__", reverse_length_hint, METH_NOARGS, PyDoc_STR(HINT_DOC)},
    {NULL, NULL, 0, NULL}};

#define ITER_TYPE(NAME, NEXT, METHODS)                                        \
    {                                                                         \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = (NAME),              \
                                            .tp_basicsize =                   \
                                                sizeof(struct list_iter),     \
                                            .tp_dealloc = iter_dealloc,       \
                                            .tp_getattro =                    \
                                                PyObject_GenericGetAttr,      \
                                            .tp_flags = Py_TPFLAGS_DEFAULT |  \
                                                        Py_TPFLAGS_HAVE_GC,   \
                                            .tp_traverse = iter_traverse,     \
                                            .tp_iter = PyObject_SelfIter,     \
                                            .tp_iternext = (NEXT),            \
                                            .tp_methods = (METHODS),          \
                                            .tp_free = PyObject_GC_Del,       \
    }

PyTypeObject PyListIter_Type = ITER_TYPE("list_iterator", next, iter_methods);
PyTypeObject PyListRevIter_Type =
    ITER_TYPE("list_reverseiterator", previous, reverse_methods);
