/* type_module.c: PyType_GetModule, PyType_GetModuleState and
   PyType_GetModuleByDef: which module a type and a subclass have; errors.
   Manual: "Type Objects". */

#include "oracle.h"

static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "spam",
                                 .m_size = 16};
static struct PyModuleDef other = {PyModuleDef_HEAD_INIT, .m_name = "eggs",
                                   .m_size = 0};
static PyType_Slot slots[] = {{0, NULL}};
static PyType_Spec spec = {
    .name = "spam.A",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static void
tell(const char *label, PyObject *type)
{
    PyTypeObject *t = (PyTypeObject *)type;
    PyObject *module;

    say("%s", label);
    result("    GetModule", PyType_GetModule(t) != NULL);
    result("    GetModuleState", PyType_GetModuleState(t) != NULL);
    module = PyType_GetModuleByDef(t, &def);
    result("    GetModuleByDef spam", module != NULL);
    module = PyType_GetModuleByDef(t, &other);
    result("    GetModuleByDef eggs", module != NULL);
}

static PyObject *
subclass(const char *name, PyObject *a, PyObject *b)
{
    PyObject *bases = b != NULL ? PyTuple_Pack(2, a, b) : PyTuple_Pack(1, a);

    return call_type(&PyType_Type, "sN{}", name, bases);
}

void
oracle_program(void)
{
    PyObject *spam = need(PyModule_Create(&def));
    PyObject *eggs = need(PyModule_Create(&other));
    PyObject *a = need(PyType_FromModuleAndSpec(spam, &spec, NULL));
    PyObject *b = need(PyType_FromModuleAndSpec(eggs, &spec, NULL));
    PyObject *no_module = need(PyType_FromSpec(&spec));
    PyObject *sub = subclass("Sub", a, NULL);
    PyObject *both = subclass("Both", b, a);

    tell("A", a);
    tell("B", b);
    tell("no module", no_module);
    tell("subclass of A", sub);
    tell("subclass of both", both);
    tell("int", (PyObject *)&PyLong_Type);
    tell("Actor", (PyObject *)&Actor_Type);
    SHOW(PyObject_GetAttrString(a, "__module__"));
    SHOW(PyObject_GetAttrString(sub, "__module__"));
    RESULT(PyModule_GetDef(spam) == &def);
    RESULT(PyModule_GetDef(PyType_GetModule((PyTypeObject *)a)) == &def);
    drop_all(spam, eggs);
    say("the types hold the modules");
    tell("A", a);
    drop_all(a, b, no_module, sub, both);
    collect();
}
