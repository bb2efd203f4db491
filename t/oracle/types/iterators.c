/* iterators.c: iterators of every container and of callables: exhaustion,
   length hints, their state, and what they own.
   Manual: "Iterator Protocol", "Iterator Objects". */

#include "oracle.h"

static int counter;

static PyObject *
count(PyObject *self, PyObject *none)
{
    if (counter == 5)
        return PyErr_Format(PyExc_ValueError, "five is too much");
    if (counter == 12)
        return PyErr_Format(PyExc_StopIteration, "twelve");
    return PyLong_FromLong(counter++);
}

static PyMethodDef count_def = {"count", count, METH_NOARGS, NULL};

static void
owns(PyObject *iter)
{
    if (PyObject_IS_GC(iter))
        visits("    it", iter);
}

static void
walk(const char *label, PyObject *container)
{
    PyObject *iter = PyObject_GetIter(container), *item;

    say("%s", label);
    if (iter == NULL) {
        error();
        Py_DECREF(container);
        return;
    }
    say("    %s, tracked %d, hint %ld", Py_TYPE(iter)->tp_name,
        PyObject_GC_IsTracked(iter), (long)PyObject_LengthHint(iter, -7));
    PyErr_Clear();
    result("    its own iterator", PyObject_GetIter(iter) == iter);
    Py_DECREF(iter);
    owns(iter);
    while ((item = PyIter_Next(iter)) != NULL)
        show("    item", item);
    error();
    result("    hint", (long)PyObject_LengthHint(iter, -7));
    show("    again", PyIter_Next(iter));
    owns(iter);
    drop_all(iter, container);
}

static void
callables(void)
{
    PyObject *function = need(PyCFunction_New(&count_def, NULL));
    PyObject *three = PyLong_FromLong(3), *hundred = PyLong_FromLong(100);

    counter = 0;
    walk("until three", need(PyCallIter_New(function, three)));
    counter = 4;
    walk("it raises", need(PyCallIter_New(function, hundred)));
    counter = 11;
    walk("it stops by itself", need(PyCallIter_New(function, hundred)));
    drop_all(function, three, hundred);
}

void
oracle_program(void)
{
    PyObject *list = need(Py_BuildValue("[iii]", 1, 2, 3)), *set;

    walk("list", Py_NewRef(list));
    walk("tuple", need(Py_BuildValue("(ii)", 1, 2)));
    walk("dict", need(Py_BuildValue("{sisi}", "a", 1, "b", 2)));
    walk("str", PyUnicode_FromString("a\xc3\xa9"));
    walk("bytes", PyBytes_FromString("ab"));
    set = need(PySet_New(NULL));
    PySet_Add(set, Py_None);
    walk("set", set);
    walk("sequence", need(PySeqIter_New(list)));
    walk("range", call_type(&PyRange_Type, "(iii)", 5, 0, -2));
    walk("enumerate", call_type(&PyEnum_Type, "(O)", list));
    walk("reversed", call_type(&PyReversed_Type, "(O)", list));
    walk("zip", call_type(&PyZip_Type, "(OO)", list, list));
    walk("int", PyLong_FromLong(1));
    callables();
    Py_DECREF(list);
    collect();
}
