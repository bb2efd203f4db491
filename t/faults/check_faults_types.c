/* check_faults_types.c: no memory where types and modules are made. */

#include "faults.h"

static PyType_Slot thing_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_doc, (void *)"Thing(x)\n--\n\nA thing."},
    {0, NULL},
};

static PyType_Spec thing_spec = {"t.Thing", (int)sizeof(struct node), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                     Py_TPFLAGS_BASETYPE,
                                 thing_slots};

static int
heap_type(void)
{
    return faults_drop(PyType_FromSpec(&thing_spec));
}

static int
heap_type_with_base(void)
{
    PyObject *base = PyType_FromSpec(&thing_spec), *type = NULL;

    if (base != NULL)
        type = PyType_FromMetaclass(NULL, NULL, &thing_spec, base);
    Py_XDECREF(base);
    return faults_drop(type);
}

/* type("C", (object,), {"x": 1}) and an instance with an attribute. */
static int
class_statement(void)
{
    PyObject *cls = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){si}",
                                          "C", &PyBaseObject_Type, "x", 1);
    PyObject *op = cls != NULL ? PyObject_CallNoArgs(cls) : NULL;
    int result = -1;

    if (op != NULL)
        result = PyObject_SetAttrString(op, "y", op);
    Py_XDECREF(op);
    Py_XDECREF(cls);
    return result;
}

static int
class_with_slots(void)
{
    PyObject *cls = PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){s(ss)}", "C", &PyBaseObject_Type,
        "__slots__", "a", "__weakref__");
    PyObject *op = cls != NULL ? PyObject_CallNoArgs(cls) : NULL;
    int result = op != NULL ? PyObject_SetAttrString(op, "a", op) : -1;

    Py_XDECREF(op);
    Py_XDECREF(cls);
    return result;
}

/* class C(A, B) where both derive from one class. */
static int
diamond(void)
{
    PyObject *made[4] = {NULL};
    PyObject *type = (PyObject *)&PyType_Type;

    made[0] = PyObject_CallFunction(type, "s(O){}", "Top", &PyList_Type);
    if (made[0] != NULL)
        made[1] = PyObject_CallFunction(type, "s(O){}", "A", made[0]);
    if (made[1] != NULL)
        made[2] = PyObject_CallFunction(type, "s(O){}", "B", made[0]);
    if (made[2] != NULL)
        made[3] =
            PyObject_CallFunction(type, "s(OO){}", "C", made[1], made[2]);
    int result = made[3] != NULL ? 0 : -1;
    for (int i = 0; i < 4; i++)
        Py_XDECREF(made[i]);
    return result;
}

static PyObject *
get_one(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    return PyLong_FromLong(1);
}

static PyMethodDef one_methods[] = {
    {"one", get_one, METH_NOARGS, "one()"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef single_def = {PyModuleDef_HEAD_INIT, .m_name = "single",
                                 .m_doc = "A module.", .m_size = 16,
                                 .m_methods = one_methods};

static int
module(void)
{
    return faults_drop(PyModule_Create(&single_def));
}

static int
add_type(PyObject *op)
{
    PyObject *type = PyType_FromModuleAndSpec(op, &thing_spec, NULL);
    int result =
        type != NULL ? PyModule_AddType(op, (PyTypeObject *)type) : -1;

    Py_XDECREF(type);
    return result < 0 ? -1 : PyModule_AddIntConstant(op, "two", 2);
}

static PyModuleDef_Slot phases_slots[] = {
    {Py_mod_exec, (void *)add_type},
    {0, NULL},
};

static PyModuleDef phases_def = {PyModuleDef_HEAD_INIT, .m_name = "phases",
                                 .m_size = 16, .m_methods = one_methods,
                                 .m_slots = phases_slots};

PyMODINIT_FUNC PyInit_phases(void);

PyMODINIT_FUNC
PyInit_phases(void)
{
    return PyModuleDef_Init(&phases_def);
}

/* Imports it anew and forgets it. */
static int
import(void)
{
    PyObject *name = PyUnicode_FromString("phases");
    PyObject *op = name != NULL ? PyImport_Import(name) : NULL;
    int result = -1;

    if (op != NULL)
        result = PyDict_DelItem(PyImport_GetModuleDict(), name);
    Py_XDECREF(op);
    Py_XDECREF(name);
    return result;
}

static int
method_call(void)
{
    PyObject *op = PyModule_Create(&single_def);
    PyObject *one = op != NULL ? PyObject_CallMethod(op, "one", NULL) : NULL;

    Py_XDECREF(op);
    return faults_drop(one);
}

static int
property(void)
{
    PyObject *cls = NULL, *op = NULL, *value = NULL;
    static PyMethodDef get_def = {"g", get_one, METH_O, NULL};
    PyObject *get = PyCFunction_New(&get_def, NULL);
    PyObject *prop =
        get != NULL ? PyObject_CallOneArg((PyObject *)&PyProperty_Type, get)
                    : NULL;
    if (prop != NULL)
        cls = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){sO}", "C",
                                    &PyBaseObject_Type, "p", prop);
    if (cls != NULL)
        op = PyObject_CallNoArgs(cls);
    if (op != NULL)
        value = PyObject_GetAttrString(op, "p");
    Py_XDECREF(op);
    Py_XDECREF(cls);
    Py_XDECREF(prop);
    Py_XDECREF(get);
    return faults_drop(value);
}

static int
exception_type(void)
{
    return faults_drop(
        PyErr_NewExceptionWithDoc("t.Error", "Bad.", NULL, NULL));
}

FAULTS_TEST(heap_type, FAULTS_RAISE)
FAULTS_TEST(heap_type_with_base, FAULTS_RAISE)
FAULTS_TEST(class_statement, FAULTS_RAISE)
FAULTS_TEST(class_with_slots, FAULTS_RAISE)
FAULTS_TEST(diamond, FAULTS_RAISE)
FAULTS_TEST(module, FAULTS_RAISE)
FAULTS_TEST(import, FAULTS_RAISE)
FAULTS_TEST(method_call, FAULTS_RAISE)
FAULTS_TEST(property, FAULTS_RAISE)
FAULTS_TEST(exception_type, FAULTS_RAISE)

int
main(void)
{
    PyImport_AppendInittab("phases", PyInit_phases);
    return suite_run_unquarantined("faults: types and modules");
}
