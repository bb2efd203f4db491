/* final_state.c: what an object is while its finalizer runs, and what else is
   still whole.
   Manual: "PyObject_GC_IsFinalized"; "tp_finalize"; PEP 442: "objects are
   still valid when their finalizer is called". */

#include "oracle.h"

static void
tell(struct actor *a)
{
    char line[80];

    snprintf(line, sizeof line, "%s, %s, count %ld, first reference %s",
             PyObject_GC_IsTracked((PyObject *)a) ? "tracked" : "untracked",
             PyObject_GC_IsFinalized((PyObject *)a) ? "finalized"
                                                    : "not finalized",
             (long)Py_REFCNT(a),
             a->refs[0] != NULL ? ((struct actor *)a->refs[0])->name : "none");
    event(a->name, line);
}

static struct actor *
teller(const char *name)
{
    struct actor *a = actor_new(&FinalActor_Type, name);

    a->on_finalize = tell;
    return a;
}

/* One finalizer in a ring of three: all members are whole when it runs. */
static void
among_others(void)
{
    struct actor *a = teller("a"), *b = actor_new(&Actor_Type, "b");
    struct actor *c = actor_new(&Actor_Type, "c");

    actor_set(a, 0, b);
    actor_set(b, 0, c);
    actor_set(c, 0, a);
    drop_all(b, c, a);
    collect();
}

/* A finalizer of what hangs on a ring is called before any member goes. */
static void
hanging(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2), *x = teller("x");

    actor_set(a, 1, x);
    actor_set(x, 0, a);
    drop_all(x, a);
    collect();
}

static void
let_go(struct actor *a)
{
    tell(a);
    actor_set(a, 0, NULL);
    tell(a);
}

/* A finalizer may break the cycle itself. */
static void
breaks_the_ring(void)
{
    struct actor *a = teller("breaker");

    a->on_finalize = let_go;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    say("nothing is left");
    collect();
}

static void
untrack(struct actor *a)
{
    PyObject_GC_UnTrack(a);
    tell(a);
}

/* One that untracks its object takes it out of the collector's hands. */
static void
untracks(void)
{
    struct actor *a = teller("untracked");

    a->on_finalize = untrack;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    collect();
    PyObject_GC_Track((PyObject *)a);
    collect();
}

void
oracle_program(void)
{
    struct actor *a = teller("single");

    a->on_dealloc = tell;
    Py_DECREF(a);
    a = teller("ring");
    a->on_dealloc = tell;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    among_others();
    hanging();
    breaks_the_ring();
    untracks();
}
