/* list.c: the storage of lists, and their API.  Slices are in listslice.c,
   sorting in listsort.c, the type in listtype.c. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "runtime/fastpath.h"
#include "runtime/freelist.h"
#include "types/list/list.h"

/* ------------------------------------------------------------------ */
/* Storage                                                             */

/* The room for size items and for more: an eighth more, so that n appends copy
   O(n) items in all. */
static Py_ssize_t
room_for(Py_ssize_t size)
{
    PYB_ASSERT(size >= 0);
    return size == 0 ? 0 : ((size + (size >> 3) + 6) & ~(Py_ssize_t)3);
}

/* The size in bytes of room for that many items; 0 if room is -1. */
static inline size_t
room_size(Py_ssize_t room)
{
    return room > 0 ? (size_t)room * sizeof(PyObject *) : 0;
}

/* Of a list that is being sorted, which is empty then, allocated is -1: see
   listsort.c. */
void
pyb_list_check(const PyListObject *self)
{
    Py_ssize_t n = Py_SIZE(self);

    PYB_ALWAYS(n >= 0 && n <= Py_MAX(self->allocated, 0), NULL,
               "a list has more items than room");
    PYB_ALWAYS((self->ob_item != NULL) == (self->allocated > 0), NULL,
               "a list has room and no array, or the other way round");
    for (Py_ssize_t i = 0; i < n; i++)
        PYB_ALWAYS(self->ob_item[i] == NULL || self->ob_item[i]->ob_refcnt > 0,
                   NULL, "an item of a list is dead");
}

/* Of a short list, at each change. */
static void
check_short(const PyListObject *self)
{
    if (Py_SIZE(self) <= 32)
        pyb_list_check(self);
}

int
pyb_list_resize(PyListObject *self, Py_ssize_t size)
{
    PYB_ASSERT(size >= 0 && self->allocated >= -1);
    if (self->allocated >= size && size >= (self->allocated >> 1)) {
        Py_SET_SIZE(self, size);
        return 0;
    }
    Py_ssize_t room = room_for(size);
    PyObject **items = NULL;

    if (room == 0 && self->ob_item != NULL)
        pyb_freelist_free(self->ob_item, room_size(self->allocated));
    else if (room != 0 && (size_t)room <= PY_SSIZE_T_MAX / sizeof(PyObject *))
        items = pyb_freelist_resize(self->ob_item, room_size(self->allocated),
                                    room_size(room));
    if (items == NULL && room != 0) {
        if (size > self->allocated)
            return PYB_MEMORY_ERROR(-1);
        items = self->ob_item; /* the larger array will do */
        room = self->allocated;
    }
    self->ob_item = items;
    self->allocated = room;
    Py_SET_SIZE(self, size);
    PYB_ASSERT(size <= room && (items != NULL) == (room > 0));
    return 0;
}

/* An array of size > 0 NULLs, or NULL with MemoryError. */
static PyObject **
new_items(Py_ssize_t size)
{
    PyObject **items = NULL;

    PYB_ASSERT(size > 0);
    if ((size_t)size <= PY_SSIZE_T_MAX / sizeof(PyObject *))
        items = pyb_freelist_calloc(room_size(size));
    if (items == NULL)
        PyErr_NoMemory();
    return items;
}

PyObject *
PyList_New(Py_ssize_t size)
{
    if (size < 0)
        return PYB_BAD_CALL(NULL);
    PyObject *op = pyb_quick_new(&PyList_Type, 0, sizeof(PyListObject));
    if (op == NULL)
        return NULL;
    if (size > 0) {
        PyObject **items = new_items(size);
        if (items == NULL) {
            Py_DECREF(op);
            return NULL;
        }
        ((PyListObject *)op)->ob_item = items;
        ((PyListObject *)op)->allocated = size;
        Py_SET_SIZE(op, size);
    }
    PYB_EXPENSIVE(check_short((PyListObject *)op));
    pyb_quick_track(op);
    return op;
}

void
pyb_list_clear(PyListObject *self)
{
    PyObject **items = self->ob_item;
    Py_ssize_t n = Py_SIZE(self), allocated = self->allocated;

    if (items == NULL)
        return;
    PYB_ASSERT(n <= allocated);
    /* The list is empty and in order before the first release. */
    self->ob_item = NULL;
    self->allocated = 0;
    Py_SET_SIZE(self, 0);
    pyb_quick_release(items, n);
    /* In a list that was full, every place is NULL here. */
    if (n == allocated)
        pyb_freelist_free_zero(items, room_size(allocated));
    else
        pyb_freelist_free(items, room_size(allocated));
}

/* Deallocates instances of subtypes, finalized lists and others that the
   collector has marked. */
__attribute__((noinline)) static void
dealloc_slow(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    pyb_list_clear((PyListObject *)op);
    Py_TYPE(op)->tp_free(op);
}

void
pyb_list_dealloc(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyList_Check(op), op);
    PYB_ASSERT_OBJECT(((PyListObject *)op)->allocated >= 0, op);
    if (_PyB_UNLIKELY(!PyList_CheckExact(op) ||
                      !pyb_quick_untrack(op, sizeof(PyListObject)))) {
        dealloc_slow(op);
        return;
    }
    if (((PyListObject *)op)->ob_item != NULL)
        pyb_list_clear((PyListObject *)op);
    pyb_quick_del(op, sizeof(PyListObject));
}

/* ------------------------------------------------------------------ */
/* Single items                                                        */

/* 1 if op is a list; else 0 with SystemError, for the caller's line. */
#define CHECK_LIST(op)                                                        \
    (_PyB_LIKELY((op) != NULL && PyList_Check(op)) || PYB_WRONG_TYPE(op, 0))

Py_ssize_t
PyList_Size(PyObject *op)
{
    return CHECK_LIST(op) ? Py_SIZE(op) : -1;
}

PyObject *
PyList_GetItem(PyObject *op, Py_ssize_t i)
{
    if (!CHECK_LIST(op))
        return NULL;
    if ((size_t)i >= (size_t)Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "list index out of range");
    return PyList_GET_ITEM(op, i);
}

PyObject *
PyList_GetItemRef(PyObject *op, Py_ssize_t i)
{
    if (!PyList_Check(op)) {
        pyb_dead_given(__func__, op);
        return pyb_raise(PyExc_TypeError, "expected a list");
    }
    return Py_XNewRef(PyList_GetItem(op, i));
}

int
PyList_SetItem(PyObject *op, Py_ssize_t i, PyObject *value)
{
    if (!CHECK_LIST(op)) {
        Py_XDECREF(value);
        return -1;
    }
    if ((size_t)i >= (size_t)Py_SIZE(op)) {
        Py_XDECREF(value);
        return pyb_fail(PyExc_IndexError,
                        "list assignment index out of range");
    }
    pyb_dead_kept(__func__, value);
    Py_XSETREF(PyList_GET_ITEM(op, i), value);
    return 0;
}

int
PyList_Append(PyObject *op, PyObject *value)
{
    if (!CHECK_LIST(op))
        return -1;
    if (value == NULL)
        return PYB_BAD_CALL(-1);
    pyb_dead_kept(__func__, value);
    PyListObject *self = (PyListObject *)op;
    Py_ssize_t n = Py_SIZE(self);
    if (_PyB_LIKELY(n < self->allocated))
        Py_SET_SIZE(self, n + 1);
    else if (pyb_list_resize(self, n + 1) < 0)
        return -1;
    /* There is room for n + 1.
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    self->ob_item[n] = Py_NewRef(value);
    PYB_EXPENSIVE(check_short(self));
    return 0;
}

int
PyList_Insert(PyObject *op, Py_ssize_t i, PyObject *value)
{
    if (!CHECK_LIST(op))
        return -1;
    if (value == NULL)
        return PYB_BAD_CALL(-1);
    pyb_dead_kept(__func__, value);
    PyListObject *self = (PyListObject *)op;
    Py_ssize_t n = Py_SIZE(self);
    if (pyb_list_resize(self, n + 1) < 0)
        return -1;
    if (i < 0)
        i = Py_MAX(i + n, 0);
    i = Py_MIN(i, n);
    memmove(&self->ob_item[i + 1], &self->ob_item[i],
            (size_t)(n - i) * sizeof(PyObject *));
    self->ob_item[i] = Py_NewRef(value);
    PYB_EXPENSIVE(check_short(self));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Many items                                                          */

int
pyb_list_extend_items(PyListObject *self, PyObject *source)
{
    Py_ssize_t n = Py_SIZE(self), more = PySequence_Fast_GET_SIZE(source);

    PYB_ASSERT_OBJECT(PyList_Check(source) || PyTuple_Check(source), source);
    if (more == 0)
        return 0;
    if (n > PY_SSIZE_T_MAX - more)
        return PYB_MEMORY_ERROR(-1);
    if (pyb_list_resize(self, n + more) < 0)
        return -1;
    PyObject **items = PySequence_Fast_ITEMS(source);
    for (Py_ssize_t i = 0; i < more; i++)
        /* There is room for n + more.
           NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        self->ob_item[n + i] = Py_XNewRef(items[i]);
    PYB_EXPENSIVE(pyb_list_check(self));
    return 0;
}

static int
extend_by_iterator(PyListObject *self, PyObject *it)
{
    PyObject *item;
    int more;

    while ((more = PyIter_NextItem(it, &item)) > 0) {
        int error = PyList_Append((PyObject *)self, item);
        Py_DECREF(item);
        if (error < 0)
            return -1;
    }
    return more;
}

int
pyb_list_extend(PyListObject *self, PyObject *iterable)
{
    if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable) ||
        iterable == (PyObject *)self)
        return pyb_list_extend_items(self, iterable);
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL)
        return -1;
    /* No room is made in advance; but a failing length is an error. */
    int result = PyObject_LengthHint(iterable, 0) < 0
                     ? -1
                     : extend_by_iterator(self, it);
    Py_DECREF(it);
    return result;
}

int
PyList_Extend(PyObject *op, PyObject *iterable)
{
    if (!CHECK_LIST(op))
        return -1;
    if (iterable == NULL)
        return PYB_BAD_CALL(-1);
    return pyb_list_extend((PyListObject *)op, iterable);
}

int
PyList_Clear(PyObject *op)
{
    if (!CHECK_LIST(op))
        return -1;
    pyb_list_clear((PyListObject *)op);
    return 0;
}

PyObject *
PyList_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high)
{
    if (!CHECK_LIST(op))
        return NULL;
    low = Py_MIN(Py_MAX(low, 0), Py_SIZE(op));
    high = Py_MIN(Py_MAX(high, low), Py_SIZE(op));
    PyObject *result = PyList_New(high - low);
    if (result == NULL)
        return NULL;
    if (high > Py_SIZE(op)) { /* shortened by a collection just now */
        Py_DECREF(result);
        return PyList_GetSlice(op, low, high);
    }
    for (Py_ssize_t i = low; i < high; i++)
        PyList_SET_ITEM(result, i - low, Py_XNewRef(PyList_GET_ITEM(op, i)));
    return result;
}

int
PyList_SetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high,
                PyObject *iterable)
{
    return CHECK_LIST(op)
               ? pyb_list_replace((PyListObject *)op, low, high, iterable)
               : -1;
}

int
PyList_Sort(PyObject *op)
{
    return CHECK_LIST(op) ? pyb_list_sort((PyListObject *)op, NULL, 0) : -1;
}

void
pyb_list_reverse_items(PyObject **items, Py_ssize_t n)
{
    PYB_ASSERT(n >= 0 && (n == 0 || items != NULL));
    for (Py_ssize_t i = 0, j = n - 1; i < j; i++, j--) {
        PyObject *item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

int
PyList_Reverse(PyObject *op)
{
    if (!CHECK_LIST(op))
        return -1;
    pyb_list_reverse_items(((PyListObject *)op)->ob_item, Py_SIZE(op));
    return 0;
}

PyObject *
PyList_AsTuple(PyObject *op)
{
    if (!CHECK_LIST(op))
        return NULL;
    Py_ssize_t n = Py_SIZE(op);
    PyObject *result = PyTuple_New(n);
    if (result == NULL)
        return NULL;
    if (n != Py_SIZE(op)) { /* changed by a collection just now */
        Py_DECREF(result);
        return PyList_AsTuple(op);
    }
    for (Py_ssize_t i = 0; i < n; i++)
        PyTuple_SET_ITEM(result, i, Py_XNewRef(PyList_GET_ITEM(op, i)));
    return result;
}
