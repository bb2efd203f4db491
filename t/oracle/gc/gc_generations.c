/* gc_generations.c: which generation an object is in: after each collection,
   after untracking and tracking; what a young collection takes and leaves.
   Manual: module gc, collect, get_objects. */

#include "oracle.h"

static int
generation(void *op)
{
    for (int i = 0; i <= 2; i++) {
        PyObject *list = need(gc_call("get_objects", "(i)", i));
        int found = 0;

        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(list); k++)
            found |= PyList_GET_ITEM(list, k) == op;
        Py_DECREF(list);
        if (found)
            return i;
    }
    return -1;
}

static void
run(int n)
{
    Py_DECREF(need(gc_call("collect", "(i)", n)));
}

static void
lives(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");

    RESULT(generation(a));
    run(0);
    RESULT(generation(a));
    run(0);
    RESULT(generation(a));
    run(1);
    RESULT(generation(a));
    run(2);
    RESULT(generation(a));
    PyObject_GC_UnTrack((PyObject *)a);
    RESULT(generation(a));
    PyObject_GC_Track((PyObject *)a);
    RESULT(generation(a));
    run(2);
    RESULT(generation(a));
    Py_DECREF(a);
}

static void
old_garbage(void)
{
    struct actor *old = actor_ring(&Actor_Type, 2);
    struct actor *young;

    run(1);
    Py_DECREF(old);
    collect_generation(0);
    collect_generation(1);
    collect_generation(2);
    old = actor_ring(&Actor_Type, 1);
    run(0);
    strcpy(old->name, "old");
    young = actor_ring(&Actor_Type, 2);
    actor_set(old, 1, young);
    drop_all(young, old);
    collect_generation(0); /* an old one refers to the young ones */
    RESULT(generation(young));
    collect_generation(1);
}

static void
mixed_cycle(void)
{
    struct actor *old = actor_new(&Actor_Type, "old"), *young;

    run(2);
    young = actor_new(&Actor_Type, "young");
    actor_set(old, 0, young);
    actor_set(young, 0, old);
    drop_all(old, young);
    collect_generation(0);
    collect_generation(1);
    collect_generation(2);
}

static PyObject *keeper;

static void
resurrect(struct actor *self)
{
    PyList_Append(keeper, (PyObject *)self);
}

static void
resurrected(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 1);

    keeper = PyList_New(0);
    a->on_finalize = resurrect;
    Py_DECREF(a);
    collect_generation(0);
    RESULT(generation(a));
    state("resurrected", (PyObject *)a);
    PyList_SetSlice(keeper, 0, 1, NULL);
    collect_generation(0);
    collect_generation(1);
    collect_generation(2);
    Py_DECREF(keeper);
}

static void
uncollectable(void)
{
    struct actor *a = actor_ring(&FixedActor_Type, 1);

    Py_DECREF(a);
    collect_generation(0);
    RESULT(generation(a));
    collect_generation(1);
    RESULT(generation(a));
    collect_generation(2);
    actor_set(a, 0, NULL);
}

void
oracle_program(void)
{
    lives();
    old_garbage();
    mixed_cycle();
    resurrected();
    uncollectable();
}
