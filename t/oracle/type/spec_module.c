/* spec_module.c: a heap type, its module, the module's state and the type's
   instances are one cycle, and are collected as one.
   Manual: "Creating Heap-Allocated Types", PyType_FromModuleAndSpec,
   PyType_GetModuleState; "Supporting Cyclic Garbage Collection". */

#include "oracle.h"

struct state {
    PyObject *type;  /* owned */
    PyObject *first; /* an instance; owned */
};

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return actor_traverse(op, visit, arg);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, actor_dealloc},
    {Py_tp_traverse, thing_traverse},
    {Py_tp_clear, actor_clear},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "spam.Thing",
    .basicsize = sizeof(struct actor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

static int
spam_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);

    Py_VISIT(state->type);
    Py_VISIT(state->first);
    return 0;
}

static int
spam_clear(PyObject *module)
{
    struct state *state = PyModule_GetState(module);

    Py_CLEAR(state->type);
    Py_CLEAR(state->first);
    return 0;
}

static void
spam_free(void *module)
{
    event("module", "dealloc");
    spam_clear(module);
}

static struct PyModuleDef def = {
    PyModuleDef_HEAD_INIT,          .m_name = "spam",
    .m_size = sizeof(struct state), .m_traverse = spam_traverse,
    .m_clear = spam_clear,          .m_free = spam_free,
};

static PyObject *
spam(void)
{
    PyObject *module = need(PyModule_Create(&def));
    struct state *state = PyModule_GetState(module);

    state->type = need(PyType_FromModuleAndSpec(module, &spec, NULL));
    state->first = (PyObject *)actor_new((PyTypeObject *)state->type, "first");
    RESULT(PyModule_AddObjectRef(module, "Thing", state->type));
    RESULT(PyType_GetModule((PyTypeObject *)state->type) == module);
    RESULT(PyType_GetModuleState((PyTypeObject *)state->type) == state);
    return module;
}

/* The dictionary of the module, the type, its mro and bases ... */
static void
let_go(const char *label, PyObject *op)
{
    say("%s", label);
    Py_DECREF(op);
    collect();
}

void
oracle_program(void)
{
    PyObject *module = spam(), *type, *instance;

    let_go("the module alone", module);
    module = spam();
    type = need(PyObject_GetAttrString(module, "Thing"));
    Py_DECREF(module);
    say("held by the type");
    collect();
    instance = (PyObject *)actor_new((PyTypeObject *)type, "second");
    Py_DECREF(type);
    say("held by an instance");
    collect();
    visits("instance", instance);
    say("module is %s", PyModule_GetName(PyType_GetModule(Py_TYPE(instance))));
    actor_set((struct actor *)instance, 0,
              PyType_GetModule(Py_TYPE(instance)));
    let_go("the instance, which refers to the module", instance);
}
