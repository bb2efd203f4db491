/* weak_clear.c: PyObject_ClearWeakRefs, the deallocator's part: the weak
   references die, callbacks run, and the object is still whole.
   Manual: "PyObject_ClearWeakRefs". */

#include "oracle.h"

static PyObject *weakref;

static void
tell(PyObject *op, const char *when)
{
    say("%s: weak reference %s, list %s, member %s", when, ref_life(weakref),
        ((struct actor *)op)->weaklist != NULL ? "not empty" : "empty",
        ((struct actor *)op)->refs[0] != NULL ? "there" : "gone");
}

static void
early_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    tell(op, "before");
    PyObject_ClearWeakRefs(op);
    tell(op, "after");
    PyObject_ClearWeakRefs(op);
    tell(op, "again");
    Py_CLEAR(((struct actor *)op)->refs[0]);
    PyObject_GC_Del(op);
}

static PyTypeObject Early_Type = {
    ACTOR_TYPE("oracle.Early", early_dealloc, actor_traverse, actor_clear),
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
};

static void
in_dealloc(void)
{
    struct actor *a = actor_new(&Early_Type, "early");
    PyObject *plain = need(PyWeakref_NewRef((PyObject *)a, NULL));

    weakref = watch(a, "callback");
    actor_set(a, 0, Py_None);
    PyErr_SetString(PyExc_KeyError, "pending");
    Py_DECREF(a);
    error();
    say("the plain one: %s", ref_life(plain));
    drop_all(plain, weakref);
}

/* Objects that live, or cannot be referred to weakly. */
static void
not_dying(void)
{
    struct actor *a = actor_new(&Actor_Type, "alive");
    PyObject *list = need(PyList_New(0));

    weakref = watch(a, "never called");
    PyObject_ClearWeakRefs((PyObject *)a);
    error();
    say("weak reference %s", ref_life(weakref));
    PyObject_ClearWeakRefs(list);
    error();
    PyObject_ClearWeakRefs(NULL);
    error();
    drop_all(weakref, list, a);
}

/* The callback is called once, by what comes first. */
static void
once(void)
{
    struct actor *a = actor_ring(&Actor_Type, 2);

    weakref = watch(a, "once");
    Py_DECREF(a);
    collect();
    Py_DECREF(weakref);
}

void
oracle_program(void)
{
    need_ready(&Early_Type);
    in_dealloc();
    not_dying();
    once();
}
