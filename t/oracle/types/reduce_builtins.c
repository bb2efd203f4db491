/* reduce_builtins.c: __reduce__ and __setstate__ of built-in types: iterators,
   sets, functions, exceptions; and methods that few ask for.
   Manual: Python's library, "pickle", "Built-in Types". */

#include "oracle.h"

/* What __reduce__ returned: the first item by its name, the rest by repr, and
   iterators as lists; steals op. */
static void
show_reduced(const char *label, PyObject *op)
{
    if (op == NULL || !PyTuple_Check(op)) {
        show(label, op);
        return;
    }
    PyObject *name =
        need(PyObject_GetAttrString(PyTuple_GET_ITEM(op, 0), "__name__"));
    PyObject *rest = need(PyTuple_GetSlice(op, 1, PyTuple_GET_SIZE(op)));
    say("%s: %s%s", label, PyUnicode_AsUTF8(name),
        PyUnicode_AsUTF8(need(PyObject_Repr(rest))));
    drop_all(name, rest, op);
}

static void
reduce(const char *label, PyObject *op)
{
    show_reduced(label, PyObject_CallMethod(need(op), "__reduce__", NULL));
    Py_DECREF(op);
}

static void
show_rest(const char *label, PyObject *it)
{
    show(label, it != NULL ? PySequence_List(it) : NULL);
    Py_XDECREF(it);
}

/* The iterator at its start, after two items and at its end; then the states.
   The function makes it anew. */
static void
walk(const char *label, PyObject *(*make)(void))
{
    static const long states[] = {0, 1, -1, -7, 99};
    PyObject *it = need(make()), *item;

    say("%s", label);
    show_reduced("  start", PyObject_CallMethod(it, "__reduce__", NULL));
    for (int i = 0; i < 2; i++)
        Py_XDECREF(PyIter_Next(it));
    show_reduced("  later", PyObject_CallMethod(it, "__reduce__", NULL));
    while ((item = PyIter_Next(it)) != NULL)
        Py_DECREF(item);
    show_reduced("  end", PyObject_CallMethod(it, "__reduce__", NULL));
    if (PyObject_HasAttrString(it, "__setstate__"))
        show("  set at the end",
             PyObject_CallMethod(it, "__setstate__", "i", 0));
    show_rest("  still", it);
    it = need(make());
    if (!PyObject_HasAttrString(it, "__setstate__")) {
        Py_DECREF(it);
        return;
    }
    show("  no int", PyObject_CallMethod(it, "__setstate__", "s", "x"));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(states); i++) {
        Py_SETREF(it, need(make()));
        show(text("  set %ld", states[i]),
             PyObject_CallMethod(it, "__setstate__", "l", states[i]));
        show_rest("  then", Py_NewRef(it));
    }
    Py_DECREF(it);
}

#define MAKER(NAME, EXPRESSION)                                               \
    static PyObject *make_##NAME(void)                                        \
    {                                                                         \
        PyObject *op = need(EXPRESSION);                                      \
        PyObject *it = need(PyObject_GetIter(op));                            \
                                                                              \
        Py_DECREF(op);                                                        \
        return it;                                                            \
    }

MAKER(list, Py_BuildValue("[iii]", 1, 2, 3))
MAKER(tuple, Py_BuildValue("(iii)", 1, 2, 3))
MAKER(str, PyUnicode_FromString("a\xc3\xa9z"))
MAKER(bytes, PyBytes_FromString("abc"))
MAKER(bytearray, PyByteArray_FromStringAndSize("abc", 3))
MAKER(dict, Py_BuildValue("{sisisi}", "a", 1, "b", 2, "c", 3))
MAKER(set, call_type(&PySet_Type, "((i))", 5))
MAKER(enumerate, call_type(&PyEnum_Type, "(())"))

static PyObject *
make_view(const char *name)
{
    PyObject *dict = need(Py_BuildValue("{sisisi}", "a", 1, "b", 2, "c", 3));
    PyObject *view = need(PyObject_CallMethod(dict, name, NULL));
    PyObject *it = need(PyObject_GetIter(view));

    drop_all(dict, view);
    return it;
}

static PyObject *
make_values(void)
{
    return make_view("values");
}

static PyObject *
make_items(void)
{
    return make_view("items");
}

static PyObject *
make_reversed_list(void)
{
    PyObject *list = need(Py_BuildValue("[iii]", 1, 2, 3));
    PyObject *it = need(PyObject_CallMethod(list, "__reversed__", NULL));

    Py_DECREF(list);
    return it;
}

static PyObject *
make_reversed(void)
{
    return call_type(&PyReversed_Type, "((iii))", 1, 2, 3);
}

static PyObject *
make_sequence(void)
{
    PyObject *tuple = need(Py_BuildValue("(iii)", 1, 2, 3));
    PyObject *it = need(PySeqIter_New(tuple));

    Py_DECREF(tuple);
    return it;
}

static PyObject *
make_call_iter(void)
{
    PyObject *zero = PyLong_FromLong(0);
    PyObject *it = need(PyCallIter_New((PyObject *)&PyLong_Type, zero));

    Py_DECREF(zero);
    return it;
}

static void
iterators(void)
{
    walk("list", make_list);
    walk("tuple", make_tuple);
    walk("str", make_str);
    walk("bytes", make_bytes);
    walk("bytearray", make_bytearray);
    walk("dict", make_dict);
    walk("values", make_values);
    walk("items", make_items);
    walk("set", make_set);
    walk("reversed list", make_reversed_list);
    walk("reversed", make_reversed);
    walk("sequence", make_sequence);
    walk("callable", make_call_iter);
    Py_DECREF(make_enumerate());
}

/* A dict that changed under its iterator. */
static void
changed(void)
{
    PyObject *dict = need(Py_BuildValue("{sisi}", "a", 1, "b", 2));
    PyObject *it = need(PyObject_GetIter(dict));

    PyDict_DelItemString(dict, "a");
    SHOW(PyObject_CallMethod(it, "__reduce__", NULL));
    drop_all(it, dict);
}

static void
combined(void)
{
    PyObject *op, *kwds = need(Py_BuildValue("{sO}", "strict", Py_True));
    PyObject *args = need(Py_BuildValue("(()())"));

    reduce("enumerate", call_type(&PyEnum_Type, "(()i)", 7));
    op = call_type(&PyEnum_Type, "((ii)L)", 1, 2, 0x7fffffffffffffffLL);
    Py_XDECREF(PyIter_Next(op));
    Py_XDECREF(PyIter_Next(op));
    reduce("enumerate, large", op);
    op = need(PyObject_Call((PyObject *)&PyZip_Type, args, kwds));
    reduce("zip, strict", op);
    op = call_type(&PyZip_Type, "((ii)(i))", 1, 2, 3);
    show_reduced("zip", PyObject_CallMethod(op, "__reduce__", NULL));
    SHOW(PyObject_CallMethod(op, "__setstate__", "i", 1));
    show_rest("zip made strict", op);
    reduce("map", call_type(&PyMap_Type, "(O()())", &PyLong_Type));
    reduce("filter", call_type(&PyFilter_Type, "(O())", Py_None));
    drop_all(args, kwds);
}

static void
values(void)
{
    PyObject *op;

    reduce("slice", call_type(&PySlice_Type, "(iiO)", 1, 2, Py_None));
    reduce("set", call_type(&PySet_Type, "((i))", 1));
    reduce("frozenset", call_type(&PyFrozenSet_Type, "((i))", 1));
    op = call_type(&PyType_Type, "s(O){}", "S", &PySet_Type);
    Py_SETREF(op, need(PyObject_CallNoArgs(op)));
    PyObject_SetAttrString(op, "x", Py_True);
    reduce("below set", op);
    reduce("Ellipsis", Py_NewRef(Py_Ellipsis));
    reduce("NotImplemented", Py_NewRef(Py_NotImplemented));
    reduce("bytearray", need(PyByteArray_FromStringAndSize("a\xe9", 2)));
    reduce("empty bytearray", need(PyByteArray_FromStringAndSize("", 0)));
    op = need(PyByteArray_FromStringAndSize("a\xe9", 2));
    show_reduced("2", PyObject_CallMethod(op, "__reduce_ex__", "i", 2));
    show_reduced("3", PyObject_CallMethod(op, "__reduce_ex__", "i", 3));
    show_reduced("0", PyObject_CallMethod(op, "__reduce_ex__", NULL));
    SHOW(PyObject_CallMethod(op, "__reduce_ex__", "s", "x"));
    say("more room than bytes: %d",
        PyLong_AsLong(need(PyObject_CallMethod(op, "__alloc__", NULL))) > 2);
    Py_DECREF(op);
    op = need(PyBytes_FromString("x"));
    SHOW(PyObject_CallMethod(op, "__bytes__", NULL));
    SHOW(PyObject_CallMethod((PyObject *)&PyFloat_Type, "__getformat__", "s",
                             "double"));
    SHOW(PyObject_CallMethod((PyObject *)&PyFloat_Type, "__getformat__", "s",
                             "x"));
    SHOW(PyObject_CallMethod((PyObject *)&PyFloat_Type, "__getformat__", "i",
                             1));
    Py_DECREF(op);
}

static void
functions(void)
{
    PyObject *builtins = need(PyImport_ImportModule("builtins"));
    PyObject *list = need(PyList_New(0)), *op;

    reduce("function", need(PyObject_GetAttrString(builtins, "len")));
    reduce("method of an instance",
           need(PyObject_GetAttrString(list, "append")));
    reduce("method of a class",
           need(PyObject_GetAttrString((PyObject *)&PyDict_Type, "fromkeys")));
    reduce("descriptor",
           need(PyObject_GetAttrString((PyObject *)&PyList_Type, "append")));
    reduce("wrapper",
           need(PyObject_GetAttrString((PyObject *)&PyList_Type, "__len__")));
    reduce("bound wrapper", need(PyObject_GetAttrString(list, "__len__")));
    reduce("member",
           need(PyObject_GetAttrString((PyObject *)&PyComplex_Type, "real")));
    op = need(PyObject_GetAttrString(builtins, "len"));
    reduce("bound method", need(PyMethod_New(op, list)));
    reduce("bound method of no name",
           need(PyMethod_New((PyObject *)&PyLong_Type, list)));
    drop_all(op, list, builtins);
}

static PyObject *
with_keywords(PyObject *type, const char *key)
{
    PyObject *args = need(Py_BuildValue("(s)", "text"));
    PyObject *kwds = need(Py_BuildValue("{ss}", key, "n"));
    PyObject *op = need(PyObject_Call(type, args, kwds));

    drop_all(args, kwds);
    return op;
}

static void
exceptions(void)
{
    PyObject *op = call_type(PyExc_ValueError, "(si)", "x", 1);

    show_reduced("ValueError", PyObject_CallMethod(op, "__reduce__", NULL));
    PyObject_SetAttrString(op, "y", Py_True);
    show_reduced("ValueError", PyObject_CallMethod(op, "__reduce__", NULL));
    SHOW(PyObject_CallMethod(op, "__setstate__", "({si})", "z", 5));
    SHOW(PyObject_GetAttrString(op, "z"));
    SHOW(PyObject_CallMethod(op, "__setstate__", "O", Py_None));
    SHOW(PyObject_CallMethod(op, "__setstate__", "i", 1));
    SHOW(PyObject_CallMethod(op, "__setstate__", "({ii})", 1, 1));
    Py_DECREF(op);
    reduce("OSError", call_type(PyExc_OSError, "(is)", 2, "a"));
    reduce("OSError", call_type(PyExc_OSError, "(iss)", 2, "a", "file"));
    reduce("OSError", call_type(PyExc_OSError, "(issOs)", 2, "a", "file",
                                Py_None, "other"));
    reduce("OSError", call_type(PyExc_OSError, "(s)", "a"));
    op = call_type(PyExc_OSError, "(iss)", 2, "a", "file");
    PyObject_SetAttrString(op, "y", Py_True);
    reduce("OSError", op);
    reduce("ImportError", call_type(PyExc_ImportError, "(s)", "a"));
    reduce("ImportError", with_keywords(PyExc_ImportError, "name"));
    op = with_keywords(PyExc_ImportError, "path");
    PyObject_SetAttrString(op, "y", Py_True);
    reduce("ImportError", op);
}

static void
getters(void)
{
    PyObject *module = need(PyImport_ImportModule("operator")), *type, *op;

    type = need(PyObject_GetAttrString(module, "itemgetter"));
    reduce("itemgetter", call_type(type, "(i)", 1));
    reduce("itemgetter", call_type(type, "(ii)", 1, 2));
    Py_SETREF(type, need(PyObject_GetAttrString(module, "attrgetter")));
    reduce("attrgetter", call_type(type, "(s)", "a.b"));
    reduce("attrgetter", call_type(type, "(ss)", "a.b", "c"));
    Py_SETREF(type, need(PyObject_GetAttrString(module, "methodcaller")));
    reduce("methodcaller", call_type(type, "(si)", "m", 1));
    op = need(
        PyObject_CallMethod(with_keywords(type, "k"), "__reduce__", NULL));
    show_kept("methodcaller", op);
    drop_all(op, type, module);
}

/* str.expandtabs and those of bytes. */
static void
tabs(void)
{
    static const char *const texts[] = {"",
                                        "a\tb",
                                        "\t",
                                        "abcdefgh\tx",
                                        "\xc3\xa9\tx",
                                        "\t\t",
                                        "a\nb\tc\rd\te",
                                        "ab\tcd\t",
                                        "a\vb\t",
                                        "\xf0\x9f\x98\x80\t."};
    static const int sizes[] = {8, 4, 1, 0, -1, 3};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++)
        for (size_t j = 0; j < Py_ARRAY_LENGTH(sizes); j++) {
            PyObject *str = need(PyUnicode_FromString(texts[i]));
            PyObject *bytes = need(PyBytes_FromString(texts[i]));
            show(text("str %d", sizes[j]),
                 PyObject_CallMethod(str, "expandtabs", "i", sizes[j]));
            show(text("bytes %d", sizes[j]),
                 PyObject_CallMethod(bytes, "expandtabs", "i", sizes[j]));
            drop_all(str, bytes);
        }
    PyObject *str = need(PyUnicode_FromString("a\tb"));
    PyObject *method = need(PyObject_GetAttrString(str, "expandtabs"));
    PyObject *none = need(PyTuple_New(0));
    PyObject *kwds = need(Py_BuildValue("{si}", "tabsize", 2));
    SHOW(PyObject_CallNoArgs(method));
    SHOW(PyObject_Call(method, none, kwds));
    SHOW(PyObject_CallFunction(method, "s", "x"));
    drop_all(str, method, none, kwds);
}

static void
aliases(void)
{
    static PyTypeObject *const types[] = {&PyEnum_Type, &PyDictProxy_Type,
                                          &_PyWeakref_RefType};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        show("alias",
             PyObject_CallMethod((PyObject *)types[i], "__class_getitem__",
                                 "O", &PyLong_Type));
}

void
oracle_program(void)
{
    iterators();
    changed();
    combined();
    values();
    functions();
    exceptions();
    getters();
    tabs();
    aliases();
}
