/* gc_counts.c: get_count, get_threshold and get_stats after work that is
   known; what Resize, untracked containers and other objects do to the counts.
   Manual: module gc, get_count, get_stats. */

#include "oracle.h"

static long
count(int generation)
{
    PyObject *counts = need(gc_call("get_count", "()"));
    long n = PyLong_AsLong(PyTuple_GET_ITEM(counts, generation));

    Py_DECREF(counts);
    return n;
}

/* The difference that the statement makes to the count of generation 0. */
#define COSTS(LABEL, STATEMENT)                                               \
    do {                                                                      \
        long before = count(0);                                               \
        STATEMENT;                                                            \
        say("%s: %+ld", LABEL, count(0) - before);                            \
    } while (0)

static long
statistic(int generation, const char *name)
{
    PyObject *stats = need(gc_call("get_stats", "()"));
    long n = PyLong_AsLong(
        PyDict_GetItemString(PyList_GET_ITEM(stats, generation), name));

    Py_DECREF(stats);
    return n;
}

static void
containers(void)
{
    struct actor *actors[5];
    PyObject *string;
    PyVarObject *var;

    COSTS("five actors",
          for (int i = 0; i < 5; i++) actors[i] = actor_new(&Actor_Type, ""));
    COSTS("untracked", PyObject_GC_UnTrack((PyObject *)actors[0]));
    COSTS("tracked", PyObject_GC_Track((PyObject *)actors[0]));
    COSTS("an untracked one",
          PyObject_GC_Del(PyObject_GC_New(struct actor, &Actor_Type)));
    COSTS("resized", {
        var = (PyVarObject *)need(
            PyObject_GC_NewVar(struct actor, &Actor_Type, 1));
        var = need(PyObject_GC_Resize(struct actor, var, 10));
    });
    COSTS("and deleted", PyObject_GC_Del(var));
    COSTS("four dead", for (int i = 1; i < 5; i++) Py_DECREF(actors[i]));
    COSTS("a string", string = PyUnicode_FromString("not a container"));
    COSTS("both dead", Py_DECREF(string); Py_DECREF(actors[0]));
}

static void
generations(void)
{
    for (int i = 0; i <= 2; i++) {
        long collections = statistic(i, "collections");

        Py_DECREF(need(gc_call("collect", "(i)", i)));
        say("collect(%d): stats +%ld, counts 0 %ld %ld", i,
            statistic(i, "collections") - collections, count(1), count(2));
    }
    for (int i = 0; i < 3; i++)
        Py_DECREF(need(gc_call("collect", "(i)", 0)));
    say("after three of the first: %ld %ld", count(1), count(2));
    for (int i = 0; i < 2; i++)
        Py_DECREF(need(gc_call("collect", "(i)", 1)));
    say("after two of the second: %ld %ld", count(1), count(2));
    PyGC_Collect();
    say("after all: %ld %ld", count(1), count(2));
}

static void
collected(PyTypeObject *type, int generation, int n)
{
    long before[2] = {statistic(generation, "collected"),
                      statistic(generation, "uncollectable")};

    struct actor *a = actor_ring(type, n);

    Py_DECREF(a);
    collect_generation(generation);
    if (type == &LegacyActor_Type)
        Py_CLEAR(a->refs[0]);
    say("generation %d, ring of %d: collected +%ld, uncollectable +%ld",
        generation, n, statistic(generation, "collected") - before[0],
        statistic(generation, "uncollectable") - before[1]);
}

void
oracle_program(void)
{
    need_ready(&LegacyActor_Type);
    PyGC_Collect();
    count(0); /* CPython keeps the tuple for the next call */
    containers();
    generations();
    for (int i = 0; i <= 2; i++)
        collected(&Actor_Type, i, 3 + i);
    collected(&LegacyActor_Type, 1, 1);
    collected(&LegacyActor_Type, 2, 1);
    SHOW(gc_call("get_threshold", "()"));
}
