/* weak_getref.c: strong references from weak ones: PyWeakref_GetRef, since
   3.13, and PyWeakref_IsDead, since 3.14.
   Manual: "PyWeakref_GetRef": "On success, set *pobj to a new strong reference
   ... and return 1"; "PyWeakref_IsDead". */

#include "oracle.h"

static void
tell(const char *label, PyObject *ref)
{
    PyObject *op = (PyObject *)&Actor_Type; /* must not stay */
    int got = PyWeakref_GetRef(ref, &op);

    if (op != NULL)
        say("%s: %d, %s, count %ld", label, got, ((struct actor *)op)->name,
            (long)Py_REFCNT(op));
    else
        say("%s: %d, NULL", label, got);
    if (got < 0)
        error();
    Py_XDECREF(op);
    say("    dead: %d", PyWeakref_IsDead(ref));
    if (PyErr_Occurred())
        error();
}

static void
all_kinds(struct actor *a)
{
    PyObject *ref = need(PyWeakref_NewRef((PyObject *)a, NULL));
    PyObject *proxy = need(PyWeakref_NewProxy((PyObject *)a, NULL));
    PyObject *heard = watch(a, "weakref");

    tell("reference", ref);
    tell("proxy", proxy);
    tell("with a callback", heard);
    Py_DECREF(a);
    collect();
    tell("reference", ref);
    tell("proxy", proxy);
    tell("with a callback", heard);
    drop_all(ref, proxy, heard);
}

/* A new reference holds what the others let go. */
static void
holds(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "held");
    PyObject *ref = need(PyWeakref_NewRef((PyObject *)a, NULL)), *op;

    if (PyWeakref_GetRef(ref, &op) != 1)
        need(NULL);
    Py_DECREF(a);
    state("held", op);
    Py_DECREF(op);
    say("dead: %d", PyWeakref_IsDead(ref));
    Py_DECREF(ref);
}

void
oracle_program(void)
{
    PyObject *list = need(PyList_New(0));

    all_kinds(actor_new(&Actor_Type, "single"));
    all_kinds(actor_ring(&Actor_Type, 1));
    holds();
    tell("a list", list);
    tell("NULL", NULL);
    Py_DECREF(list);
}
