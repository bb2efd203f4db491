/* reversed.c: the iterator over the numbered items of an object, from the last
   one to the first. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/attr.h"
#include "types/iter/iterators.h"

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
    PYB_ASSERT_OBJECT(PyObject_TypeCheck(op, &PyReversed_Type), op);
    PYB_ITERATOR(op)->index = n - 1;
    PYB_ITERATOR(op)->of = Py_NewRef(seq);
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
    PYB_ASSERT_OBJECT(PyObject_TypeCheck(op, &PyReversed_Type), op);
    PYB_EXPENSIVE(pyb_iterator_check(op));
    PyObject_GC_UnTrack(op);
    Py_XDECREF(PYB_ITERATOR(op)->of);
    Py_TYPE(op)->tp_free(op);
}

/* Ends the iterator; returns NULL. */
static PyObject *
end(struct pyb_iterator *self)
{
    self->index = -1;
    Py_CLEAR(self->of);
    return NULL;
}

static PyObject *
reversed_next(PyObject *op)
{
    struct pyb_iterator *self = PYB_ITERATOR(op);

    if (self->index < 0)
        return end(self);
    PYB_ASSERT_OBJECT(self->of != NULL, op);
    PyObject *seq = Py_NewRef(self->of); /* its code may end this iterator */
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
    struct pyb_iterator *self = PYB_ITERATOR(op);
    Py_ssize_t left = self->index + 1;

    if (self->of == NULL)
        return PyLong_FromLong(0);
    Py_ssize_t n = PySequence_Size(self->of);
    if (n < 0)
        return NULL;
    return PyLong_FromSsize_t(n < left ? 0 : left);
}

static PyMethodDef reversed_methods[] = PYB_ITERATOR_TABLE(length_hint);

PyTypeObject PyReversed_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "reversed",
    .tp_basicsize = sizeof(struct pyb_iterator),
    .tp_dealloc = reversed_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("reversed(sequence)\n"
                        "\n"
                        "The items from the last one to the first."),
    .tp_traverse = pyb_iterator_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = reversed_next,
    .tp_methods = reversed_methods,
    .tp_new = reversed_new,
};
