/* gc_saveall.c: DEBUG_SAVEALL: what is unreachable goes to gc.garbage instead
   of being cleared; what finalizers and weak references see of it.
   Manual: module gc, garbage, DEBUG_SAVEALL. */

#include "oracle.h"

static PyObject *
called(PyObject *self, PyObject *weakref)
{
    event("callback", "called");
    Py_RETURN_NONE;
}

static PyMethodDef called_def = {"called", called, METH_O, NULL};

static void
tell_garbage(PyObject *garbage)
{
    Py_ssize_t n = PyList_Size(garbage);

    say("garbage has %ld", (long)n);
    for (Py_ssize_t i = 0; i < n; i++)
        state("    member", PyList_GetItem(garbage, i));
}

static void
break_up(PyObject *garbage)
{
    for (Py_ssize_t i = 0; i < PyList_Size(garbage); i++)
        actor_set((struct actor *)PyList_GetItem(garbage, i), 0, NULL);
    say("broken up, and dropped one by one");
    while (PyList_Size(garbage) > 0)
        RESULT(PyList_SetSlice(garbage, 0, 1, NULL));
}

void
oracle_program(void)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));
    PyObject *garbage = need(PyObject_GetAttrString(gc, "garbage"));
    PyObject *callback = need(PyCFunction_New(&called_def, NULL));
    struct actor *a = actor_ring(&Actor_Type, 1);
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    Py_DECREF(need(gc_call("set_debug", "(i)", 32)));
    Py_DECREF(a);
    collect();
    SHOW(PyObject_CallNoArgs(weakref));
    tell_garbage(garbage);
    collect();
    break_up(garbage);
    a = actor_ring(&FinalActor_Type, 1);
    Py_DECREF(a);
    collect();
    tell_garbage(garbage);
    Py_DECREF(need(gc_call("set_debug", "(i)", 0)));
    collect();
    RESULT(PyList_SetSlice(garbage, 0, 1, NULL));
    collect();
    drop_all(callback, weakref, garbage, gc);
}
