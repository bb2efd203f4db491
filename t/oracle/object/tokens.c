/* tokens.c: since 3.14 (types) and 3.15 (modules): tokens: Py_tp_token,
   PyType_GetBaseByToken, PyModule_GetToken, PyType_GetModuleByToken.
   Manual: "Type Objects", PyType_GetBaseByToken, PyType_GetModuleByToken;
   "Module Objects", PyModule_GetToken.  Of what is no module the latter says
   what the older functions of modules say; 3.15 names the type: "expected
   module, got NoneType". */

#include "oracle.h"

static int token, other;
static PyType_Slot base_slots[] = {{Py_tp_token, &token}, {0, NULL}};
static PyType_Spec base_spec = {
    .name = "oracle.Base",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = base_slots,
};
static PyType_Slot use_spec[] = {{Py_tp_token, Py_TP_USE_SPEC}, {0, NULL}};
static PyType_Spec own_spec = {
    .name = "oracle.Own",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = use_spec,
};
static PyType_Slot null_token[] = {{Py_tp_token, NULL}, {0, NULL}};
static PyType_Spec null_spec = {
    .name = "oracle.Null",
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = null_token,
};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "spam",
                                 .m_size = 0};

static void
find(const char *label, PyObject *type, void *wanted)
{
    PyTypeObject *found = (PyTypeObject *)Py_None;
    int status = PyType_GetBaseByToken((PyTypeObject *)type, wanted, &found);

    result(label, status);
    say("    found %s", found != NULL ? found->tp_name : "NULL");
    result("    without a result",
           PyType_GetBaseByToken((PyTypeObject *)type, wanted, NULL));
    Py_XDECREF(found);
}

static void
types(void)
{
    PyObject *base = need(PyType_FromSpec(&base_spec));
    PyObject *sub = call_type(&PyType_Type, "s(O){}", "Sub", base);
    PyObject *own = need(PyType_FromSpecWithBases(&own_spec, base));
    PyObject *null = need(PyType_FromSpec(&null_spec));

    find("base", base, &token);
    find("subclass", sub, &token);
    find("another token", sub, &other);
    find("its spec", own, &own_spec);
    find("the base's through own", own, &token);
    find("int", (PyObject *)&PyLong_Type, &token);
    find("NULL", sub, NULL);
    find("no type", Py_None, &token);
    RESULT(PyType_GetSlot((PyTypeObject *)base, Py_tp_token) == &token);
    RESULT(PyType_GetSlot((PyTypeObject *)own, Py_tp_token) == &own_spec);
    RESULT(PyType_GetSlot((PyTypeObject *)sub, Py_tp_token) == NULL);
    find("NULL as its token is its spec, too", null, &null_spec);
    drop_all(null, base, sub, own);
}

static void
modules(void)
{
    PyObject *module = need(PyModule_Create(&def));
    PyObject *type = need(PyType_FromModuleAndSpec(module, &base_spec, NULL));
    void *found = &other;

    RESULT(PyModule_GetToken(module, &found));
    RESULT(found == &def);
    found = &other;
    RESULT(PyModule_GetToken(Py_None, &found));
    RESULT(found == NULL);
    RESULT(PyType_GetModuleByToken((PyTypeObject *)type, &def) == module);
    RESULT(Py_REFCNT(module)); /* it is a new reference */
    RESULT(PyType_GetModuleByToken((PyTypeObject *)type, &other) != NULL);
    RESULT(PyType_GetModuleByToken(&PyLong_Type, &def) != NULL);
    drop_all(module, module, type);
    PyGC_Collect();
}

void
oracle_program(void)
{
    types();
    modules();
}
