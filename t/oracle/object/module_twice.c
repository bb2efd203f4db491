/* module_twice.c: two modules of one definition, and a module imported again:
   what they share and what not.
   Manual: "Module Objects"; PyImport_AppendInittab, PyImport_ImportModule. */

#include "oracle.h"

static PyObject *
next(PyObject *module, PyObject *noargs)
{
    long *state = PyModule_GetState(module);

    return PyLong_FromLong(++*state);
}

static PyMethodDef methods[] = {
    {"next", next, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "counter",
                                 .m_size = sizeof(long), .m_methods = methods};

static void
said(PyObject *a, PyObject *b)
{
    show("a", PyObject_CallMethod(a, "next", NULL));
    show("b", PyObject_CallMethod(b, "next", NULL));
}

void
oracle_program(void)
{
    PyObject *a = need(PyModule_Create(&def)),
             *b = need(PyModule_Create(&def));
    PyObject *modules = PyImport_GetModuleDict(), *c, *name;

    said(a, b);
    said(a, b);
    RESULT(PyModule_GetState(a) == PyModule_GetState(b));
    RESULT(PyModule_GetDict(a) == PyModule_GetDict(b));
    PyModule_AddIntConstant(a, "x", 1);
    RESULT(PyObject_HasAttrString(b, "x"));
    RESULT(PyModule_GetDef(a) == PyModule_GetDef(b));
    RESULT(PyDict_SetItemString(modules, "oracle_counter", a));
    c = need(PyImport_ImportModule("oracle_counter"));
    RESULT(c == a);
    Py_DECREF(c);
    name = PyUnicode_FromString("oracle_counter");
    c = PyImport_GetModule(name);
    RESULT(c == a);
    Py_DECREF(c);
    c = PyImport_AddModule("oracle_counter");
    RESULT(c == a);
    RESULT(PyDict_DelItemString(modules, "oracle_counter"));
    RESULT(PyImport_GetModule(name) != NULL);
    c = PyImport_AddModule("oracle_counter");
    RESULT(c == a);
    show_kept("a new one", c);
    RESULT(PyDict_DelItemString(modules, "oracle_counter"));
    /* Ours would say that it is not set. */
    setenv("PYBOEHM_PATH", "/nowhere", 1);
    SHOW(PyImport_ImportModule("no_such_module_at_all"));
    RESULT(PyDict_SetItemString(modules, "barred", Py_None));
    SHOW(PyImport_ImportModule("barred"));
    SHOW(PyImport_ImportModule(""));
    drop_all(name, a);
    said(b, b);
    Py_DECREF(b);
    collect();
}
