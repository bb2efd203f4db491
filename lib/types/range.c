/* range.c: ranges.  Their iterators are in rangeiter.c.

   The numbers of a range may have any size.  Those that an int holds itself
   (see int.h) are computed with 128 bits, which is enough for the product of
   two of them and a sum; the others as objects. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/int/bigint.h"
#include "types/int/int.h"
#include "types/iter/iterators.h"
#include "types/range.h"
#include "types/slice.h"

/* All are exact ints and owned.  The number at index i, from 0 up to length,
   is start + i * step. */
struct range {
    PyObject_HEAD
    PyObject *start, *stop, *step, *length;
};

#define RANGE(op) PYB_CAST(struct range, PyRange_Check, op)

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

static int
all_compact(PyObject *a, PyObject *b, PyObject *c)
{
    return pyb_int_is_compact(a) && pyb_int_is_compact(b) &&
           pyb_int_is_compact(c);
}

/* Is a less than b? */
static int
is_less(PyObject *a, PyObject *b)
{
    if (pyb_int_is_compact(a) && pyb_int_is_compact(b))
        return pyb_int_compact(a) < pyb_int_compact(b);
    return pyb_bigint_compare(a, b) < 0;
}

/* op(a, b), which steals a; NULL is passed on. */
static PyObject *
apply(PyObject *(*op)(PyObject *, PyObject *), PyObject *a, PyObject *b)
{
    PyObject *result = a != NULL ? op(a, b) : NULL;

    Py_XDECREF(a);
    return result;
}

/* a + n, which steals a. */
static PyObject *
add_small(PyObject *a, long n)
{
    PyObject *number = PyLong_FromLong(n), *sum = NULL;

    if (number != NULL)
        sum = apply(PyNumber_Add, Py_XNewRef(a), number);
    Py_XDECREF(number);
    Py_XDECREF(a);
    return sum;
}

PyObject *
pyb_range_number(PyObject *start, PyObject *i, PyObject *step)
{
    if (all_compact(start, i, step))
        return pyb_int_from_wide(pyb_int_compact(start) +
                                 (pyb_int128)pyb_int_compact(i) *
                                     pyb_int_compact(step));
    return apply(PyNumber_Add, PyNumber_Multiply(i, step), start);
}

/* How many steps there are from first to last, which is beyond first in their
   direction: the quotient, rounded up. */
static PyObject *
count_steps(PyObject *first, PyObject *last, PyObject *step)
{
    if (all_compact(first, last, step)) {
        pyb_int128 way =
            (pyb_int128)pyb_int_compact(last) - pyb_int_compact(first);
        pyb_int128 stride = pyb_int_compact(step);
        PYB_ASSERT(stride != 0);
        /* Both have one sign, and no range has the step 0.
           NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
        return pyb_int_from_wide((way - (stride > 0 ? 1 : -1)) / stride + 1);
    }
    /* -((first - last) // step) */
    PyObject *quotient =
        apply(PyNumber_FloorDivide, PyNumber_Subtract(first, last), step);
    PyObject *count = quotient != NULL ? PyNumber_Negative(quotient) : NULL;
    Py_XDECREF(quotient);
    return count;
}

/* The length of a range. */
static PyObject *
count_numbers(PyObject *start, PyObject *stop, PyObject *step)
{
    int empty =
        pyb_int_sign(step) > 0 ? !is_less(start, stop) : !is_less(stop, start);

    return empty ? PyLong_FromLong(0) : count_steps(start, stop, step);
}

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* A range of three ints, which are stolen; any may be NULL, with an exception
   pending. */
static PyObject *
new_range(PyObject *start, PyObject *stop, PyObject *step)
{
    struct range *self = NULL;
    PyObject *length = NULL;

    if (start == NULL || stop == NULL || step == NULL)
        goto done;
    if (pyb_int_sign(step) == 0)
        PyErr_SetString(PyExc_ValueError, "range() arg 3 must not be zero");
    else
        length = count_numbers(start, stop, step);
    if (length != NULL)
        self = PyObject_New(struct range, &PyRange_Type);
    if (self == NULL)
        goto done;
    PYB_ASSERT(pyb_int_sign(length) >= 0);
    self->start = start;
    self->stop = stop;
    self->step = step;
    self->length = length;
    return (PyObject *)self;
done:
    Py_XDECREF(start);
    Py_XDECREF(stop);
    Py_XDECREF(step);
    Py_XDECREF(length);
    return NULL;
}

/* The int of an argument; of NULL the int otherwise. */
static PyObject *
argument(PyObject *op, long otherwise)
{
    return op == NULL ? PyLong_FromLong(otherwise) : pyb_slice_exact(op);
}

static PyObject *
range_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *start = NULL, *stop = NULL, *step = NULL;

    if (!pyb_getargs_no_keywords("range", kwargs) ||
        !PyArg_UnpackTuple(args, "range", 1, 3, &start, &stop, &step))
        return NULL;
    if (stop == NULL) {
        stop = start;
        start = NULL;
    }
    start = argument(start, 0);
    stop = start != NULL ? argument(stop, 0) : NULL;
    step = stop != NULL ? argument(step, 1) : NULL;
    return new_range(start, stop, step);
}

static void
range_dealloc(PyObject *op)
{
    Py_DECREF(RANGE(op)->start);
    Py_DECREF(RANGE(op)->stop);
    Py_DECREF(RANGE(op)->step);
    Py_DECREF(RANGE(op)->length);
    PyObject_Free(op);
}

PyObject *
pyb_range_new(PyObject *start, PyObject *stop, PyObject *step)
{
    return new_range(start, stop, step);
}

static PyObject *
range_iter(PyObject *op)
{
    struct range *self = RANGE(op);

    return pyb_rangeiter_new(self->start, self->step, self->length);
}

static PyObject *
item_at(struct range *self, PyObject *i)
{
    return pyb_range_number(self->start, i, self->step);
}

/* From the last number on, with the opposite step.  For an empty range any
   number will do: an iterator at its end does not use it. */
static PyObject *
range_reversed(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct range *self = RANGE(op);
    PyObject *index = add_small(Py_NewRef(self->length), -1);
    PyObject *last = index != NULL ? item_at(self, index) : NULL;
    PyObject *step = last != NULL ? PyNumber_Negative(self->step) : NULL;
    PyObject *it = NULL;

    if (step != NULL)
        it = pyb_rangeiter_new(last, step, self->length);
    Py_XDECREF(index);
    Py_XDECREF(last);
    Py_XDECREF(step);
    return it;
}

/* ------------------------------------------------------------------ */
/* Text and comparison                                                 */

/* Is it the int 1? */
static int
is_one(PyObject *op)
{
    return pyb_int_is_compact(op) && pyb_int_compact(op) == 1;
}

static PyObject *
range_repr(PyObject *op)
{
    struct range *self = RANGE(op);

    if (is_one(self->step))
        return PyUnicode_FromFormat("range(%R, %R)", self->start, self->stop);
    return PyUnicode_FromFormat("range(%R, %R, %R)", self->start, self->stop,
                                self->step);
}

/* What decides whether ranges are equal: that they have the same numbers. */
static PyObject *
identity(PyObject *op)
{
    struct range *self = RANGE(op);
    int none = pyb_int_sign(self->length) == 0;

    return PyTuple_Pack(3, self->length, none ? Py_None : self->start,
                        none || is_one(self->length) ? Py_None : self->step);
}

static PyObject *
range_richcompare(PyObject *a, PyObject *b, int op)
{
    PyObject *left, *right, *result = NULL;

    if (!PyRange_Check(a) || !PyRange_Check(b) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    left = identity(a);
    right = left != NULL ? identity(b) : NULL;
    if (right != NULL)
        result = PyObject_RichCompare(left, right, op);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return result;
}

static Py_hash_t
range_hash(PyObject *op)
{
    PyObject *parts = identity(op);

    if (parts == NULL)
        return -1;
    Py_hash_t hash = PyObject_Hash(parts);
    Py_DECREF(parts);
    return hash;
}

/* ------------------------------------------------------------------ */
/* Items                                                               */

static int
range_bool(PyObject *op)
{
    return pyb_int_sign(RANGE(op)->length) != 0;
}

static Py_ssize_t
range_length(PyObject *op)
{
    return PyLong_AsSsize_t(RANGE(op)->length);
}

/* The number at an index that may count from the end; steals the index, which
   may be NULL. */
static PyObject *
checked_item(struct range *self, PyObject *i)
{
    PyObject *number = NULL;

    if (i != NULL && pyb_int_sign(i) < 0)
        i = apply(PyNumber_Add, i, self->length);
    if (i != NULL && (pyb_int_sign(i) < 0 || !is_less(i, self->length)))
        PyErr_SetString(PyExc_IndexError, "range object index out of range");
    else if (i != NULL)
        number = item_at(self, i);
    Py_XDECREF(i);
    return number;
}

/* A negative index has the length added already. */
static PyObject *
range_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0)
        return pyb_raise(PyExc_IndexError, "range object index out of range");
    return checked_item(RANGE(op), PyLong_FromSsize_t(i));
}

static PyObject *
slice_of(struct range *self, PyObject *slice)
{
    struct pyb_slice_parts parts;
    PyObject *start, *stop = NULL, *step = NULL;

    if (pyb_slice_parts(slice, self->length, &parts) < 0)
        return NULL;
    start = item_at(self, parts.start);
    if (start != NULL)
        stop = item_at(self, parts.stop);
    if (stop != NULL)
        step = PyNumber_Multiply(parts.step, self->step);
    pyb_slice_drop(&parts);
    return new_range(start, stop, step);
}

static PyObject *
range_subscript(PyObject *op, PyObject *key)
{
    if (PyIndex_Check(key))
        return checked_item(RANGE(op), pyb_slice_exact(key));
    if (PySlice_Check(key))
        return slice_of(RANGE(op), key);
    return PyErr_Format(PyExc_TypeError,
                        "range indices must be integers or slices, not %.200s",
                        Py_TYPE(key)->tp_name);
}

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* Only the equality of plain ints is known; other types may define theirs. */
static int
is_plain(PyObject *op)
{
    return PyLong_CheckExact(op) || PyBool_Check(op);
}

/* Is an int between the ends, in either direction? */
static int
is_between(struct range *self, PyObject *op)
{
    if (pyb_int_sign(self->step) > 0)
        return !is_less(op, self->start) && is_less(op, self->stop);
    return !is_less(self->start, op) && is_less(self->stop, op);
}

/* The index of an int: a new reference, or NULL: not there, or with an
   exception. */
static PyObject *
index_of(struct range *self, PyObject *op)
{
    PyObject *pair, *index = NULL;

    if (!is_between(self, op))
        return NULL;
    pair = PyNumber_Subtract(op, self->start);
    if (pair != NULL)
        pair = apply(PyNumber_Divmod, pair, self->step);
    if (pair != NULL && pyb_int_sign(PyTuple_GET_ITEM(pair, 1)) == 0)
        index = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    Py_XDECREF(pair);
    return index;
}

/* 1, 0, or -1 with an exception. */
static int
contains_int(struct range *self, PyObject *op)
{
    PyObject *index = index_of(self, op);
    int found = index != NULL;

    Py_XDECREF(index);
    return !found && PyErr_Occurred() != NULL ? -1 : found;
}

static int
range_contains(PyObject *op, PyObject *value)
{
    if (is_plain(value))
        return contains_int(RANGE(op), value);
    PyObject *it = range_iter(op);
    if (it == NULL)
        return -1;
    int found = PySequence_Contains(it, value);
    Py_DECREF(it);
    return found;
}

static PyObject *
range_count(PyObject *op, PyObject *value)
{
    if (is_plain(value)) {
        int found = contains_int(RANGE(op), value);
        return found < 0 ? NULL : PyLong_FromLong(found);
    }
    PyObject *it = range_iter(op);
    if (it == NULL)
        return NULL;
    Py_ssize_t count = PySequence_Count(it, value);
    Py_DECREF(it);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyObject *
range_index(PyObject *op, PyObject *value)
{
    if (is_plain(value)) {
        PyObject *index = index_of(RANGE(op), value);
        if (index == NULL && PyErr_Occurred() == NULL)
            PyErr_Format(PyExc_ValueError, "%R is not in range", value);
        return index;
    }
    PyObject *it = range_iter(op);
    if (it == NULL)
        return NULL;
    Py_ssize_t i = PySequence_Index(it, value);
    Py_DECREF(it);
    return i < 0 ? NULL : PyLong_FromSsize_t(i);
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
range_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct range *self = RANGE(op);

    return pyb_reduce_type(
        op, PyTuple_Pack(3, self->start, self->stop, self->step), NULL);
}

static PyMethodDef range_methods[] = {
    {"__reversed__", range_reversed, METH_NOARGS,
     PyDoc_STR("Return a reverse iterator.")},
    {"__reduce__", range_reduce, METH_NOARGS, NULL},
    {"count", range_count, METH_O,
     PyDoc_STR("Return number of occurrences of value.")},
    {"index", range_index, METH_O,
     PyDoc_STR("Return index of value; ValueError if it is not present.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef range_members[] = {
    {"start", Py_T_OBJECT_EX, offsetof(struct range, start), Py_READONLY,
     NULL},
    {"stop", Py_T_OBJECT_EX, offsetof(struct range, stop), Py_READONLY, NULL},
    {"step", Py_T_OBJECT_EX, offsetof(struct range, step), Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyNumberMethods range_as_number = {.nb_bool = range_bool};

static PySequenceMethods range_as_sequence = {
    .sq_length = range_length,
    .sq_item = range_item,
    .sq_contains = range_contains,
};

static PyMappingMethods range_as_mapping = {
    .mp_length = range_length,
    .mp_subscript = range_subscript,
};

PyTypeObject PyRange_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "range",
    .tp_basicsize = sizeof(struct range),
    .tp_dealloc = range_dealloc,
    .tp_repr = range_repr,
    .tp_as_number = &range_as_number,
    .tp_as_sequence = &range_as_sequence,
    .tp_as_mapping = &range_as_mapping,
    .tp_hash = range_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_SEQUENCE,
    .tp_doc = PyDoc_STR("range(stop)\n"
                        "range(start, stop[, step])\n"
                        "\n"
                        "The numbers from start up to stop, without stop."),
    .tp_richcompare = range_richcompare,
    .tp_iter = range_iter,
    .tp_methods = range_methods,
    .tp_members = range_members,
    .tp_new = range_new,
};
