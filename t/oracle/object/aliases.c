/* aliases.c: Py_GenericAlias and PyInstanceMethod.  Manual: "Objects for Type
   Hinting", "Instance Method Objects". */

#include "oracle.h"

static void
one(PyObject *origin, PyObject *args)
{
    PyObject *op = need(Py_GenericAlias(origin, args));
    static const char *const names[] = {
        "__origin__", "__args__", "__parameters__", "__unpacked__",
        "__class__",  "__name__", "__module__",     "nothing",
    };

    show_kept("alias", op);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        show(names[i], PyObject_GetAttrString(op, names[i]));
    SHOW(PyObject_CallMethod(op, "__mro_entries__", "()"));
    SHOW(PyObject_CallMethod(op, "__mro_entries__", "i", 1));
    SHOW(PyObject_CallMethod(op, "__reduce__", NULL));
    SHOW(PyObject_GetItem(op, Py_None));
    RESULT(PyObject_IsInstance(Py_None, op));
    RESULT(PyObject_IsSubclass((PyObject *)&PyLong_Type, op));
    SHOW(PyObject_CallNoArgs(op));
    PyObject *same = need(Py_GenericAlias(origin, args));
    RESULT(PyObject_RichCompareBool(op, same, Py_EQ));
    SHOW(PyObject_RichCompare(op, same, Py_LT));
    say("hash: %d", PyObject_Hash(op) == PyObject_Hash(same));
    error();
    PyObject *list = PySequence_List(op);
    show_kept("list", list);
    if (list != NULL)
        RESULT(PyObject_RichCompareBool(PyList_GET_ITEM(list, 0), op, Py_EQ));
    Py_XDECREF(list);
    drop_all(same, op, args);
}

static void
instance_methods(void)
{
    PyObject *op = need(PyInstanceMethod_New((PyObject *)&PyList_Type));
    PyObject *type =
        call_type(&PyType_Type, "s(O){sO}", "C", &PyTuple_Type, "m", op);
    PyObject *instance = need(PyObject_CallFunction(type, "((ii))", 1, 2));

    show_kept("method", op);
    SHOW(PyObject_CallMethod(instance, "m", NULL));
    SHOW(PyObject_CallMethod(instance, "m", "i", 1));
    SHOW(PyObject_GetAttrString(type, "m"));
    SHOW(PyObject_GetAttrString(instance, "m"));
    SHOW(PyObject_CallFunction(op, "((ii))", 1, 2));
    SHOW(PyObject_GetAttrString(op, "__func__"));
    SHOW(PyObject_GetAttrString(op, "__name__"));
    SHOW(PyObject_GetAttrString(op, "nothing"));
    SHOW(PyObject_CallNoArgs((PyObject *)&PyInstanceMethod_Type));
    SHOW(PyObject_CallOneArg((PyObject *)&PyInstanceMethod_Type, Py_None));
    SHOW(PyObject_RichCompare(op, op, Py_LT));
    RESULT(PyInstanceMethod_Function(Py_None) != NULL);
    visits("method", op);
    drop_all(instance, type, op);
    collect();
}

void
oracle_program(void)
{
    PyObject *list = (PyObject *)&PyList_Type;

    one(list, Py_NewRef(&PyLong_Type));
    one(list, need(PyTuple_New(0)));
    one((PyObject *)&PyDict_Type,
        need(Py_BuildValue("OO", &PyUnicode_Type, Py_Ellipsis)));
    one((PyObject *)&PyTuple_Type,
        need(Py_BuildValue("(OOis)", &PyLong_Type, Py_Ellipsis, 5, "x")));
    one(Py_None, Py_NewRef(Py_None));
    one(list, need(Py_GenericAlias(list, (PyObject *)&PyLong_Type)));
    one(list, need(PyDict_New()));
    one((PyObject *)&PyLong_Type, Py_NewRef(PyExc_KeyError));
    SHOW(PyObject_GetItem((PyObject *)&PyType_Type, (PyObject *)&PyLong_Type));
    SHOW(PyObject_GetItem(list, (PyObject *)&PyLong_Type));
    SHOW(PyObject_GetItem((PyObject *)&PyLong_Type, Py_None));
    SHOW(PyObject_CallNoArgs((PyObject *)&Py_GenericAliasType));
    SHOW(PyObject_CallFunction((PyObject *)&Py_GenericAliasType, "ii", 1, 2));
    instance_methods();
}
