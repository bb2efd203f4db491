/* sliceparts.c: the indices of a slice as ints of any size. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/int/int.h"
#include "types/slice.h"

PyObject *
pyb_slice_exact(PyObject *op)
{
    PyObject *number = PyNumber_Index(op);

    if (number != NULL && !PyLong_CheckExact(number))
        Py_SETREF(number, pyb_int_exact(number));
    return number;
}

void
pyb_slice_drop(struct pyb_slice_parts *parts)
{
    Py_CLEAR(parts->start);
    Py_CLEAR(parts->stop);
    Py_CLEAR(parts->step);
}

/* A part as an int; of None the int otherwise. */
static PyObject *
get_part(PyObject *part, PyObject *otherwise)
{
    if (part == Py_None)
        return Py_NewRef(otherwise);
    if (PyIndex_Check(part))
        return pyb_slice_exact(part);
    return pyb_raise(PyExc_TypeError, "slice indices must be integers or None "
                                      "or have an __index__ method");
}

/* What bounds are moved between; both are owned. */
struct limits {
    PyObject *least, *most;
};

/* A bound: counted from the end if it is negative, and moved between the
   limits; of None the int otherwise. */
static PyObject *
get_bound(PyObject *part, PyObject *length, const struct limits *limits,
          PyObject *otherwise)
{
    PyObject *bound = get_part(part, otherwise);

    if (bound == NULL || part == Py_None)
        return bound;
    if (pyb_int_sign(bound) < 0)
        Py_SETREF(bound, PyNumber_Add(bound, length));
    if (bound == NULL)
        return NULL;
    if (PyObject_RichCompareBool(bound, limits->least, Py_LT))
        Py_SETREF(bound, Py_NewRef(limits->least));
    else if (PyObject_RichCompareBool(bound, limits->most, Py_GT))
        Py_SETREF(bound, Py_NewRef(limits->most));
    return bound;
}

/* With a negative step both limits are one place further down.  0, or -1 with
   an exception; they have to be dropped in any case. */
static int
get_limits(PyObject *length, int down, struct limits *limits)
{
    PyObject *shift = PyLong_FromLong(down);

    limits->least = PyLong_FromLong(-down);
    limits->most = shift != NULL ? PyNumber_Subtract(length, shift) : NULL;
    Py_XDECREF(shift);
    return limits->least != NULL && limits->most != NULL ? 0 : -1;
}

static PyObject *
get_step(PyObject *part)
{
    PyObject *one = PyLong_FromLong(1);
    PyObject *step = one != NULL ? get_part(part, one) : NULL;

    Py_XDECREF(one);
    if (step == NULL || pyb_int_sign(step) != 0)
        return step;
    Py_DECREF(step);
    return pyb_raise(PyExc_ValueError, "slice step cannot be zero");
}

int
pyb_slice_parts(PyObject *op, PyObject *length, struct pyb_slice_parts *parts)
{
    PySliceObject *slice = (PySliceObject *)op;
    struct limits limits = {NULL, NULL};

    PYB_ASSERT_OBJECT(PySlice_Check(op), op);
    *parts = (struct pyb_slice_parts){NULL, NULL, get_step(slice->step)};
    int down = parts->step != NULL && pyb_int_sign(parts->step) < 0;
    if (parts->step != NULL && get_limits(length, down, &limits) == 0) {
        parts->start = get_bound(slice->start, length, &limits,
                                 down ? limits.most : limits.least);
        if (parts->start != NULL)
            parts->stop = get_bound(slice->stop, length, &limits,
                                    down ? limits.least : limits.most);
    }
    Py_XDECREF(limits.least);
    Py_XDECREF(limits.most);
    if (parts->stop != NULL)
        return 0;
    pyb_slice_drop(parts);
    return -1;
}
