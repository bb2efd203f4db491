/* library_modules.c: copyreg, operator, functools, types, inspect, and some of
   abc and collections.abc, as far as they are there.
   Manual: Python's library, the chapters of these names. */

#include "oracle.h"

static PyObject *
import(const char *name)
{
    return need(PyImport_ImportModule(name));
}

/* module.NAME(*args); the format is Py_BuildValue's. */
static PyObject *
call(PyObject *module, const char *name, const char *format, ...)
{
    va_list values;
    PyObject *function = need(PyObject_GetAttrString(module, name));
    PyObject *args, *result;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    result = PyObject_Call(function, args, NULL);
    drop_all(function, args);
    return result;
}

#define CALL(NAME, ...)                                                       \
    show(NAME " " #__VA_ARGS__, call(module, NAME, __VA_ARGS__))

/* Which names does the module have?  A text of them, with spaces between. */
static void
has_names(PyObject *module, const char *names)
{
    char name[40];
    int used;

    for (; sscanf(names, " %39s%n", name, &used) == 1; names += used)
        say("%s: %d", name, PyObject_HasAttrString(module, name));
}

/* ------------------------------------------------------------------ */

static PyObject *
new_class(const char *name, void *base)
{
    return call_type(&PyType_Type, "s(O){}", name, base);
}

static void
try_copyreg(void)
{
    PyObject *module = import("copyreg"), *table, *op;
    PyObject *type = new_class("A", &PyBaseObject_Type);
    PyObject *list = new_class("L", &PyList_Type);

    op = need(call(module, "__newobj__", "(O)", type));
    say("instance: %d", Py_TYPE(op) == (PyTypeObject *)type);
    Py_DECREF(op);
    CALL("__newobj__", "(Oi)", &PyLong_Type, 7);
    CALL("__newobj__", "(Os)", &PyUnicode_Type, "x");
    CALL("__newobj__", "(O)", list);
    CALL("__newobj_ex__", "(O(s){si})", &PyLong_Type, "11", "base", 3);
    CALL("_reconstructor", "(OO[i])", list, &PyList_Type, 1);
    CALL("_reconstructor", "(OOi)", &PyBool_Type, &PyLong_Type, 1);
    op = call(module, "_reconstructor", "(OOO)", type, &PyBaseObject_Type,
              Py_None);
    say("instance: %d", Py_TYPE(op) == (PyTypeObject *)type);
    Py_DECREF(op);
    CALL("pickle", "(Oi)", type, 1);
    CALL("pickle", "(OOi)", type, &PyLong_Type, 1);
    CALL("constructor", "(i)", 1);
    CALL("constructor", "(O)", type);
    table = need(PyObject_GetAttrString(module, "dispatch_table"));
    RESULT(PyMapping_HasKey(table, type));
    RESULT(PyMapping_HasKey(table, (PyObject *)&PyComplex_Type));
    RESULT(PyObject_DelItem(table, type));
    CALL("pickle_complex", "(D)", &(Py_complex){1.5, -2.0});
    has_names(module, "_extension_registry _inverted_registry "
                      "_extension_cache __newobj__ nothing");
    drop_all(table, type, list, module);
}

static void
slot_names(void)
{
    PyObject *module = import("copyreg");
    PyObject *type = call_type(&PyType_Type, "s(){s(sss)}", "_A", "__slots__",
                               "b", "__p", "__dict__");
    PyObject *below =
        call_type(&PyType_Type, "s(O){ss}", "B", type, "__slots__", "z");

    CALL("_slotnames", "(O)", type);
    CALL("_slotnames", "(O)", below);
    CALL("_slotnames", "(O)", &PyLong_Type);
    SHOW(PyObject_GetAttrString(below, "__slotnames__"));
    drop_all(below, type, module);
    collect();
}

static void
try_operator(void)
{
    PyObject *module = import("operator");
    PyObject *list = need(Py_BuildValue("[iii]", 1, 2, 2));

    CALL("add", "(ii)", 1, 2);
    CALL("__add__", "(ii)", 1, 2);
    CALL("sub", "(is)", 1, "x");
    CALL("add", "(i)", 1);
    CALL("and_", "(ii)", 6, 3);
    CALL("or_", "(ii)", 6, 3);
    CALL("xor", "(ii)", 6, 3);
    CALL("pow", "(ii)", 2, 5);
    CALL("truediv", "(ii)", 7, 2);
    CALL("floordiv", "(ii)", 7, 2);
    CALL("mod", "(ii)", 7, 4);
    CALL("lshift", "(ii)", 1, 4);
    CALL("neg", "(i)", 1);
    CALL("pos", "(i)", -1);
    CALL("abs", "(i)", -1);
    CALL("inv", "(i)", 1);
    CALL("invert", "(i)", 1);
    CALL("index", "(i)", 3);
    CALL("index", "(d)", 3.0);
    CALL("not_", "(i)", 0);
    CALL("truth", "(i)", 2);
    CALL("is_", "(OO)", list, list);
    CALL("is_not", "(OO)", list, list);
    CALL("lt", "(ii)", 1, 2);
    CALL("ge", "(ii)", 1, 2);
    CALL("eq", "(ii)", 1, 1);
    CALL("__ne__", "(ii)", 1, 1);
    CALL("contains", "(Oi)", list, 2);
    CALL("countOf", "(Oi)", list, 2);
    CALL("indexOf", "(Oi)", list, 2);
    CALL("indexOf", "(Oi)", list, 9);
    CALL("getitem", "(Oi)", list, 0);
    CALL("setitem", "(Ois)", list, 0, "x");
    CALL("delitem", "(Oi)", list, 1);
    CALL("concat", "(O(i))", list, 1);
    CALL("concat", "(O[i])", list, 1);
    CALL("iadd", "(O[i])", list, 5);
    CALL("iconcat", "(ii)", 1, 2);
    CALL("imul", "(ii)", 3, 2);
    CALL("length_hint", "(O)", list);
    CALL("length_hint", "(ii)", 1, 7);
    CALL("length_hint", "(is)", 1, "x");
    CALL("call", "(Os)", &PyLong_Type, "5");
    CALL("call", "()");
    has_names(module, "and or not is_ inv __inv__ __not__ __and__ __or__ "
                      "__getitem__ __matmul__ imatmul __contains__ __call__");
    drop_all(list, module);
}

static void
try_getters(void)
{
    PyObject *module = import("operator"), *op, *kwargs, *args, *type, *list;

    op = need(call(module, "itemgetter", "(i)", 1));
    show_kept("itemgetter", op);
    SHOW(PyObject_CallFunction(op, "((iii))", 1, 2, 3));
    SHOW(PyObject_CallFunction(op, "(())"));
    SHOW(PyObject_CallNoArgs(op));
    SHOW(PyObject_CallFunction(op, "(i)i", 1, 2));
    Py_DECREF(op);
    op = need(call(module, "itemgetter", "(is)", 1, "x"));
    show_kept("itemgetter", op);
    SHOW(PyObject_CallFunction(op, "({isss})", 1, "one", "x", "ecks"));
    Py_DECREF(op);
    CALL("itemgetter", "()");
    op = need(call(module, "attrgetter", "(s)", "real.imag"));
    show_kept("attrgetter", op);
    SHOW(PyObject_CallFunction(op, "i", 5));
    SHOW(PyObject_CallFunction(op, "s", "x"));
    Py_DECREF(op);
    op = need(call(module, "attrgetter", "(ss)", "real", "imag"));
    show_kept("attrgetter", op);
    SHOW(PyObject_CallFunction(op, "i", 5));
    Py_DECREF(op);
    CALL("attrgetter", "(i)", 1);
    CALL("attrgetter", "()");
    op = need(call(module, "methodcaller", "(ss)", "split", "b"));
    show_kept("methodcaller", op);
    SHOW(PyObject_CallFunction(op, "s", "abc"));
    SHOW(PyObject_CallFunction(op, "i", 1));
    Py_DECREF(op);
    CALL("methodcaller", "()");
    CALL("methodcaller", "(i)", 1);
    type = need(PyObject_GetAttrString(module, "methodcaller"));
    args = need(Py_BuildValue("(si)", "m", 1));
    kwargs = need(Py_BuildValue("{si}", "k", 2));
    SHOW(PyObject_Call(type, args, kwargs));
    drop_all(args, kwargs, type);
    /* In a cycle. */
    PyGC_Collect(); /* CPython's imports leave garbage */
    list = need(PyList_New(0));
    op = need(call(module, "itemgetter", "(O)", list));
    PyList_Append(list, op);
    drop_all(list, op);
    collect();
    Py_DECREF(module);
}

static void
try_functools(void)
{
    PyObject *module = import("functools"), *op, *more, *again, *list;

    op = need(call(module, "partial", "(Os)", &PyLong_Type, "11"));
    show_kept("partial", op);
    SHOW(PyObject_CallNoArgs(op));
    SHOW(PyObject_CallFunction(op, "i", 2));
    SHOW(PyObject_GetAttrString(op, "func"));
    SHOW(PyObject_GetAttrString(op, "args"));
    SHOW(PyObject_GetAttrString(op, "keywords"));
    RESULT(PyObject_SetAttrString(op, "func", Py_None));
    again = need(call(module, "partial", "(Oi)", op, 3));
    show_kept("partial of partial", again);
    SHOW(PyObject_CallNoArgs(again));
    RESULT(PyObject_SetAttrString(op, "x", Py_None));
    SHOW(PyObject_GetAttrString(op, "__dict__"));
    more = need(PyWeakref_NewRef(op, NULL));
    state("partial", op);
    drop_all(more, again, op);
    CALL("partial", "()");
    CALL("partial", "(i)", 1);
    PyGC_Collect();
    list = need(PyList_New(0));
    op = need(call(module, "partial", "(OO)", &PyList_Type, list));
    PyObject_SetAttrString(op, "self", op);
    PyList_Append(list, op);
    drop_all(list, op);
    collect();
    more = import("operator");
    op = need(PyObject_GetAttrString(more, "mul"));
    CALL("reduce", "(O(iii))", op, 2, 3, 4);
    CALL("reduce", "(O()i)", op, 9);
    CALL("reduce", "(O())", op);
    CALL("reduce", "(Oi)", op, 9);
    CALL("reduce", "(O)", op);
    drop_all(op, more);
    op = need(call(module, "partial", "(Oii)", &PyComplex_Type, 1, 2));
    more = need(PyDict_New());
    PyDict_SetItemString(more, "imag", Py_True);
    again = need(PyObject_GetAttrString(module, "partial"));
    list = need(Py_BuildValue("(Oi)", &PyComplex_Type, 1));
    SHOW(PyObject_Call(again, list, more));
    drop_all(op, more, again, list, module);
}

static PyObject *
compare(PyObject *self, PyObject *args)
{
    long a, b;

    if (!PyArg_ParseTuple(args, "ll", &a, &b))
        return NULL;
    return PyLong_FromLong(b - a);
}

static PyMethodDef compare_def = {"compare", compare, METH_VARARGS,
                                  "Compare."};

static void
try_cmp_to_key(void)
{
    PyObject *module = import("functools"), *key, *a, *b;
    PyObject *function = need(PyCFunction_New(&compare_def, NULL));

    key = need(call(module, "cmp_to_key", "(O)", function));
    a = need(PyObject_CallFunction(key, "i", 1));
    b = need(PyObject_CallFunction(key, "i", 2));
    SHOW(PyObject_GetAttrString(a, "obj"));
    for (int op = Py_LT; op <= Py_GE; op++)
        show("compared", PyObject_RichCompare(a, b, op));
    SHOW(PyObject_RichCompare(a, key, Py_LT));
    SHOW(PyObject_RichCompare(a, Py_None, Py_LT));
    RESULT(PyObject_Hash(a));
    SHOW(PyObject_CallNoArgs(key));
    CALL("cmp_to_key", "()");
    RESULT(PyObject_SetAttrString(b, "obj", Py_None));
    SHOW(PyObject_RichCompare(a, b, Py_LT));
    drop_all(a, b, key, function, module);
}

static void
try_wraps(void)
{
    PyObject *module = import("functools"), *wrapper, *decorator, *again;
    PyObject *function = need(PyCFunction_New(&compare_def, NULL));

    SHOW(PyObject_GetAttrString(module, "WRAPPER_ASSIGNMENTS"));
    SHOW(PyObject_GetAttrString(module, "WRAPPER_UPDATES"));
    wrapper = need(call(module, "partial", "(O)", &PyLong_Type));
    CALL("update_wrapper", "(OO)", wrapper, function);
    SHOW(PyObject_GetAttrString(wrapper, "__dict__"));
    CALL("update_wrapper", "(OO)", function, wrapper);
    CALL("update_wrapper", "(OO(s)())", wrapper, wrapper, "nothing");
    again = need(call(module, "partial", "(O)", &PyLong_Type));
    decorator = need(call(module, "wraps", "(O)", wrapper));
    SHOW(PyObject_CallOneArg(decorator, again));
    SHOW(PyObject_GetAttrString(again, "__name__"));
    drop_all(decorator, again, wrapper, function, module);
}

static void
partial_state(void)
{
    PyObject *module = import("functools"), *op, *again;

    op = need(call(module, "partial", "(Oi)", &PyLong_Type, 5));
    SHOW(PyObject_CallMethod(op, "__reduce__", NULL));
    PyObject_SetAttrString(op, "x", Py_True);
    SHOW(PyObject_CallMethod(op, "__reduce__", NULL));
    again = need(call(module, "partial", "(O)", &PyBool_Type));
    SHOW(PyObject_CallMethod(again, "__setstate__", "((O(i){ss}{ss}))",
                             &PyLong_Type, 1, "k", "v", "a", "b"));
    show_kept("again", again);
    SHOW(PyObject_GetAttrString(again, "a"));
    SHOW(PyObject_CallMethod(again, "__setstate__", "((O(i)OO))", &PyLong_Type,
                             1, Py_None, Py_None));
    show_kept("again", again);
    SHOW(PyObject_CallMethod(again, "__setstate__", "i", 1));
    SHOW(PyObject_CallMethod(again, "__setstate__", "((i(i){}O))", 1, 1,
                             Py_None));
    SHOW(PyObject_CallMethod(again, "__setstate__", "((Oi{}O))", &PyLong_Type,
                             1, Py_None));
    SHOW(PyObject_CallMethod(again, "__setstate__", "((O()iO))", &PyLong_Type,
                             1, Py_None));
    SHOW(PyObject_CallMethod((PyObject *)Py_TYPE(op), "__class_getitem__", "O",
                             &PyLong_Type));
    drop_all(op, again, module);
}

static void
try_names(void)
{
    static const char *const names[] = {"BuiltinFunctionType",
                                        "CellType",
                                        "EllipsisType",
                                        "GetSetDescriptorType",
                                        "MappingProxyType",
                                        "MemberDescriptorType",
                                        "MethodDescriptorType",
                                        "MethodType",
                                        "MethodWrapperType",
                                        "ModuleType",
                                        "NoneType",
                                        "NotImplementedType",
                                        "SimpleNamespace",
                                        "WrapperDescriptorType",
                                        "ClassMethodDescriptorType"};
    PyObject *module = import("types");

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        show(names[i], PyObject_GetAttrString(module, names[i]));
    Py_DECREF(module);
    module = import("inspect");
    SHOW(PyObject_GetAttrString(module, "CO_OPTIMIZED"));
    SHOW(PyObject_GetAttrString(module, "CO_COROUTINE"));
    SHOW(PyObject_GetAttrString(module, "CO_ITERABLE_COROUTINE"));
    SHOW(PyObject_GetAttrString(module, "CO_ASYNC_GENERATOR"));
    SHOW(PyObject_GetAttrString(module, "TPFLAGS_IS_ABSTRACT"));
    SHOW(PyObject_GetAttrString(module, "GEN_CREATED"));
    SHOW(PyObject_GetAttrString(module, "CORO_SUSPENDED"));
    Py_DECREF(module);
}

/* ------------------------------------------------------------------ */
/* Classes made by functions                                           */

/* module.NAME(**kwargs), whose references are stolen. */
static PyObject *
call_named(PyObject *module, const char *name, PyObject *kwargs)
{
    PyObject *function = need(PyObject_GetAttrString(module, name));
    PyObject *args = need(PyTuple_New(0)), *result;

    result = PyObject_Call(function, args, need(kwargs));
    drop_all(function, args, kwargs);
    return result;
}

static PyObject *
fill(PyObject *self, PyObject *dict)
{
    PyObject *entries =
        Py_BuildValue("{sOss}", "filled", Py_True, "__module__", "oracle");

    if (entries == NULL || PyDict_Update(dict, entries) < 0)
        return NULL;
    Py_DECREF(entries);
    Py_RETURN_NONE;
}

static PyMethodDef fill_def = {"fill", fill, METH_O, NULL};

static PyObject *
no_tuple(PyObject *self, PyObject *bases)
{
    return PyList_New(0);
}

static PyObject *
prepare(PyObject *self, PyObject *args, PyObject *kwargs)
{
    show_kept("prepare", args);
    show_kept("prepare", kwargs != NULL ? kwargs : Py_None);
    return Py_BuildValue("{si}", "prepared", 1);
}

static PyMethodDef no_tuple_def = {"__mro_entries__", no_tuple, METH_O, NULL};
static PyMethodDef prepare_def = {"__prepare__", _PyCFunction_CAST(prepare),
                                  METH_VARARGS | METH_KEYWORDS, NULL};

static void
make_classes(void)
{
    PyObject *module = import("types"), *args = Py_BuildValue("(s)", "x");
    PyObject *alias = need(Py_GenericAlias((PyObject *)&PyList_Type, args));
    PyObject *body = need(PyCFunction_New(&fill_def, NULL)), *cls;
    PyObject *method = need(PyCFunction_New(&no_tuple_def, NULL));
    PyObject *bad =
        call_type(&PyType_Type, "s(){sO}", "Bad", "__mro_entries__", method);
    PyObject *meta = need(PyCFunction_New(&prepare_def, NULL));
    PyObject *object = (PyObject *)&PyBaseObject_Type;

    Py_SETREF(bad, need(PyObject_CallNoArgs(bad)));
    cls =
        need(call(module, "new_class", "(s(O)OO)", "L", alias, Py_None, body));
    show_kept("class", cls);
    SHOW(PyObject_GetAttrString(cls, "__bases__"));
    SHOW(PyObject_GetAttrString(cls, "__orig_bases__"));
    SHOW(PyObject_GetAttrString(cls, "filled"));
    Py_DECREF(cls);
    cls = need(call(module, "new_class", "(s)", "N"));
    SHOW(PyObject_GetAttrString(cls, "__bases__"));
    RESULT(PyObject_HasAttrString(cls, "__orig_bases__"));
    Py_DECREF(cls);
    CALL("new_class", "(s[O])", "N", object);
    CALL("new_class", "(s(i))", "N", 1);
    CALL("new_class", "(s(O))", "N", bad);
    CALL("new_class", "(s(){si})", "N", "x", 1);
    CALL("resolve_bases", "((OO))", object, alias);
    CALL("resolve_bases", "([O])", object);
    CALL("resolve_bases", "([O])", alias);
    CALL("resolve_bases", "(i)", 1);
    CALL("prepare_class", "(s)", "N");
    CALL("prepare_class", "(s(O){sOsi})", "N", object, "metaclass", object,
         "x", 1);
    CALL("prepare_class", "(s(OO))", "N", object, &PyType_Type);
    show("named",
         call_named(module, "prepare_class",
                    Py_BuildValue("{sss{si}}", "name", "N", "kwds", "x", 1)));
    cls = call_type(&PyType_Type, "s(O){sO}", "Meta", &PyType_Type,
                    "__prepare__", meta);
    CALL("prepare_class", "(s(){sOsi})", "N", "metaclass", cls, "x", 1);
    drop_all(module, args, alias, body, method, bad, meta, cls);
}

#define ITEM(...) show(#__VA_ARGS__, get_item(callable, __VA_ARGS__))

static PyObject *
get_item(PyObject *op, const char *format, ...)
{
    va_list values;
    PyObject *key, *result;

    va_start(values, format);
    key = need(Py_VaBuildValue(format, values));
    va_end(values);
    result = PyObject_GetItem(op, key);
    Py_DECREF(key);
    return result;
}

/* Classes of collections.abc, and the count of those that are registered. */
static void
abstract(void)
{
    PyObject *abc = import("abc"), *module = import("collections.abc");
    PyObject *callable = need(PyObject_GetAttrString(module, "Callable"));
    PyObject *sized = need(PyObject_GetAttrString(module, "Sized"));
    PyObject *before = need(PyObject_CallMethod(abc, "get_cache_token", NULL));
    PyObject *type = new_class("A", &PyBaseObject_Type), *after;
    void *number = &PyLong_Type, *string = &PyUnicode_Type;

    ITEM("O", number);
    ITEM("()");
    ITEM("(O)", number);
    ITEM("(OO)", number, string);
    ITEM("(OOO)", number, string, string);
    ITEM("([OO]O)", number, string, string);
    ITEM("((O)O)", number, string);
    ITEM("([]O)", string);
    ITEM("(OO)", Py_Ellipsis, string);
    after = need(PyObject_CallMethod(abc, "get_cache_token", NULL));
    RESULT(PyObject_RichCompareBool(before, after, Py_EQ));
    Py_DECREF(need(PyObject_CallMethod(sized, "register", "O", type)));
    Py_SETREF(after, need(PyObject_CallMethod(abc, "get_cache_token", NULL)));
    RESULT(PyObject_RichCompareBool(before, after, Py_EQ));
    drop_all(abc, module, callable, sized, before, after, type);
}

void
oracle_program(void)
{
    try_copyreg();
    slot_names();
    try_operator();
    try_getters();
    try_functools();
    try_cmp_to_key();
    try_wraps();
    partial_state();
    try_names();
    make_classes();
    abstract();
}
