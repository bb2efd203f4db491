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

/* enumerate(*args, **kwargs). */
static void
enumerate(PyObject *args, PyObject *kwargs)
{
    PyObject *type = (PyObject *)&PyEnum_Type, *op;

    op = PyObject_Call(type, need(args), need(kwargs));
    if (op != NULL)
        say("an enumerate");
    else
        error();
    Py_XDECREF(op);
    drop_all(args, kwargs);
}

static void
enumerations(void)
{
    static const char names[] = "{sssi}";

    enumerate(PyTuple_New(0), PyDict_New());
    enumerate(Py_BuildValue("(i)", 1), PyDict_New());
    enumerate(Py_BuildValue("(sii)", "a", 1, 2), PyDict_New());
    enumerate(Py_BuildValue("(ss)", "a", "b"), PyDict_New());
    enumerate(PyTuple_New(0), Py_BuildValue("{ss}", "iterable", "a"));
    enumerate(PyTuple_New(0), Py_BuildValue("{ss}", "x", "a"));
    enumerate(PyTuple_New(0), Py_BuildValue("{ss}", "start", "a"));
    enumerate(PyTuple_New(0),
              Py_BuildValue(names, "iterable", "a", "start", 1));
    enumerate(PyTuple_New(0),
              Py_BuildValue(names, "start", "a", "iterable", 1));
    enumerate(PyTuple_New(0), Py_BuildValue(names, "iterable", "a", "x", 1));
    enumerate(PyTuple_New(0),
              Py_BuildValue("{sssisi}", "iterable", "a", "start", 1, "x", 1));
    enumerate(Py_BuildValue("(s)", "a"), Py_BuildValue("{si}", "start", 1));
    enumerate(Py_BuildValue("(s)", "a"), Py_BuildValue("{ss}", "start", "b"));
    enumerate(Py_BuildValue("(s)", "a"), Py_BuildValue("{ss}", "x", "b"));
    enumerate(Py_BuildValue("(s)", "a"),
              Py_BuildValue("{ss}", "iterable", "b"));
    enumerate(Py_BuildValue("(si)", "a", 1),
              Py_BuildValue("{si}", "start", 1));
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
    enumerations();
    Py_DECREF(list);
    collect();
}
