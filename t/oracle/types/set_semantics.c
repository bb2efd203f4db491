/* set_semantics.c: sets and frozensets: operations, their types, comparison,
   elements that cannot be hashed, changes while iterating, errors.
   Manual: "Set Objects". */

#include "oracle.h"

static PyObject *
sorted(PyObject *set)
{
    PyObject *list = set != NULL ? PySequence_List(set) : NULL, *result = NULL;

    if (list != NULL && PyList_Sort(list) == 0)
        result = PyUnicode_FromFormat("%s %R", Py_TYPE(set)->tp_name, list);
    Py_XDECREF(set);
    Py_XDECREF(list);
    return result;
}

static PyObject *
range(int from, int to)
{
    PyObject *list = need(PyList_New(0));

    for (int i = from; i < to; i++) {
        PyObject *number = PyLong_FromLong(i);

        PyList_Append(list, number);
        Py_DECREF(number);
    }
    return list;
}

static void
operators(PyObject *a, PyObject *b)
{
    SHOW(sorted(PyNumber_Or(a, b)));
    SHOW(sorted(PyNumber_And(a, b)));
    SHOW(sorted(PyNumber_Subtract(a, b)));
    SHOW(sorted(PyNumber_Xor(a, b)));
    for (int op = Py_LT; op <= Py_GE; op++)
        show("a with b", PyObject_RichCompare(a, b, op));
}

static void
methods(PyObject *set, PyObject *list)
{
    SHOW(sorted(PyObject_CallMethod(set, "union", "O", list)));
    SHOW(sorted(PyObject_CallMethod(set, "intersection", "O", list)));
    SHOW(sorted(PyObject_CallMethod(set, "difference", "O", list)));
    SHOW(sorted(PyObject_CallMethod(set, "symmetric_difference", "O", list)));
    SHOW(PyObject_CallMethod(set, "issubset", "O", list));
    SHOW(PyObject_CallMethod(set, "issuperset", "O", list));
    SHOW(PyObject_CallMethod(set, "isdisjoint", "O", list));
    SHOW(PyObject_CallMethod(set, "remove", "i", 100));
    SHOW(PyObject_CallMethod(set, "discard", "i", 100));
    SHOW(PyObject_CallMethod(set, "update", "O", Py_None));
    SHOW(PyObject_CallMethod(set, "add", "O", list));
    SHOW(PyObject_CallMethod(set, "union", "i", 1));
    SHOW(PyNumber_Or(set, list));
    SHOW(PyNumber_InPlaceOr(set, list));
    SHOW(PyObject_RichCompare(set, list, Py_LT));
    SHOW(PyObject_RichCompare(set, list, Py_EQ));
    SHOW(sorted(PyObject_CallMethod(set, "copy", NULL)));
    RESULT(PyObject_Hash(set));
}

static void
mutation(void)
{
    PyObject *list = range(0, 3), *set = need(PySet_New(list));
    PyObject *iter = need(PyObject_GetIter(set)), *number;

    SHOW(PyIter_Next(iter));
    number = PyLong_FromLong(1000);
    RESULT(PySet_Add(set, number));
    SHOW(PyIter_Next(iter));
    SHOW(PyIter_Next(iter));
    Py_DECREF(iter);
    RESULT(PySet_Discard(set, number));
    RESULT(PySet_Discard(set, number));
    RESULT(PySet_Size(set));
    RESULT(PySet_Clear(set));
    show_kept("empty", set);
    SHOW(PySet_Pop(set));
    drop_all(number, list, set);
}

void
oracle_program(void)
{
    PyObject *low = range(0, 5), *high = range(3, 7), *inner, *one;
    PyObject *set = need(PySet_New(low)), *other = need(PySet_New(high));
    PyObject *frozen = need(PyFrozenSet_New(high));

    operators(set, other);
    operators(set, frozen);
    operators(frozen, set);
    methods(set, high);
    RESULT(PyObject_Hash(frozen) != -1);
    inner = need(PySet_New(NULL));
    RESULT(PySet_Add(inner, frozen));
    RESULT(PySet_Contains(inner, other)); /* a set is looked for as frozen */
    RESULT(PySet_Contains(inner, set));
    RESULT(PySet_Discard(inner, other));
    RESULT(PySet_Size(inner));
    one = need(PyFrozenSet_New(frozen));
    RESULT(one == frozen);
    Py_DECREF(one);
    RESULT(PyObject_GC_IsTracked(set));
    SHOW(PyObject_CallFunction((PyObject *)&PySet_Type, "ii", 1, 2));
    SHOW(PyObject_CallFunction((PyObject *)&PyFrozenSet_Type, "i", 1));
    mutation();
    drop_all(inner, low, high, set, other, frozen);
}
