/* final_resurrect.c: a finalizer brings a member of a dead set back to life:
   all that it reaches lives, the others go.
   Manual: "tp_finalize"; PEP 442: "if the cyclic isolate is still isolated,
   the collector calls tp_clear". */

#include "oracle.h"

static void
refer(struct actor *from, int i, struct actor *to)
{
    actor_set(from, i, to);
}

/* Two rings; the second refers to the first one.  The ring number saver has a
   finalizer that saves. */
static void
two_rings(int saver)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");
    struct actor *b = actor_new(&FinalActor_Type, "b");
    struct actor *x = actor_new(&FinalActor_Type, "x");
    struct actor *y = actor_new(&FinalActor_Type, "y");

    refer(a, 0, b);
    refer(b, 0, a);
    refer(x, 0, y);
    refer(y, 0, x);
    refer(y, 1, a);
    (saver == 0 ? a : x)->on_finalize = actor_save;
    drop_all(a, b, x, y);
    say("two rings, the %s saves itself", saver == 0 ? "first" : "second");
    collect();
    say("saved: %s", actor_saved->name);
    state("    it", (PyObject *)actor_saved);
    state("    its next", actor_saved->refs[0]);
    collect();
    Py_CLEAR(actor_saved);
    collect();
}

static PyObject *attic; /* a list that lives */

static void
to_attic(struct actor *a)
{
    PyList_Append(attic, a->refs[0]);
}

/* A finalizer saves another one than its own object. */
static void
another(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 3);
    struct actor *x = actor_new(&Actor_Type, "x"); /* hangs on c's own ring */

    attic = need(PyList_New(0));
    refer((struct actor *)((struct actor *)a->refs[0])->refs[0], 1, x);
    Py_DECREF(x);
    a->on_finalize = to_attic;
    Py_DECREF(a);
    say("a finalizer saves the next one");
    collect();
    state("    saved", PyList_GetItem(attic, 0));
    Py_CLEAR(attic);
    collect();
}

/* Saved for a moment only. */
static void
save_and_drop(struct actor *a)
{
    actor_save(a);
    Py_CLEAR(actor_saved);
}

static void
for_a_moment(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 2);

    a->on_finalize = save_and_drop;
    Py_DECREF(a);
    say("saved for a moment");
    collect();
}

void
oracle_program(void)
{
    two_rings(0);
    two_rings(1);
    another();
    for_a_moment();
}
