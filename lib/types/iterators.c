/* iterators.c: what zip and map share. */

#include "types/iterators.h"

PyObject *
pyb_iterators_of(PyObject *args, Py_ssize_t first)
{
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
