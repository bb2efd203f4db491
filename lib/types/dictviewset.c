/* dictviewset.c: what views of keys and of items do as sets: their operators
   give sets, and take any iterable on the other side. */

#include "Python.h"

#include "types/set.h"

/* Adds to a set what an iterable gives and container has, or has not, as
   wanted says.  0, or -1 with an exception. */
static int
add_filtered(PyObject *set, PyObject *iterable, PyObject *container,
             int wanted)
{
    PyObject *it = PyObject_GetIter(iterable), *item;
    int more;

    if (it == NULL)
        return -1;
    while ((more = PyIter_NextItem(it, &item)) > 0) {
        int found = PySequence_Contains(container, item);
        int error = found < 0;
        if (found == wanted)
            error = PySet_Add(set, item);
        Py_DECREF(item);
        if (error) {
            more = -1;
            break;
        }
    }
    Py_DECREF(it);
    return more;
}

/* Does container have all that an iterable gives, or nothing of it, as wanted
   says?  1, 0, or -1 with an exception. */
static int
all_agree(PyObject *iterable, PyObject *container, int wanted)
{
    PyObject *it = PyObject_GetIter(iterable), *item;
    int found = wanted, more = 0;

    if (it == NULL)
        return -1;
    while (found == wanted && (more = PyIter_NextItem(it, &item)) > 0) {
        found = PySequence_Contains(container, item);
        Py_DECREF(item);
    }
    Py_DECREF(it);
    return more < 0 || found < 0 ? -1 : found == wanted;
}

/* A set of what a gives, changed by b. */
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

/* Items that both have are not hashed, so their values need not be
   hashable. */
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

/* The smaller of two is walked over, which is *b in the end. */
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
    int disjoint = all_agree(other, view, 0);
    return disjoint < 0 ? NULL : PyBool_FromLong(disjoint);
}

static int
all_in(PyObject *a, PyObject *b)
{
    return all_agree(a, b, 1);
}

PyObject *
pyb_dict_view_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyAnySet_Check(b) && !PyDictViewSet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return pyb_set_compare(a, b, op, all_in);
}
