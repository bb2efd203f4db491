/* clear_mixed.c: one member that can be cleared is enough for a cycle, and
   what hangs on it goes by its count; how many are counted.
   Manual: "inquiry": "Immutable objects do not have to define this method
   since they can never directly create reference cycles"; "PyGC_Collect". */

#include "oracle.h"

/* A ring of fixed actors with one of another type at its end. */
static void
one_mutable(PyTypeObject *type)
{
    struct actor *a = actor_ring(&FixedActor_Type, 3);
    struct actor *last = (struct actor *)((struct actor *)a->refs[0])->refs[0];
    struct actor *mutable_one = actor_new(type, "mutable");

    say("%s:", type->tp_name);
    actor_set(mutable_one, 0, a);
    actor_set(last, 0, mutable_one);
    drop_all(mutable_one, a);
    collect();
    collect();
}

static void
list_and_tuple(void)
{
    PyObject *list = need(PyList_New(0));
    PyObject *tuple = need(PyTuple_Pack(1, list));
    struct actor *a = actor_new(&FinalActor_Type, "hanging");

    say("a list and a tuple:");
    PyList_Append(list, tuple);
    PyList_Append(list, (PyObject *)a);
    drop_all(a, tuple, list);
    collect();
}

/* What hangs on a ring: tracked ones count, others do not. */
static void
hanging(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    struct actor *tracked = actor_new(&Actor_Type, "tracked");
    struct actor *untracked = actor_new(&Actor_Type, "untracked");

    say("a ring of two with hangers-on:");
    PyObject_GC_UnTrack(untracked);
    actor_set(a, 1, tracked);
    actor_set(tracked, 0, untracked);
    actor_set(a, 2, need(PyLong_FromLong(5)));
    drop_all(tracked, untracked, a);
    collect();
}

/* An object that the ring and another owner refer to stays. */
static void
shared(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    struct actor *b = actor_new(&Actor_Type, "shared");

    say("a ring of two that refers to what lives:");
    actor_set(a, 1, b);
    Py_DECREF(a);
    state("shared", (PyObject *)b);
    collect();
    state("shared", (PyObject *)b);
    Py_DECREF(b);
}

void
oracle_program(void)
{
    one_mutable(&Actor_Type);
    one_mutable(&FinalActor_Type);
    list_and_tuple();
    hanging();
    shared();
}
