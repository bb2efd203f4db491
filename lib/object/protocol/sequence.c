/* sequence.c: the sequence protocol. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "object/slot/slots.h"

/* TypeError for an object without numbered items: it is a mapping, or else the
   message is format.  Always NULL. */
static PyObject *
not_by_number(PyObject *o, int mapping, const char *format)
{
    PYB_ASSERT(strchr(format, '%') != NULL);
    return pyb_errors_type(mapping ? "%.200s is not a sequence" : format, o);
}

/* ------------------------------------------------------------------ */
/* Length and arithmetic                                               */

int
PySequence_Check(PyObject *o)
{
    return !PyDict_Check(o) && PYB_SLOTS_SQ(o, sq_item) != NULL;
}

Py_ssize_t
PySequence_Size(PyObject *o)
{
    if (o == NULL)
        return pyb_fail_null_argument();
    if (PYB_SLOTS_SQ(o, sq_length) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_length(o);
    if (PYB_SLOTS_MP(o, mp_length) != NULL)
        pyb_errors_type("%.200s is not a sequence", o);
    else
        pyb_errors_type("object of type '%.200s' has no len()", o);
    return -1;
}

/* The result of the first of two operators that supports a and b.  A new
   reference, NotImplemented if neither does. */
static PyObject *
by_operators(PyObject *a, PyObject *b, binaryfunc first, binaryfunc second)
{
    PyObject *result = Py_NewRef(Py_NotImplemented);

    if (first != NULL)
        result = first(a, b);
    if (result == Py_NotImplemented && second != NULL && second != first) {
        Py_DECREF(result);
        result = second(a, b);
    }
    return result;
}

/* a + b for sequences that support it only as numbers. */
static PyObject *
add_as_numbers(PyObject *a, PyObject *b)
{
    if (PySequence_Check(a) && PySequence_Check(b)) {
        PyObject *result = by_operators(a, b, PYB_SLOTS_NB(a, nb_add),
                                        PYB_SLOTS_NB(b, nb_add));
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return pyb_errors_type("'%.200s' object can't be concatenated", a);
}

/* o * count likewise; in_place is the slot to be tried first, or NULL. */
static PyObject *
multiply_as_number(PyObject *o, Py_ssize_t count, binaryfunc in_place)
{
    if (PySequence_Check(o)) {
        PyObject *n = PyLong_FromSsize_t(count);
        if (n == NULL)
            return NULL;
        PyObject *result =
            by_operators(o, n, in_place, PYB_SLOTS_NB(o, nb_multiply));
        Py_DECREF(n);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return pyb_errors_type("'%.200s' object can't be repeated", o);
}

PyObject *
PySequence_Concat(PyObject *a, PyObject *b)
{
    if (a == NULL || b == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_SQ(a, sq_concat) != NULL)
        return Py_TYPE(a)->tp_as_sequence->sq_concat(a, b);
    return add_as_numbers(a, b);
}

PyObject *
PySequence_Repeat(PyObject *o, Py_ssize_t count)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_SQ(o, sq_repeat) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_repeat(o, count);
    return multiply_as_number(o, count, NULL);
}

PyObject *
PySequence_InPlaceConcat(PyObject *a, PyObject *b)
{
    if (a == NULL || b == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_SQ(a, sq_inplace_concat) != NULL)
        return Py_TYPE(a)->tp_as_sequence->sq_inplace_concat(a, b);
    if (PYB_SLOTS_SQ(a, sq_concat) == NULL &&
        PYB_SLOTS_NB(a, nb_inplace_add) != NULL && PySequence_Check(a) &&
        PySequence_Check(b)) {
        PyObject *result = Py_TYPE(a)->tp_as_number->nb_inplace_add(a, b);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    return PySequence_Concat(a, b);
}

PyObject *
PySequence_InPlaceRepeat(PyObject *o, Py_ssize_t count)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_SQ(o, sq_inplace_repeat) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_inplace_repeat(o, count);
    if (PYB_SLOTS_SQ(o, sq_repeat) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_repeat(o, count);
    return multiply_as_number(o, count, PYB_SLOTS_NB(o, nb_inplace_multiply));
}

/* ------------------------------------------------------------------ */
/* Items                                                               */

/* Adds the length to a negative index, if o knows its length.  0, or -1 with
   an exception. */
static int
from_end(PyObject *o, Py_ssize_t *i)
{
    if (*i >= 0 || PYB_SLOTS_SQ(o, sq_length) == NULL)
        return 0;
    Py_ssize_t n = Py_TYPE(o)->tp_as_sequence->sq_length(o);
    if (n < 0)
        return -1;
    *i += n;
    return 0;
}

PyObject *
PySequence_GetItem(PyObject *o, Py_ssize_t i)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_SQ(o, sq_item) == NULL)
        return not_by_number(o, PYB_SLOTS_MP(o, mp_subscript) != NULL,
                             "'%.200s' object does not support indexing");
    if (from_end(o, &i) < 0)
        return NULL;
    return Py_TYPE(o)->tp_as_sequence->sq_item(o, i);
}

/* o[i] = value, or del o[i] if value is NULL; format is the message for an o
   that cannot. */
static int
assign_item(PyObject *o, Py_ssize_t i, PyObject *value, const char *format)
{
    if (o == NULL)
        return pyb_fail_null_argument();
    if (PYB_SLOTS_SQ(o, sq_ass_item) == NULL) {
        not_by_number(o, PYB_SLOTS_MP(o, mp_ass_subscript) != NULL, format);
        return -1;
    }
    if (from_end(o, &i) < 0)
        return -1;
    return Py_TYPE(o)->tp_as_sequence->sq_ass_item(o, i, value);
}

int
PySequence_SetItem(PyObject *o, Py_ssize_t i, PyObject *value)
{
    pyb_dead_kept(__func__, value);
    return assign_item(o, i, value,
                       "'%.200s' object does not support item assignment");
}

int
PySequence_DelItem(PyObject *o, Py_ssize_t i)
{
    return assign_item(o, i, NULL,
                       "'%.200s' object doesn't support item deletion");
}

/* ------------------------------------------------------------------ */
/* Slices                                                              */

static PyObject *
slice_of(Py_ssize_t low, Py_ssize_t high)
{
    PyObject *start = PyLong_FromSsize_t(low);
    PyObject *stop = PyLong_FromSsize_t(high);
    PyObject *slice = NULL;

    if (start != NULL && stop != NULL)
        slice = PySlice_New(start, stop, NULL);
    Py_XDECREF(start);
    Py_XDECREF(stop);
    return slice;
}

PyObject *
PySequence_GetSlice(PyObject *o, Py_ssize_t low, Py_ssize_t high)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_MP(o, mp_subscript) == NULL)
        return pyb_errors_type("'%.200s' object is unsliceable", o);
    PyObject *slice = slice_of(low, high);
    if (slice == NULL)
        return NULL;
    PyObject *result = Py_TYPE(o)->tp_as_mapping->mp_subscript(o, slice);
    Py_DECREF(slice);
    return result;
}

/* o[low:high] = value, or its deletion if value is NULL. */
static int
assign_slice(PyObject *o, Py_ssize_t low, Py_ssize_t high, PyObject *value)
{
    if (PYB_SLOTS_MP(o, mp_ass_subscript) == NULL) {
        pyb_errors_type(
            value ? "'%.200s' object doesn't support slice assignment"
                  : "'%.200s' object doesn't support slice deletion",
            o);
        return -1;
    }
    PyObject *slice = slice_of(low, high);
    if (slice == NULL)
        return -1;
    int result = Py_TYPE(o)->tp_as_mapping->mp_ass_subscript(o, slice, value);
    Py_DECREF(slice);
    return result;
}

int
PySequence_SetSlice(PyObject *o, Py_ssize_t low, Py_ssize_t high,
                    PyObject *value)
{
    if (o == NULL)
        return pyb_fail_null_argument();
    return assign_slice(o, low, high, value);
}

int
PySequence_DelSlice(PyObject *o, Py_ssize_t low, Py_ssize_t high)
{
    return PySequence_SetSlice(o, low, high, NULL);
}

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* Replaces a TypeError by that of the operator in.  Always -1. */
static int
not_searchable(PyObject *o)
{
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        pyb_errors_type("argument of type '%.200s' is not iterable", o);
    return -1;
}

/* An iterator over o, to search in; or NULL with an exception. */
static PyObject *
search_iter(PyObject *o, PyObject *value)
{
    if (o == NULL || value == NULL)
        return pyb_errors_null_argument();
    PyObject *it = PyObject_GetIter(o);
    if (it == NULL)
        not_searchable(o);
    return it;
}

/* Is the next item equal to value?  1, 0, -1 with an exception; *end becomes 1
   after the last item. */
static int
next_equals(PyObject *it, PyObject *value, int *end)
{
    PyObject *item;
    int same = PyIter_NextItem(it, &item);

    *end = same == 0;
    if (same > 0) {
        same = PyObject_RichCompareBool(item, value, Py_EQ);
        Py_DECREF(item);
    }
    return same;
}

Py_ssize_t
PySequence_Count(PyObject *o, PyObject *value)
{
    PyObject *it = search_iter(o, value);
    Py_ssize_t count = 0;
    int end = 0;

    if (it == NULL)
        return -1;
    while (!end) {
        int same = next_equals(it, value, &end);
        if (same > 0 && count == PY_SSIZE_T_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            "count exceeds C integer size");
            same = -1;
        }
        if (same < 0) {
            Py_DECREF(it);
            return -1;
        }
        count += same;
    }
    Py_DECREF(it);
    return count;
}

/* The number of the first item equal to value; -1 with an exception, -2 if
   there is none. */
static Py_ssize_t
find(PyObject *o, PyObject *value)
{
    PyObject *it = search_iter(o, value);
    Py_ssize_t i = 0;

    if (it == NULL)
        return -1;
    for (;; i++) {
        int end, same = next_equals(it, value, &end);
        if (same != 0 || end) {
            Py_DECREF(it);
            return same > 0 ? i : same < 0 ? -1 : -2;
        }
        if (i == PY_SSIZE_T_MAX) {
            Py_DECREF(it);
            return pyb_fail(PyExc_OverflowError,
                            "index exceeds C integer size");
        }
    }
}

int
PySequence_Contains(PyObject *o, PyObject *value)
{
    if (o != NULL && PYB_SLOTS_SQ(o, sq_contains) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_contains(o, value);
    Py_ssize_t i = find(o, value);
    return i >= 0 ? 1 : i == -2 ? 0 : -1;
}

Py_ssize_t
PySequence_Index(PyObject *o, PyObject *value)
{
    Py_ssize_t i = find(o, value);

    if (i == -2)
        PyErr_SetString(PyExc_ValueError,
                        "sequence.index(x): x not in sequence");
    return i < 0 ? -1 : i;
}

/* ------------------------------------------------------------------ */
/* Lists and tuples of anything                                        */

PyObject *
PySequence_List(PyObject *o)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    PyObject *list = PyList_New(0);
    if (list != NULL && PyList_Extend(list, o) < 0)
        Py_CLEAR(list);
    return list;
}

PyObject *
PySequence_Tuple(PyObject *o)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PyTuple_CheckExact(o))
        return Py_NewRef(o);
    if (PyList_CheckExact(o))
        return PyList_AsTuple(o);
    PyObject *list = PySequence_List(o);
    if (list == NULL)
        return NULL;
    PyObject *tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

PyObject *
PySequence_Fast(PyObject *o, const char *message)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PyList_CheckExact(o) || PyTuple_CheckExact(o))
        return Py_NewRef(o);
    PyObject *it = PyObject_GetIter(o);
    if (it == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_SetString(PyExc_TypeError, message);
        return NULL;
    }
    PyObject *list = PySequence_List(it);
    Py_DECREF(it);
    return list;
}

/* ------------------------------------------------------------------ */
/* Arguments and text                                                  */

int
pyb_sequence_bound(PyObject *op, int none, Py_ssize_t *index)
{
    if (none && op == Py_None)
        return 0;
    if (!PyIndex_Check(op))
        return pyb_failf(
            PyExc_TypeError,
            "slice indices must be integers or %shave an __index__ "
            "method",
            none ? "None or " : "");
    Py_ssize_t value = PyNumber_AsSsize_t(op, NULL);
    if (value == -1 && PyErr_Occurred())
        return -1;
    *index = value;
    return 0;
}

/* Stores a bound, cut to 0 ... size; negative ones count from the end; if it
   is omitted, *index stays. */
static int
range_bound(PyObject *op, Py_ssize_t size, Py_ssize_t *index)
{
    PYB_ASSERT(size >= 0);
    if (op == NULL)
        return 0;
    if (pyb_sequence_bound(op, 0, index) < 0)
        return -1;
    if (*index < 0)
        *index = Py_MAX(*index + size, 0);
    *index = Py_MIN(*index, size);
    return 0;
}

int
pyb_sequence_range_args(PyObject *args, Py_ssize_t size, PyObject **value,
                        Py_ssize_t *start, Py_ssize_t *stop)
{
    PyObject *first = NULL, *last = NULL;

    *start = 0;
    *stop = size;
    if (!PyArg_UnpackTuple(args, "index", 1, 3, value, &first, &last) ||
        range_bound(first, size, start) < 0)
        return -1;
    return range_bound(last, size, stop);
}

int
pyb_sequence_iterable_arg(const char *name, int plain, PyObject *args,
                          PyObject *kwds, PyObject **iterable)
{
    *iterable = NULL;
    if (plain && !pyb_getargs_no_keywords(name, kwds))
        return -1;
    return PyArg_UnpackTuple(args, name, 0, 1, iterable) ? 0 : -1;
}

PyObject *
pyb_sequence_join(const char *name, const char *open, PyObject *parts,
                  const char *close)
{
    if (parts == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(PyList_CheckExact(parts), parts);
    PyObject *comma = PyUnicode_FromString(", "), *result = NULL;
    PyObject *inner = comma != NULL ? PyUnicode_Join(comma, parts) : NULL;
    if (inner != NULL)
        result = PyUnicode_FromFormat("%s%s%U%s", name, open, inner, close);
    Py_XDECREF(inner);
    Py_XDECREF(comma);
    Py_DECREF(parts);
    return result;
}
