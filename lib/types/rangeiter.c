/* rangeiter.c: the iterators of ranges: one for numbers that an int holds
   itself, one for others. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/int/int.h"
#include "types/iter/iterators.h"
#include "types/range.h"

/* ------------------------------------------------------------------ */
/* Small numbers                                                       */

/* Behind the last number, next may have more than 64 bits. */
struct range_iter {
    PyObject_HEAD
    pyb_int128 next;
    int64_t step, left;
};

#define IS_ITER(op) Py_IS_TYPE(op, &PyRangeIter_Type)
#define ITER(op) PYB_CAST(struct range_iter, IS_ITER, op)

static PyObject *
new_small(int64_t next, int64_t step, int64_t left)
{
    struct range_iter *it = PyObject_New(struct range_iter, &PyRangeIter_Type);

    PYB_ASSERT(left >= 0 && step != 0);
    if (it == NULL)
        return NULL;
    it->next = next;
    it->step = step;
    it->left = left;
    return (PyObject *)it;
}

static PyObject *
iter_next(PyObject *op)
{
    struct range_iter *it = ITER(op);

    PYB_ASSERT_OBJECT(it->left >= 0, op);
    if (it->left == 0)
        return NULL;
    PyObject *number = pyb_int_from_wide(it->next);
    if (number == NULL)
        return NULL;
    it->left--;
    it->next += it->step;
    return number;
}

static PyObject *
iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_int_from(ITER(op)->left);
}

/* An iterator over a range of what is left.  CPython 3.11 returns the whole
   range and an index; 3.12 does this. */
static PyObject *
reduce_left(PyObject *start, PyObject *step, PyObject *left)
{
    PyObject *stop = NULL, *range = NULL;

    if (start != NULL && step != NULL && left != NULL)
        stop = pyb_range_number(start, left, step);
    range = pyb_range_new(start, stop, step);
    Py_XDECREF(left);
    return range != NULL ? pyb_reduce_call("iter", Py_None, "(N)", range)
                         : NULL;
}

static PyObject *
iter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct range_iter *it = ITER(op);

    return reduce_left(pyb_int_from_wide(it->next), pyb_int_from(it->step),
                       pyb_int_from(it->left));
}

/* Goes on by so many numbers, or to the end. */
static PyObject *
iter_setstate(PyObject *op, PyObject *state)
{
    struct range_iter *it = ITER(op);
    int64_t count = PyLong_AsLong(state);

    if (count == -1 && PyErr_Occurred() != NULL)
        return NULL;
    count = Py_MAX(Py_MIN(count, it->left), 0);
    it->next += (pyb_int128)count * it->step;
    it->left -= count;
    Py_RETURN_NONE;
}

#define TABLE(PREFIX)                                                         \
    {                                                                         \
        PYB_LENGTH_HINT(PREFIX##_length_hint),                                \
            {"__reduce__", PREFIX##_reduce, METH_NOARGS,                      \
             PyDoc_STR("Return state information for pickling.")},            \
            {"__setstate__", PREFIX##_setstate, METH_O,                       \
             PyDoc_STR("Set state information for unpickling.")},             \
            {NULL, NULL, 0, NULL},                                            \
    }

static PyMethodDef iter_methods[] = TABLE(iter);

PyTypeObject PyRangeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "range_iterator",
    .tp_basicsize = sizeof(struct range_iter),
    .tp_dealloc = (destructor)PyObject_Free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};

/* ------------------------------------------------------------------ */
/* Numbers of any size                                                 */

/* All are exact ints and owned. */
struct long_iter {
    PyObject_HEAD
    PyObject *next, *step, *left;
};

#define IS_LONG(op) Py_IS_TYPE(op, &PyLongRangeIter_Type)
#define LONG(op) PYB_CAST(struct long_iter, IS_LONG, op)

static PyObject *
new_long(PyObject *next, PyObject *step, PyObject *left)
{
    struct long_iter *it =
        PyObject_New(struct long_iter, &PyLongRangeIter_Type);

    if (it == NULL)
        return NULL;
    it->next = Py_NewRef(next);
    it->step = Py_NewRef(step);
    it->left = Py_NewRef(left);
    return (PyObject *)it;
}

static void
long_dealloc(PyObject *op)
{
    Py_DECREF(LONG(op)->next);
    Py_DECREF(LONG(op)->step);
    Py_DECREF(LONG(op)->left);
    PyObject_Free(op);
}

/* Goes on by count numbers.  0, or -1 with an exception. */
static int
advance(struct long_iter *it, PyObject *count)
{
    PyObject *next = pyb_range_number(it->next, count, it->step);
    PyObject *left = next != NULL ? PyNumber_Subtract(it->left, count) : NULL;

    if (left == NULL) {
        Py_XDECREF(next);
        return -1;
    }
    Py_SETREF(it->next, next);
    Py_SETREF(it->left, left);
    return 0;
}

static PyObject *
long_next(PyObject *op)
{
    struct long_iter *it = LONG(op);
    PyObject *number, *one;

    if (pyb_int_sign(it->left) == 0)
        return NULL;
    number = Py_NewRef(it->next);
    one = PyLong_FromLong(1);
    if (one == NULL || advance(it, one) < 0)
        Py_CLEAR(number);
    Py_XDECREF(one);
    return number;
}

static PyObject *
long_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    return Py_NewRef(LONG(op)->left);
}

static PyObject *
long_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct long_iter *it = LONG(op);

    return reduce_left(Py_NewRef(it->next), Py_NewRef(it->step),
                       Py_NewRef(it->left));
}

static PyObject *
long_setstate(PyObject *op, PyObject *state)
{
    struct long_iter *it = LONG(op);

    if (!PyLong_CheckExact(state))
        return PyErr_Format(PyExc_TypeError, "state must be an int, not %T",
                            state);
    PyObject *count = Py_NewRef(state);
    int beyond = PyObject_RichCompareBool(it->left, state, Py_LT);
    if (pyb_int_sign(state) < 0)
        Py_SETREF(count, PyLong_FromLong(0));
    else if (beyond)
        Py_SETREF(count, Py_NewRef(it->left));
    int result = count != NULL && beyond >= 0 ? advance(it, count) : -1;
    Py_XDECREF(count);
    return pyb_result_none(result);
}

static PyMethodDef long_methods[] = TABLE(long);

PyTypeObject PyLongRangeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "longrange_iterator",
    .tp_basicsize = sizeof(struct long_iter),
    .tp_dealloc = long_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = long_next,
    .tp_methods = long_methods,
};

PyObject *
pyb_rangeiter_new(PyObject *start, PyObject *step, PyObject *length)
{
    if (!pyb_int_is_compact(start) || !pyb_int_is_compact(step) ||
        !pyb_int_is_compact(length))
        return new_long(start, step, length);
    return new_small(pyb_int_compact(start), pyb_int_compact(step),
                     pyb_int_compact(length));
}
