/* gc_freeze.c: freeze, unfreeze and get_freeze_count: what is frozen is no
   part of collections, searches still find its referents.
   Manual: module gc, freeze. */

#include "oracle.h"

static long
number(const char *name)
{
    PyObject *op = need(gc_call(name, "()"));
    long n = PyLong_AsLong(op);

    Py_DECREF(op);
    return n;
}

static int
is_in(PyObject *list, void *op)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (PyList_GET_ITEM(list, i) == op)
            return 1;
    return 0;
}

/* In which of the lists of objects op is. */
static void
where(const char *label, void *op)
{
    char line[80] = "";

    for (int i = 0; i <= 2; i++) {
        PyObject *list = need(gc_call("get_objects", "(i)", i));

        if (is_in(list, op))
            sprintf(line + strlen(line), " generation %d", i);
        Py_DECREF(list);
    }
    PyObject *list = need(gc_call("get_objects", "()"));
    if (is_in(list, op))
        strcat(line, " all");
    Py_DECREF(list);
    say("%s is in%s", label, line[0] != '\0' ? line : " none");
}

void
oracle_program(void)
{
    long base;
    struct actor *held = actor_new(&FinalActor_Type, "held");
    struct actor *ring = actor_ring(&FinalActor_Type, 2);

    Py_DECREF(need(gc_call("unfreeze", "()")));
    RESULT(number("get_freeze_count"));
    Py_DECREF(need(gc_call("freeze", "()")));
    say("frozen now: %d", number("get_freeze_count") > 0);
    base = number("get_freeze_count");
    where("held", held);
    state("held", (PyObject *)held);
    Py_DECREF(ring);
    collect(); /* the ring is frozen */
    say("frozen: %+ld", number("get_freeze_count") - base);
    Py_DECREF(need(gc_call("unfreeze", "()")));
    RESULT(number("get_freeze_count"));
    where("held", held);
    collect_generation(1); /* it is in the last one now */
    collect();
    Py_DECREF(need(gc_call("freeze", "()")));
    base = number("get_freeze_count");
    Py_DECREF(held);
    say("a frozen object died: %+ld", number("get_freeze_count") - base);
    held = actor_new(&Actor_Type, "new");
    where("new", held);
    say("a new one: %+ld", number("get_freeze_count") - base);
    PyObject_GC_UnTrack((PyObject *)held);
    where("untracked", held);
    PyObject_GC_Track((PyObject *)held);
    Py_DECREF(need(gc_call("freeze", "()")));
    PyObject_GC_UnTrack((PyObject *)held);
    PyObject_GC_Track((PyObject *)held);
    where("frozen and tracked again", held);
    collect();
    Py_DECREF(held);
}
