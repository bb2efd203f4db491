/* visit_during_gc.c: the questions that a traverse function may ask, in a
   collection: like their twins, but borrowed, and without exceptions.  Since
   3.15; the twins are from 3.9 to 3.15.
   Manual: "DuringGC functions". */

#include "oracle.h"

struct state {
    long mark;
};

static PyModuleDef def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "m",
    .m_size = sizeof(struct state),
};
static PyModuleDef other_def = {PyModuleDef_HEAD_INIT, .m_name = "other"};

static char token;
static PyObject *module;
static PyTypeObject *data_type;
static int in_collection;

static void
ask(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op), *base = NULL;
    void *of_module = NULL;
    int found;

    event("state by type",
          PyType_GetModuleState_DuringGC(type) == PyModule_GetState(module)
              ? "the module's"
              : "wrong");
    event("state",
          ((struct state *)PyModule_GetState_DuringGC(module))->mark == 42
              ? "42"
              : "wrong");
    found = PyModule_GetToken_DuringGC(module, &of_module);
    event("module's token",
          found == 0 && of_module == &def ? "its def" : "wrong");
    found = PyType_GetBaseByToken_DuringGC(type, &token, &base);
    event("base by token",
          found == 1 && base == data_type ? "found" : "wrong");
    found = PyType_GetBaseByToken_DuringGC(type, &found, &base);
    event("base by another", found == 0 && base == NULL ? "none" : "wrong");
    event("module",
          PyType_GetModule_DuringGC(type) == module ? "found" : "wrong");
    event("module by token",
          PyType_GetModuleByToken_DuringGC(type, &def) == module ? "found"
                                                                 : "wrong");
    event("module by another",
          PyType_GetModuleByToken_DuringGC(type, &other_def) == NULL
              ? "none"
              : "wrong");
    event("items",
          PyObject_GetItemData_DuringGC(op) == NULL ? "none" : "wrong");
    event("exception", PyErr_Occurred() == NULL ? "none" : "one");
}

static int
asking_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyObject **member = PyObject_GetTypeData_DuringGC(op, data_type);

    if (in_collection) {
        in_collection = 0; /* once is enough */
        ask(op);
    }
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(*member);
    return 0;
}

static int
asking_clear(PyObject *op)
{
    Py_CLEAR(*(PyObject **)PyObject_GetTypeData(op, data_type));
    return 0;
}

static void
asking_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    event("asking", "dealloc");
    asking_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot asking_slots[] = {
    {Py_tp_traverse, asking_traverse},
    {Py_tp_clear, asking_clear},
    {Py_tp_dealloc, asking_dealloc},
    {Py_tp_token, &token},
    {0, NULL},
};
static PyType_Spec asking_spec = {
    .name = "m.Asking",
    .basicsize = -(int)sizeof(PyObject *),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = asking_slots,
};

void
oracle_program(void)
{
    PyObject *type, *op;
    Py_ssize_t modules, types;

    module = need(PyModule_Create(&def));
    ((struct state *)PyModule_GetState(module))->mark = 42;
    type = need(PyType_FromModuleAndSpec(module, &asking_spec, NULL));
    data_type = (PyTypeObject *)type;
    op = need(PyObject_CallNoArgs(type));
    modules = Py_REFCNT(module);
    types = Py_REFCNT(type);

    in_collection = 1;
    collect();
    say("references: module %+ld, type %+ld",
        (long)(Py_REFCNT(module) - modules), (long)(Py_REFCNT(type) - types));
    *(PyObject **)PyObject_GetTypeData(op, data_type) = Py_NewRef(op);
    Py_DECREF(op);
    collect();
    Py_DECREF(type);
    Py_DECREF(module);
    collect(); /* the type, its MRO, the module */
}
