/* gc_callbacks.c: gc.callbacks: when they are called, their info, what happens
   when they raise, are taken away or are no functions.
   3.15's info says more.  Manual: module gc, callbacks. */

#include "oracle.h"

static PyObject *
told(PyObject *self, PyObject *args)
{
    char line[96];
    const char *phase;
    PyObject *info;

    if (!PyArg_ParseTuple(args, "sO!", &phase, &PyDict_Type, &info))
        return NULL;
    snprintf(line, sizeof line,
             "%s generation %ld collected %ld uncollectable %ld", phase,
             PyLong_AsLong(PyDict_GetItemString(info, "generation")),
             PyLong_AsLong(PyDict_GetItemString(info, "collected")),
             PyLong_AsLong(PyDict_GetItemString(info, "uncollectable")));
    event("callback", line);
    Py_RETURN_NONE;
}

static PyObject *
raises(PyObject *self, PyObject *args)
{
    return PyErr_Format(PyExc_ValueError, "in the callback");
}

static PyMethodDef defs[] = {
    {"told", told, METH_VARARGS, NULL},
    {"raises", raises, METH_VARARGS, NULL},
};

static PyObject *saved;

static void
resurrect(struct actor *self)
{
    Py_XSETREF(saved, Py_NewRef((PyObject *)self));
}

/* Collections that find other numbers of unreachable and of collected ones:
   some cannot be collected, some come back. */
static void
other_numbers(PyObject *gc)
{
    PyObject *garbage = need(PyObject_GetAttrString(gc, "garbage"));
    struct actor *a = actor_ring(&LegacyActor_Type, 1);
    struct actor *b = actor_ring(&FinalActor_Type, 2);

    actor_set(a, 1, actor_new(&Actor_Type, "hanging"));
    drop_all(a->refs[1], a);
    b->on_finalize = resurrect;
    Py_DECREF(b);
    Py_DECREF(actor_ring(&FinalActor_Type, 1));
    collect();
    Py_CLEAR(a->refs[0]);
    PyList_SetSlice(garbage, 0, 1, NULL);
    Py_CLEAR(saved);
    collect();
    Py_DECREF(garbage);
}

static void
garbage(int n)
{
    Py_DECREF(actor_ring(&Actor_Type, n));
}

void
oracle_program(void)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));
    PyObject *callbacks = need(PyObject_GetAttrString(gc, "callbacks"));
    PyObject *function = need(PyCFunction_New(&defs[0], NULL));
    PyObject *bad = need(PyCFunction_New(&defs[1], NULL));

    need_ready(&LegacyActor_Type);
    unraisable_to_transcript();
    show_kept("callbacks", callbacks);
    RESULT(PyList_Append(callbacks, function));
    garbage(3);
    collect();
    other_numbers(gc);
    for (int i = 0; i <= 2; i++) {
        garbage(2 + i);
        collect_generation(i);
    }
    collect();
    Py_DECREF(need(gc_call("disable", "()")));
    collect();
    garbage(2);
    collect_generation(2);
    Py_DECREF(need(gc_call("enable", "()")));
    RESULT(PyList_Insert(callbacks, 0, bad));
    garbage(2);
    collect();
    RESULT(PyList_SetItem(callbacks, 0, Py_NewRef(Py_None)));
    garbage(2);
    collect();
    RESULT(PyList_SetSlice(callbacks, 0, 2, NULL));
    garbage(2);
    collect();
    RESULT(PyObject_SetAttrString(gc, "callbacks", Py_None));
    RESULT(PyList_Append(callbacks, function));
    garbage(2);
    collect();
    RESULT(PyList_SetSlice(callbacks, 0, 1, NULL));
    drop_all(gc, callbacks, function, bad);
}
