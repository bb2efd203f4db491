/* weak_order.c: the callbacks of one object's weak references are called from
   the youngest to the oldest, after all of these are dead.
   Manual: "PyObject_ClearWeakRefs"; Python's "weakref": "callbacks registered
   for the same object are called from the most recently registered one to the
   oldest". */

#include "oracle.h"

static PyObject *weakrefs[4];

static PyObject *
tell_all(PyObject *name, PyObject *weakref)
{
    char line[40] = "others:";

    for (int i = 0; i < 4; i++)
        strcat(line, PyWeakref_GetObject(weakrefs[i]) == Py_None ? " dead"
                                                                 : " alive");
    event(PyUnicode_AsUTF8(name), line);
    Py_RETURN_NONE;
}

static PyMethodDef tell_def = {"tell_all", tell_all, METH_O, NULL};

static PyObject *
callback(const char *name)
{
    PyObject *str = need(PyUnicode_FromString(name));
    PyObject *function = need(PyCFunction_New(&tell_def, str));

    Py_DECREF(str);
    return function;
}

static void
four_weakrefs(struct actor *a)
{
    const char *names[] = {"first", "second, a proxy", "third", "fourth"};

    for (int i = 0; i < 4; i++) {
        PyObject *function = callback(names[i]);

        weakrefs[i] = need(i == 1 ? PyWeakref_NewProxy((PyObject *)a, function)
                                  : PyWeakref_NewRef((PyObject *)a, function));
        Py_DECREF(function);
    }
}

static void
forget(void)
{
    for (int i = 0; i < 4; i++)
        Py_CLEAR(weakrefs[i]);
}

void
oracle_program(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");

    say("by its count:");
    four_weakrefs(a);
    Py_DECREF(a);
    forget();

    say("by a collection:");
    a = actor_ring(&Actor_Type, 1);
    four_weakrefs(a);
    Py_DECREF(a);
    /* Each name is a phase of its own: the order is told as it is. */
    say("unreachable: %ld", (long)PyGC_Collect());
    forget();

    say("one is gone before:");
    a = actor_new(&Actor_Type, "a");
    four_weakrefs(a);
    Py_SETREF(weakrefs[2], Py_NewRef(weakrefs[0]));
    Py_DECREF(a);
    forget();
}
