/* visit_objects.c: since 3.12: PyUnstable_GC_VisitObjects: what it visits, how
   it is ended, and the collector's state meanwhile.  3.13 leaves out what is
   frozen; the manual does not: "on all live GC-capable objects".
   Manual: "Traversing the garbage collector's objects". */

#include "oracle.h"

struct found {
    int actors, limit;
};

static int
visit(PyObject *op, void *arg)
{
    struct found *found = arg;

    if (Py_TYPE(op) != &Actor_Type)
        return 1;
    found->actors++;
    return found->limit == 0 || found->actors < found->limit;
}

static void
count(const char *label, int limit)
{
    struct found found = {0, limit};

    PyUnstable_GC_VisitObjects(visit, &found);
    say("%s: %d, enabled %d", label, found.actors, PyGC_IsEnabled());
}

static int
look_around(PyObject *op, void *arg)
{
    say("enabled inside: %d", PyGC_IsEnabled());
    say("collected inside: %ld", (long)PyGC_Collect());
    *(int *)arg += 1;
    return 0;
}

static int
takes_all(PyObject *op, void *arg)
{
    if (Py_TYPE(op) != &Actor_Type)
        return 1;
    return ((struct actor *)op)->name[0] != 'x';
}

void
oracle_program(void)
{
    struct actor *actors[4];
    int calls = 0;

    count("none", 0);
    for (int i = 0; i < 4; i++)
        actors[i] = actor_new(&Actor_Type, "x");
    count("four", 0);
    count("at most two", 2);
    PyObject_GC_UnTrack((PyObject *)actors[0]);
    count("one untracked", 0);
    PyObject_GC_Track((PyObject *)actors[0]);
    Py_DECREF(need(gc_call("collect", "(i)", 0)));
    Py_DECREF(need(gc_call("freeze", "()")));
    count("frozen", 0);
    Py_DECREF(need(gc_call("unfreeze", "()")));
    count("not frozen", 0);
    PyUnstable_GC_VisitObjects(look_around, &calls);
    say("ended after %d", calls);
    PyGC_Disable();
    count("disabled", 0);
    PyGC_Enable();
    PyUnstable_GC_VisitObjects(takes_all, NULL);
    say("%s", PyErr_Occurred() == NULL ? "no exception" : "an exception");
    for (int i = 0; i < 4; i++)
        Py_DECREF(actors[i]);
    count("all dead", 0);
}
