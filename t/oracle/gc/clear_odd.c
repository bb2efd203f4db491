/* clear_odd.c: tp_clear that returns something, untracks its object, tracks it
   anew, or gives a new reference to it away.
   Manual: "inquiry". */

#include "oracle.h"

static PyObject *attic;

static void
untrack(struct actor *a)
{
    PyObject_GC_UnTrack(a);
}

static void
track_anew(struct actor *a)
{
    PyObject_GC_UnTrack(a);
    PyObject_GC_Track((PyObject *)a);
}

static void
give_away(struct actor *a)
{
    PyList_Append(attic, (PyObject *)a);
}

static void
raise(struct actor *a)
{
    PyErr_SetString(PyExc_ValueError, "cleared");
}

/* Clears nothing but the second reference, and returns 5. */
static int
keep_clear(PyObject *op)
{
    struct actor *self = (struct actor *)op;

    event(self->name, "clear");
    if (self->on_clear != NULL)
        self->on_clear(self);
    Py_CLEAR(self->refs[1]);
    return 5;
}

static PyTypeObject Keep_Type = {
    ACTOR_TYPE("oracle.Keep", actor_dealloc, actor_traverse, keep_clear),
};

static void
loop(PyTypeObject *type, const char *name, void (*on_clear)(struct actor *))
{
    struct actor *a = actor_new(type, name);

    say("%s, %s:", type->tp_name, name);
    a->on_clear = on_clear;
    actor_set(a, 0, a);
    if (type == &Keep_Type)
        actor_set(a, 1, a);
    Py_DECREF(a);
    collect();
    collect();
    if (type == &Keep_Type || PyList_Size(attic) > 0) {
        a->on_clear = NULL;
        state("it lives", (PyObject *)a);
        PyList_SetSlice(attic, 0, PY_SSIZE_T_MAX, NULL);
        actor_set(a, 0, NULL);
    }
    collect();
}

/* Clears, then is given away: it lives, empty. */
static void
given_away(void)
{
    struct actor *a = actor_new(&Actor_Type, "empty");

    say("given away:");
    a->on_clear = give_away;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    visits("    it", (PyObject *)a);
    state("    it", (PyObject *)a);
    collect();
    PyList_SetSlice(attic, 0, 1, NULL);
}

void
oracle_program(void)
{
    need_ready(&Keep_Type);
    tell_clears = 1;
    unraisable_to_transcript();
    attic = need(PyList_New(0));
    loop(&Keep_Type, "keep", NULL);
    loop(&Keep_Type, "untrack", untrack);
    loop(&Keep_Type, "track anew", track_anew);
    loop(&Keep_Type, "raise", raise);
    loop(&Actor_Type, "untrack", untrack);
    loop(&Actor_Type, "track anew", track_anew);
    loop(&Actor_Type, "raise", raise);
    given_away();
    Py_DECREF(attic);
}
