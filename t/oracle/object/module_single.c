/* module_single.c: modules of a single phase: PyModule_Create and what can be
   asked of a module, by module objects and by others; PyState.
   Manual: "Module Objects". */

#include "oracle.h"

static PyObject *
answer(PyObject *module, PyObject *noargs)
{
    return PyUnicode_FromString(PyModule_GetName(module));
}

static PyMethodDef methods[] = {
    {"answer", answer, METH_NOARGS, "answer($module)\n--\n\nThe name."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef def = {
    PyModuleDef_HEAD_INIT, .m_name = "package.spam", .m_doc = "What it does.",
    .m_size = 8,           .m_methods = methods,
};
static struct PyModuleDef stateless = {PyModuleDef_HEAD_INIT,
                                       .m_name = "stateless", .m_size = -1};
static PyModuleDef_Slot some_slots[] = {{0, NULL}};
static struct PyModuleDef phased = {PyModuleDef_HEAD_INIT, .m_name = "phased",
                                    .m_slots = some_slots};

static void
ask(const char *label, PyObject *op)
{
    const char *name;
    PyObject *dict, *n;

    say("%s", label);
    dict = PyModule_GetDict(op);
    result("    GetDict", dict != NULL);
    name = PyModule_GetName(op);
    result("    GetName", name != NULL);
    n = PyModule_GetNameObject(op);
    show("    GetNameObject", n);
    show("    GetFilenameObject", PyModule_GetFilenameObject(op));
    result("    GetDef", PyModule_GetDef(op) != NULL);
    result("    GetState", PyModule_GetState(op) != NULL);
    result("    SetDocString", PyModule_SetDocString(op, "text"));
    result("    AddIntConstant", PyModule_AddIntConstant(op, "one", 1));
    result("    AddStringConstant",
           PyModule_AddStringConstant(op, "two", "2"));
    result("    AddObjectRef", PyModule_AddObjectRef(op, "none", Py_None));
    result("    AddObjectRef of NULL", PyModule_AddObjectRef(op, "x", NULL));
    PyErr_SetString(PyExc_KeyError, "why");
    result("    AddObjectRef of an error",
           PyModule_AddObjectRef(op, "x", NULL));
    result("    AddType", PyModule_AddType(op, &Actor_Type));
    result("    AddFunctions", PyModule_AddFunctions(op, methods));
}

void
oracle_program(void)
{
    PyObject *spam = need(PyModule_Create(&def));
    PyObject *list = PyList_New(0), *plain = need(PyModule_New("plain"));

    ask("spam", spam);
    ask("plain", plain);
    ask("list", list);
    SHOW(PyModule_Create(&phased));
    SHOW(PyObject_CallMethod(spam, "answer", NULL));
    SHOW(PyObject_CallMethod(spam, "answer", "i", 1));
    SHOW(PyObject_GetAttrString(spam, "__doc__"));
    SHOW(PyObject_GetAttrString(spam, "nothing"));
    SHOW(PyObject_GetAttrString(spam, "two"));
    RESULT(PyObject_DelAttrString(spam, "two"));
    RESULT(PyObject_DelAttrString(spam, "two"));
    SHOW(PyObject_Repr(spam));
    RESULT(PyObject_DelAttrString(plain, "__name__"));
    SHOW(PyObject_GetAttrString(plain, "nothing"));
    SHOW(PyModule_GetNameObject(plain));
    state("spam", spam);
    RESULT(PyState_FindModule(&def) != NULL);
    RESULT(PyState_AddModule(spam, &def));
    RESULT(PyState_FindModule(&def) == spam);
    RESULT(PyState_RemoveModule(&def));
    RESULT(PyState_FindModule(&def) != NULL);
    RESULT(PyState_AddModule(spam, &phased));
    error();
    RESULT(PyState_RemoveModule(&phased));
    drop_all(spam, plain, list);
    spam = need(PyModule_Create(&stateless));
    RESULT(PyModule_GetState(spam) != NULL);
    Py_DECREF(spam);
    collect();
}
