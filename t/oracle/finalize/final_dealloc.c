/* final_dealloc.c: PyObject_CallFinalizerFromDealloc: what it returns, and
   what lives then.
   Manual: "PyObject_CallFinalizerFromDealloc"; "tp_finalize". */

#include "oracle.h"

static int returned;

static void
telling_dealloc(PyObject *op)
{
    struct actor *self = (struct actor *)op;

    returned = PyObject_CallFinalizerFromDealloc(op);
    say("%s: returned %d, count %ld, %s, %s", self->name, returned,
        (long)Py_REFCNT(op),
        PyObject_GC_IsTracked(op) ? "tracked" : "untracked",
        PyObject_GC_IsFinalized(op) ? "finalized" : "not finalized");
    if (returned < 0)
        return;
    PyObject_GC_UnTrack(op);
    Py_CLEAR(self->refs[0]);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject Telling_Type = {
    ACTOR_TYPE("oracle.Telling", telling_dealloc, actor_traverse, actor_clear),
    .tp_finalize = actor_finalize,
};

static PyObject *kept;

static void
keep(struct actor *a)
{
    state("    inside", (PyObject *)a);
    kept = Py_NewRef((PyObject *)a);
}

static void
keep_twice(struct actor *a)
{
    keep(a);
    Py_INCREF(a);
}

static void
keep_not(struct actor *a)
{
    keep(a);
    Py_CLEAR(kept);
    state("    inside", (PyObject *)a);
}

static void
die(const char *name, void (*on_finalize)(struct actor *))
{
    struct actor *a = actor_new(&Telling_Type, name);

    a->on_finalize = on_finalize;
    actor_set(a, 0, Py_None);
    Py_DECREF(a);
    say("%s is %s", name, kept != NULL ? "kept" : "gone");
}

/* It has a count of 1, and must not be in its deallocator. */
static void
not_dying(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "alive");

    PyObject_CallFinalizerFromDealloc((PyObject *)a);
}

void
oracle_program(void)
{
    need_ready(&Telling_Type);
    die("quiet", NULL);
    die("keep not", keep_not);
    die("keep", keep);
    Py_CLEAR(kept);
    die("keep twice", keep_twice);
    Py_DECREF(kept);
    state("kept by one", kept);
    Py_CLEAR(kept);
    fatal("a count that is not zero", not_dying);
    collect();
}
