/* final_legacy.c: tp_del, the finalizer of old: what has one, and what it
   reaches, cannot be collected; gc.garbage tells.
   Manual: Python's "gc": "garbage"; "Type Objects": "tp_del". */

#include "oracle.h"

static PyObject *garbage;

static void
tell_garbage(void)
{
    say("garbage: %ld", (long)PyList_Size(garbage));
    for (Py_ssize_t i = 0; i < PyList_Size(garbage); i++)
        state("    in it", PyList_GetItem(garbage, i));
}

/* a, with tp_del, in a ring with b; x hangs on them, f refers to them. */
static void
ring(void)
{
    struct actor *a = actor_new(&LegacyActor_Type, "a");
    struct actor *b = actor_new(&FinalActor_Type, "b");
    struct actor *x = actor_new(&FinalActor_Type, "x");
    struct actor *f = actor_new(&FinalActor_Type, "f");
    PyObject *of_b = watch(b, "of b"), *of_f = watch(f, "of f");

    actor_set(a, 0, b);
    actor_set(b, 0, a);
    actor_set(b, 1, x);
    actor_set(f, 0, a);
    actor_set(f, 1, f);
    drop_all(a, b, x, f);
    collect();
    tell_garbage();
    collect();
    tell_garbage();
    say("b is referred to weakly: %d", PyWeakref_GetObject(of_b) != Py_None);
    /* A program that finds it in the list may break the ring. */
    actor_set((struct actor *)PyList_GetItem(garbage, 0), 0, NULL);
    PyList_SetSlice(garbage, 0, 1, NULL);
    drop_all(of_b, of_f);
    collect();
    tell_garbage();
}

/* Out of cycles, tp_del is for the deallocator to call; this one does not. */
static void
no_ring(void)
{
    Py_DECREF(actor_new(&LegacyActor_Type, "alone"));
    collect();
}

void
oracle_program(void)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));

    need_ready(&LegacyActor_Type);
    garbage = need(PyObject_GetAttrString(gc, "garbage"));
    ring();
    no_ring();
    drop_all(garbage, gc);
}
