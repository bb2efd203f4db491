/* attribute_order.c: the order in which an attribute is looked up: data
   descriptor, instance, other descriptor, class; tp_getattro and tp_setattro
   of one's own; __dict__ replaced and taken away.
   Manual: "Object Protocol", PyObject_GenericGetAttr. */

#include "oracle.h"

static PyObject *
descr_get(PyObject *self, PyObject *op, PyObject *type)
{
    return PyUnicode_FromFormat("%s through %s", Py_TYPE(self)->tp_name,
                                op == NULL ? "the class" : "an object");
}

static int
descr_set(PyObject *self, PyObject *op, PyObject *value)
{
    say("%s %s", Py_TYPE(self)->tp_name, value == NULL ? "deleted" : "set");
    return 0;
}

static PyObject *
own_getattr(PyObject *op, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(op, name);

    if (value != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyErr_Clear();
    return PyUnicode_FromFormat("made up: %U", name);
}

static int
own_setattr(PyObject *op, PyObject *name, PyObject *value)
{
    PyErr_Format(PyExc_AttributeError, "%U is not for you", name);
    return -1;
}

#define TYPE(NAME, ...)                                                       \
    static PyTypeObject NAME = {                                              \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle." #NAME,             \
        .tp_basicsize = sizeof(PyObject),                                     \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,                 \
        .tp_new = PyType_GenericNew, __VA_ARGS__}

TYPE(Data, .tp_descr_get = descr_get, .tp_descr_set = descr_set);
TYPE(NonData, .tp_descr_get = descr_get);
TYPE(SetOnly, .tp_descr_set = descr_set);
TYPE(Own, .tp_getattro = own_getattr, .tp_setattro = own_setattr);

static PyObject *
new_of(PyTypeObject *type)
{
    return need(PyObject_CallNoArgs((PyObject *)type));
}

static void
each(PyObject *op, const char *name)
{
    PyObject *value = PyUnicode_FromString("of the instance");

    show(name, PyObject_GetAttrString(op, name));
    result("    set", PyObject_SetAttrString(op, name, value));
    show("    then", PyObject_GetAttrString(op, name));
    result("    deleted", PyObject_DelAttrString(op, name));
    show("    then", PyObject_GetAttrString(op, name));
    Py_DECREF(value);
}

static void
lookup(void)
{
    PyObject *type =
        call_type(&PyType_Type, "s(){sNsNsNss}", "C", "data", new_of(&Data),
                  "other", new_of(&NonData), "set_only", new_of(&SetOnly),
                  "plain", "of the class");
    PyObject *op = need(PyObject_CallNoArgs(type)), *dict;

    each(op, "other");
    each(op, "plain");
    each(op, "data");
    each(op, "missing");
    SHOW(PyObject_GetAttrString(type, "data"));
    SHOW(PyObject_GetAttrString(type, "plain"));
    dict = need(
        Py_BuildValue("{ssssss}", "data", "d", "other", "o", "set_only", "s"));
    RESULT(PyObject_SetAttrString(op, "__dict__", dict));
    SHOW(PyObject_GetAttrString(op, "data"));
    SHOW(PyObject_GetAttrString(op, "other"));
    SHOW(PyObject_Type(need(PyObject_GetAttrString(op, "set_only"))));
    RESULT(PyObject_SetAttrString(op, "__dict__", Py_None));
    RESULT(PyObject_DelAttrString(op, "__dict__"));
    SHOW(PyObject_GetAttrString(op, "other"));
    SHOW(PyObject_GetAttrString(op, "__dict__"));
    drop_all(dict, op, type);
    collect();
}

static void
own(void)
{
    PyObject *op = new_of(&Own);

    SHOW(PyObject_GetAttrString(op, "x"));
    SHOW(PyObject_GetAttrString(op, "__class__"));
    RESULT(PyObject_SetAttrString(op, "x", Py_None));
    RESULT(PyObject_DelAttrString(op, "x"));
    RESULT(PyObject_HasAttrString(op, "x"));
    RESULT(PyObject_GenericSetAttr(op, Py_None, Py_None));
    SHOW(PyObject_GenericGetAttr(op, Py_None));
    SHOW(PyObject_CallMethod(op, "x", NULL));
    Py_DECREF(op);
}

void
oracle_program(void)
{
    need_ready(&Data);
    need_ready(&NonData);
    need_ready(&SetOnly);
    need_ready(&Own);
    lookup();
    own();
}
