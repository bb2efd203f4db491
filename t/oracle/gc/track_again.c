/* track_again.c: tracked, untracked, tracked again, in any order that the
   manual allows; while an object is not tracked, nothing that it holds is
   collected.
   Manual: "PyObject_GC_UnTrack": "PyObject_GC_Track() can be called again on
   this object". */

#include "oracle.h"

static void
by_turns(struct actor *a)
{
    PyObject *op = (PyObject *)a;

    state("new", op);
    PyObject_GC_UnTrack(op);
    state("untracked", op);
    PyObject_GC_UnTrack(op);
    state("untracked twice", op);
    PyObject_GC_Track(op);
    state("tracked again", op);
    for (int i = 0; i < 3; i++) {
        PyObject_GC_UnTrack(op);
        PyObject_GC_Track(op);
    }
    state("and again", op);
}

/* In which generation is an object that a full collection has seen, untracked
   and tracked? */
static void
generation_of(PyObject *op)
{
    for (int i = 0; i < 3; i++) {
        PyObject *objects = need(gc_call("get_objects", "(i)", i));

        if (PySequence_Contains(objects, op))
            say("    in generation %d", i);
        Py_DECREF(objects);
    }
}

void
oracle_program(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);

    by_turns(a);
    say("a ring of two, one of which is not tracked");
    PyObject_GC_UnTrack(a);
    Py_DECREF(a);
    collect();
    PyObject_GC_Track((PyObject *)a);
    say("tracked again");
    generation_of((PyObject *)a);
    Py_INCREF(a);
    collect();
    generation_of((PyObject *)a);
    PyObject_GC_UnTrack(a);
    generation_of((PyObject *)a);
    PyObject_GC_Track((PyObject *)a);
    generation_of((PyObject *)a);
    Py_DECREF(a);
    collect_generation(0);
    collect_generation(1);
    collect_generation(2);
    collect();
}
