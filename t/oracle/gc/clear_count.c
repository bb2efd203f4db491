/* clear_count.c: while tp_clear runs, the collector holds a reference of its
   own: the object outlives the loss of all others.
   Manual: "inquiry": "Note that the object must still be valid after calling
   this method". */

#include "oracle.h"

static void
tell(struct actor *a, const char *when)
{
    char line[64];

    snprintf(line, sizeof line, "%s: count %ld, %s, %s", when,
             (long)Py_REFCNT(a),
             PyObject_GC_IsTracked((PyObject *)a) ? "tracked" : "untracked",
             PyObject_GC_IsFinalized((PyObject *)a) ? "finalized"
                                                    : "not finalized");
    event(a->name, line);
}

static void
tell_both(struct actor *a)
{
    tell(a, "at first");
    Py_CLEAR(a->refs[0]); /* itself */
    tell(a, "alone");
}

static void
tell_finalize(struct actor *a)
{
    tell(a, "in the finalizer");
}

static void
tell_dealloc(struct actor *a)
{
    tell(a, "in dealloc");
}

static struct actor *
loop(PyTypeObject *type, const char *name)
{
    struct actor *a = actor_new(type, name);

    a->on_clear = tell_both;
    a->on_finalize = tell_finalize;
    a->on_dealloc = tell_dealloc;
    actor_set(a, 0, a);
    return a;
}

void
oracle_program(void)
{
    struct actor *a;

    tell_clears = 1;
    Py_DECREF(loop(&Actor_Type, "one"));
    collect();
    Py_DECREF(loop(&FinalActor_Type, "final"));
    collect();
    a = loop(&Actor_Type, "twice");
    actor_set(a, 1, a);
    Py_DECREF(a);
    collect();
    say("freed by its count");
    a = loop(&FinalActor_Type, "alone");
    actor_set(a, 0, NULL);
    Py_DECREF(a);
    collect();
}
