/* visit_weaklist.c: an object does not own the weak references to it: they
   are no reason to keep them, nor to count them.
   Manual: "Traversal": "the pointer supporting the linked list (what
   tp_weaklist points to) must not be visited". */

#include "oracle.h"

static void
not_visited(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    PyObject *plain = need(PyWeakref_NewRef((PyObject *)a, NULL));
    PyObject *with_callback = watch(a, "weakref");

    visits("with two weak references", (PyObject *)a);
    state("a", (PyObject *)a);
    state("plain weakref", plain);
    state("weakref with a callback", with_callback);
    drop_all(plain, a, with_callback);
}

/* The only reference to the weak reference goes: its callback with it. */
static void
weakref_first(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    PyObject *weakref = watch(a, "gone first");

    drop_all(weakref, a);
    collect();
}

/* a owns a weak reference to b, which owns a: the weak reference hangs on the
   ring, and is counted with it. */
static void
weakref_in_ring(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);
    PyObject *weakref = watch(a->refs[0], "owned by the ring");

    actor_set(a, 1, weakref);
    drop_all(weakref, a);
    collect();
}

/* A weak reference does not make a ring out of a chain. */
static void
no_ring(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    struct actor *b = actor_new(&Actor_Type, "b");
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, NULL));

    actor_set(a, 0, b);
    actor_set(b, 0, weakref);
    drop_all(b, weakref);
    collect();
    state("a", (PyObject *)a);
    Py_DECREF(a);
    collect();
}

void
oracle_program(void)
{
    not_visited();
    weakref_first();
    weakref_in_ring();
    no_ring();
}
