/* setiter.c: the iterator over sets and frozensets. */

#include "Python.h"

#include "types/set.h"

struct set_iter {
    PyObject ob_base;
    PyObject *set;   /* NULL at the end */
    Py_ssize_t used; /* its size at the start; -1 once it has changed */
    Py_ssize_t pos;  /* for pyb_dict_next */
    Py_ssize_t left; /* how many elements are still to come */
};

PyObject *
pyb_set_iter(PyObject *op)
{
    struct set_iter *it = PyObject_GC_New(struct set_iter, &PySetIter_Type);

    if (it == NULL)
        return NULL;
    it->set = Py_NewRef(op);
    it->used = it->left = PySet_GET_SIZE(op);
    it->pos = 0;
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

static void
set_iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(((struct set_iter *)op)->set);
    PyObject_GC_Del(op);
}

static int
set_iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct set_iter *)op)->set);
    return 0;
}

static int
set_iter_clear(PyObject *op)
{
    Py_CLEAR(((struct set_iter *)op)->set);
    return 0;
}

/* A set that lost as many elements as it gained gives no more than it had at
   the start, so that whoever does that to it while walking comes to an
   end. */
static PyObject *
set_iter_next(PyObject *op)
{
    struct set_iter *it = (struct set_iter *)op;
    struct pyb_dict_entry *entry = NULL;

    if (it->set == NULL)
        return NULL;
    if (it->used != PySet_GET_SIZE(it->set)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Set changed size during iteration");
        it->used = -1; /* and so it stays */
        return NULL;
    }
    if (it->left > 0)
        entry = pyb_dict_next(PYB_SET_TABLE(it->set), &it->pos);
    if (entry != NULL) {
        it->left--;
        return Py_NewRef(entry->key);
    }
    Py_CLEAR(it->set);
    return NULL;
}

static PyObject *
set_iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct set_iter *it = (struct set_iter *)op;
    int valid = it->set != NULL && it->used == PySet_GET_SIZE(it->set);

    return PyLong_FromSsize_t(valid ? it->left : 0);
}

static PyMethodDef set_iter_methods[] = {
    {"__length_hint__", set_iter_length_hint, METH_NOARGS,
     PyDoc_STR("Private method returning an estimate of len(list(it)).")},
    {NULL, NULL, 0, NULL}};

PyTypeObject PySetIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "set_iterator",
    .tp_basicsize = sizeof(struct set_iter),
    .tp_dealloc = set_iter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = set_iter_traverse,
    .tp_clear = set_iter_clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = set_iter_next,
    .tp_methods = set_iter_methods,
    .tp_free = PyObject_GC_Del,
};
