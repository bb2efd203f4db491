/* final_pending.c: a pending exception survives all that a deallocation or a
   collection may run, and none of it sees the exception.
   Manual: "tp_finalize": "should leave the current exception status
   unchanged"; "PyObject_ClearWeakRefs"; "PyGC_Collect". */

#include "oracle.h"

static int calls;

static PyObject *
call_me(PyObject *self, PyObject *weakref)
{
    calls++;
    event("callback", PyErr_Occurred() != NULL ? "sees it" : "sees nothing");
    Py_RETURN_NONE;
}

static PyMethodDef call_me_def = {"call_me", call_me, METH_O, NULL};

/* Uses what would raise an exception of its own, and takes it back. */
static void
raise_inside(struct actor *a)
{
    PyObject *type, *value, *traceback;

    event(a->name, PyErr_Occurred() != NULL ? "sees it" : "sees nothing");
    PyErr_Fetch(&type, &value, &traceback);
    if (PyObject_GetAttrString(Py_None, "nothing") != NULL)
        need(NULL);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

static struct actor *
victim(const char *name, PyObject **weakref)
{
    struct actor *a = actor_new(&FinalActor_Type, name);
    PyObject *callback = need(PyCFunction_New(&call_me_def, NULL));

    *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));
    Py_DECREF(callback);
    a->on_finalize = raise_inside;
    return a;
}

void
oracle_program(void)
{
    PyObject *weakref, *found;
    struct actor *a = victim("by count", &weakref);

    say("freed by its count:");
    PyErr_SetString(PyExc_KeyError, "first");
    Py_DECREF(a);
    error();
    Py_DECREF(weakref);

    say("collected:");
    a = victim("collected", &weakref);
    actor_set(a, 0, a);
    Py_DECREF(a);
    PyErr_SetString(PyExc_KeyError, "second");
    collect(); /* it begins and ends with the exception */
    error();
    Py_DECREF(weakref);

    say("nothing to collect:");
    PyErr_SetString(PyExc_KeyError, "third");
    say("collected %ld", (long)PyGC_Collect());
    error();

    say("gc.collect:");
    a = victim("by gc.collect", &weakref);
    actor_set(a, 0, a);
    Py_DECREF(a);
    found = gc_call("collect", "()");
    show("collected", found);
    error();
    say("%d callbacks", calls);
    Py_DECREF(weakref);
}
