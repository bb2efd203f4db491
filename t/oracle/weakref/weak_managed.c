/* weak_managed.c: types whose list of weak references the library manages.
   The flag is there since 3.12.
   Manual: "Py_TPFLAGS_MANAGED_WEAKREF": "This bit indicates that instances of
   the class should be weakly referenceable". */

#include "oracle.h"

struct managed {
    PyObject_HEAD
    PyObject *member;
};

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(((struct managed *)op)->member);
    return 0;
}

static int
managed_clear(PyObject *op)
{
    Py_CLEAR(((struct managed *)op)->member);
    return 0;
}

static void
managed_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    event("managed", "dealloc");
    PyObject_ClearWeakRefs(op);
    managed_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot managed_slots[] = {
    {Py_tp_traverse, managed_traverse},
    {Py_tp_clear, managed_clear},
    {Py_tp_dealloc, managed_dealloc},
    {0, NULL},
};
static PyType_Spec managed_spec = {
    .name = "oracle.Managed",
    .basicsize = sizeof(struct managed),
    .flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_WEAKREF,
    .slots = managed_slots,
};

static void
tell(const char *label, PyObject *ref)
{
    say("%s: %s", label, ref_life(ref));
}

static void
live_and_die(PyObject *type, int in_ring)
{
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *basic = need(PyWeakref_NewRef(op, NULL));
    PyObject *again = need(PyWeakref_NewRef(op, NULL));
    PyObject *first = watch(op, "first"), *second = watch(op, "second");

    say("shared: %d", basic == again);
    Py_DECREF(again);
    visits("it", op);
    if (in_ring)
        ((struct managed *)op)->member = Py_NewRef(op);
    tell("basic", basic);
    Py_DECREF(op);
    collect();
    tell("basic", basic);
    tell("first", first);
    tell("second", second);
    drop_all(basic, first, second);
}

void
oracle_program(void)
{
    PyObject *type = need(PyType_FromSpec(&managed_spec));

    say("supported: %d", PyType_SUPPORTS_WEAKREFS((PyTypeObject *)type) != 0);
    live_and_die(type, 0);
    live_and_die(type, 1);
    Py_DECREF(type);
}
