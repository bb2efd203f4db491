/* clear_missing.c: cycles that nothing breaks: no tp_clear, or one that does
   nothing. They are found each time, and stay; their finalizers are called
   the first time only.
   Manual: "The tp_clear handler must be of the inquiry type, or NULL if the
   object is immutable". */

#include "oracle.h"

static int
idle_clear(PyObject *op)
{
    event(((struct actor *)op)->name, "clear");
    return 0;
}

static PyTypeObject Idle_Type = {
    ACTOR_TYPE("oracle.Idle", actor_dealloc, actor_traverse, idle_clear),
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
    .tp_finalize = actor_finalize,
};

static void
three_times(PyTypeObject *type)
{
    struct actor *a = actor_ring(type, 2);
    PyObject *weakref = watch(a, "weakref");

    say("%s:", type->tp_name);
    Py_DECREF(a);
    for (int i = 0; i < 3; i++) {
        collect();
        say("    found by the weak reference: %d",
            PyWeakref_GetObject(weakref) != Py_None);
    }
    state("a", (PyObject *)a); /* it has not been freed */
    Py_DECREF(weakref);

    say("a new member that clears:");
    actor_set((struct actor *)a->refs[0], 1, actor_new(&Actor_Type, "hangs"));
    Py_DECREF(((struct actor *)a->refs[0])->refs[1]);
    collect();
    actor_set(a, 0, NULL); /* b goes, and with it a */
}

/* A tuple in itself cannot be made but in C; it has no tp_clear. */
static void
tuple(void)
{
    PyObject *self = need(PyTuple_New(1));

    say("a tuple in itself:");
    PyTuple_SET_ITEM(self, 0, self);
    collect();
    collect();
    PyTuple_SET_ITEM(self, 0, NULL);
    Py_DECREF(self);
    collect();
}

void
oracle_program(void)
{
    need_ready(&Idle_Type);
    three_times(&FixedActor_Type);
    three_times(&Idle_Type);
    tuple();
}
