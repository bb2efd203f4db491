/* weak_no_callbacks.c: a deallocator with a finalizer of its own: weak
   references die with their callbacks before it, and those that it made
   without.  PyUnstable_Object_ClearWeakRefsNoCallbacks: since 3.13.
   Manual: "The handler for those objects first calls PyObject_ClearWeakRefs()
   to clear weakrefs and call their callbacks, then the finalizer, and finally
   this function to clear any weakrefs that may have been created by the
   finalizer". */

#include "oracle.h"

static PyObject *made;

static void
make(struct actor *a)
{
    made = watch(a, "of the finalizer");
}

static void
careful_dealloc(PyObject *op)
{
    struct actor *self = (struct actor *)op;

    if (self->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyUnstable_Object_ClearWeakRefsNoCallbacks(op);
    PyObject_GC_UnTrack(op);
    say("%s: dealloc, list %s", self->name,
        self->weaklist == NULL ? "empty" : "not empty");
    Py_CLEAR(self->refs[0]);
    PyObject_GC_Del(op);
}

static PyTypeObject Careful_Type = {
    ACTOR_TYPE("oracle.Careful", careful_dealloc, actor_traverse, actor_clear),
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
    .tp_finalize = actor_finalize,
};

static void
tell(const char *label, PyObject *ref)
{
    say("%s: %s", label, ref_life(ref));
}

/* The object need not be dying. */
static void
of_the_living(void)
{
    struct actor *a = actor_new(&Actor_Type, "living");
    PyObject *plain = need(PyWeakref_NewRef((PyObject *)a, NULL));
    PyObject *heard = watch(a, "never called");

    PyUnstable_Object_ClearWeakRefsNoCallbacks((PyObject *)a);
    tell("plain", plain);
    tell("with a callback", heard);
    state("living", (PyObject *)a);
    drop_all(a, plain, heard);
}

void
oracle_program(void)
{
    struct actor *a;
    PyObject *before;

    need_ready(&Careful_Type);
    a = actor_new(&Careful_Type, "careful");
    before = watch(a, "from before");
    a->on_finalize = make;
    Py_DECREF(a);
    tell("from before", before);
    tell("of the finalizer", made);
    drop_all(before, made);
    of_the_living();
}
