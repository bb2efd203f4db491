/* gc_arguments.c: the functions of module gc with good arguments and bad ones.
   Manual: module gc. */

#include "oracle.h"

static void
call(const char *name, const char *format, PyObject *arg)
{
    char label[80];
    PyObject *result = gc_call(name, format, arg, arg);

    snprintf(label, sizeof label, "%s%s", name, format);
    show(label, result);
}

static PyObject *
keyword(const char *name, const char *key, int value)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));
    PyObject *function = need(PyObject_GetAttrString(gc, name));
    PyObject *kwargs = need(Py_BuildValue("{si}", key, value));
    PyObject *none = PyTuple_New(0);
    PyObject *result = PyObject_Call(function, none, kwargs);

    drop_all(none, kwargs, function, gc);
    return result;
}

static void
collections(void)
{
    for (int i = -1; i <= 3; i++)
        show(text("collect(%d)", i), gc_call("collect", "(i)", i));
    call("collect", "(s)", (PyObject *)"text");
    call("collect", "(O)", Py_None);
    call("collect", "(OO)", Py_None);
    SHOW(gc_call("collect", "(d)", 1.5));
    SHOW(gc_call("collect", "(L)", 1LL << 40));
    SHOW(gc_call("collect", "(O)", Py_True));
    SHOW(keyword("collect", "generation", 1));
    SHOW(keyword("collect", "generation", 7));
    SHOW(keyword("collect", "gen", 1));
}

static long
first_threshold(void)
{
    PyObject *all = need(gc_call("get_threshold", "()"));
    long first = PyLong_AsLong(PyTuple_GET_ITEM(all, 0));

    Py_DECREF(all);
    return first;
}

static void
thresholds(void)
{
    call("set_threshold", "()", NULL);
    SHOW(gc_call("set_threshold", "(iiii)", 1, 2, 3, 4));
    SHOW(gc_call("set_threshold", "(s)", "x"));
    SHOW(gc_call("set_threshold", "(is)", 1, "x"));
    differs("nothing is set where an argument is bad, as since 3.13", "0", "1",
            text("%ld", first_threshold()));
    SHOW(gc_call("set_threshold", "(i)", 0));
    call("get_threshold", "()", NULL);
    SHOW(gc_call("set_threshold", "(iii)", 0, 20, 30));
    call("get_threshold", "()", NULL);
    SHOW(gc_call("set_threshold", "(iii)", 0, 10, 10));
    call("get_threshold", "(O)", Py_None);
    call("get_count", "(O)", Py_None);
}

static void
searches(void)
{
    PyObject *list = PyList_New(0), *number = PyLong_FromLong(123456);

    call("is_tracked", "(O)", list);
    call("is_tracked", "(O)", number);
    call("is_tracked", "()", NULL);
    call("is_tracked", "(OO)", list);
    call("is_finalized", "(O)", list);
    call("is_finalized", "(O)", number);
    call("is_finalized", "()", NULL);
    call("get_referents", "(O)", number);
    call("get_referents", "()", NULL);
    call("get_referrers", "()", NULL);
    call("get_referrers", "(O)", number);
    SHOW(gc_call("get_objects", "(i)", 3));
    SHOW(gc_call("get_objects", "(i)", -2));
    SHOW(gc_call("get_objects", "(s)", "x"));
    SHOW(gc_call("get_objects", "(ii)", 1, 2));
    SHOW(keyword("get_objects", "generation", 3));
    SHOW(keyword("get_objects", "nothing", 3));
    drop_all(list, number);
}

void
oracle_program(void)
{
    collections();
    thresholds();
    searches();
    call("set_debug", "()", NULL);
    SHOW(gc_call("set_debug", "(s)", "x"));
    SHOW(gc_call("set_debug", "(i)", 6));
    call("get_debug", "()", NULL);
    SHOW(gc_call("set_debug", "(i)", 0));
    call("get_debug", "(O)", Py_None);
    call("freeze", "(O)", Py_None);
    call("unfreeze", "(O)", Py_None);
    call("get_freeze_count", "(O)", Py_None);
    call("enable", "(O)", Py_None);
    call("isenabled", "(O)", Py_None);
    call("get_stats", "(O)", Py_None);
}
