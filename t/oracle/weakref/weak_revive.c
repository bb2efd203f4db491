/* weak_revive.c: a callback that brings members of the dying set back to life,
   by a pointer that it does not own.
   Manual: "Cyclic Isolate Destruction". */

#include "oracle.h"

static PyObject *attic; /* a list */

/* self is a capsule with the object. */
static PyObject *
revive(PyObject *self, PyObject *weakref)
{
    struct actor *a = PyCapsule_GetPointer(self, NULL);

    event(a->name, "revived");
    PyList_Append(attic, (PyObject *)a);
    Py_RETURN_NONE;
}

static PyMethodDef revive_def = {"revive", revive, METH_O, NULL};

static PyObject *
reviver(struct actor *whom, struct actor *referent)
{
    PyObject *capsule = need(PyCapsule_New(whom, NULL, NULL));
    PyObject *callback = need(PyCFunction_New(&revive_def, capsule));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)referent, callback));

    drop_all(callback, capsule);
    return weakref;
}

/* What hangs on a ring is revived: the ring goes. */
static void
hanging(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 2);
    struct actor *x = actor_new(&FinalActor_Type, "x");
    PyObject *weakref = reviver(x, a);

    actor_set(a, 1, x);
    drop_all(x, a);
    collect();
    state("x", (PyObject *)x);
    PyList_SetSlice(attic, 0, 1, NULL);
    Py_DECREF(weakref);
}

/* A member is revived: all live, though their finalizers were called. */
static void
member(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 2);
    PyObject *weakref = reviver((struct actor *)a->refs[0], a);
    PyObject *other = watch(a, "another"); /* called first */

    Py_DECREF(a);
    collect();
    state("b", PyList_GetItem(attic, 0));
    state("a", (PyObject *)a);
    PyList_SetSlice(attic, 0, 1, NULL);
    collect();
    drop_all(weakref, other);
}

/* Of two sets that die together only one is revived. */
static void
one_of_two(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    struct actor *x = actor_new(&Actor_Type, "x");
    PyObject *weakref = reviver(x, x);

    actor_set(x, 0, x);
    drop_all(x, a);
    collect();
    state("x", (PyObject *)x);
    PyList_SetSlice(attic, 0, 1, NULL);
    collect();
    Py_DECREF(weakref);
}

void
oracle_program(void)
{
    attic = need(PyList_New(0));
    hanging();
    member();
    one_of_two();
    Py_DECREF(attic);
}
