/* ordered_dicts.c: collections.OrderedDict and PyODict_...: both ends, order
   in comparisons, subclasses that change what setting does.  Manual: Python's
   library, "collections.OrderedDict". */

#include "oracle.h"

/* {"a": 0, "b": 1, ...} */
static PyObject *
make(const char *keys)
{
    PyObject *od = need(PyODict_New());

    for (int i = 0; keys[i] != '\0'; i++) {
        PyObject *key = need(PyUnicode_FromStringAndSize(keys + i, 1));
        PyObject *value = need(PyLong_FromLong(i));

        if (PyODict_SetItem(od, key, value) < 0)
            need(NULL);
        drop_all(key, value);
    }
    return od;
}

static void
content(const char *label, PyObject *od)
{
    show(label, PySequence_List(od));
    show("    items", PyMapping_Items(od));
    result("    size", PyODict_Size(od));
}

/* The same; takes the reference. */
static void
taken(const char *label, PyObject *od)
{
    content(label, need(od));
    Py_DECREF(od);
}

static void
ends(void)
{
    PyObject *od = make("abcd");

    show("to the end", PyObject_CallMethod(od, "move_to_end", "s", "b"));
    content("b is last", od);
    show("again", PyObject_CallMethod(od, "move_to_end", "s", "b"));
    show("to the beginning",
         PyObject_CallMethod(od, "move_to_end", "si", "d", 0));
    content("d is first", od);
    show("not there", PyObject_CallMethod(od, "move_to_end", "s", "x"));
    show("not hashable", PyObject_CallMethod(od, "move_to_end", "[]"));
    show("no key", PyObject_CallMethod(od, "move_to_end", NULL));
    show("last item", PyObject_CallMethod(od, "popitem", NULL));
    show("first item", PyObject_CallMethod(od, "popitem", "i", 0));
    content("two are left", od);
    show("first item", PyObject_CallMethod(od, "popitem", "i", 0));
    show("first item", PyObject_CallMethod(od, "popitem", "i", 0));
    show("no item", PyObject_CallMethod(od, "popitem", "i", 0));
    show("set", PyObject_CallMethod(od, "setdefault", "si", "y", 5));
    show("first item", PyObject_CallMethod(od, "popitem", "i", 0));
    Py_DECREF(od);
}

/* As a cache does it: the oldest go, what is used is moved. */
static void
queue(void)
{
    PyObject *od = need(PyODict_New());

    for (int i = 0; i < 3000; i++) {
        PyObject *key = need(PyLong_FromLong(i));

        if (PyODict_SetItem(od, key, Py_None) < 0)
            need(NULL);
        Py_DECREF(key);
        if (i % 3 == 0)
            Py_XDECREF(PyObject_CallMethod(od, "move_to_end", "i", i - i / 3));
        PyErr_Clear();
        if (PyODict_SIZE(od) > 40)
            Py_DECREF(need(PyObject_CallMethod(od, "popitem", "i", 0)));
        if (i % 500 == 499)
            while (PyODict_SIZE(od) > 500 - i / 6)
                Py_DECREF(need(PyObject_CallMethod(od, "popitem", "i", 0)));
    }
    content("a cache", od);
    Py_DECREF(od);
}

static void
compared(void)
{
    PyObject *a = make("ab"), *b = make("ab"), *dict = need(PyDict_Copy(a));

    show("equal", PyObject_RichCompare(a, b, Py_EQ));
    show("a dict", PyObject_RichCompare(a, dict, Py_EQ));
    show("of a dict", PyObject_RichCompare(dict, a, Py_EQ));
    Py_XDECREF(PyObject_CallMethod(b, "move_to_end", "s", "a"));
    show("another order", PyObject_RichCompare(a, b, Py_EQ));
    show("another order", PyObject_RichCompare(a, b, Py_NE));
    Py_XDECREF(PyObject_CallMethod(a, "move_to_end", "s", "a"));
    show("a dict has none", PyObject_RichCompare(a, dict, Py_EQ));
    show("and not equal", PyObject_RichCompare(a, b, Py_NE));
    show("less", PyObject_RichCompare(a, b, Py_LT));
    result("hash", (long)PyObject_Hash(a));
    drop_all(a, b, dict);
}

static void
joined(PyObject *type)
{
    PyObject *a = make("ab"),
             *dict = need(Py_BuildValue("{sisi}", "z", 8, "a", 9));
    PyObject *both = need(PyNumber_Or(a, dict));

    result("of its type", PyODict_CheckExact(both));
    content("a | dict", both);
    Py_DECREF(both);
    both = need(PyNumber_Or(dict, a));
    result("of its type", PyODict_CheckExact(both));
    content("dict | a", both);
    Py_DECREF(both);
    show("a | 1", PyNumber_Or(a, Py_True));
    both = need(PyNumber_InPlaceOr(a, dict));
    result("the same", both == a);
    content("a |= dict", both);
    Py_DECREF(both);
    both = need(PyObject_CallMethod(a, "copy", NULL));
    show("a copy", PyObject_RichCompare(a, both, Py_EQ));
    Py_DECREF(both);
    taken("from keys", PyObject_CallMethod(type, "fromkeys", "si", "xyx", 3));
    taken("from keywords", PyObject_VectorcallDict(type, NULL, 0, dict));
    show("update of two", PyObject_CallMethod(a, "update", "ii", 1, 2));
    show("of two", PyObject_CallFunction(type, "ii", 1, 2));
    show("of an int", PyObject_CallFunction(type, "i", 1));
    show("pop", PyObject_CallMethod(a, "pop", "s", "a"));
    show("pop", PyObject_CallMethod(a, "pop", "s", "a"));
    show("pop", PyObject_CallMethod(a, "pop", "si", "a", 4));
    Py_DECREF(a);
}

static PyObject *
doubled(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *self, *key, *value;

    if (!PyArg_ParseTuple(args, "OOO", &self, &key, &value))
        return NULL;
    PyObject *twice = need(PyNumber_Add(value, value));
    if (PyODict_SetItem(self, key, twice) < 0)
        return NULL;
    Py_DECREF(twice);
    Py_RETURN_NONE;
}

static PyMethodDef doubled_def = {"__setitem__", doubled, METH_VARARGS, NULL};

/* A subclass sees all that sets. */
static void
subclass(PyObject *type)
{
    PyObject *dict = need(PyDict_New());
    PyObject *function = need(PyCFunction_New(&doubled_def, NULL));
    PyObject *method = need(PyInstanceMethod_New(function));
    PyDict_SetItemString(dict, "__setitem__", method);
    PyObject *cls = call_type(&PyType_Type, "s(O)O", "S", type, dict);
    PyObject *pairs = need(Py_BuildValue("[(si)(si)]", "p", 1, "q", 2));
    PyObject *op = need(PyObject_CallFunction(cls, "O", pairs));
    content("made", op);
    show("default", PyObject_CallMethod(op, "setdefault", "si", "r", 4));
    show("there", PyObject_CallMethod(op, "setdefault", "si", "r", 5));
    content("set", op);
    show("update", PyObject_CallMethod(op, "update", "({si})", "p", 10));
    content("updated", op);
    taken("copied", PyObject_CallMethod(op, "copy", NULL));
    taken("joined", PyNumber_Or(op, op));
    show("twice",
         PyObject_CallMethod(op, "update", "([(si)(si)])", "d", 1, "d", 2));
    show("half", PyObject_CallMethod(op, "update", "([(si)i])", "h", 1, 3));
    show("three", PyObject_CallMethod(op, "update", "([(iii)])", 1, 2, 3));
    content("in turn", op);
    drop_all(op, pairs, cls, method, function, dict);
}

/* It has attributes and weak references, and may be in a cycle. */
static void
object(void)
{
    PyObject *od = make("a"), *weak = need(PyWeakref_NewRef(od, NULL));

    PyGC_Collect();
    result("attribute", PyObject_SetAttrString(od, "own", od));
    result("key", PyDict_SetItemString(od, "self", od));
    result("tracked", PyObject_GC_IsTracked(od));
    Py_DECREF(od);
    result("collected", (long)PyGC_Collect());
    result("dead", PyWeakref_GetObject(weak) == Py_None);
    Py_DECREF(weak);
    od = make("abc");
    PyObject *parts = need(PyObject_CallMethod(od, "__reduce__", NULL));
    result("parts", (long)PyTuple_Size(parts));
    show_kept("class", PyTuple_GET_ITEM(parts, 0));
    show_kept("arguments", PyTuple_GET_ITEM(parts, 1));
    show_kept("state", PyTuple_GET_ITEM(parts, 2));
    show("items", PySequence_List(PyTuple_GET_ITEM(parts, 4)));
    Py_DECREF(parts);
    PyObject *it = need(PyObject_CallMethod(od, "__reversed__", NULL));
    show("reversed", PySequence_List(it));
    Py_DECREF(it);
    it = need(PyObject_GetIter(od));
    Py_DECREF(need(PyIter_Next(it)));
    Py_XDECREF(PyObject_CallMethod(od, "clear", NULL));
    show("changed", PyIter_Next(it) == NULL && PyErr_Occurred() != NULL
                        ? (PyErr_Clear(), Py_NewRef(Py_True))
                        : NULL);
    drop_all(it, od);
}

void
oracle_program(void)
{
    PyObject *module = need(PyImport_ImportModule("collections"));
    PyObject *type = need(PyObject_GetAttrString(module, "OrderedDict"));

    result("the type", type == (PyObject *)&PyODict_Type);
    ends();
    queue();
    compared();
    joined(type);
    subclass(type);
    object();
    drop_all(type, module);
}
