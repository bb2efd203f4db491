/* type_call.c: type(name, bases, dict), type(x), and errors; what becomes of
   the names in the dictionary; how a class is called.
   Manual: "Type Objects", PyType_Type, tp_new, tp_init; "Call Protocol". */

#include "oracle.h"

static PyObject *
make(const char *format, ...)
{
    va_list values;
    PyObject *args, *type;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    type = PyObject_Call((PyObject *)&PyType_Type, args, NULL);
    Py_DECREF(args);
    return type;
}

static void
odd_arguments(void)
{
    show("no arguments", make("()"));
    show("type(7)", make("(i)", 7));
    show("type(7, 8)", make("(ii)", 7, 8));
    show("four", make("(s(){}i)", "A", 1));
    show("name 7", make("(i(){})", 7));
    show("bases []", make("(s[]{})", "A"));
    show("dict ()", make("(s()())", "A"));
    show("bases (7,)", make("(s(i){})", "A", 7));
    show("NUL in the name", make("(s#(){})", "A\0B", (Py_ssize_t)3));
    show("empty name", make("(s(){})", ""));
    show("__qualname__", make("(s(){si})", "A", "__qualname__", 7));
    show("__doc__", make("(s(){si})", "A", "__doc__", 7));
}

static void
names(void)
{
    PyObject *dict = need(Py_BuildValue("{sisssisO}", "x", 1, "__module__",
                                        "m", "y", 2, "self", Py_None));
    PyObject *type = need(make("(s(){sisssO})", "A", "x", 1, "__module__", "m",
                               "nothing", Py_None));

    show_kept("type", type);
    SHOW(PyObject_GetAttrString(type, "x"));
    SHOW(PyObject_GetAttrString(type, "__name__"));
    SHOW(PyObject_GetAttrString(type, "__qualname__"));
    SHOW(PyObject_GetAttrString(type, "__module__"));
    SHOW(PyObject_GetAttrString(type, "__doc__"));
    SHOW(PyObject_GetAttrString(type, "__bases__"));
    SHOW(PyObject_GetAttrString(type, "__base__"));
    SHOW(PyObject_GetAttrString(type, "__mro__"));
    SHOW(PyObject_GetAttrString(type, "y"));
    RESULT(PyObject_SetAttrString(type, "y", Py_None));
    SHOW(PyObject_GetAttrString(type, "y"));
    RESULT(PyObject_DelAttrString(type, "y"));
    RESULT(PyObject_DelAttrString(type, "y"));
    RESULT(PyObject_SetAttrString(type, "__name__", Py_None));
    RESULT(PyObject_DelAttrString(type, "__name__"));
    RESULT(PyObject_SetAttrString((PyObject *)&PyLong_Type, "y", Py_None));
    RESULT(PyObject_SetAttrString((PyObject *)&Actor_Type, "y", Py_None));
    RESULT(PyObject_DelAttrString((PyObject *)&PyLong_Type, "real"));
    SHOW(PyMapping_Keys(dict));
    drop_all(dict, type);
}

static void
instances(void)
{
    PyObject *type = need(make("(s(){})", "A"));
    PyObject *sub = need(make("(s(O){})", "B", type));
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *kwargs = need(Py_BuildValue("{si}", "k", 1));
    PyObject *none = PyTuple_New(0);

    SHOW(PyObject_CallFunction(type, "i", 1));
    SHOW(PyObject_Call(type, none, kwargs));
    SHOW(PyObject_CallFunction((PyObject *)&PyBaseObject_Type, "i", 1));
    SHOW(PyObject_Type(op));
    RESULT(PyObject_IsInstance(op, type));
    RESULT(PyObject_IsInstance(op, sub));
    RESULT(PyObject_IsSubclass(sub, type));
    RESULT(PyObject_IsInstance(op, Py_None));
    RESULT(PyObject_IsSubclass(op, type));
    RESULT(PyObject_IsSubclass(sub, Py_None));
    RESULT(PyObject_SetAttrString(op, "__class__", sub));
    SHOW(PyObject_Type(op));
    RESULT(PyObject_SetAttrString(op, "__class__", (PyObject *)&PyList_Type));
    RESULT(PyObject_SetAttrString(op, "__class__", Py_None));
    state("instance", op);
    drop_all(kwargs, none, op, sub, type);
}

void
oracle_program(void)
{
    odd_arguments();
    names();
    instances();
    collect();
}
