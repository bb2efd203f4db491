/* track_tuple.c: tuples are tracked when they are made; a collection untracks
   those that can be part of no cycle.
   Manual: Python's "gc": "is_tracked". */

#include "oracle.h"

static PyObject *tuples[6];
static const char *const names[6] = {
    "of numbers",           "of tuples", "of a list",
    "of an untracked dict", "hidden",    "of a subclass",
};

static void
tell(const char *when)
{
    say("%s:", when);
    for (int i = 0; i < 6; i++)
        say("    %s: %d", names[i], PyObject_GC_IsTracked(tuples[i]));
}

static PyObject *
subclass(void)
{
    return call_type(&PyType_Type, "s(O){}", "Tuple", &PyTuple_Type);
}

/* CPython's collector meets the outer tuple first, when the inner ones are
   still tracked: each collection unwraps one. */
static void
nested(void)
{
    PyObject *tuple = need(Py_BuildValue("((((i))))", 1));

    collect();
    differs("no edition says how many collections nested tuples take to be "
            "untracked; ours needs one",
            "untracked", "tracked",
            PyObject_GC_IsTracked(tuple) ? "tracked" : "untracked");
    for (int i = 0; i < 3; i++)
        collect();
    say("nested: %d", PyObject_GC_IsTracked(tuple));
    Py_DECREF(tuple);
}

void
oracle_program(void)
{
    PyObject *list = need(PyList_New(0)), *type = subclass();
    PyObject *dict = need(PyDict_New());

    tuples[0] = need(Py_BuildValue("(iid)", 1, 2, 0.5));
    tuples[1] = need(Py_BuildValue("(OO)", tuples[0], tuples[0]));
    tuples[2] = need(Py_BuildValue("(O)", list));
    tuples[3] = need(Py_BuildValue("(O)", dict));
    tuples[4] = need(Py_BuildValue("(i(i(O)))", 1, 2, list));
    tuples[5] = need(PyObject_CallFunction(type, "((ii))", 1, 2));
    tell("new");
    collect_generation(0);
    tell("after a collection of the youngest");
    collect();
    collect();
    collect();
    tell("after full collections");

    nested();
    say("in a cycle with a list");
    PyList_Append(list, tuples[4]);
    for (int i = 0; i < 6; i++)
        Py_CLEAR(tuples[i]);
    drop_all(list, dict);
    collect();
    Py_DECREF(type);
    collect();
}
