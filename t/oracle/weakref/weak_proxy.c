/* weak_proxy.c: a proxy passes on what is done with it, as long as its
   referent lives. Manual: "PyWeakref_NewProxy"; Python's "weakref": "proxy".
 */

#include "oracle.h"

static PyObject *
new_set(void)
{
    return call_type(&PyType_Type, "s(O){}", "Set", &PySet_Type);
}

static void
flag(const char *label, int result)
{
    if (result >= 0) {
        say("%s: %d", label, result);
        return;
    }
    printf("%s: ", label);
    error();
}

static void
operations(PyObject *proxy, PyObject *other)
{
    PyObject *five = need(PyLong_FromLong(5)), *iterator;

    flag("length", (int)PyObject_Size(proxy));
    flag("truth", PyObject_IsTrue(proxy));
    flag("contains", PySequence_Contains(proxy, five));
    flag("set x", PyObject_SetAttrString(proxy, "x", five));
    show("get x", PyObject_GetAttrString(proxy, "x"));
    show("get y", PyObject_GetAttrString(proxy, "y"));
    flag("delete x", PyObject_SetAttrString(proxy, "x", NULL));
    show("add", PyObject_CallMethod(proxy, "add", "i", 7));
    show("text", PyObject_Str(proxy));
    show("or", PyNumber_Or(proxy, other));
    show("or, proxy to the right", PyNumber_Or(other, proxy));
    show("and in place", PyNumber_InPlaceAnd(other, proxy));
    show("plus", PyNumber_Add(proxy, five));
    show("item", PyObject_GetItem(proxy, five));
    flag("equal", PyObject_RichCompareBool(proxy, other, Py_EQ));
    flag("less", PyObject_RichCompareBool(other, proxy, Py_LE));
    flag("hash", (int)PyObject_Hash(proxy));
    show("called", PyObject_CallNoArgs(proxy));
    iterator = PyObject_GetIter(proxy);
    if (iterator == NULL)
        error();
    else
        say("iterator: %s", Py_TYPE(iterator)->tp_name);
    Py_XDECREF(iterator);
    flag("is a set", PyObject_IsInstance(proxy, (PyObject *)&PySet_Type));
    Py_DECREF(five);
}

static PyObject *
answer(PyObject *self, PyObject *args)
{
    return PyLong_FromLong(42);
}

static PyMethodDef answer_def = {"answer", answer, METH_NOARGS, NULL};

static void
callable(void)
{
    PyObject *function = need(PyCFunction_New(&answer_def, NULL));
    PyObject *proxy = need(PyWeakref_NewProxy(function, NULL));

    say("of a callable: %s", Py_TYPE(proxy)->tp_name);
    show("called", PyObject_CallNoArgs(proxy));
    Py_DECREF(function);
    show("called, dead", PyObject_CallNoArgs(proxy));
    flag("callable, dead", PyCallable_Check(proxy));
    Py_DECREF(proxy);
}

/* What bytes and reversed ask for. */
static void
methods(void)
{
    PyObject *type = call_type(&PyType_Type, "s(O){}", "L", &PyList_Type);
    PyObject *list = need(PyObject_CallFunction(type, "((iii))", 1, 2, 3));
    PyObject *proxy = need(PyWeakref_NewProxy(list, NULL));
    PyObject *reversed =
        need(PyObject_CallMethod(proxy, "__reversed__", NULL));

    show("reversed", PySequence_List(reversed));
    Py_DECREF(reversed);
    show("__bytes__", PyObject_CallMethod(proxy, "__bytes__", NULL));
    show("bytes", PyObject_Bytes(proxy));
    Py_DECREF(list);
    show("reversed, dead",
         PyObject_CallFunction((PyObject *)&PyReversed_Type, "O", proxy));
    show("bytes, dead", PyObject_Bytes(proxy));
    drop_all(proxy, type);
}

void
oracle_program(void)
{
    PyObject *type = new_set(), *set = need(PyObject_CallNoArgs(type));
    PyObject *other = need(PySet_New(NULL));
    PyObject *proxy = need(PyWeakref_NewProxy(set, NULL));

    say("alive:");
    operations(proxy, other);
    state("the referent", set);
    Py_DECREF(set);
    say("dead:");
    operations(proxy, other);
    drop_all(proxy, other, type);
    callable();
    methods();
}
