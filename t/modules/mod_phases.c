/* mod_phases.c: a shared module of several phases with state, for
   check_import.c. */

#include <Python.h>

struct state {
    PyObject *list;
};

static struct state *
state_of(PyObject *module)
{
    return (struct state *)PyModule_GetState(module);
}

static int
execute(PyObject *module)
{
    struct state *state = state_of(module);

    state->list = PyList_New(0);
    return PyModule_AddObjectRef(module, "list", state->list);
}

static int
traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(state_of(module)->list);
    return 0;
}

static int
clear(PyObject *module)
{
    Py_CLEAR(state_of(module)->list);
    return 0;
}

static void
release(void *module)
{
    clear((PyObject *)module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mod_phases",
    .m_size = sizeof(struct state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit_mod_phases(void);

PyMODINIT_FUNC
PyInit_mod_phases(void)
{
    return PyModuleDef_Init(&definition);
}
