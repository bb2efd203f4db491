/* during_gc.c: since 3.15: the functions that a tp_traverse may call: borrowed
   results, no exceptions, a pending one stays; in a collection as outside.
   Manual: "Supporting Cyclic Garbage Collection", "DuringGC functions". */

#include "oracle.h"

struct state {
    PyObject *shared; /* owned */
};

static PyTypeObject *holder_type; /* borrowed */
static struct PyModuleDef def;
static int asked;

/* Visits what it finds by these functions alone. */
static int
holder_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyObject *module = PyType_GetModule_DuringGC(Py_TYPE(op));
    PyObject **data = PyObject_GetTypeData_DuringGC(op, holder_type);

    asked += module != NULL &&
             module == PyType_GetModuleByToken_DuringGC(Py_TYPE(op), &def) &&
             PyType_GetModuleState_DuringGC(Py_TYPE(op)) ==
                 PyModule_GetState_DuringGC(module);
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(*data);
    return 0;
}

static int
holder_clear(PyObject *op)
{
    PyObject **data = PyObject_GetTypeData(op, holder_type);

    event("holder", "clear");
    Py_CLEAR(*data);
    return 0;
}

static void
holder_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    event("holder", "dealloc");
    Py_CLEAR(*(PyObject **)PyObject_GetTypeData(op, holder_type));
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_traverse, holder_traverse},
    {Py_tp_clear, holder_clear},
    {Py_tp_dealloc, holder_dealloc},
    {Py_tp_token, &holder_type},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "spam.Holder",
    .basicsize = -(int)sizeof(PyObject *),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "spam",
                                 .m_size = sizeof(struct state)};

static void
failures(PyObject *module)
{
    PyTypeObject *found = &PyLong_Type;
    void *found_token = &asked;

    PyErr_SetString(PyExc_KeyError, "pending");
    say("GetModule of int: %d",
        PyType_GetModule_DuringGC(&PyLong_Type) != NULL);
    say("GetModuleState of int: %d",
        PyType_GetModuleState_DuringGC(&PyLong_Type) != NULL);
    say("GetModuleByToken of int: %d",
        PyType_GetModuleByToken_DuringGC(&PyLong_Type, &def) != NULL);
    say("GetBaseByToken of int: %d",
        PyType_GetBaseByToken_DuringGC(&PyLong_Type, &holder_type, &found));
    say("    result %d", found != NULL);
    say("GetBaseByToken of NULL: %d",
        PyType_GetBaseByToken_DuringGC(holder_type, NULL, &found));
    say("GetState of None: %d", PyModule_GetState_DuringGC(Py_None) != NULL);
    say("GetToken of None: %d",
        PyModule_GetToken_DuringGC(Py_None, &found_token));
    say("    result %d", found_token != NULL);
    say("GetToken: %d", PyModule_GetToken_DuringGC(module, &found_token));
    say("    result %d", found_token == &def);
    say("GetBaseByToken: %d",
        PyType_GetBaseByToken_DuringGC(holder_type, &holder_type, &found));
    say("    result %d", found == holder_type);
    error();
}

void
oracle_program(void)
{
    PyObject *module = need(PyModule_Create(&def));
    PyObject *type = need(PyType_FromModuleAndSpec(module, &spec, NULL));
    PyObject *holder;
    Py_ssize_t counts[2];

    tell_clears = 1;
    holder_type = (PyTypeObject *)type;
    holder = need(PyType_GenericAlloc(holder_type, 0));
    *(PyObject **)PyObject_GetTypeData(holder, holder_type) =
        Py_NewRef(holder);
    counts[0] = Py_REFCNT(module);
    counts[1] = Py_REFCNT(type);
    failures(module);
    visits("holder", holder);
    say("asked: %d", asked);
    RESULT(Py_REFCNT(module) - counts[0]);
    RESULT(Py_REFCNT(type) - counts[1]);
    Py_DECREF(holder);
    asked = 0;
    collect();
    say("asked in the collection: %d", asked > 0);
    drop_all(module, type);
    PyGC_Collect();
}
