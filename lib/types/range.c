/* range.c: ranges and their iterator. */

#include "Python.h"

#include "object/getargs.h"
#include "types/int.h"

/* The number at index i, from 0 up to length, is first + i * step: it fits,
   as it lies between the ends.  The objects are exact ints. */
struct range {
    PyObject_HEAD
    PyObject *start, *stop, *step_object;
    pyb_int128 first, step, length;
};

#define RANGE(op) ((struct range *)(op))

struct range_iter {
    PyObject_HEAD
    pyb_int128 next, step, left;
};

#define ITER(op) ((struct range_iter *)(op))

/* i * step alone need not fit. */
static inline pyb_int128
number_at(const struct range *self, pyb_int128 i)
{
    return (pyb_int128)((pyb_uint128)self->first +
                        (pyb_uint128)i * (pyb_uint128)self->step);
}

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* How many numbers there are; 0, or -1 with OverflowError. */
static int
count_numbers(pyb_int128 first, pyb_int128 stop, pyb_int128 step,
              pyb_int128 *length)
{
    pyb_uint128 distance = step > 0 ? (pyb_uint128)stop - (pyb_uint128)first
                                    : (pyb_uint128)first - (pyb_uint128)stop;

    *length = 0;
    if (step > 0 ? first >= stop : first <= stop)
        return 0;
    distance = (distance - 1) / pyb_intmath_magnitude(step) + 1;
    if (pyb_intmath_signed(distance, 0, length) == 0)
        return 0;
    pyb_int_too_large();
    return -1;
}

/* A range of three ints, which it takes over, NULLs too: then an exception is
   pending. */
static PyObject *
new_range(PyObject *start, PyObject *stop, PyObject *step)
{
    struct range *self = NULL;
    pyb_int128 length;

    if (start == NULL || stop == NULL || step == NULL)
        goto done;
    if (pyb_int_value(step) == 0) {
        PyErr_SetString(PyExc_ValueError, "range() arg 3 must not be zero");
        goto done;
    }
    if (count_numbers(pyb_int_value(start), pyb_int_value(stop),
                      pyb_int_value(step), &length) < 0)
        goto done;
    self = PyObject_New(struct range, &PyRange_Type);
    if (self == NULL)
        goto done;
    self->start = start;
    self->stop = stop;
    self->step_object = step;
    self->first = pyb_int_value(start);
    self->step = pyb_int_value(step);
    self->length = length;
    return (PyObject *)self;
done:
    Py_XDECREF(start);
    Py_XDECREF(stop);
    Py_XDECREF(step);
    return NULL;
}

/* The int that an argument is; NULL is the other number. */
static PyObject *
argument(PyObject *op, long otherwise)
{
    return op == NULL ? PyLong_FromLong(otherwise) : PyNumber_Index(op);
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
    Py_DECREF(RANGE(op)->step_object);
    PyObject_Free(op);
}

static PyObject *
new_iter(pyb_int128 next, pyb_int128 step, pyb_int128 left)
{
    struct range_iter *it = PyObject_New(struct range_iter, &PyRangeIter_Type);

    if (it == NULL)
        return NULL;
    it->next = next;
    it->step = step;
    it->left = left;
    return (PyObject *)it;
}

static PyObject *
range_iter(PyObject *op)
{
    return new_iter(RANGE(op)->first, RANGE(op)->step, RANGE(op)->length);
}

/* An iterator that is at its end never looks at its number. */
static PyObject *
range_reversed(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct range *self = RANGE(op);
    pyb_int128 step;

    if (self->length == 0)
        return new_iter(0, 1, 0);
    if (pyb_intmath_multiply(self->step, -1, &step) < 0)
        return pyb_int_too_large();
    return new_iter(number_at(self, self->length - 1), step, self->length);
}

/* ------------------------------------------------------------------ */
/* Text and comparison                                                 */

static PyObject *
range_repr(PyObject *op)
{
    struct range *self = RANGE(op);

    if (self->step == 1)
        return PyUnicode_FromFormat("range(%R, %R)", self->start, self->stop);
    return PyUnicode_FromFormat("range(%R, %R, %R)", self->start, self->stop,
                                self->step_object);
}

/* Ranges are equal if they have the same numbers. */
static PyObject *
range_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyRange_Check(a) || !PyRange_Check(b) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;

    pyb_int128 length = RANGE(a)->length;
    int equal = length == RANGE(b)->length &&
                (length == 0 || RANGE(a)->first == RANGE(b)->first) &&
                (length <= 1 || RANGE(a)->step == RANGE(b)->step);
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
range_hash(PyObject *op)
{
    struct range *self = RANGE(op);
    PyObject *parts =
        Py_BuildValue("(NOO)", pyb_int_from(self->length),
                      self->length == 0 ? Py_None : self->start,
                      self->length <= 1 ? Py_None : self->step_object);

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
    return RANGE(op)->length != 0;
}

static Py_ssize_t
range_length(PyObject *op)
{
    if (RANGE(op)->length > PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C ssize_t");
        return -1;
    }
    return (Py_ssize_t)RANGE(op)->length;
}

static PyObject *
item_at(struct range *self, pyb_int128 i)
{
    if (i < 0 || i >= self->length) {
        PyErr_SetString(PyExc_IndexError, "range object index out of range");
        return NULL;
    }
    return pyb_int_from(number_at(self, i));
}

static PyObject *
range_item(PyObject *op, Py_ssize_t i)
{
    return item_at(RANGE(op), i);
}

/* A part of a slice as a number; None is the one given already.  0, or -1 with
   an exception. */
static int
slice_part(PyObject *part, pyb_int128 *value)
{
    if (part == Py_None)
        return 0;
    part = PyNumber_Index(part);
    if (part == NULL)
        return -1;
    *value = pyb_int_value(part);
    Py_DECREF(part);
    return 0;
}

/* A bound of a slice, counted from the front and moved between the limits. */
static int
slice_bound(PyObject *part, pyb_int128 length, pyb_int128 least,
            pyb_int128 most, pyb_int128 *value)
{
    if (slice_part(part, value) < 0)
        return -1;
    if (part != Py_None && *value < 0)
        *value += length;
    *value = Py_MIN(Py_MAX(*value, least), most);
    return 0;
}

/* first + i * step, for an i that may lie beyond the ends; a new int. */
static PyObject *
end_at(struct range *self, pyb_int128 i)
{
    pyb_int128 value;

    if (pyb_intmath_multiply(i, self->step, &value) < 0 ||
        __builtin_add_overflow(value, self->first, &value))
        return pyb_int_too_large();
    return pyb_int_from(value);
}

static PyObject *
slice_of(struct range *self, PySliceObject *slice)
{
    pyb_int128 length = self->length, step = 1, i, j;

    if (slice_part(slice->step, &step) < 0)
        return NULL;
    if (step == 0) {
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        return NULL;
    }
    /* Walking backwards, the ends are one place further down. */
    int down = step < 0 ? 1 : 0;
    i = down ? length - 1 : 0;
    j = down ? -1 : length;
    if (slice_bound(slice->start, length, -down, length - down, &i) < 0 ||
        slice_bound(slice->stop, length, -down, length - down, &j) < 0)
        return NULL;
    if (pyb_intmath_multiply(step, self->step, &step) < 0)
        return pyb_int_too_large();
    PyObject *start = end_at(self, i);
    PyObject *stop = start != NULL ? end_at(self, j) : NULL;
    return new_range(start, stop, stop != NULL ? pyb_int_from(step) : NULL);
}

static PyObject *
range_subscript(PyObject *op, PyObject *key)
{
    struct range *self = RANGE(op);

    if (PyIndex_Check(key)) {
        pyb_int128 i = 0;
        if (slice_part(key, &i) < 0)
            return NULL;
        return item_at(self, i < 0 ? i + self->length : i);
    }
    if (PySlice_Check(key))
        return slice_of(self, (PySliceObject *)key);
    return PyErr_Format(PyExc_TypeError,
                        "range indices must be integers or slices, not %.200s",
                        Py_TYPE(key)->tp_name);
}

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* Only of plain ints is it known what they are equal to. */
static int
is_plain(PyObject *op)
{
    return PyLong_CheckExact(op) || PyBool_Check(op);
}

/* The index of a number, or -1. */
static pyb_int128
index_of(struct range *self, pyb_int128 number)
{
    if (self->length == 0)
        return -1;
    pyb_int128 last = number_at(self, self->length - 1);
    if (number < Py_MIN(self->first, last) ||
        number > Py_MAX(self->first, last))
        return -1;
    pyb_uint128 way = self->step > 0
                          ? (pyb_uint128)number - (pyb_uint128)self->first
                          : (pyb_uint128)self->first - (pyb_uint128)number;
    pyb_uint128 stride = pyb_intmath_magnitude(self->step);
    /* No range has the step 0.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    return way % stride == 0 ? (pyb_int128)(way / stride) : -1;
}

static int
range_contains(PyObject *op, PyObject *value)
{
    if (is_plain(value))
        return index_of(RANGE(op), pyb_int_value(value)) >= 0;
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
    if (is_plain(value))
        return PyLong_FromLong(range_contains(op, value));
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
        pyb_int128 i = index_of(RANGE(op), pyb_int_value(value));
        if (i >= 0)
            return pyb_int_from(i);
        return PyErr_Format(PyExc_ValueError, "%R is not in range", value);
    }
    PyObject *it = range_iter(op);
    if (it == NULL)
        return NULL;
    Py_ssize_t i = PySequence_Index(it, value);
    Py_DECREF(it);
    return i < 0 ? NULL : PyLong_FromSsize_t(i);
}

/* ------------------------------------------------------------------ */
/* The types                                                           */

static PyObject *
range_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct range *self = RANGE(op);

    return Py_BuildValue("(O(OOO))", Py_TYPE(op), self->start, self->stop,
                         self->step_object);
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
    {"step", Py_T_OBJECT_EX, offsetof(struct range, step_object), Py_READONLY,
     NULL},
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
    .tp_getattro = PyObject_GenericGetAttr,
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

static PyObject *
iter_next(PyObject *op)
{
    struct range_iter *it = ITER(op);

    if (it->left == 0)
        return NULL;
    PyObject *number = pyb_int_from(it->next);
    if (number == NULL)
        return NULL;
    if (--it->left > 0) /* else the next one need not fit */
        it->next += it->step;
    return number;
}

static PyObject *
iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_int_from(ITER(op)->left);
}

static PyMethodDef iter_methods[] = {
    {"__length_hint__", iter_length_hint, METH_NOARGS,
     PyDoc_STR("Private method returning an estimate of len(list(it)).")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyRangeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "range_iterator",
    .tp_basicsize = sizeof(struct range_iter),
    .tp_dealloc = (destructor)PyObject_Free,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};
