/* visit_subclass.c: classes that type() makes: their instances visit the
   attributes, the class, and what the base visits.
   Manual: "Traversal"; "Type Objects": "tp_traverse", "tp_dictoffset". */

#include "oracle.h"

/* type("Class", (base,), {"__slots__": slots}); NULL: no slots, a dict. */
static PyObject *
class_of(PyTypeObject *base, const char *slot)
{
    PyObject *dict = need(PyDict_New()), *type;

    if (slot != NULL) {
        PyObject *slots = need(Py_BuildValue("(s)", slot));

        PyDict_SetItemString(dict, "__slots__", slots);
        Py_DECREF(slots);
    }
    type = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O)O", "Class",
                                 base, dict);
    Py_DECREF(dict);
    return need(type);
}

static void
set(PyObject *op, const char *name, PyObject *value)
{
    if (PyObject_SetAttrString(op, name, value) < 0)
        need(NULL);
}

/* What an instance reaches by gc.get_referents, apart from its dict. */
static void
instance_of(const char *label, PyObject *type, PyObject *member)
{
    PyObject *op = need(PyType_GenericAlloc((PyTypeObject *)type, 0));

    say("%s:", label);
    state("    instance", op);
    visits("    empty", op);
    set(op, "x", member);
    visits("    filled", op);
    set(op, "x", op);
    visits("    referring to itself", op);
    Py_DECREF(op);
    collect();
}

/* An instance has its attributes for itself until code asks for the dict,
   which is an object then. */
static void
with_dict(PyObject *member)
{
    PyObject *type = class_of(&PyBaseObject_Type, NULL), *dict;
    PyObject *op = need(PyObject_CallNoArgs(type));

    say("class with a dict:");
    visits("    empty", op);
    dict = need(PyObject_GenericGetDict(op, NULL));
    PyDict_SetItemString(dict, "x", member);
    visits("    filled", op);
    Py_DECREF(dict);
    set(op, "self", op);
    Py_DECREF(op);
    collect();
    Py_DECREF(type);
    collect();
}

static void
without_asking(void)
{
    PyObject *type = class_of(&PyBaseObject_Type, NULL);
    PyObject *op = need(PyObject_CallNoArgs(type));

    set(op, "self", op);
    visits("    not asked for its dict", op);
    Py_DECREF(op);
    collect();
    Py_DECREF(type);
    collect();
}

void
oracle_program(void)
{
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");
    PyObject *slotted = class_of(&PyBaseObject_Type, "x");
    PyObject *actor_class = class_of(&Actor_Type, "x");
    PyObject *below = class_of((PyTypeObject *)actor_class, "y");

    instance_of("class with a slot", slotted, a);
    instance_of("subclass with a slot", actor_class, a);
    instance_of("its subclass", below, a);
    with_dict(a);
    without_asking();
    state("a", a);
    drop_all(a, slotted, below, actor_class);
    collect();
}
