/* reversed.c: the iterator over the numbered items of anything, from the last
   one to the first. */

#include "Python.h"

#include "object/attr.h"
#include "object/getargs.h"

/* There is no tp_clear, as in CPython: whoever closes a cycle through an
   iterator has one. */
struct reversed {
    PyObject_HEAD
    Py_ssize_t index; /* of the next item */
    PyObject *seq;    /* owned, visited; NULL at the end */
};

#define REVERSED(op) ((struct reversed *)(op))

static PyObject *
not_reversible(PyObject *op)
{
    return PyErr_Format(PyExc_TypeError, "'%.200s' object is not reversible",
                        Py_TYPE(op)->tp_name);
}

static PyObject *
new_of_sequence(PyTypeObject *type, PyObject *seq)
{
    if (!PySequence_Check(seq))
        return not_reversible(seq);
    Py_ssize_t n = PySequence_Size(seq);
    if (n < 0)
        return NULL;
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL)
        return NULL;
    REVERSED(op)->index = n - 1;
    REVERSED(op)->seq = Py_NewRef(seq);
    return op;
}

static PyObject *
reversed_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *seq, *method, *result;

    if ((type == &PyReversed_Type &&
         !pyb_getargs_no_keywords("reversed", kwargs)) ||
        !PyArg_UnpackTuple(args, "reversed", 1, 1, &seq))
        return NULL;
    int found = pyb_attr_special(seq, "__reversed__", &method);
    if (found <= 0)
        return found == 0 ? new_of_sequence(type, seq) : NULL;
    result =
        method == Py_None ? not_reversible(seq) : PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return result;
}

static void
reversed_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(REVERSED(op)->seq);
    Py_TYPE(op)->tp_free(op);
}

static int
reversed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(REVERSED(op)->seq);
    return 0;
}

/* Ends the iterator, and says NULL. */
static PyObject *
end(struct reversed *self)
{
    self->index = -1;
    Py_CLEAR(self->seq);
    return NULL;
}

static PyObject *
reversed_next(PyObject *op)
{
    struct reversed *self = REVERSED(op);

    if (self->index < 0)
        return end(self);
    PyObject *seq = Py_NewRef(self->seq); /* its code may end this iterator */
    PyObject *item = PySequence_GetItem(seq, self->index);
    Py_DECREF(seq);
    if (item != NULL) {
        self->index--;
        return item;
    }
    if (PyErr_ExceptionMatches(PyExc_IndexError) ||
        PyErr_ExceptionMatches(PyExc_StopIteration))
        PyErr_Clear();
    return end(self);
}

static PyObject *
length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct reversed *self = REVERSED(op);
    Py_ssize_t left = self->index + 1;

    if (self->seq == NULL)
        return PyLong_FromLong(0);
    Py_ssize_t n = PySequence_Size(self->seq);
    if (n < 0)
        return NULL;
    return PyLong_FromSsize_t(n < left ? 0 : left);
}

static PyMethodDef reversed_methods[] = {
    {"__length_hint__", length_hint, METH_NOARGS,
     PyDoc_STR("Private method returning an estimate of len(list(it)).")},
    {NULL, NULL, 0, NULL}};

PyTypeObject PyReversed_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "reversed",
    .tp_basicsize = sizeof(struct reversed),
    .tp_dealloc = reversed_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("reversed(sequence)\n"
                        "\n"
                        "The items from the last one to the first."),
    .tp_traverse = reversed_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = reversed_next,
    .tp_methods = reversed_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = reversed_new,
    .tp_free = PyObject_GC_Del,
};
