/* iterators.c: what iterators share. */

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "types/iter/iterators.h"

void
pyb_iterator_check(PyObject *op)
{
    const struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ALWAYS(it->of == NULL || it->of->ob_refcnt > 0, op,
               "an iterator's object is dead");
    PYB_ALWAYS(it->of == NULL || it->index >= -1, op,
               "an iterator's index is out of range");
}

PyObject *
pyb_iterator_step_into(PyObject *it)
{
    PyObject *item;

    if (Py_EnterRecursiveCall(" in an iterator"))
        return NULL;
    item = Py_TYPE(it)->tp_iternext(it);
    Py_LeaveRecursiveCall();
    return item;
}

PyObject *
pyb_iterator_new(PyTypeObject *type, PyObject *of, Py_ssize_t index)
{
    struct pyb_iterator *it = PyObject_GC_New(struct pyb_iterator, type);

    PYB_ASSERT(type->tp_dealloc == pyb_iterator_dealloc);

    if (it == NULL)
        return NULL;
    it->index = index;
    it->of = Py_NewRef(of);
    PYB_EXPENSIVE(pyb_iterator_check((PyObject *)it));
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

void
pyb_iterator_dealloc(PyObject *op)
{
    PYB_EXPENSIVE(pyb_iterator_check(op));
    PyObject_GC_UnTrack(op);
    Py_XDECREF(PYB_ITERATOR(op)->of);
    PyObject_GC_Del(op);
}

int
pyb_iterator_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PYB_ITERATOR(op)->of);
    return 0;
}

/* A mutable object may have become shorter than what was passed. */
static PyObject *
length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct pyb_iterator *it = PYB_ITERATOR(op);
    Py_ssize_t size = it->of != NULL ? Py_SIZE(it->of) : 0;

    PYB_ASSERT_OBJECT(it->index >= 0, op);
    return PyLong_FromSsize_t(Py_MAX(size - it->index, 0));
}

PyMethodDef pyb_iterator_methods[] = PYB_ITERATOR_TABLE(length_hint);

/* What is over in place of an iterator that has ended. */
static PyObject *
nothing_of(PyTypeObject *type)
{
    if (type == &PyListIter_Type || type == &PyListRevIter_Type)
        return PyList_New(0);
    return type == &PyUnicodeIter_Type ? PyUnicode_FromString("")
                                       : PyTuple_New(0);
}

static int
is_reversed(PyObject *op)
{
    return PyObject_TypeCheck(op, &PyReversed_Type);
}

/* The state is the index. */
PyObject *
pyb_iterator_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct pyb_iterator *it = PYB_ITERATOR(op);
    PyObject *of =
                 it->of != NULL ? Py_NewRef(it->of) : nothing_of(Py_TYPE(op)),
             *index = NULL, *result;
    int down = Py_IS_TYPE(op, &PyListRevIter_Type) && it->of != NULL;

    if (of == NULL)
        return NULL;
    if (it->of != NULL && (index = PyLong_FromSsize_t(it->index)) == NULL) {
        Py_DECREF(of);
        return NULL;
    }
    if (is_reversed(op))
        return pyb_reduce_type(op, Py_BuildValue("(N)", of), index);
    result = pyb_reduce_call(down ? "reversed" : "iter", index, "(N)", of);
    Py_XDECREF(index);
    return result;
}

/* The indices that an iterator may have; its object may have changed.  0, or
   -1 with an exception. */
static int
get_limits(PyObject *op, Py_ssize_t *least, Py_ssize_t *most)
{
    *least = 0;
    *most = PY_SSIZE_T_MAX;
    if (Py_IS_TYPE(op, &PySeqIter_Type))
        return 0;
    *most = PySequence_Size(PYB_ITERATOR(op)->of);
    if (*most < 0)
        return -1;
    if (Py_IS_TYPE(op, &PyListRevIter_Type) || is_reversed(op)) {
        *least = -1;
        *most -= 1;
    }
    return 0;
}

PyObject *
pyb_iterator_setstate(PyObject *op, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state), least, most;

    if (index == -1 && PyErr_Occurred() != NULL)
        return NULL;
    if (PYB_ITERATOR(op)->of == NULL)
        Py_RETURN_NONE;
    if (get_limits(op, &least, &most) < 0)
        return NULL;
    /* The size was asked for of other code. */
    if (PYB_ITERATOR(op)->of != NULL)
        PYB_ITERATOR(op)->index = Py_MAX(Py_MIN(index, most), least);
    Py_RETURN_NONE;
}

PyObject *
pyb_iterator_reduce_rest(PyObject *copy)
{
    PyObject *list = copy != NULL ? PySequence_List(copy) : NULL;

    Py_XDECREF(copy);
    return list != NULL ? pyb_reduce_call("iter", NULL, "(N)", list) : NULL;
}

PyObject *
pyb_iterators_of(PyObject *args, Py_ssize_t first)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(args), args);
    PYB_ASSERT(first >= 0 && first <= PyTuple_GET_SIZE(args));
    Py_ssize_t n = PyTuple_GET_SIZE(args) - first;
    PyObject *result = PyTuple_New(n);

    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        PyObject *it = PyObject_GetIter(PyTuple_GET_ITEM(args, first + i));
        if (it == NULL)
            Py_CLEAR(result);
        else
            PyTuple_SET_ITEM(result, i, it);
    }
    return result;
}
