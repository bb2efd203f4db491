/* weak_in_set.c: which callbacks are called when a set of objects dies: those
   of weak references that live, not of those that die with it.
   Manual: "Cyclic Isolate Destruction"; Python's "weakref". */

#include "oracle.h"

/* A weak reference that the ring owns is not called, one that lives is. */
static void
inside_and_outside(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 2);
    PyObject *inside = watch(a->refs[0], "inside"), *outside;

    outside = watch(a->refs[0], "outside");
    actor_set(a, 1, inside);
    drop_all(inside, a);
    collect();
    Py_DECREF(outside);
}

/* Two rings that die in one collection: the first one's weak reference to the
   second is trash, too. */
static void
from_ring_to_ring(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    struct actor *x = actor_new(&FinalActor_Type, "x");
    PyObject *weakref = watch(x, "between");

    actor_set(a, 1, weakref);
    Py_DECREF(weakref);
    actor_set(x, 0, x);
    drop_all(x, a);
    collect();
}

/* The referent dies, the owner of the weak reference lives. */
static void
owner_lives(void)
{
    struct actor *owner = actor_new(&Actor_Type, "owner");
    struct actor *a = actor_ring(&Actor_Type, 2);
    PyObject *weakref = watch(a, "of the owner");

    actor_set(owner, 0, weakref);
    drop_all(weakref, a);
    collect();
    Py_DECREF(owner);
}

/* The callback is part of the set, the weak reference is not. */
static PyObject *
never(PyObject *self, PyObject *weakref)
{
    event(((struct actor *)self)->name, "called as a member's self");
    Py_RETURN_NONE;
}

static PyMethodDef never_def = {"never", never, METH_O, NULL};

static void
callback_refers_to_set(void)
{
    struct actor *a = actor_ring(&Actor_Type, 1);
    PyObject *callback = need(PyCFunction_New(&never_def, (PyObject *)a));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    drop_all(callback, a);
    collect(); /* the weak reference owns the callback, and that owns a */
    state("a", (PyObject *)a);
    Py_DECREF(weakref);
    collect();
}

void
oracle_program(void)
{
    inside_and_outside();
    from_ring_to_ring();
    owner_lives();
    callback_refers_to_set();
}
