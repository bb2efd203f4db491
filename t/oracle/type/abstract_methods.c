/* abstract_methods.c: what the classes of collections.abc give to subclasses
   that define only the abstract methods, and which methods are abstract.
   Manual: Python's library, "collections.abc", "abc". */

#include "oracle.h"

static PyObject *module;

/* ------------------------------------------------------------------ */
/* A container: all that subclasses define goes to its "inner" object   */

static PyObject *
inner(PyObject *self)
{
    return need(PyObject_GetAttrString(self, "inner"));
}

/* inner.name(*args) */
static PyObject *
forward(PyObject *self, const char *name, PyObject *args)
{
    PyObject *op = inner(self);
    PyObject *method = need(PyObject_GetAttrString(op, name));
    PyObject *result = PyObject_Call(method, args, NULL);

    drop_all(op, method);
    return result;
}

#define METHODS(F)                                                            \
    F(len, "__len__")                                                         \
    F(iter, "__iter__")                                                       \
    F(contains, "__contains__")                                               \
    F(getitem, "__getitem__")                                                 \
    F(setitem, "__setitem__")                                                 \
    F(delitem, "__delitem__")                                                 \
    F(insert, "insert") F(add, "add") F(discard, "discard")

#define DEFINE(NAME, METHOD)                                                  \
    static PyObject *c_##NAME(PyObject *self, PyObject *args)                 \
    {                                                                         \
        return forward(self, METHOD, args);                                   \
    }
METHODS(DEFINE)

static PyObject *
c_init(PyObject *self, PyObject *args)
{
    PyObject *type = NULL, *op, *from = NULL;

    if (!PyArg_ParseTuple(args, "|O", &from))
        return NULL;
    type = need(PyObject_GetAttrString((PyObject *)Py_TYPE(self), "kind"));
    op = from != NULL ? PyObject_CallOneArg(type, from)
                      : PyObject_CallNoArgs(type);
    Py_DECREF(type);
    if (op == NULL || PyObject_SetAttrString(self, "inner", op) < 0)
        return NULL;
    Py_DECREF(op);
    Py_RETURN_NONE;
}

static PyObject *
c_repr(PyObject *self, PyObject *args)
{
    PyObject *op = inner(self), *list = NULL, *text;

    /* In an order that does not depend on hashes. */
    if (PyAnySet_Check(op))
        list = need(PySequence_List(op));
    if (list != NULL)
        PyList_Sort(list);
    text = PyUnicode_FromFormat("C(%R)", list != NULL ? list : op);
    Py_XDECREF(list);
    Py_DECREF(op);
    return text;
}

#define ENTRY(NAME, METHOD) {METHOD, c_##NAME, METH_VARARGS, NULL},
static PyMethodDef defs[] = {
    METHODS(ENTRY){"__init__", c_init, METH_VARARGS, NULL},
    {"__repr__", c_repr, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyObject *
method(const char *name)
{
    PyMethodDef *def = defs;

    while (strcmp(def->ml_name, name) != 0)
        def++;
    return need(PyDescr_NewMethod(&PyBaseObject_Type, def));
}

static PyObject *
kind_of_class(const char *name)
{
    return need(PyObject_GetAttrString(module, name));
}

/* A subclass of the class of that name, with these methods; its objects go to
   one of the type kind. */
static PyObject *
subclass(const char *name, void *kind, ...)
{
    PyObject *base = kind_of_class(name), *type, *value;
    PyObject *dict = need(Py_BuildValue("{sO}", "kind", kind));
    const char *special;
    va_list names;

    va_start(names, kind);
    while ((special = va_arg(names, const char *)) != NULL) {
        value = method(special);
        PyDict_SetItemString(dict, special, value);
        Py_DECREF(value);
    }
    va_end(names);
    value = method("__init__");
    PyDict_SetItemString(dict, "__init__", value);
    Py_SETREF(value, method("__repr__"));
    PyDict_SetItemString(dict, "__repr__", value);
    Py_DECREF(value);
    type = need(PyObject_CallFunction((PyObject *)Py_TYPE(base), "s(O)O", "C",
                                      base, dict));
    drop_all(dict, base);
    return type;
}

static PyObject *
make(PyObject *type, const char *format, ...)
{
    va_list values;
    PyObject *args, *op;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    op = need(PyObject_Call(type, args, NULL));
    Py_DECREF(args);
    return op;
}

#define CALL(NAME, ...)                                                       \
    show(NAME " " #__VA_ARGS__, PyObject_CallMethod(op, NAME, __VA_ARGS__))

static void
show_list(const char *label, PyObject *op)
{
    PyObject *list = op != NULL ? PySequence_List(op) : NULL;

    Py_XDECREF(op);
    show(label, list);
}

/* ------------------------------------------------------------------ */

static void
sequences(void)
{
    PyObject *type =
        subclass("Sequence", &PyList_Type, "__len__", "__getitem__", NULL);
    PyObject *op = make(type, "([iiii])", 1, 2, 3, 2),
             *two = PyLong_FromLong(2);

    show_list("iter", PyObject_GetIter(op));
    show_list("reversed", PyObject_CallMethod(op, "__reversed__", NULL));
    RESULT(PySequence_Contains(op, two));
    RESULT(PySequence_Contains(op, Py_None));
    CALL("count", "i", 2);
    CALL("count", "i", 9);
    CALL("index", "i", 2);
    CALL("index", "ii", 2, 2);
    CALL("index", "ii", 2, -1);
    CALL("index", "iii", 2, 0, 1);
    CALL("index", "iii", 2, -9, -1);
    CALL("index", "i", 9);
    CALL("index", "iiO", 3, 1, Py_None);
    CALL("append", "i", 1);
    drop_all(two, op, type);
}

static void
mutable_sequences(void)
{
    PyObject *type =
        subclass("MutableSequence", &PyList_Type, "__len__", "__getitem__",
                 "__setitem__", "__delitem__", "insert", NULL);
    PyObject *op = make(type, "([iii])", 1, 2, 3), *more;

    CALL("append", "i", 4);
    CALL("extend", "((ii))", 5, 6);
    CALL("extend", "i", 5);
    show_kept("op", op);
    CALL("reverse", NULL);
    show_kept("op", op);
    CALL("pop", NULL);
    CALL("pop", "i", 0);
    CALL("pop", "i", 99);
    CALL("remove", "i", 4);
    CALL("remove", "i", 4);
    show_kept("op", op);
    CALL("extend", "O", op);
    show_kept("op", op);
    more = need(Py_BuildValue("[i]", 7));
    SHOW(PyNumber_InPlaceAdd(op, more));
    CALL("clear", NULL);
    show_kept("op", op);
    CALL("pop", NULL);
    drop_all(more, op, type);
}

static void
compare_sets(PyObject *a, PyObject *b)
{
    for (int op = Py_LT; op <= Py_GE; op++)
        show("compared", PyObject_RichCompare(a, b, op));
}

static void
sets(void)
{
    PyObject *type = subclass("Set", &PySet_Type, "__len__", "__iter__",
                              "__contains__", NULL);
    PyObject *op = make(type, "([iii])", 1, 2, 3);
    PyObject *less = make(type, "([ii])", 1, 2);
    PyObject *set = need(PySet_New(NULL)), *list = Py_BuildValue("[ii]", 3, 4);

    compare_sets(op, less);
    compare_sets(less, op);
    compare_sets(op, op);
    compare_sets(op, set);
    compare_sets(op, list);
    SHOW(PyNumber_And(op, less));
    SHOW(PyNumber_And(op, list));
    SHOW(PyNumber_And(list, op));
    SHOW(PyNumber_Or(op, list));
    SHOW(PyNumber_Subtract(op, list));
    SHOW(PyNumber_Subtract(list, op));
    SHOW(PyNumber_Xor(op, list));
    SHOW(PyNumber_Xor(list, op));
    SHOW(PyNumber_Or(op, Py_None));
    SHOW(PyNumber_Subtract(op, Py_None));
    CALL("isdisjoint", "O", list);
    CALL("isdisjoint", "(i)", 9);
    SHOW(PyObject_CallMethod(type, "_from_iterable", "((ii))", 1, 2));
    CALL("_hash", NULL);
    RESULT(PyObject_Hash(op));
    drop_all(list, set, less, op, type);
}

static void
mutable_sets(void)
{
    PyObject *type = subclass("MutableSet", &PySet_Type, "__len__", "__iter__",
                              "__contains__", "add", "discard", NULL);
    PyObject *op = make(type, "([iii])", 1, 2, 3);
    PyObject *list = Py_BuildValue("[ii]", 3, 4), *set;

    SHOW(PyNumber_InPlaceOr(op, list));
    SHOW(PyNumber_InPlaceXor(op, list));
    SHOW(PyNumber_InPlaceSubtract(op, list));
    set = need(PySet_New(list));
    PyObject_CallMethod(op, "add", "i", 4);
    SHOW(PyNumber_InPlaceAnd(op, set));
    SHOW(PyNumber_InPlaceXor(op, Py_None));
    CALL("remove", "i", 4);
    CALL("remove", "i", 4);
    CALL("pop", NULL);
    SHOW(PyNumber_InPlaceOr(op, list));
    CALL("clear", NULL);
    SHOW(PyNumber_InPlaceOr(op, list));
    SHOW(PyNumber_InPlaceXor(op, op));
    SHOW(PyNumber_InPlaceOr(op, list));
    SHOW(PyNumber_InPlaceSubtract(op, op));
    drop_all(set, list, op, type);
}

static void
mappings(void)
{
    PyObject *type = subclass("Mapping", &PyDict_Type, "__len__", "__iter__",
                              "__getitem__", NULL);
    PyObject *op = make(type, "({si})", "a", 1), *dict, *view, *key, *pair;

    CALL("get", "s", "a");
    CALL("get", "s", "b");
    CALL("get", "si", "b", 7);
    key = PyUnicode_FromString("a");
    RESULT(PySequence_Contains(op, key));
    RESULT(PySequence_Contains(op, Py_None));
    dict = need(Py_BuildValue("{si}", "a", 1));
    SHOW(PyObject_RichCompare(op, dict, Py_EQ));
    SHOW(PyObject_RichCompare(op, dict, Py_NE));
    SHOW(PyObject_RichCompare(op, Py_None, Py_EQ));
    SHOW(PyObject_CallFunction((PyObject *)&PyReversed_Type, "O", op));
    view = need(PyObject_CallMethod(op, "keys", NULL));
    show_kept("keys", view);
    show_list("keys", Py_NewRef(view));
    RESULT(PySequence_Contains(view, key));
    RESULT(PyObject_Size(view));
    SHOW(PyNumber_And(view, key));
    Py_SETREF(view, need(PyObject_CallMethod(op, "values", NULL)));
    show_kept("values", view);
    show_list("values", Py_NewRef(view));
    RESULT(PySequence_Contains(view, key));
    Py_SETREF(view, need(PyObject_CallMethod(op, "items", NULL)));
    show_kept("items", view);
    show_list("items", Py_NewRef(view));
    pair = Py_BuildValue("(si)", "a", 1);
    RESULT(PySequence_Contains(view, pair));
    Py_SETREF(pair, Py_BuildValue("(si)", "a", 2));
    RESULT(PySequence_Contains(view, pair));
    Py_SETREF(pair, Py_BuildValue("(s)", "a"));
    RESULT(PySequence_Contains(view, pair));
    RESULT(PySequence_Contains(view, Py_None));
    drop_all(pair, view, dict, key, op, type);
}

static void
mutable_mappings(void)
{
    PyObject *type =
        subclass("MutableMapping", &PyDict_Type, "__len__", "__iter__",
                 "__getitem__", "__setitem__", "__delitem__", NULL);
    PyObject *op = make(type, "({si})", "a", 1), *update, *args, *kwds;

    CALL("setdefault", "si", "a", 5);
    CALL("setdefault", "si", "b", 5);
    CALL("setdefault", "s", "c");
    CALL("pop", "s", "c");
    CALL("pop", "s", "c");
    CALL("pop", "si", "c", 3);
    CALL("update", "{si}", "d", 4);
    CALL("update", "((si))", "e", 5);
    CALL("update", "O", op);
    CALL("update", "(i)", 5);
    CALL("update", "((i))", 5);
    CALL("update", "((iii))", 5, 6, 7);
    CALL("update", "i", 5);
    update = need(PyObject_GetAttrString(op, "update"));
    args = need(PyTuple_New(0));
    kwds = need(Py_BuildValue("{si}", "f", 6));
    SHOW(PyObject_Call(update, args, kwds));
    show_kept("op", op);
    CALL("popitem", NULL);
    show_kept("op", op);
    CALL("clear", NULL);
    CALL("popitem", NULL);
    show_kept("op", op);
    drop_all(kwds, args, update, op, type);
}

/* The abstract methods of each class, and what calling it says. */
static void
abstract(void)
{
    static const char *const names[] = {
        "Hashable", "Awaitable",      "Coroutine", "AsyncIterable",
        "Iterable", "Iterator",       "Generator", "Reversible",
        "Sized",    "Container",      "Callable",  "Collection",
        "Set",      "MutableSet",     "Mapping",   "MutableMapping",
        "Sequence", "MutableSequence"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        PyObject *type = kind_of_class(names[i]), *list, *op;
        PyObject *set =
            need(PyObject_GetAttrString(type, "__abstractmethods__"));
        list = need(PySequence_List(set));
        PyList_Sort(list);
        show_kept(names[i], list);
        op = PyObject_CallNoArgs(type);
        say("called: %d %d", op == NULL,
            PyErr_ExceptionMatches(PyExc_TypeError));
        PyErr_Clear();
        drop_all(list, set, type);
    }
}

static void
own_abstract(void)
{
    PyObject *type = call_type(&PyType_Type, "s(){}", "A");
    PyObject *names = need(Py_BuildValue("(ss)", "b", "a"));

    SHOW(PyObject_GetAttrString(type, "__abstractmethods__"));
    SHOW(PyObject_GetAttrString((PyObject *)&PyType_Type,
                                "__abstractmethods__"));
    RESULT(PyObject_SetAttrString(type, "__abstractmethods__", names));
    PyObject *op = PyObject_CallNoArgs(type);
    say("%d", op == NULL);
    differs("its message is that of CPython 3.12",
            "TypeError: Can't instantiate abstract class A without an "
            "implementation for abstract methods 'a', 'b'",
            "TypeError: Can't instantiate abstract class A with abstract "
            "methods a, b",
            error_text());
    RESULT(PyObject_DelAttrString(type, "__abstractmethods__"));
    RESULT(PyObject_DelAttrString(type, "__abstractmethods__"));
    op = PyObject_CallNoArgs(type);
    say("%d", op == NULL);
    Py_XDECREF(op);
    SHOW(PyObject_GetAttrString(type, "__annotations__"));
    RESULT(PyObject_SetAttrString(type, "__annotations__", names));
    SHOW(PyObject_GetAttrString(type, "__annotations__"));
    RESULT(PyObject_DelAttrString(type, "__annotations__"));
    RESULT(PyObject_DelAttrString(type, "__annotations__") == 0);
    SHOW(PyObject_GetAttrString((PyObject *)&PyLong_Type, "__annotations__"));
    RESULT(PyObject_SetAttrString((PyObject *)&PyLong_Type, "__annotations__",
                                  names));
    SHOW(PyObject_CallMethod(type, "__instancecheck__", "i", 1));
    SHOW(PyObject_CallMethod((PyObject *)&PyLong_Type, "__instancecheck__",
                             "i", 1));
    SHOW(PyObject_CallMethod((PyObject *)&PyLong_Type, "__subclasscheck__",
                             "O", &PyBool_Type));
    SHOW(PyObject_CallMethod((PyObject *)&PyLong_Type, "__subclasscheck__",
                             "i", 1));
    SHOW(PyObject_GetAttrString(module, "__annotations__"));
    RESULT(PyObject_SetAttrString(module, "__annotations__", names));
    SHOW(PyObject_GetAttrString(module, "__annotations__"));
    RESULT(PyObject_DelAttrString(module, "__annotations__"));
    RESULT(PyObject_DelAttrString(module, "__annotations__"));
    drop_all(type, names);
}

/* An abstract method called by the class, with self anything. */
static void
by_super(const char *name, const char *which, const char *format, ...)
{
    PyObject *type = kind_of_class(name);
    PyObject *function = need(PyObject_GetAttrString(type, which)), *args;
    va_list values;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    show(which, PyObject_Call(function, args, NULL));
    SHOW(PyObject_GetAttrString(function, "__isabstractmethod__"));
    SHOW(PyObject_GetAttrString(function, "__name__"));
    drop_all(args, function, type);
}

static void
abstract_called(void)
{
    by_super("Sized", "__len__", "(i)", 1);
    by_super("Hashable", "__hash__", "(i)", 1);
    by_super("Container", "__contains__", "(ii)", 1, 1);
    by_super("Mapping", "__getitem__", "(ii)", 1, 1);
    by_super("Sequence", "__getitem__", "(ii)", 1, 1);
    by_super("MutableMapping", "__delitem__", "(ii)", 1, 1);
    by_super("MutableSequence", "insert", "(iii)", 1, 1, 1);
    by_super("MutableSet", "add", "(ii)", 1, 1);
    by_super("Iterator", "__next__", "(i)", 1);
    by_super("Generator", "throw", "(iO)", 1, PyExc_KeyError);
}

static void
marked(void)
{
    PyObject *sized = kind_of_class("Sized");
    PyObject *function = need(PyObject_GetAttrString(sized, "__len__")), *op;

    op = need(PyObject_CallOneArg((PyObject *)&PyProperty_Type, function));
    SHOW(PyObject_GetAttrString(op, "__isabstractmethod__"));
    Py_SETREF(op, need(PyObject_CallOneArg((PyObject *)&PyClassMethod_Type,
                                           function)));
    SHOW(PyObject_GetAttrString(op, "__isabstractmethod__"));
    Py_SETREF(op, need(PyObject_CallOneArg((PyObject *)&PyStaticMethod_Type,
                                           (PyObject *)&PyLong_Type)));
    SHOW(PyObject_GetAttrString(op, "__isabstractmethod__"));
    drop_all(op, function, sized);
}

void
oracle_program(void)
{
    module = need(PyImport_ImportModule("collections.abc"));
    sequences();
    mutable_sequences();
    sets();
    mutable_sets();
    mappings();
    mutable_mappings();
    abstract();
    own_abstract();
    abstract_called();
    marked();
    Py_DECREF(module);
}
