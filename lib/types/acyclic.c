/* acyclic.c: decides which tuples and dicts the collector may untrack.  See
   acyclic.h.
   Manual: "Supporting Cyclic Garbage Collection". */

#include "gc/base/fatal.h"
#include "types/acyclic.h"

#include "types/dict/dict.h"

/* Tracked tuples inside one another are examined as well, so that one
   collection untracks all of them, in any order.  The number of tuples per
   question is limited, since tuples may be shared and refer to each other. */
enum { LOOKS = 32 };

static int tuple_is_acyclic(PyObject *op, int *looks);

/* Can op never be part of a cycle?  A static type in a tuple of bases may not
   be ready, and then has no type: such an object may be. */
static int
item_is_acyclic(PyObject *op, int *looks)
{
    if (Py_TYPE(op) == NULL)
        return 0;
    if (!pyb_acyclic_may_be_tracked(op))
        return 1;
    return PyTuple_CheckExact(op) && tuple_is_acyclic(op, looks);
}

/* Does the tuple contain a container that answers the question by itself?  A
   missing item counts as well: the tuple is still being filled. */
static int
has_other_container(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(op), op);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(op); i++) {
        PyObject *item = PyTuple_GET_ITEM(op, i);

        if (item == NULL || Py_TYPE(item) == NULL ||
            (!PyTuple_CheckExact(item) && pyb_acyclic_may_be_tracked(item)))
            return 1;
    }
    return 0;
}

/* Inner tuples are examined last: otherwise, in a chain of tuples with a list
   in each, the search would go 32 tuples deep for each of them, and take 40 %
   of a collection. */
static int
tuple_is_acyclic(PyObject *op, int *looks)
{
    if (--*looks < 0 || has_other_container(op))
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(op); i++) {
        PyObject *item = PyTuple_GET_ITEM(op, i);

        if (PyTuple_CheckExact(item) && !item_is_acyclic(item, looks))
            return 0;
    }
    return 1;
}

static int
dict_is_acyclic(PyDictObject *mp, int *looks)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;

    if (mp->_pyb_table == NULL) /* only allocated so far */
        return 0;
    while ((entry = pyb_dict_next(mp, &pos)) != NULL)
        if (!item_is_acyclic(entry->value, looks) ||
            !item_is_acyclic(entry->key, looks))
            return 0;
    return 1;
}

int
pyb_acyclic_is(PyObject *op, int full)
{
    int looks = LOOKS;

    if (PyTuple_CheckExact(op))
        return tuple_is_acyclic(op, &looks);
    return full && PyDict_CheckExact(op) &&
           dict_is_acyclic((PyDictObject *)op, &looks);
}
