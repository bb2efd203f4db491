/* row.c: the tuple that an iterator gives again and again.  See row.h. */

#include "types/row.h"

#include "types/atomic.h"

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
    return Py_REFCNT(row) == 1 ? Py_NewRef(row)
                               : PyTuple_New(PyTuple_GET_SIZE(row));
}

void
pyb_row_set(PyObject *taken, Py_ssize_t i, PyObject *item)
{
    Py_XSETREF(PyTuple_GET_ITEM(taken, i), item);
}

/* A collection may have untracked it for what it held before. */
PyObject *
pyb_row_give(PyObject *taken)
{
    if (!pyb_atomic_is_tracked(taken) && PyTuple_GET_SIZE(taken) > 0)
        PyObject_GC_Track(taken);
    return taken;
}

PyObject *
pyb_row_pair(PyObject *row, PyObject *a, PyObject *b)
{
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
