/* dictviewset.c: views of keys and of items as sets: their operators return
   sets, and take any iterable as the other operand. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/set/set.h"

/* Adds to a set the items of an iterable that are in container, or, if wanted
   is 0, that are not.  0, or -1 with an exception. */
static int
add_filtered(PyObject *set, PyObject *iterable, PyObject *container,
             int wanted)
{
    PyObject *it = PyObject_GetIter(iterable), *item;
    int more = 0, error = 0;

    PYB_ASSERT_OBJECT(PySet_Check(set) && (wanted == 0 || wanted == 1), set);
    if (it == NULL)
        return -1;
    while (error >= 0 && (more = PyIter_NextItem(it, &item)) > 0) {
        int found = PySequence_Contains(container, item);
        error = found == wanted ? PySet_Add(set, item) : Py_MIN(found, 0);
        Py_DECREF(item);
    }
    Py_DECREF(it);
    return error < 0 ? -1 : more;
}

/* Are all items of an iterable in container, or, if wanted is 0, none?  1, 0,
   or -1 with an exception. */
static int
all_agree(PyObject *iterable, PyObject *container, int wanted)
{
    PyObject *it = PyObject_GetIter(iterable), *item;
    int found = wanted, more = 0;

    PYB_ASSERT(wanted == 0 || wanted == 1);
    if (it == NULL)
        return -1;
    while (found == wanted && (more = PyIter_NextItem(it, &item)) > 0) {
        found = PySequence_Contains(container, item);
        Py_DECREF(item);
    }
    Py_DECREF(it);
    return more < 0 || found < 0 ? -1 : found == wanted;
}

/* A set of a's items, changed by b. */
static PyObject *
changed_set(PyObject *a, PyObject *b, int (*change)(PyObject *, PyObject *))
{
    PyObject *set = PySet_New(a);

    if (set != NULL && change(set, b) < 0)
        Py_CLEAR(set);
    return set;
}

static PyObject *
view_subtract(PyObject *a, PyObject *b)
{
    return changed_set(a, b, pyb_set_difference_update);
}

static PyObject *
view_or(PyObject *a, PyObject *b)
{
    return changed_set(a, b, pyb_set_update);
}

/* Items in both are not hashed, so their values need not be hashable. */
static PyObject *
view_xor(PyObject *a, PyObject *b)
{
    if (!PyDictItems_Check(a) || !PyDictItems_Check(b))
        return changed_set(a, b, pyb_set_symmetric_update);

    PyObject *set = PySet_New(NULL);
    if (set != NULL &&
        (add_filtered(set, a, b, 0) < 0 || add_filtered(set, b, a, 0) < 0))
        Py_CLEAR(set);
    return set;
}

/* Makes *b the smaller of two: that one is walked. */
static void
sort(PyObject **a, PyObject **b)
{
    PyObject *larger = *b;

    if (PyObject_Size(larger) <= PyObject_Size(*a))
        return;
    *b = *a;
    *a = larger;
}

static PyObject *
view_and(PyObject *a, PyObject *b)
{
    PyObject *view = PyDictViewSet_Check(a) ? a : b;
    PyObject *other = view == a ? b : a, *set;

    PYB_ASSERT_OBJECT(PyDictViewSet_Check(view), view);
    if (PyDictViewSet_Check(other))
        sort(&view, &other);
    else if (PySet_CheckExact(other) &&
             PySet_GET_SIZE(other) >= PyObject_Size(view))
        return pyb_set_intersection(other, view);
    set = PySet_New(NULL);
    if (set != NULL && add_filtered(set, other, view, 1) < 0)
        Py_CLEAR(set);
    return set;
}

PyNumberMethods pyb_dict_view_as_number = {
    .nb_subtract = view_subtract,
    .nb_and = view_and,
    .nb_xor = view_xor,
    .nb_or = view_or,
};

PyObject *
pyb_dict_view_isdisjoint(PyObject *view, PyObject *other)
{
    if (view == other)
        return PyBool_FromLong(PyObject_Size(view) == 0);
    if (PyAnySet_CheckExact(other) || PyDictViewSet_Check(other))
        sort(&view, &other);
    return pyb_result_bool(all_agree(other, view, 0));
}

static int
all_in(PyObject *a, PyObject *b)
{
    return all_agree(a, b, 1);
}

PyObject *
pyb_dict_view_richcompare(PyObject *a, PyObject *b, int op)
{
    PYB_ASSERT_OBJECT(PyDictViewSet_Check(a), a);
    if (!PyAnySet_Check(b) && !PyDictViewSet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return pyb_set_compare(a, b, op, all_in);
}
