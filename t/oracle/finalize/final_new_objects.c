/* final_new_objects.c: what finalizers and callbacks make, track or untrack
   while a collection runs is no part of it.
   Manual: "tp_finalize"; Python's "gc": "collect". */

#include "oracle.h"

static PyObject *made;

/* Garbage of its own: the next collection finds it. */
static void
make_garbage(struct actor *a)
{
    Py_DECREF(actor_ring(&Actor_Type, 3));
}

static void
make_living(struct actor *a)
{
    Py_XSETREF(made, need(PyList_New(0)));
    PyList_Append(made, made);
}

/* A collection in a collection finds nothing. */
static void
collect_inside(struct actor *a)
{
    char line[40];

    Py_DECREF(actor_ring(&Actor_Type, 2));
    snprintf(line, sizeof line, "collects %ld", (long)PyGC_Collect());
    event(a->name, line);
}

static void
loop(const char *name, void (*on_finalize)(struct actor *),
     void (*on_clear)(struct actor *))
{
    struct actor *a = actor_new(&FinalActor_Type, name);

    say("%s:", name);
    a->on_finalize = on_finalize;
    a->on_clear = on_clear;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    collect();
}

void
oracle_program(void)
{
    loop("garbage, end", make_garbage, NULL);
    loop("garbage, clear", NULL, make_garbage);
    loop("living", make_living, make_living);
    state("made", made);
    Py_CLEAR(made);
    collect();
    loop("inside, end", collect_inside, NULL);
    loop("inside, clear", NULL, collect_inside);
}
