/* deep_repr.c: containers that contain themselves: repr, comparison, and what
   a collection finds; Py_ReprEnter, Py_EnterRecursiveCall and its text.
   Manual: "Recursion Control". */

#include "oracle.h"

static int depth;

static int
recurse(void)
{
    int status = -1;

    if (Py_EnterRecursiveCall(" in a program of the oracle"))
        return -1;
    depth++;
    if (depth < 1000000)
        status = recurse();
    Py_LeaveRecursiveCall();
    return status;
}

static void
itself(void)
{
    PyObject *list = PyList_New(0), *dict = PyDict_New(), *tuple;
    PyObject *cell = need(PyCell_New(NULL));

    PyList_Append(list, list);
    PyList_Append(list, dict);
    PyDict_SetItemString(dict, "list", list);
    PyDict_SetItemString(dict, "dict", dict);
    tuple = need(PyTuple_Pack(2, list, dict));
    PyList_Append(list, tuple);
    PyCell_Set(cell, cell);
    show_kept("list", list);
    show_kept("dict", dict);
    show_kept("tuple", tuple);
    SHOW(PyObject_CallMethod(dict, "values", NULL));
    SHOW(PyObject_CallMethod(dict, "items", NULL));
    RESULT(PyObject_RichCompareBool(list, list, Py_EQ));
    RESULT(PyObject_Hash(tuple));
    drop_all(list, dict, tuple, cell);
    collect();
}

static void
reprs(void)
{
    PyObject *list = PyList_New(0);

    RESULT(Py_ReprEnter(list));
    RESULT(Py_ReprEnter(list));
    SHOW(PyObject_Repr(list));
    PyList_Append(list, Py_None);
    SHOW(PyObject_Repr(list));
    Py_ReprLeave(list);
    RESULT(Py_ReprEnter(list));
    Py_ReprLeave(list);
    SHOW(PyObject_Repr(list));
    Py_DECREF(list);
}

static PyObject *
nested(PyObject *(*wrap)(PyObject *), int n)
{
    PyObject *op = PyList_New(0);

    for (int i = 0; i < n; i++)
        op = wrap(op);
    return op;
}

static PyObject *
in_list(PyObject *op)
{
    return need(Py_BuildValue("[N]", op));
}

static PyObject *
in_tuple(PyObject *op)
{
    return need(Py_BuildValue("(N)", op));
}

void
oracle_program(void)
{
    PyObject *deep = nested(in_list, 100000), *other;

    itself();
    reprs();
    SHOW(PyObject_Repr(deep));
    other = nested(in_list, 100000);
    RESULT(PyObject_RichCompareBool(deep, other, Py_EQ));
    drop_all(deep, other);
    deep = nested(in_tuple, 100000);
    SHOW(PyObject_Repr(deep));
    Py_DECREF(deep);
    deep = nested(in_list, 20);
    SHOW(PyObject_Repr(deep));
    Py_DECREF(deep);
    RESULT(recurse());
    say("went deep: %d", depth > 100 && depth < 1000000);
}
