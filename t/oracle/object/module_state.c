/* module_state.c: m_traverse, m_clear and m_free: when each is called, with
   state and without, at the end by counts and in a collection.
   Manual: "Module Objects", PyModuleDef. */

#include "oracle.h"

struct state {
    PyObject *ref; /* owned */
};

static int
traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);

    Py_VISIT(state->ref);
    return 0;
}

static int
clear(PyObject *module)
{
    struct state *state = PyModule_GetState(module);

    event("module", "m_clear");
    Py_CLEAR(state->ref);
    return 0;
}

static void
release(void *op)
{
    struct state *state = PyModule_GetState(op);

    event("module", state == NULL        ? "m_free without state"
                    : state->ref != NULL ? "m_free, ref there"
                                         : "m_free, ref gone");
    if (state != NULL)
        Py_CLEAR(state->ref);
}

static struct PyModuleDef def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "stateful",
    .m_size = sizeof(struct state),
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

static PyObject *
stateful(const char *name)
{
    PyObject *module = need(PyModule_Create(&def));
    struct state *state = PyModule_GetState(module);

    result("state is zeroed", state->ref == NULL);
    state->ref = (PyObject *)actor_new(&Actor_Type, name);
    return module;
}

static int
count(PyObject *op, void *arg)
{
    if (Py_TYPE(op) == &Actor_Type)
        say("visited %s", ((struct actor *)op)->name);
    return 0;
}

void
oracle_program(void)
{
    PyObject *module = stateful("by counts");

    state("module", module);
    RESULT(Py_TYPE(module)->tp_traverse(module, count, NULL));
    Py_DECREF(module);
    module = stateful("itself");
    Py_SETREF(((struct state *)PyModule_GetState(module))->ref,
              Py_NewRef(module));
    visits("module", module);
    Py_DECREF(module);
    collect();
    module = stateful("held");
    PyModule_AddObjectRef(module, "itself", module);
    collect();
    PyDict_Clear(PyModule_GetDict(module));
    say("dictionary emptied");
    SHOW(PyModule_GetNameObject(module));
    Py_DECREF(module);
    collect();
}
