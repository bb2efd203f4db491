/* weak_get.c: asking weak references for their referent, dead or alive.
   Manual: "PyWeakref_GetObject", "PyWeakref_GET_OBJECT". */

#include "oracle.h"

static void
tell(const char *label, PyObject *ref)
{
    PyObject *op = PyWeakref_GetObject(ref);

    if (op == NULL) {
        printf("%s: ", label);
        error();
    } else if (op == Py_None) {
        say("%s: None", label);
    } else {
        say("%s: %s, count %ld", label, ((struct actor *)op)->name,
            (long)Py_REFCNT(op));
        say("    by the macro: %d", PyWeakref_GET_OBJECT(ref) == op);
    }
}

static void
all_kinds(struct actor *a, int die_in_ring)
{
    PyObject *ref = need(PyWeakref_NewRef((PyObject *)a, NULL));
    PyObject *proxy = need(PyWeakref_NewProxy((PyObject *)a, NULL));
    PyObject *heard = watch(a, "weakref");

    tell("reference", ref);
    tell("proxy", proxy);
    tell("with a callback", heard);
    Py_INCREF(a);
    tell("owned twice", ref);
    drop_all(a, a);
    if (die_in_ring) {
        tell("in a ring that waits", ref);
        collect();
    }
    tell("dead reference", ref);
    tell("dead proxy", proxy);
    tell("dead with a callback", heard);
    show("dead, called", PyObject_CallNoArgs(ref));
    drop_all(ref, proxy, heard);
}

void
oracle_program(void)
{
    PyObject *list = need(PyList_New(0));

    all_kinds(actor_new(&Actor_Type, "single"), 0);
    all_kinds(actor_ring(&Actor_Type, 2), 1);
    tell("a list", list);
    tell("None", Py_None);
    tell("NULL", NULL);
    Py_DECREF(list);
}
