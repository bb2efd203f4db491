/* visit_type.c: a heap type as a container: what it visits, and that it goes
   with its instances and its module when these visit it.
   Manual: "Traversal": "Instances of heap-allocated types hold a reference to
   their type. Their traversal function must therefore visit the type". */

#include "oracle.h"

static int
visiting_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return actor_traverse(op, visit, arg);
}

static PyType_Slot visiting_slots[] = {
    {Py_tp_dealloc, actor_dealloc},
    {Py_tp_traverse, visiting_traverse},
    {Py_tp_clear, actor_clear},
    {0, NULL},
};
static PyType_Spec visiting_spec = {
    .name = "oracle.Visiting",
    .basicsize = sizeof(struct actor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = visiting_slots,
};

static PyType_Slot hiding_slots[] = {
    {Py_tp_dealloc, actor_dealloc},
    {Py_tp_traverse, actor_traverse},
    {Py_tp_clear, actor_clear},
    {0, NULL},
};
static PyType_Spec hiding_spec = {
    .name = "oracle.Hiding",
    .basicsize = sizeof(struct actor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = hiding_slots,
};

static void
type_alone(PyType_Spec *spec)
{
    PyObject *type = need(PyType_FromSpec(spec));

    say("%s, alone:", spec->name);
    state("    type", type);
    visits("    type", type);
    Py_DECREF(type);
    collect();
}

/* A ring of instance, type and the type's attribute. */
static void
ring_through_type(PyType_Spec *spec)
{
    PyObject *type = need(PyType_FromSpec(spec));
    struct actor *a = actor_new((PyTypeObject *)type, "a");

    say("%s, its instance an attribute:", spec->name);
    visits("    instance", (PyObject *)a);
    PyObject_SetAttrString(type, "instance", (PyObject *)a);
    drop_all(a, type);
    collect();
}

/* A ring of instances only; the type lives on. */
static void
ring_of_instances(PyType_Spec *spec)
{
    PyObject *type = need(PyType_FromSpec(spec));
    Py_ssize_t before = Py_REFCNT(type);
    struct actor *a = actor_ring((PyTypeObject *)type, 3);

    say("%s, a ring of instances:", spec->name);
    say("    references to the type: %+ld", (long)(Py_REFCNT(type) - before));
    Py_DECREF(a);
    collect();
    say("    references to the type: %+ld", (long)(Py_REFCNT(type) - before));
    Py_DECREF(type);
    collect();
}

static void
type_and_module(void)
{
    PyObject *module = need(PyModule_New("m"));
    PyObject *type =
        need(PyType_FromModuleAndSpec(module, &visiting_spec, NULL));
    struct actor *a = actor_new((PyTypeObject *)type, "a");

    say("module, type and instance:");
    visits("    type", type);
    PyModule_AddObjectRef(module, "type", type);
    PyModule_AddObjectRef(module, "instance", (PyObject *)a);
    drop_all(a, type);
    collect();
    Py_DECREF(module);
    collect();
}

void
oracle_program(void)
{
    PyType_Spec *specs[] = {&visiting_spec, &hiding_spec};

    for (int i = 0; i < 2; i++) {
        type_alone(specs[i]);
        ring_of_instances(specs[i]);
        ring_through_type(specs[i]);
    }
    type_and_module();
}
