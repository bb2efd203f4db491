/* weak_final.c: weak references while a set dies: with a callback they are
   dead before any finalizer runs; without one they still find the object in
   the finalizer, and are dead before tp_clear.
   Manual: "Cyclic Isolate Destruction"; pyboehm's: "Weak references without a
   callback are cleared after the finalizers have run, so that a finalizer can
   still use them".  CPython 3.15 does the same; the versions before it clear
   them first, and 3.11 does not clear those that a finalizer makes. */

#include "oracle.h"

static PyObject *plain, *heard, *made;
static const char *in_finalizer, *in_clear;

static void
look_in_finalizer(struct actor *a)
{
    in_finalizer = ref_life(plain);
    event("with a callback", ref_life(heard));
}

static void
look_in_clear(struct actor *a)
{
    in_clear = ref_life(plain);
}

static void
before(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");

    a->on_finalize = look_in_finalizer;
    a->on_clear = look_in_clear;
    actor_set(a, 0, a);
    plain = need(PyWeakref_NewRef((PyObject *)a, NULL));
    heard = watch(a, "callback");
    Py_DECREF(a);
    collect();
    differs("weak references without a callback are cleared after the "
            "finalizers have run, as in CPython 3.15",
            "alive", "dead", in_finalizer);
    say("in tp_clear: %s", in_clear);
    Py_CLEAR(plain);
    Py_CLEAR(heard);
}

static void
make(struct actor *a)
{
    made = need(PyWeakref_NewRef((PyObject *)a, NULL));
}

static void
look_at_made(struct actor *a)
{
    in_clear = ref_life(made);
}

/* One made in a finalizer: 3.11 leaves it alive until the deallocation. */
static void
made_in_finalizer(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");

    a->on_finalize = make;
    a->on_clear = look_at_made;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    differs("weak references without a callback are cleared after the "
            "finalizers have run, those that they made too",
            "dead", "alive", in_clear);
    say("at the end: %s", ref_life(made));
    Py_CLEAR(made);
}

/* What a finalizer saves, keeps its weak references; 3.11 has cleared them. */
static void
resurrected(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");

    a->on_finalize = actor_save;
    actor_set(a, 0, a);
    plain = need(PyWeakref_NewRef((PyObject *)a, NULL));
    heard = watch(a, "callback");
    Py_DECREF(a);
    collect();
    differs("weak references without a callback are cleared after the "
            "finalizers have run, if the object is still to go",
            "alive", "dead", ref_life(plain));
    say("with a callback: %s", ref_life(heard));
    Py_CLEAR(actor_saved);
    collect();
    say("at the end: %s, %s", ref_life(plain), ref_life(heard));
    Py_CLEAR(plain);
    Py_CLEAR(heard);
}

void
oracle_program(void)
{
    before();
    made_in_finalizer();
    resurrected();
}
