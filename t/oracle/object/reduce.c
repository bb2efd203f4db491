/* reduce.c: __reduce__, __reduce_ex__, __getstate__, __dir__ and __sizeof__ of
   object, and copyreg behind them.
   Manual: Python's library, "pickle", "copyreg". */

#include "oracle.h"

/* A callable that returns value; no descriptor, so that it is none's method.
 */
static PyObject *
return_self(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return self == NULL ? NULL : Py_NewRef(self);
}

static PyMethodDef returning = {"returning", return_self, METH_NOARGS, NULL};

/* Steals value. */
static PyObject *
constantly(PyObject *value)
{
    PyObject *function = need(PyCFunction_New(&returning, need(value)));

    Py_DECREF(value);
    return function;
}

/* A list of what the iterator gives, or the object itself; steals op. */
static PyObject *
spelled_out(PyObject *op)
{
    if (op == NULL || !PyIter_Check(op))
        return op;
    PyObject *list = need(PySequence_List(op));
    Py_DECREF(op);
    return list;
}

/* Shows what a __reduce__ returned: its function by name, the rest by repr;
   steals op. */
static void
show_reduced(const char *label, PyObject *op)
{
    if (op == NULL || !PyTuple_Check(op)) {
        show(label, op);
        return;
    }
    PyObject *name =
        PyObject_GetAttrString(PyTuple_GET_ITEM(op, 0), "__name__");
    PyObject *list = need(PyList_New(0));
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(op); i++) {
        PyObject *item = spelled_out(Py_NewRef(PyTuple_GET_ITEM(op, i)));
        PyList_Append(list, item);
        Py_DECREF(item);
    }
    say("%s: %s%s", label, name != NULL ? PyUnicode_AsUTF8(name) : "?",
        PyUnicode_AsUTF8(need(PyObject_Repr(list))));
    drop_all(list, op);
    Py_XDECREF(name);
}

/* The object in all protocols; steals it. */
static void
reduce(const char *label, PyObject *op)
{
    need(op);
    say("%s", label);
    show_reduced("  reduce", PyObject_CallMethod(op, "__reduce__", NULL));
    for (int protocol = 0; protocol <= 4; protocol += 2)
        show_reduced(protocol == 0   ? "  0"
                     : protocol == 2 ? "  2"
                                     : "  4",
                     PyObject_CallMethod(op, "__reduce_ex__", "i", protocol));
    show("  state", PyObject_CallMethod(op, "__getstate__", NULL));
    Py_DECREF(op);
}

/* type(name, (base,), dict); steals dict. */
static PyObject *
class_with(const char *name, void *base, PyObject *dict)
{
    PyObject *type = call_type(&PyType_Type, "s(O)O", name, base, need(dict));

    Py_DECREF(dict);
    return type;
}

/* An instance of the class, which is stolen. */
static PyObject *
instance(PyObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs(type));

    Py_DECREF(type);
    return op;
}

static PyObject *
with_attribute(PyObject *op, const char *name)
{
    if (PyObject_SetAttrString(op, name, Py_True) < 0)
        error();
    return op;
}

/* ------------------------------------------------------------------ */

static void
plain_instances(void)
{
    PyObject *op = instance(class_with("A", &PyBaseObject_Type, PyDict_New()));
    PyObject *state, *dict;

    reduce("empty", Py_NewRef(op));
    with_attribute(op, "x");
    reduce("an attribute", Py_NewRef(op));
    state = need(PyObject_CallMethod(op, "__getstate__", NULL));
    dict = need(PyObject_GetAttrString(op, "__dict__"));
    say("the dictionary itself: %d", state == dict);
    drop_all(state, dict);
    SHOW(PyObject_CallMethod(op, "__reduce_ex__", "d", 2.0));
    SHOW(PyObject_CallMethod(op, "__reduce_ex__", "s", "x"));
    SHOW(PyObject_CallMethod(op, "__reduce_ex__", NULL));
    SHOW(PyObject_CallMethod(op, "__reduce__", "i", 1));
    SHOW(PyObject_CallMethod(op, "__reduce_ex__", "L", 1LL << 40));
    show_reduced("-1", PyObject_CallMethod(op, "__reduce_ex__", "i", -1));
    Py_DECREF(op);
    reduce("object",
           need(PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type)));
}

static void
slots(void)
{
    PyObject *type = class_with(
        "_S", &PyBaseObject_Type,
        Py_BuildValue("{s(sss)}", "__slots__", "a", "__b", "__dict__"));
    PyObject *op = instance(Py_NewRef(type));

    reduce("slots, none set", Py_NewRef(op));
    reduce("slots, one set", with_attribute(Py_NewRef(op), "a"));
    reduce("slots, a mangled one set", with_attribute(Py_NewRef(op), "_S__b"));
    reduce("slots and an attribute", with_attribute(op, "y"));
    op = instance(
        class_with("T", type, Py_BuildValue("{ss}", "__slots__", "z")));
    reduce("below slots", with_attribute(op, "z"));
    op = instance(
        class_with("G", type,
                   Py_BuildValue("{s()sN}", "__slots__", "__getstate__",
                                 constantly(PyLong_FromLong(7)))));
    reduce("slots and __getstate__", op);
    drop_all(type);
    type = class_with("N", &PyBaseObject_Type,
                      Py_BuildValue("{si}", "__slotnames__", 3));
    reduce("__slotnames__ of a wrong type", instance(type));
    type = class_with("N", &PyBaseObject_Type,
                      Py_BuildValue("{s[s]}", "__slotnames__", "real"));
    reduce("__slotnames__ of an attribute that is not there", instance(type));
    type = class_with("N", &PyBaseObject_Type,
                      Py_BuildValue("{sO}", "__slotnames__", Py_None));
    reduce("__slotnames__ None", instance(type));
    type = class_with("N", &PyBaseObject_Type,
                      Py_BuildValue("{s[i]}", "__slotnames__", 1));
    reduce("__slotnames__ of an int", instance(type));
}

static PyObject *
below(PyTypeObject *base, const char *format, ...)
{
    PyObject *type = class_with("B", base, PyDict_New()), *args, *op;
    va_list values;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    op = need(PyObject_Call(type, args, NULL));
    drop_all(type, args);
    return op;
}

static void
builtin_bases(void)
{
    reduce("list", need(Py_BuildValue("[ii]", 1, 2)));
    reduce("dict", need(Py_BuildValue("{ii}", 1, 2)));
    reduce("tuple", need(Py_BuildValue("(ii)", 1, 2)));
    reduce("int", need(PyLong_FromLong(5)));
    reduce("True", Py_NewRef(Py_True));
    reduce("float", need(PyFloat_FromDouble(1.5)));
    reduce("complex", need(PyComplex_FromDoubles(1.5, -2)));
    reduce("str", need(PyUnicode_FromString("x")));
    reduce("bytes", need(PyBytes_FromString("x")));
    reduce("below list", with_attribute(below(&PyList_Type, "([i])", 1), "x"));
    reduce("below dict",
           with_attribute(below(&PyDict_Type, "({ii})", 1, 2), "x"));
    reduce("below tuple",
           with_attribute(below(&PyTuple_Type, "((i))", 1), "x"));
    reduce("below int", with_attribute(below(&PyLong_Type, "(i)", 1), "x"));
    reduce("below str",
           with_attribute(below(&PyUnicode_Type, "(s)", "a"), "x"));
    reduce("below bytes", below(&PyBytes_Type, "(y)", "a"));
    reduce("below float", below(&PyFloat_Type, "(d)", 2.5));
}

static void
not_to_be_reduced(void)
{
    PyObject *dict = need(PyDict_New());

    reduce("keys", need(PyObject_CallMethod(dict, "keys", NULL)));
    reduce("mappingproxy", need(PyDictProxy_New(dict)));
    reduce("cell", need(PyCell_New(NULL)));
    reduce("capsule", need(PyCapsule_New(dict, NULL, NULL)));
    reduce("memoryview", need(PyMemoryView_FromMemory("abc", 3, PyBUF_READ)));
    reduce("module", need(PyModule_New("m")));
    reduce("weakref", need(PyWeakref_NewRef((PyObject *)&PyLong_Type, NULL)));
    reduce("actor", (PyObject *)actor_new(&Actor_Type, "a"));
    reduce("property",
           need(PyObject_CallNoArgs((PyObject *)&PyProperty_Type)));
    Py_DECREF(dict);
}

/* What the method returns, given to __reduce_ex__(2). */
static void
answering(const char *method, PyObject *answer)
{
    PyObject *type =
        class_with("W", &PyBaseObject_Type,
                   Py_BuildValue("{sN}", method, constantly(answer)));
    PyObject *op = instance(type);

    show_reduced(method, PyObject_CallMethod(op, "__reduce_ex__", "i", 2));
    Py_DECREF(op);
}

static void
own_methods(void)
{
    answering("__getnewargs_ex__", Py_BuildValue("((i){ss})", 1, "k", "v"));
    answering("__getnewargs_ex__", Py_BuildValue("((i){})", 1));
    answering("__getnewargs_ex__", Py_BuildValue("[(i){}]", 1));
    answering("__getnewargs_ex__", Py_BuildValue("((i))", 1));
    answering("__getnewargs_ex__", Py_BuildValue("(i{})", 1));
    answering("__getnewargs_ex__", Py_BuildValue("((i)i)", 1, 1));
    answering("__getnewargs__", Py_BuildValue("(i)", 1));
    answering("__getnewargs__", Py_BuildValue("i", 1));
    answering("__getstate__", Py_BuildValue("i", 1));
    answering("__reduce__", Py_BuildValue("s", "text"));
    answering("__reduce__", Py_BuildValue("(O())", &PyLong_Type));
}

static void
registered_codes(void)
{
    PyObject *module = need(PyImport_ImportModule("copyreg")), *cache, *codes;

#define CALL(NAME, ...)                                                       \
    show(#NAME " " #__VA_ARGS__,                                              \
         PyObject_CallMethod(module, #NAME, __VA_ARGS__))
    CALL(add_extension, "ssi", "m", "n", 200);
    CALL(add_extension, "ssi", "m", "n", 200);
    CALL(add_extension, "ssi", "m", "n", 201);
    CALL(add_extension, "ssi", "m", "other", 200);
    CALL(add_extension, "ssi", "m", "n", 0);
    CALL(add_extension, "ssL", "m", "n", 1LL << 31);
    CALL(add_extension, "sss", "m", "n", "x");
    codes = need(PyObject_GetAttrString(module, "_extension_registry"));
    cache = need(PyObject_GetAttrString(module, "_extension_cache"));
    show_kept("codes", codes);
    CALL(remove_extension, "ssi", "m", "n", 201);
    SHOW(PyObject_CallMethod(cache, "setdefault", "is", 200, "x"));
    CALL(remove_extension, "ssi", "m", "n", 200);
    CALL(remove_extension, "ssi", "m", "n", 200);
    show_kept("cache", cache);
    SHOW(PyObject_CallMethod(cache, "setdefault", "is", 1, "x"));
    CALL(clear_extension_cache, NULL);
    show_kept("cache", cache);
    show_kept("codes", codes);
    CALL(_reduce_ex, "ii", 1, 0);
    CALL(_reduce_ex, "Oi", &PyLong_Type, 0);
    drop_all(codes, cache, module);
#undef CALL
}

/* Is the name among those that the method returns? */
static void
lists(const char *label, PyObject *op, const char *name)
{
    PyObject *names = PyObject_CallMethod(op, "__dir__", NULL);
    PyObject *wanted = need(PyUnicode_FromString(name));

    if (names == NULL)
        error();
    else
        say("%s %s: %d, a list: %d", label, name,
            PySequence_Contains(names, wanted), PyList_Check(names));
    Py_XDECREF(names);
    Py_DECREF(wanted);
}

static void
names(void)
{
    PyObject *type =
        class_with("A", &PyBaseObject_Type, Py_BuildValue("{si}", "here", 1));
    PyObject *op = instance(Py_NewRef(type)),
             *module = need(PyModule_New("m"));

    with_attribute(op, "own");
    lists("instance", op, "own");
    lists("instance", op, "here");
    lists("instance", op, "__repr__");
    SHOW(PyObject_CallMethod(type, "__dir__", NULL));
    SHOW(PyObject_CallMethod((PyObject *)&PyType_Type, "__dir__", "O", type) ==
                 NULL
             ? NULL
             : Py_NewRef(Py_None));
    lists("module", module, "__name__");
    lists("module", module, "__repr__");
    PyObject_SetAttrString(module, "__dir__", Py_None);
    lists("module", module, "__name__");
    drop_all(op, module);
    op = instance(class_with("C", &PyBaseObject_Type,
                             Py_BuildValue("{sO}", "__class__", type)));
    lists("claims a class", op, "here");
    drop_all(op);
    op = instance(class_with("C", &PyBaseObject_Type,
                             Py_BuildValue("{si}", "__class__", 1)));
    lists("claims a number as class", op, "__repr__");
    drop_all(op, type);
    op = need(PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type));
    SHOW(PyObject_CallMethod(op, "__sizeof__", NULL));
    Py_DECREF(op);
    op = need(Py_BuildValue("(iii)", 1, 2, 3));
    SHOW(PyObject_CallMethod(op, "__sizeof__", NULL));
    Py_DECREF(op);
}

void
oracle_program(void)
{
    plain_instances();
    slots();
    builtin_bases();
    not_to_be_reduced();
    own_methods();
    registered_codes();
    names();
}
