/* capsules.c: capsules: their destructor, context, names that change, import
   by name, and what a capsule in a cycle of others does.
   Manual: "Capsules". */

#include "oracle.h"

static int one, two;

static void
destroy(PyObject *capsule)
{
    const char *name = PyCapsule_GetName(capsule);

    event("capsule", "dealloc");
    if (PyCapsule_GetPointer(capsule, name) == &two)
        say("it has the other pointer");
    if (PyCapsule_GetContext(capsule) == &one)
        say("it has a context");
    PyErr_SetString(PyExc_ValueError, "left by the destructor");
    PyErr_Clear();
}

static void
life(void)
{
    PyObject *capsule = need(PyCapsule_New(&one, "a.b", destroy));

    state("capsule", capsule);
    RESULT(PyCapsule_CheckExact(capsule));
    RESULT(PyCapsule_GetDestructor(capsule) == destroy);
    RESULT(PyCapsule_SetPointer(capsule, &two));
    RESULT(PyCapsule_SetContext(capsule, &one));
    RESULT(PyCapsule_SetName(capsule, "c.d"));
    RESULT(PyCapsule_IsValid(capsule, "a.b"));
    RESULT(PyCapsule_IsValid(capsule, "c.d"));
    RESULT(PyCapsule_SetName(capsule, NULL));
    RESULT(PyCapsule_IsValid(capsule, NULL));
    SHOW(PyObject_GetAttrString(capsule, "x"));
    SHOW(PyObject_CallNoArgs(capsule));
    SHOW(PyObject_CallNoArgs((PyObject *)&PyCapsule_Type));
    Py_DECREF(capsule);
    capsule = need(PyCapsule_New(&one, NULL, destroy));
    RESULT(PyCapsule_SetDestructor(capsule, NULL));
    Py_DECREF(capsule);
    say("no destructor, nothing said");
}

static void
import(void)
{
    PyObject *module = need(PyModule_New("oracle_capsules"));
    PyObject *capsule = need(PyCapsule_New(&one, "oracle_capsules.api", NULL));
    PyObject *modules = PyImport_GetModuleDict();

    RESULT(PyDict_SetItemString(modules, "oracle_capsules", module));
    RESULT(PyModule_AddObjectRef(module, "api", capsule));
    RESULT(PyModule_AddObjectRef(module, "other", capsule));
    RESULT(PyCapsule_Import("oracle_capsules.api", 0) == &one);
    RESULT(PyCapsule_Import("oracle_capsules.other", 0) != NULL);
    RESULT(PyCapsule_Import("oracle_capsules.none", 0) != NULL);
    RESULT(PyCapsule_Import("oracle_capsules", 0) != NULL);
    RESULT(PyDict_DelItemString(modules, "oracle_capsules"));
    drop_all(module, capsule);
}

void
oracle_program(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    PyObject *capsule = need(PyCapsule_New(&one, NULL, destroy));

    life();
    import();
    actor_set(a, 0, a);
    actor_set(a, 1, capsule);
    drop_all(capsule, a);
    collect();
}
