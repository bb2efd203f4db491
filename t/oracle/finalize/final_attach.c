/* final_attach.c: finalizers and callbacks that change the dying set: what
   they tie to it from outside keeps it, what they untie goes by its count.
   Manual: "Cyclic Isolate Destruction"; PEP 442. */

#include "oracle.h"

/* A new object, no part of the set, refers to a member: the set is owned from
   outside now, though the new object hangs on the set itself. */
static void
tie(struct actor *a)
{
    struct actor *made = actor_new(&FinalActor_Type, "made");

    actor_set(made, 0, a);
    actor_set(a, 1, made);
    Py_DECREF(made);
}

/* The same, but the new object refers to nothing. */
static void
hang(struct actor *a)
{
    struct actor *made = actor_new(&Actor_Type, "made");

    actor_set(a, 1, made);
    Py_DECREF(made);
}

/* The member's own reference goes: the ring falls apart. */
static void
untie(struct actor *a)
{
    actor_set(a, 0, NULL);
}

static void
ring(const char *label, void (*on_finalize)(struct actor *))
{
    struct actor *a = actor_new(&FinalActor_Type, "a");
    struct actor *b = actor_new(&Actor_Type, "b");

    say("%s:", label);
    a->on_finalize = on_finalize;
    actor_set(a, 0, b);
    actor_set(b, 0, a);
    drop_all(b, a);
    collect();
    collect();
}

static PyObject *
untie_ring(PyObject *self, PyObject *weakref)
{
    struct actor *a = PyCapsule_GetPointer(self, NULL);

    event("callback", "unties the ring");
    actor_set(a, 0, NULL);
    Py_RETURN_NONE;
}

static PyMethodDef untie_def = {"untie_ring", untie_ring, METH_O, NULL};

/* A callback, of an object that hangs on the ring, breaks it. */
static void
by_callback(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 2);
    struct actor *x = actor_new(&FinalActor_Type, "x");
    PyObject *capsule = need(PyCapsule_New(a, NULL, NULL));
    PyObject *callback = need(PyCFunction_New(&untie_def, capsule));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)x, callback));

    drop_all(callback, capsule);
    actor_set((struct actor *)a->refs[0], 1, x);
    drop_all(x, a);
    say("a callback unties the ring:");
    say("unreachable: %ld", (long)PyGC_Collect());
    collect();
    Py_DECREF(weakref);
}

/* A set that is saved and changed in one. */
static PyObject *attic;

static void
swap(struct actor *a)
{
    PyList_Append(attic, a->refs[0]); /* b is saved, and a untied from it */
    actor_set((struct actor *)a->refs[0], 0, NULL);
}

static void
saved_without_the_other(void)
{
    attic = need(PyList_New(0));
    ring("a finalizer saves the next one and has it let go", swap);
    state("b", PyList_GetItem(attic, 0));
    Py_CLEAR(attic);
}

void
oracle_program(void)
{
    ring("a new object is tied to the ring", tie);
    ring("a new object hangs on the ring", hang);
    ring("the ring is untied", untie);
    by_callback();
    saved_without_the_other();
}
