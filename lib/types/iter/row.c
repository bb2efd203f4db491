/* row.c: the tuple that an iterator returns repeatedly.  See row.h. */

#include "gc/base/fatal.h"
#include "types/iter/row.h"

#include "types/acyclic.h"

PyObject *
pyb_row_new(Py_ssize_t n)
{
    PyObject *row = PyTuple_New(n);

    for (Py_ssize_t i = 0; row != NULL && i < n; i++)
        PyTuple_SET_ITEM(row, i, Py_None);
    return row;
}

PyObject *
pyb_row_take(PyObject *row)
{
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(row), row);
    return Py_REFCNT(row) == 1 ? Py_NewRef(row)
                               : PyTuple_New(PyTuple_GET_SIZE(row));
}

void
pyb_row_set(PyObject *taken, Py_ssize_t i, PyObject *item)
{
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(taken), taken);
    PYB_ASSERT(i >= 0 && i < PyTuple_GET_SIZE(taken));
    Py_XSETREF(PyTuple_GET_ITEM(taken, i), item);
}

/* A collection may have untracked the tuple because of its former items. */
PyObject *
pyb_row_give(PyObject *taken)
{
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(taken), taken);
    if (!pyb_acyclic_is_tracked(taken) && PyTuple_GET_SIZE(taken) > 0)
        PyObject_GC_Track(taken);
    return taken;
}

PyObject *
pyb_row_pair(PyObject *row, PyObject *a, PyObject *b)
{
    PYB_ASSERT_OBJECT(PyTuple_GET_SIZE(row) == 2, row);
    PyObject *taken = pyb_row_take(row);

    if (taken == NULL) {
        Py_DECREF(a);
        Py_DECREF(b);
        return NULL;
    }
    pyb_row_set(taken, 0, a);
    pyb_row_set(taken, 1, b);
    return pyb_row_give(taken);
}
