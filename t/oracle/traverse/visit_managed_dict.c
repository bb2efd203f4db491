/* visit_managed_dict.c: types whose dict the library manages.  The flag's
   public functions are there since 3.13.
   Manual: "Traversal": "If the Py_TPFLAGS_MANAGED_DICT bit is set in the
   tp_flags field, the traverse function must call
   PyObject_VisitManagedDict()"; "PyObject_ClearManagedDict". */

#include "oracle.h"

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return PyObject_VisitManagedDict(op, visit, arg);
}

static int
managed_clear(PyObject *op)
{
    event(Py_TYPE(op)->tp_name, "clear");
    PyObject_ClearManagedDict(op);
    return 0;
}

static void
managed_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    event(type->tp_name, "dealloc");
    PyObject_ClearManagedDict(op);
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
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
    .slots = managed_slots,
};

/* Stops with 7 at a dict or, where the dict is none, at a value. */
static int
stop_at_actor(PyObject *op, void *arg)
{
    return Py_IS_TYPE(op, &Actor_Type) || PyDict_Check(op) ? 7 : 0;
}

static int
set(PyObject *op, const char *name, PyObject *value)
{
    return PyObject_SetAttrString(op, name, value);
}

static void
visited(PyObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");

    state("instance", op);
    say("empty: %d", PyObject_VisitManagedDict(op, stop_at_actor, NULL));
    say("set: %d", set(op, "x", a));
    say("filled: %d", PyObject_VisitManagedDict(op, stop_at_actor, NULL));
    state("a", a);
    PyObject_ClearManagedDict(op);
    state("a", a);
    say("cleared: %d", PyObject_VisitManagedDict(op, stop_at_actor, NULL));
    show("x", PyObject_GetAttrString(op, "x"));
    drop_all(op, a);
}

/* Without the flag both do nothing; 3.13 crashes in the second. */
static void
without_the_flag(void)
{
    PyObject *list = need(Py_BuildValue("[i]", 5));

    say("a list: %d", PyObject_VisitManagedDict(list, stop_at_actor, NULL));
    PyObject_ClearManagedDict(list);
    show("a list", list);
}

/* The dict is a part of the instance until code asks for it; then it is an
   object, and counts.  3.13 counts the instance alone both times: the values
   stay the instance's even then. */
static void
collected(PyObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs(type)), *dict;

    set(op, "self", op);
    Py_DECREF(op);
    say("a ring through an attribute:");
    collect();
    op = need(PyObject_CallNoArgs(type));
    dict = need(PyObject_GenericGetDict(op, NULL));
    PyDict_SetItemString(dict, "self", op);
    drop_all(dict, op);
    say("a ring through the dict:");
    collect();
}

void
oracle_program(void)
{
    PyObject *type = need(PyType_FromSpec(&managed_spec));

    visited(type);
    without_the_flag();
    collected(type);
    Py_DECREF(type);
}
