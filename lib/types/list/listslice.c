/* listslice.c: slices of lists: reading, replacing, repeating.

   When items are replaced, the list is consistent before the first old item is
   released, since that may run any code. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/list/list.h"

/* Releases n items and the array of them. */
static void
release(PyObject **items, Py_ssize_t n)
{
    PYB_ASSERT(items != NULL && n >= 0);
    for (Py_ssize_t i = 0; i < n; i++)
        Py_XDECREF(items[i]);
    PyMem_Free(items);
}

/* An array of n items, also for n == 0; NULL with MemoryError. */
static PyObject **
new_items(Py_ssize_t n)
{
    PyObject **items = PyMem_New(PyObject *, (size_t)n);

    if (items == NULL)
        PyErr_NoMemory();
    return items;
}

/* Replaces the items from low up to high by n items, which gain references.
   Both are in range; items is not self's own array. */
static int
replace_items(PyListObject *self, Py_ssize_t low, Py_ssize_t high,
              PyObject **items, Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(self), old = high - low;
    size_t tail = (size_t)(size - high) * sizeof(PyObject *);
    PyObject **removed = new_items(old);

    PYB_ASSERT(low >= 0 && low <= high && high <= size);
    PYB_ASSERT(n == 0 || items != self->ob_item);
    if (removed == NULL)
        return -1;
    if (old > 0)
        memcpy(removed, &self->ob_item[low], (size_t)old * sizeof(PyObject *));
    if (n < old && tail > 0)
        memmove(&self->ob_item[low + n], &self->ob_item[high], tail);
    if (pyb_list_resize(self, size + n - old) < 0) {
        PyMem_Free(removed);
        return -1; /* only growing fails, and nothing has moved */
    }
    if (n > old && tail > 0)
        memmove(&self->ob_item[low + n], &self->ob_item[high], tail);
    for (Py_ssize_t i = 0; i < n; i++)
        self->ob_item[low + i] = Py_XNewRef(items[i]);
    PYB_EXPENSIVE(pyb_list_check(self));
    release(removed, old);
    return 0;
}

/* The items of value, which are to be inserted into self, as a list or a tuple
   that is not self.  A new reference, or NULL with TypeError. */
static PyObject *
source_items(PyListObject *self, PyObject *value, const char *message)
{
    if (value == (PyObject *)self)
        return PyList_GetSlice(value, 0, Py_SIZE(value));
    return PySequence_Fast(value, message);
}

int
pyb_list_replace(PyListObject *self, Py_ssize_t low, Py_ssize_t high,
                 PyObject *value)
{
    PyObject *source = NULL, **items = NULL;
    Py_ssize_t n = 0;

    if (value != NULL) {
        source = source_items(self, value, "can only assign an iterable");
        if (source == NULL)
            return -1;
        items = PySequence_Fast_ITEMS(source);
        n = PySequence_Fast_GET_SIZE(source);
    }
    low = Py_MIN(Py_MAX(low, 0), Py_SIZE(self));
    high = Py_MIN(Py_MAX(high, low), Py_SIZE(self));
    PYB_ASSERT(value == NULL || source != (PyObject *)self);
    int result = replace_items(self, low, high, items, n);
    Py_XDECREF(source);
    return result;
}

int
pyb_list_ass_item(PyObject *op, Py_ssize_t i, PyObject *value)
{
    PyListObject *self = (PyListObject *)op;

    PYB_ASSERT_OBJECT(PyList_Check(op), op);
    if ((size_t)i >= (size_t)Py_SIZE(self))
        return pyb_fail(PyExc_IndexError,
                        "list assignment index out of range");
    PyObject *old = self->ob_item[i];
    if (value != NULL) {
        self->ob_item[i] = Py_NewRef(value);
    } else {
        Py_ssize_t n = Py_SIZE(self) - 1;
        memmove(&self->ob_item[i], &self->ob_item[i + 1],
                (size_t)(n - i) * sizeof(PyObject *));
        pyb_list_resize(self, n); /* smaller: cannot fail */
        PYB_ASSERT_OBJECT(Py_SIZE(self) == n, op);
    }
    Py_XDECREF(old);
    return 0;
}

PyObject *
pyb_list_repeated(PyListObject *self, Py_ssize_t count)
{
    Py_ssize_t n = Py_SIZE(self), total;

    if (count <= 0 || n == 0)
        return PyList_New(0);
    if (__builtin_mul_overflow(n, count, &total))
        return PyErr_NoMemory();
    PyObject *result = PyList_New(total);
    if (result == NULL)
        return NULL;
    if (n != Py_SIZE(self)) { /* changed by a collection just now */
        Py_DECREF(result);
        return pyb_list_repeated(self, count);
    }
    for (Py_ssize_t i = 0; i < total; i++)
        PyList_SET_ITEM(result, i, Py_XNewRef(self->ob_item[i % n]));
    return result;
}

/* ------------------------------------------------------------------ */
/* Subscripts                                                          */

/* The items of an adjusted slice: n of them, at start + i * step. */
struct range {
    Py_ssize_t start, stop, step, n;
};

static int
get_range(PyListObject *self, PyObject *slice, struct range *r)
{
    PYB_ASSERT_OBJECT(PyList_Check(self), (PyObject *)self);
    if (PySlice_Unpack(slice, &r->start, &r->stop, &r->step) < 0)
        return -1;
    r->n = PySlice_AdjustIndices(Py_SIZE(self), &r->start, &r->stop, r->step);
    return 0;
}

static PyObject *
get_slice(PyListObject *self, PyObject *slice)
{
    struct range r;

    if (get_range(self, slice, &r) < 0)
        return NULL;
    if (r.step == 1)
        return PyList_GetSlice((PyObject *)self, r.start, r.stop);
    Py_ssize_t size = Py_SIZE(self);
    PyObject *result = PyList_New(r.n);
    if (result == NULL)
        return NULL;
    if (size != Py_SIZE(self)) { /* changed by a collection just now */
        Py_DECREF(result);
        return get_slice(self, slice);
    }
    PYB_ASSERT(r.n == 0 || (r.start >= 0 && r.start < size));
    for (Py_ssize_t i = 0; i < r.n; i++)
        PyList_SET_ITEM(result, i,
                        Py_XNewRef(self->ob_item[r.start + i * r.step]));
    return result;
}

static int
delete_range(PyListObject *self, struct range r)
{
    PyObject **removed = new_items(r.n), **items = self->ob_item;
    Py_ssize_t kept, taken = 0;

    if (removed == NULL)
        return -1;
    if (r.step < 0) {
        r.start += r.step * (r.n - 1);
        r.step = -r.step;
    }
    PYB_ASSERT(r.n > 0 && r.start >= 0 &&
               r.start + r.step * (r.n - 1) < Py_SIZE(self));
    kept = r.start;
    for (Py_ssize_t i = r.start; i < Py_SIZE(self); i++)
        if (taken < r.n && i == r.start + taken * r.step)
            removed[taken++] = items[i];
        else
            items[kept++] = items[i];
    pyb_list_resize(self, kept); /* smaller: cannot fail */
    PYB_ASSERT(taken == r.n);
    release(removed, taken);
    return 0;
}

/* self[slice] = the items of source, as many as the slice has. */
static int
assign_items(PyListObject *self, struct range r, PyObject *source)
{
    PyObject **removed, **items = PySequence_Fast_ITEMS(source);

    if (PySequence_Fast_GET_SIZE(source) != r.n)
        return pyb_failf(PyExc_ValueError,
                         "attempt to assign sequence of size %zd to extended "
                         "slice of size %zd",
                         PySequence_Fast_GET_SIZE(source), r.n);
    removed = new_items(r.n);
    if (removed == NULL)
        return -1;
    PYB_ASSERT(PySequence_Fast_ITEMS(source) == items);
    for (Py_ssize_t i = 0; i < r.n; i++) {
        PyObject **place = &self->ob_item[r.start + i * r.step];
        PYB_ASSERT(place >= self->ob_item &&
                   place < self->ob_item + Py_SIZE(self));
        removed[i] = *place;
        *place = Py_XNewRef(items[i]);
    }
    release(removed, r.n);
    return 0;
}

static int
assign_slice(PyListObject *self, PyObject *slice, PyObject *value)
{
    struct range r;

    if (get_range(self, slice, &r) < 0)
        return -1;
    if (r.step == 1) /* s[5:2] = x puts x in front of the fifth */
        return pyb_list_replace(self, r.start, Py_MAX(r.stop, r.start), value);
    if (value == NULL)
        return r.n > 0 ? delete_range(self, r) : 0;
    PyObject *source =
        source_items(self, value, "must assign iterable to extended slice");
    if (source == NULL)
        return -1;
    /* Iterating over value may have changed self. */
    int result = get_range(self, slice, &r);
    if (result == 0)
        result = assign_items(self, r, source);
    Py_DECREF(source);
    return result;
}

/* Converts key to an index.  0, or -1 with an exception. */
static int
get_index(PyListObject *self, PyObject *key, Py_ssize_t *i)
{
    PYB_ASSERT_OBJECT(PyList_Check(self), (PyObject *)self);
    if (!PyIndex_Check(key))
        return pyb_failf(PyExc_TypeError,
                         "list indices must be integers or slices, not %.200s",
                         Py_TYPE(key)->tp_name);
    *i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (*i == -1 && PyErr_Occurred())
        return -1;
    if (*i < 0)
        *i += Py_SIZE(self);
    return 0;
}

PyObject *
pyb_list_subscript(PyObject *self, PyObject *key)
{
    Py_ssize_t i;

    if (PySlice_Check(key))
        return get_slice((PyListObject *)self, key);
    if (get_index((PyListObject *)self, key, &i) < 0)
        return NULL;
    return Py_XNewRef(PyList_GetItem(self, i));
}

int
pyb_list_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    Py_ssize_t i;

    if (PySlice_Check(key))
        return assign_slice((PyListObject *)self, key, value);
    if (get_index((PyListObject *)self, key, &i) < 0)
        return -1;
    return pyb_list_ass_item(self, i, value);
}
