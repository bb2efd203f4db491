/* pair.c: the tuple of two items that an iterator gives again and again.

   Who takes such a tuple apart at once, as most do, gives it back before the
   next step: then nobody can tell it from a fresh one. */

#include "types/pair.h"

#include "types/atomic.h"

PyObject *
pyb_pair_new(void)
{
    return PyTuple_Pack(2, Py_None, Py_None);
}

/* The pair of the last step with other items.  A collection may have untracked
   it for what it held then. */
static PyObject *
refill(PyObject *pair, PyObject *a, PyObject *b)
{
    PyObject *old_a = PyTuple_GET_ITEM(pair, 0);
    PyObject *old_b = PyTuple_GET_ITEM(pair, 1);

    Py_INCREF(pair);
    PyTuple_SET_ITEM(pair, 0, a);
    PyTuple_SET_ITEM(pair, 1, b);
    if (!pyb_atomic_is_tracked(pair))
        PyObject_GC_Track(pair);
    Py_DECREF(old_a);
    Py_DECREF(old_b);
    return pair;
}

PyObject *
pyb_pair_fill(PyObject *pair, PyObject *a, PyObject *b)
{
    if (Py_REFCNT(pair) == 1)
        return refill(pair, a, b);
    PyObject *fresh = PyTuple_Pack(2, a, b);
    Py_DECREF(a);
    Py_DECREF(b);
    return fresh;
}
