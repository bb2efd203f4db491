/* final_once.c: a finalizer is called once in an object's life, however often
   that seems to end.
   Manual: "PyObject_GC_IsFinalized"; PEP 442: "tp_finalize is only called
   once". */

#include "oracle.h"

static void
tell(const char *when)
{
    say("%s: %s", when, actor_saved != NULL ? "saved" : "not saved");
    if (actor_saved != NULL)
        state("    it", (PyObject *)actor_saved);
}

/* A ring of one: saved the first time, collected the second. */
static void
by_collector(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "ring");

    a->on_finalize = actor_save;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    tell("first death");
    collect();
    Py_CLEAR(actor_saved);
    collect();
    tell("second death");
}

/* No ring: saved from its deallocator, then freed by it. */
static void
by_count(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "single");

    a->on_finalize = actor_save;
    Py_DECREF(a);
    tell("first death");
    Py_CLEAR(actor_saved);
    tell("second death");
}

/* Saved from the deallocator, collected in a ring. */
static void
by_both(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "both");

    a->on_finalize = actor_save;
    Py_DECREF(a);
    tell("first death");
    actor_set(actor_saved, 0, actor_saved);
    Py_CLEAR(actor_saved);
    collect();
    tell("second death");
}

/* Called by hand, then collected. */
static void
by_hand(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "by hand");

    state("new", (PyObject *)a);
    for (int i = 0; i < 2; i++) {
        PyObject_CallFinalizer((PyObject *)a);
        state("finalized", (PyObject *)a);
    }
    show("gc.is_finalized", gc_call("is_finalized", "(O)", a));
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
}

static void
without_one(void)
{
    struct actor *a = actor_new(&Actor_Type, "without");

    PyObject_CallFinalizer((PyObject *)a);
    state("without a finalizer", (PyObject *)a);
    Py_DECREF(a);
}

void
oracle_program(void)
{
    by_collector();
    by_count();
    by_both();
    by_hand();
    without_one();
}
