/* track_fatal.c: what is tracked already must not be tracked: the last words.
   Manual: "PyObject_GC_Track". */

#include "oracle.h"

static void
track_twice(void)
{
    struct actor *a = actor_new(&Actor_Type, "a"); /* tracked */

    PyObject_GC_Track((PyObject *)a);
}

static void
track_twice_later(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");

    Py_INCREF(a);
    PyObject_GC_UnTrack(a);
    PyObject_GC_Track((PyObject *)a);
    PyGC_Collect();
    PyObject_GC_Track((PyObject *)a);
}

static void
track_list(void)
{
    PyObject_GC_Track(need(PyList_New(0)));
}

static void
untrack_twice(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");

    PyObject_GC_UnTrack(a);
    PyObject_GC_UnTrack(a);
}

void
oracle_program(void)
{
    fatal("tracked twice", track_twice);
    fatal("tracked after a collection", track_twice_later);
    fatal("a list", track_list);
    fatal("untracked twice", untrack_twice);
}
