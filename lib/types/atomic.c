/* atomic.c: which tuples and dicts the collector may untrack.  See atomic.h.

   Manual: "Supporting Cyclic Garbage Collection". */

#include "types/atomic.h"

#include "object/gclink.h"
#include "types/dict.h"

/* Tracked tuples inside one another are looked into as well, so that all of
   them go in one collection, whichever comes first.  This many tuples at most
   for one question: they may be shared, and hold each other. */
enum { LOOKS = 32 };

static int tuple_is_atomic(PyObject *op, int *looks);

/* Can op never be part of a cycle?  A static type that is not ready yet, and
   stands in a tuple of bases, has no type: who knows. */
static int
item_is_atomic(PyObject *op, int *looks)
{
    if (Py_TYPE(op) == NULL)
        return 0;
    if (!pyb_atomic_may_be_tracked(op))
        return 1;
    return PyTuple_CheckExact(op) && tuple_is_atomic(op, looks);
}

/* Is there something in the tuple that says no by itself?  A tuple that lacks
   an item is still being filled: it may become anything. */
static int
has_other_container(PyObject *op)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(op); i++) {
        PyObject *item = PyTuple_GET_ITEM(op, i);

        if (item == NULL || Py_TYPE(item) == NULL ||
            (!PyTuple_CheckExact(item) && pyb_atomic_may_be_tracked(item)))
            return 1;
    }
    return 0;
}

/* The tuples within come last: in a chain of tuples with a list in each the
   question would go 32 tuples deep for each of them, and take 40 % of a
   collection. */
static int
tuple_is_atomic(PyObject *op, int *looks)
{
    if (--*looks < 0 || has_other_container(op))
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(op); i++) {
        PyObject *item = PyTuple_GET_ITEM(op, i);

        if (PyTuple_CheckExact(item) && !item_is_atomic(item, looks))
            return 0;
    }
    return 1;
}

static int
dict_is_atomic(PyDictObject *mp, int *looks)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;

    if (mp->_pyb_table == NULL) /* tp_alloc is all that it has seen */
        return 0;
    while ((entry = pyb_dict_next(mp, &pos)) != NULL)
        if (!item_is_atomic(entry->value, looks) ||
            !item_is_atomic(entry->key, looks))
            return 0;
    return 1;
}

int
pyb_gclink_is_atomic(PyObject *op, int full)
{
    int looks = LOOKS;

    if (PyTuple_CheckExact(op))
        return tuple_is_atomic(op, &looks);
    return full && PyDict_CheckExact(op) &&
           dict_is_atomic((PyDictObject *)op, &looks);
}
