/* listiter.c: the iterators of lists, in both directions. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/iter/iterators.h"
#include "types/list/list.h"

PyObject *
pyb_list_iter(PyObject *self)
{
    PYB_ASSERT_OBJECT(PyList_Check(self), self);
    return pyb_iterator_new(&PyListIter_Type, self, 0);
}

PyObject *
pyb_list_reversed(PyObject *self, PyObject *Py_UNUSED(none))
{
    PYB_ASSERT_OBJECT(PyList_Check(self), self);
    return pyb_iterator_new(&PyListRevIter_Type, self, Py_SIZE(self) - 1);
}

/* Returns the item at the index, a new reference, and moves the index by step.
   Outside of the list it returns NULL, and the iterator has ended. */
static PyObject *
take(struct pyb_iterator *it, Py_ssize_t step)
{
    PyObject *item;

    PYB_ASSERT(step == 1 || step == -1);
    PYB_ASSERT(it->of == NULL || (PyList_Check(it->of) && it->index >= -1));
    if (it->of == NULL)
        return NULL;
    if ((size_t)it->index >= (size_t)Py_SIZE(it->of)) {
        Py_CLEAR(it->of);
        return NULL;
    }
    item = Py_NewRef(PyList_GET_ITEM(it->of, it->index));
    it->index += step;
    return item;
}

static PyObject *
next(PyObject *op)
{
    return take(PYB_ITERATOR(op), 1);
}

static PyObject *
previous(PyObject *op)
{
    return take(PYB_ITERATOR(op), -1);
}

/* In a list that became shorter, no items are left. */
static PyObject *
reverse_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    Py_ssize_t left = PYB_ITERATOR(op)->index + 1;

    if (PYB_ITERATOR(op)->of == NULL || Py_SIZE(PYB_ITERATOR(op)->of) < left)
        left = 0;
    return PyLong_FromSsize_t(left);
}

static PyMethodDef reverse_methods[] = PYB_ITERATOR_TABLE(reverse_length_hint);

PyTypeObject PyListIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "list_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = next,
    .tp_methods = pyb_iterator_methods,
};

PyTypeObject PyListRevIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "list_reverseiterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = previous,
    .tp_methods = reverse_methods,
};
