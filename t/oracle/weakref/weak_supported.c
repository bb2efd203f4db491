/* weak_supported.c: which objects can be referred to weakly, and what those
   say that cannot.
   Manual: "PyWeakref_NewRef": "If ob is not a weakly referenceable object, ...
   this will return NULL and raise TypeError". */

#include "oracle.h"

/* Takes the reference away. */
static void
try(PyObject *op)
{
    PyObject *ref = PyWeakref_NewRef(need(op), NULL);
    int supported = PyType_SUPPORTS_WEAKREFS(Py_TYPE(op)) != 0;

    if (ref != NULL) {
        say("%s: supported %d, found again %d", Py_TYPE(op)->tp_name,
            supported, PyWeakref_GetObject(ref) == op);
        Py_DECREF(ref);
    } else {
        say("%s: supported %d", Py_TYPE(op)->tp_name, supported);
        printf("    ");
        error();
        show("    proxy", PyWeakref_NewProxy(op, NULL));
    }
    Py_DECREF(op);
}

static PyObject *
class_with(PyObject *slots)
{
    PyObject *dict = need(PyDict_New()), *type;

    if (slots != NULL)
        PyDict_SetItemString(dict, "__slots__", slots);
    Py_XDECREF(slots);
    type = call_type(&PyType_Type, "s()O", "Class", dict);
    Py_DECREF(dict);
    return type;
}

static void
instance(const char *label, PyObject *slots)
{
    PyObject *type = class_with(slots);

    say("%s:", label);
    try(PyObject_CallNoArgs(type));
    Py_DECREF(type);
}

static void
built_in(void)
{
    PyObject *list = need(PyList_New(0));
    PyObject *function = need(PyCFunction_New(&none_def, NULL));

    try(PyLong_FromLong(5));
    try(PyFloat_FromDouble(0.5));
    try(PyUnicode_FromString("x"));
    try(PyBytes_FromString("x"));
    try(PyTuple_New(0));
    try(PyDict_New());
    try(Py_NewRef(list));
    try(Py_NewRef(Py_None));
    try(PySlice_New(NULL, NULL, NULL));
    try(PyCell_New(NULL));
    try(PySet_New(NULL));
    try(PyFrozenSet_New(NULL));
    try(PyModule_New("m"));
    try(PyMethod_New(function, list));
    try(Py_NewRef(function));
    try(PyObject_GetIter(list));
    try(PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type));
    try(PyObject_CallNoArgs(PyExc_KeyError));
    try(Py_NewRef((PyObject *)&PyLong_Type));
    try(Py_NewRef((PyObject *)&Actor_Type));
    drop_all(function, list);
}

void
oracle_program(void)
{
    built_in();
    instance("class", NULL);
    instance("class without slots", PyTuple_New(0));
    instance("class with a slot", Py_BuildValue("(s)", "x"));
    instance("class with the slot", Py_BuildValue("(s)", "__weakref__"));
}
