/* final_collects.c: collections from inside deallocators, finalizers and
   callbacks that run by reference count: what is dying is left alone.
   Manual: "PyGC_Collect"; "PyObject_GC_UnTrack": "The deallocator should call
   it before any of the fields used by the tp_traverse handler become
   invalid". */

#include "oracle.h"

static long collected, collections;

static void
drop_two_lists(void)
{
    PyObject *list = need(PyList_New(0)), *other = need(PyList_New(0));

    PyList_Append(list, other);
    PyList_Append(other, list);
    drop_all(other, list);
}

static void
collect_inside(struct actor *a)
{
    drop_two_lists();
    collected += PyGC_Collect();
    collections++;
}

static PyObject *
collect_in_callback(PyObject *self, PyObject *weakref)
{
    collect_inside(NULL);
    Py_RETURN_NONE;
}

static PyMethodDef collect_def = {"collect", collect_in_callback, METH_O,
                                  NULL};

static void
tell(const char *label)
{
    say("%s: %ld collections found %ld", label, collections, collected);
    collections = collected = 0;
}

static void
single(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "single");

    a->on_finalize = collect_inside;
    a->on_dealloc = collect_inside;
    actor_set(a, 0, Py_None);
    Py_DECREF(a);
    tell("a finalizer and a deallocator");
}

static void
callback(void)
{
    struct actor *a = actor_new(&Actor_Type, "referent");
    PyObject *function = need(PyCFunction_New(&collect_def, NULL));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, function));

    drop_all(function, a);
    tell("a callback");
    Py_DECREF(weakref);
}

/* In the deallocation of a chain that the collector also sees. */
static void
chain(long n)
{
    struct actor *head = NULL;

    for (long i = 0; i < n; i++) {
        struct actor *a = actor_new(&Actor_Type, "link");

        a->refs[0] = (PyObject *)head;
        if (i % 40 == 0)
            a->on_dealloc = collect_inside;
        head = a;
    }
    Py_DECREF(head);
    tell("a chain");
}

static void
let_a_ring_go(struct actor *a)
{
    actor_set(a, 0, NULL);
    collect_inside(a);
}

/* A dying object owned a ring, and lets it go before it collects. */
static void
owner(void)
{
    struct actor *a = actor_new(&Actor_Type, "owner");
    struct actor *ring = actor_ring(&FinalActor_Type, 1);

    actor_set(a, 0, ring);
    Py_DECREF(ring);
    a->on_dealloc = let_a_ring_go;
    Py_DECREF(a);
    tell("an owner");
}

void
oracle_program(void)
{
    single();
    callback();
    chain(200);
    owner();
    collect();
}
