/* sets.c: sets of small numbers; see sets.h. */

#include "sets.h"

PyTypeObject *const sets_types[] = {&PySet_Type, &PyFrozenSet_Type};

PyObject *
sets_list(unsigned mask)
{
    PyObject *list = PyList_New(0), *number = Py_NewRef(Py_None);

    ck_assert_ptr_nonnull(list);
    for (long i = 0; mask >> i != 0; i++)
        if (mask >> i & 1) {
            Py_SETREF(number, PyLong_FromLong(i));
            ck_assert_int_eq(PyList_Append(list, number), 0);
        }
    if (mask != 0)
        ck_assert_int_eq(PyList_Append(list, number), 0);
    Py_DECREF(number);
    return list;
}

PyObject *
sets_make(PyTypeObject *type, unsigned mask)
{
    PyObject *list = sets_list(mask);
    PyObject *op =
        suite_require(PyObject_CallFunction((PyObject *)type, "(O)", list));
    Py_DECREF(list);
    return op;
}

PyObject *
sets_new(unsigned mask)
{
    return sets_make(&PySet_Type, mask);
}

unsigned
sets_mask(PyObject *set)
{
    PyObject *it = PyObject_GetIter(set), *item;
    unsigned mask = 0;

    ck_assert_ptr_nonnull(it);
    while ((item = PyIter_Next(it)) != NULL) {
        unsigned bit = 1U << PyLong_AsLong(item);
        ck_assert_uint_eq(mask & bit, 0);
        mask |= bit;
        Py_DECREF(item);
    }
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(it);
    ck_assert_int_eq(PyObject_Size(set), __builtin_popcount(mask));
    return mask;
}

void
sets_expect(PyObject *op, PyTypeObject *type, unsigned mask)
{
    if (op == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(op);
    ck_assert_ptr_eq(Py_TYPE(op), type);
    ck_assert_uint_eq(sets_mask(op), mask);
    Py_DECREF(op);
}

PyObject *
sets_call(PyObject *op, const char *name, PyObject *other)
{
    return PyObject_CallMethod(op, name, "(O)", other);
}

void
sets_add(PyObject *set, long number)
{
    PyObject *key = PyLong_FromLong(number);

    ck_assert_int_eq(PySet_Add(set, key), 0);
    Py_DECREF(key);
}
