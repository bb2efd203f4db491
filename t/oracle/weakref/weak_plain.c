/* weak_plain.c: weak references to objects that are no containers: the type
   needs nothing but the list.
   Manual: "Type Objects": "tp_weaklistoffset"; "PyObject_ClearWeakRefs". */

#include "oracle.h"

#include <structmember.h>

struct plain {
    PyObject_HEAD
    PyObject *weaklist;
};

static void
plain_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    event("plain", "dealloc");
    if (((struct plain *)op)->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    type->tp_free(op);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_DECREF(type);
}

static PyTypeObject Plain_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Plain",
    .tp_basicsize = sizeof(struct plain),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_weaklistoffset = offsetof(struct plain, weaklist),
    .tp_dealloc = plain_dealloc,
    .tp_new = PyType_GenericNew,
};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct plain, weaklist),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot heap_slots[] = {
    {Py_tp_dealloc, plain_dealloc},
    {Py_tp_members, members},
    {0, NULL},
};
static PyType_Spec heap_spec = {
    .name = "oracle.HeapPlain",
    .basicsize = sizeof(struct plain),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = heap_slots,
};

static void
of_type(PyTypeObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs((PyObject *)type));
    PyObject *first = watch(op, "first"), *second = watch(op, "second");
    PyObject *basic = need(PyWeakref_NewRef(op, NULL));

    say("%s: offset set %d", type->tp_name, type->tp_weaklistoffset > 0);
    state("it", op);
    say("found: %d", PyWeakref_GetObject(basic) == op);
    Py_DECREF(op);
    say("dead: %d %d %d", PyWeakref_GetObject(basic) == Py_None,
        PyWeakref_GetObject(first) == Py_None,
        PyWeakref_GetObject(second) == Py_None);
    drop_all(first, second, basic);
}

/* In a ring it hangs, it dies by its count, and the callback is called. */
static void
hanging(void)
{
    struct actor *a = actor_ring(&Actor_Type, 1);
    PyObject *op = need(PyObject_CallNoArgs((PyObject *)&Plain_Type));
    PyObject *outside = watch(op, "outside"), *inside = watch(op, "inside");

    say("on a ring:");
    actor_set(a, 1, op);
    actor_set(a, 2, inside);
    drop_all(inside, op, a);
    collect();
    say("dead: %d", PyWeakref_GetObject(outside) == Py_None);
    Py_DECREF(outside);
}

void
oracle_program(void)
{
    PyObject *heap = need(PyType_FromSpec(&heap_spec)), *below;

    need_ready(&Plain_Type);
    below = call_type(&PyType_Type, "s(O){}", "Below", &Plain_Type);
    of_type(&Plain_Type);
    of_type((PyTypeObject *)heap);
    of_type((PyTypeObject *)below);
    hanging();
    drop_all(heap, below);
}
