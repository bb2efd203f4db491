/* abstract_classes.c: collections.abc and abc.ABCMeta: which types are which
   kinds of containers, by methods and by registration.
   Manual: Python's library, "collections.abc", "abc". */

#include "oracle.h"

static const char *const kinds[] = {
    "Hashable",      "Awaitable",      "Coroutine",   "AsyncIterable",
    "AsyncIterator", "AsyncGenerator", "Iterable",    "Iterator",
    "Reversible",    "Generator",      "Sized",       "Container",
    "Collection",    "Callable",       "Set",         "MutableSet",
    "Mapping",       "MutableMapping", "MappingView", "KeysView",
    "ItemsView",     "ValuesView",     "Sequence",    "MutableSequence"};

static PyObject *module;

static void
classify(const char *label, PyObject *op)
{
    char line[500] = "";

    for (size_t i = 0; i < Py_ARRAY_LENGTH(kinds); i++) {
        PyObject *kind = need(PyObject_GetAttrString(module, kinds[i]));
        if (PyObject_IsInstance(op, kind) > 0) {
            strcat(line, " ");
            strcat(line, kinds[i]);
        }
        if (PyErr_Occurred())
            error();
        Py_DECREF(kind);
    }
    say("%s:%s", label, line);
    Py_DECREF(op);
}

static void
iterators(void)
{
    PyObject *list = need(PyList_New(0)), *dict = need(PyDict_New());

    classify("list iterator", PyObject_GetIter(list));
    classify("dict iterator", PyObject_GetIter(dict));
    classify("keys", PyObject_CallMethod(dict, "keys", NULL));
    classify("values", PyObject_CallMethod(dict, "values", NULL));
    classify("items", PyObject_CallMethod(dict, "items", NULL));
    drop_all(list, dict);
}

static PyObject *
class_with(const char *name, const char *method, PyObject *value)
{
    return call_type(&PyType_Type, "s(){sO}", name, method, value);
}

static void
own_classes(void)
{
    PyObject *sized = class_with("S", "__len__", Py_True);
    PyObject *unsized =
        call_type(&PyType_Type, "s(O){sO}", "U", sized, "__len__", Py_None);
    PyObject *set = need(PyObject_GetAttrString(module, "Set"));
    PyObject *mutable_set = need(PyObject_GetAttrString(module, "MutableSet"));
    PyObject *kind = need(PyObject_GetAttrString(module, "Sized"));

    RESULT(PyObject_IsSubclass(sized, kind));
    RESULT(PyObject_IsSubclass(unsized, kind));
    RESULT(PyObject_IsSubclass(sized, set));
    RESULT(PyObject_IsSubclass(Py_None, set));
    error();
    SHOW(PyObject_CallMethod(mutable_set, "register", "O", sized));
    RESULT(PyObject_IsSubclass(sized, mutable_set));
    RESULT(PyObject_IsSubclass(sized, set));
    RESULT(PyObject_IsSubclass(unsized, set));
    SHOW(PyObject_CallMethod(set, "register", "i", 1));
    SHOW(PyObject_CallMethod(set, "register", "O", sized));
    SHOW(PyObject_CallMethod(mutable_set, "register", "O", set));
    classify("instance", PyObject_CallNoArgs(sized));
    drop_all(kind, mutable_set, set, unsized, sized);
}

static void
own_abc(void)
{
    PyObject *abc = need(PyImport_ImportModule("abc"));
    PyObject *meta = need(PyObject_GetAttrString(abc, "ABCMeta"));
    PyObject *kind = need(PyObject_CallFunction(meta, "s(){}", "Kind"));
    PyObject *below = need(PyObject_CallFunction(meta, "s(O){}", "B", kind));
    PyObject *type = class_with("T", "x", Py_None);

    show_kept("ABCMeta", meta);
    say("its type %d", Py_TYPE(kind) == (PyTypeObject *)meta);
    RESULT(PyObject_IsSubclass(below, kind));
    RESULT(PyObject_IsSubclass(type, kind));
    SHOW(PyObject_CallMethod(below, "register", "O", type));
    RESULT(PyObject_IsSubclass(type, kind));
    RESULT(PyObject_IsSubclass(kind, type));
    SHOW(PyObject_CallMethod(kind, "__subclasscheck__", "i", 3));
    SHOW(PyObject_CallMethod(kind, "__instancecheck__", "i", 3));
    /* What is registered is not kept alive. */
    PyObject *watched = watch(type, "type");
    Py_DECREF(type);
    PyGC_Collect();
    RESULT(PyObject_IsSubclass((PyObject *)&PyLong_Type, kind));
    drop_all(watched, below, kind, meta, abc);
}

/* What a match statement would take it for; its reference is taken away. */
static void
say_collection(const char *label, PyObject *type)
{
    unsigned long flags = PyType_GetFlags((PyTypeObject *)need(type));

    say("%s:%s%s", label, flags & Py_TPFLAGS_SEQUENCE ? " sequence" : "",
        flags & Py_TPFLAGS_MAPPING ? " mapping" : "");
    Py_DECREF(type);
}

/* Subclasses are made before their base is registered, and after. */
static void
registering(PyObject *kind)
{
    PyObject *base = call_type(&PyType_Type, "s(){}", "Base");
    PyObject *before = call_type(&PyType_Type, "s(O){}", "Before", base);
    PyObject *both =
        call_type(&PyType_Type, "s(OO){}", "Both", before, &PyDict_Type);

    say_collection("  not registered", Py_NewRef(base));
    Py_DECREF(need(PyObject_CallMethod(kind, "register", "O", base)));
    say_collection("  both", both);
    say_collection("  after", call_type(&PyType_Type, "s(O){}", "A", base));
    say_collection("  before", before);
    say_collection("  base", base);
}

static PyObject *
raise(PyObject *self, PyObject *args)
{
    PyErr_SetString(PyExc_ValueError, "asked");
    return NULL;
}

static PyMethodDef raise_def = {"__subclasses__", raise, METH_VARARGS, NULL};

/* A class's own __subclasses__ is not called: a metaclass is registered, and
   classes where that is something else. */
static void
registering_odd(PyObject *kind)
{
    PyObject *one = need(Py_BuildValue("[i]", 1));
    PyObject *raising = need(PyCFunction_New(&raise_def, NULL));
    PyObject *classes[] = {
        call_type(&PyType_Type, "s(O){}", "M", &PyType_Type),
        call_type(&PyType_Type, "s(){sO}", "L", "__subclasses__", one),
        call_type(&PyType_Type, "s(){sO}", "R", "__subclasses__", raising),
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(classes); i++) {
        PyObject *below = call_type((PyTypeObject *)Py_TYPE(classes[i]),
                                    "s(O){}", "Below", classes[i]);
        SHOW(PyObject_CallMethod(kind, "register", "O", classes[i]));
        say_collection("  odd", classes[i]);
        say_collection("  below", below);
    }
    drop_all(one, raising);
}

static void
collections(void)
{
    PyObject *meta = need(PyImport_ImportModule("abc")), *own;

    Py_SETREF(meta, need(PyObject_GetAttrString(meta, "ABCMeta")));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(kinds); i++) {
        PyObject *kind = need(PyObject_GetAttrString(module, kinds[i]));

        say_collection(kinds[i], Py_NewRef(kind));
        registering(kind);
        registering_odd(kind);
        Py_DECREF(kind);
    }
    for (int flags = 0; flags < 256; flags += 32) {
        own = PyObject_CallFunction(meta, "s(){si}", "Own", "__abc_tpflags__",
                                    flags);
        if (own == NULL) {
            error();
            continue;
        }
        say_collection("own", Py_NewRef(own));
        RESULT(PyObject_HasAttrString(own, "__abc_tpflags__"));
        Py_DECREF(own);
    }
    PyObject *sequence = need(PyObject_GetAttrString(module, "Sequence"));
    say_collection("both", PyObject_CallFunction(meta, "s(O){si}", "Own",
                                                 sequence, "__abc_tpflags__",
                                                 Py_TPFLAGS_MAPPING));
    Py_DECREF(sequence);
    own = PyObject_CallFunction(meta, "s(){ss}", "Own", "__abc_tpflags__", "");
    say_collection("a text", own);
    say_collection("str", Py_NewRef((PyObject *)&PyUnicode_Type));
    Py_DECREF(meta);
}

/* Iterable[int]; CPython makes another alias of Callable's. */
static void
with_arguments(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(kinds); i++) {
        PyObject *kind = need(PyObject_GetAttrString(module, kinds[i]));
        if (strcmp(kinds[i], "Callable") != 0)
            show(kinds[i], PyObject_GetItem(kind, (PyObject *)&PyLong_Type));
        Py_DECREF(kind);
    }
}

void
oracle_program(void)
{
    module = need(PyImport_ImportModule("collections.abc"));
    classify("int", PyLong_FromLong(1));
    classify("str", PyUnicode_FromString(""));
    classify("bytes", PyBytes_FromString(""));
    classify("bytearray", PyByteArray_FromStringAndSize("", 0));
    classify("list", PyList_New(0));
    classify("tuple", PyTuple_New(0));
    classify("dict", PyDict_New());
    classify("set", PySet_New(NULL));
    classify("frozenset", PyFrozenSet_New(NULL));
    classify("range",
             PyObject_CallFunction((PyObject *)&PyRange_Type, "i", 3));
    PyObject *bytes = PyBytes_FromString("abc");
    classify("memoryview", PyMemoryView_FromObject(bytes));
    Py_DECREF(bytes);
    classify("type", Py_NewRef((PyObject *)&PyLong_Type));
    classify("None", Py_NewRef(Py_None));
    classify("module", Py_NewRef(module));
    iterators();
    own_classes();
    own_abc();
    with_arguments();
    collections();
    Py_DECREF(module);
}
