/* collectionsabc.c: the module collections.abc: what kinds of containers there
   are, for isinstance, issubclass and register.

   What they are made of: abstract methods, as in abstractstub.c, and the
   methods that they give to subclasses, those of mixins.h.

   Manual: Python's library, "collections.abc". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "library/abstractstub.h"
#include "library/library.h"
#include "library/mixins.h"
#include "object/error/errors.h"

enum { BASES_MAX = 3, METHODS_MAX = 5, TYPES_MAX = 4, STUBS_MAX = 3 };

/* A class: its bases, which stand above it in the table; the methods that make
   others its subclasses, if these alone do; the types that are registered; its
   own abstract methods; those that it gives. */
static const struct row {
    const char *name;
    const char *bases[BASES_MAX + 1];
    const char *methods[METHODS_MAX + 1];
    PyTypeObject *types[TYPES_MAX + 1];
    PyMethodDef *stubs[STUBS_MAX + 1];
    PyMethodDef *mixins;
} table[] = {
    {.name = "Hashable", .methods = {"__hash__"}, .stubs = {&pyb_stub_hash}},
    {.name = "Awaitable",
     .methods = {"__await__"},
     .stubs = {&pyb_stub_await}},
    {.name = "Coroutine",
     .bases = {"Awaitable"},
     .methods = {"__await__", "send", "throw", "close"},
     .stubs = {&pyb_stub_send, &pyb_stub_throw},
     .mixins = pyb_mixins_coroutine},
    {.name = "AsyncIterable",
     .methods = {"__aiter__"},
     .stubs = {&pyb_stub_aiter}},
    {.name = "AsyncIterator",
     .bases = {"AsyncIterable"},
     .methods = {"__anext__", "__aiter__"},
     .stubs = {&pyb_stub_anext},
     .mixins = pyb_mixins_asynciterator},
    {.name = "AsyncGenerator",
     .bases = {"AsyncIterator"},
     .methods = {"__aiter__", "__anext__", "asend", "athrow", "aclose"},
     .stubs = {&pyb_stub_asend, &pyb_stub_athrow}},
    {.name = "Iterable", .methods = {"__iter__"}, .stubs = {&pyb_stub_iter}},
    {.name = "Iterator",
     .bases = {"Iterable"},
     .methods = {"__iter__", "__next__"},
     .stubs = {&pyb_stub_next},
     .mixins = pyb_mixins_iterator},
    {.name = "Reversible",
     .bases = {"Iterable"},
     .methods = {"__reversed__", "__iter__"},
     .stubs = {&pyb_stub_reversed}},
    {.name = "Generator",
     .bases = {"Iterator"},
     .methods = {"__iter__", "__next__", "send", "throw", "close"},
     .stubs = {&pyb_stub_send, &pyb_stub_throw},
     .mixins = pyb_mixins_generator},
    {.name = "Sized", .methods = {"__len__"}, .stubs = {&pyb_stub_len}},
    {.name = "Container",
     .methods = {"__contains__"},
     .stubs = {&pyb_stub_contains}},
    {.name = "Collection",
     .bases = {"Sized", "Iterable", "Container"},
     .methods = {"__len__", "__iter__", "__contains__"}},
    {.name = "Callable", .methods = {"__call__"}, .stubs = {&pyb_stub_call}},
    {.name = "Set",
     .bases = {"Collection"},
     .types = {&PyFrozenSet_Type},
     .mixins = pyb_mixins_set},
    {.name = "MutableSet",
     .bases = {"Set"},
     .types = {&PySet_Type},
     .stubs = {&pyb_stub_add, &pyb_stub_discard},
     .mixins = pyb_mixins_mutableset},
    {.name = "Mapping",
     .bases = {"Collection"},
     .types = {&PyDictProxy_Type, &PyFrozenDict_Type},
     .stubs = {&pyb_stub_getkey},
     .mixins = pyb_mixins_mapping},
    {.name = "MutableMapping",
     .bases = {"Mapping"},
     .types = {&PyDict_Type},
     .stubs = {&pyb_stub_setkey, &pyb_stub_delkey},
     .mixins = pyb_mixins_mutablemapping},
    {.name = "MappingView",
     .bases = {"Sized"},
     .mixins = pyb_mixins_mappingview},
    {.name = "KeysView",
     .bases = {"MappingView", "Set"},
     .types = {&PyDictKeys_Type},
     .mixins = pyb_mixins_keysview},
    {.name = "ItemsView",
     .bases = {"MappingView", "Set"},
     .types = {&PyDictItems_Type},
     .mixins = pyb_mixins_itemsview},
    {.name = "ValuesView",
     .bases = {"MappingView", "Collection"},
     .types = {&PyDictValues_Type},
     .mixins = pyb_mixins_valuesview},
    {.name = "Sequence",
     .bases = {"Reversible", "Collection"},
     .types = {&PyTuple_Type, &PyUnicode_Type, &PyRange_Type,
               &PyMemoryView_Type},
     .stubs = {&pyb_stub_getitem},
     .mixins = pyb_mixins_sequence},
    {.name = "ByteString",
     .bases = {"Sequence"},
     .types = {&PyBytes_Type, &PyByteArray_Type}},
    {.name = "MutableSequence",
     .bases = {"Sequence"},
     .types = {&PyList_Type, &PyByteArray_Type},
     .stubs = {&pyb_stub_setitem, &pyb_stub_delitem, &pyb_stub_insert},
     .mixins = pyb_mixins_mutablesequence},
};

/* ------------------------------------------------------------------ */
/* Subclasses by their methods                                         */

/* Has the class the method, not as None, in its own or a base's dictionary?
   1, 0, or -1 with an exception. */
static int
has_method(PyTypeObject *type, PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);
        PyObject *value;
        int found = PyDict_GetItemRef(base->tp_dict, name, &value);

        if (found == 0)
            continue;
        int is_method = found > 0 ? value != Py_None : -1;
        Py_XDECREF(value);
        return is_method;
    }
    return 0;
}

/* __subclasshook__(cls, sub); names is the tuple of methods.  A subclass of
   the class that has the hook inherits it, but needs more than these. */
static PyObject *
subclass_hook(PyObject *names, PyObject *args)
{
    PyObject *cls, *sub;

    PYB_ASSERT_OBJECT(PyTuple_Check(names), names);
    if (!PyArg_ParseTuple(args, "O!O!:__subclasshook__", &PyType_Type, &cls,
                          &PyType_Type, &sub))
        return NULL;
    int found = PyDict_ContainsString(((PyTypeObject *)cls)->tp_dict,
                                      "__subclasshook__");
    for (Py_ssize_t i = 0; found > 0 && i < PyTuple_GET_SIZE(names); i++)
        found = has_method((PyTypeObject *)sub, PyTuple_GET_ITEM(names, i));
    if (found < 0)
        return NULL;
    return Py_NewRef(found ? Py_True : Py_NotImplemented);
}

static PyMethodDef hook = {"__subclasshook__", subclass_hook, METH_VARARGS,
                           NULL};

/* The names up to a NULL as a tuple. */
static PyObject *
as_tuple(const char *const *names)
{
    PyObject *list = PyList_New(0), *tuple;

    for (; list != NULL && *names != NULL; names++) {
        PyObject *name = PyUnicode_InternFromString(*names);
        if (name == NULL || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    tuple = list != NULL ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static int
add_hook(PyObject *dict, const struct row *row)
{
    PyObject *names = as_tuple(row->methods), *function = NULL;
    PyObject *method = NULL;
    int result = -1;

    if (names != NULL)
        function = PyCFunction_NewEx(&hook, names, NULL);
    if (function != NULL)
        method = PyClassMethod_New(function);
    if (method != NULL)
        result = PyDict_SetItemString(dict, hook.ml_name, method);
    Py_XDECREF(names);
    Py_XDECREF(function);
    Py_XDECREF(method);
    return result;
}

/* ------------------------------------------------------------------ */
/* Methods of the classes                                              */

/* Enters value, which is stolen and may be NULL.  0, or -1 with an
   exception. */
static int
enter(PyObject *dict, const char *name, PyObject *value)
{
    int result = value != NULL ? PyDict_SetItemString(dict, name, value) : -1;

    Py_XDECREF(value);
    return result;
}

/* Descriptors of object, so that self may be anything. */
static int
add_mixins(PyObject *dict, PyMethodDef *mixins)
{
    int result = 0;

    for (PyMethodDef *def = mixins;
         result == 0 && def != NULL && def->ml_name != NULL; def++)
        result = enter(dict, def->ml_name,
                       def->ml_flags & METH_CLASS
                           ? PyDescr_NewClassMethod(&PyBaseObject_Type, def)
                           : PyDescr_NewMethod(&PyBaseObject_Type, def));
    return result;
}

static int
add_stubs(PyObject *dict, PyTypeObject *type, PyMethodDef *const *stubs)
{
    int result = 0;

    for (; result == 0 && *stubs != NULL; stubs++)
        result =
            enter(dict, (*stubs)->ml_name, pyb_abstractstub_new(type, *stubs));
    return result;
}

/* The types that classes are made of; both are owned. */
struct types {
    PyObject *meta; /* abc.ABCMeta */
    PyObject *stub; /* see abstractstub.h */
};

/* Iterable[int]; a class inherits it. */
static PyMethodDef class_getitem = {"__class_getitem__", Py_GenericAlias,
                                    METH_O | METH_CLASS, NULL};

/* Callable[[int], str]: parameters in a list or as "...", and the result. */
static PyObject *
parameterize_callable(PyObject *cls, PyObject *args)
{
    if (!PyTuple_Check(args) || PyTuple_GET_SIZE(args) != 2)
        return pyb_raise(
            PyExc_TypeError,
            "Callable must be used as Callable[[arg, ...], result].");
    PyObject *parameters = PyTuple_GET_ITEM(args, 0);
    if (PyList_Check(parameters) || parameters == Py_Ellipsis)
        return Py_GenericAlias(cls, args);
    if (!PyTuple_Check(parameters))
        return PyErr_Format(PyExc_TypeError,
                            "Expected a list of types, an ellipsis, "
                            "ParamSpec, or Concatenate. Got %S",
                            parameters);
    PyObject *pair = Py_BuildValue("(NO)", PySequence_List(parameters),
                                   PyTuple_GET_ITEM(args, 1));
    PyObject *alias = pair != NULL ? Py_GenericAlias(cls, pair) : NULL;
    Py_XDECREF(pair);
    return alias;
}

static PyMethodDef callable_getitem = {
    "__class_getitem__", parameterize_callable, METH_O | METH_CLASS, NULL};

static int
add_class_getitem(PyObject *dict, const char *name)
{
    static const char *const generic[] = {"Awaitable", "AsyncIterable",
                                          "Iterable",  "Container",
                                          "Callable",  "MappingView"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(generic); i++)
        if (strcmp(name, generic[i]) == 0)
            return enter(dict, class_getitem.ml_name,
                         PyDescr_NewClassMethod(&PyBaseObject_Type,
                                                strcmp(name, "Callable") == 0
                                                    ? &callable_getitem
                                                    : &class_getitem));
    return 0;
}

/* What only three of the classes have; for the flags see abc.c. */
static int
add_special(PyObject *dict, const char *name)
{
    static const char flags[] = "__abc_tpflags__";

    if (strcmp(name, "MappingView") == 0)
        return enter(dict, "__slots__", Py_BuildValue("(s)", "_mapping"));
    if (strcmp(name, "Sequence") == 0)
        return enter(dict, flags, PyLong_FromLong(Py_TPFLAGS_SEQUENCE));
    if (strcmp(name, "Mapping") != 0)
        return 0;
    return enter(dict, "__reversed__", Py_NewRef(Py_None)) < 0
               ? -1
               : enter(dict, flags, PyLong_FromLong(Py_TPFLAGS_MAPPING));
}

static int
add_methods(PyObject *dict, const struct types *made_of, const struct row *row)
{
    if (row->methods[0] != NULL && add_hook(dict, row) < 0)
        return -1;
    if (add_stubs(dict, (PyTypeObject *)made_of->stub, row->stubs) < 0 ||
        add_mixins(dict, row->mixins) < 0)
        return -1;
    return add_class_getitem(dict, row->name) < 0
               ? -1
               : add_special(dict, row->name);
}

/* ------------------------------------------------------------------ */
/* The module                                                          */

/* The classes above as a tuple of bases. */
static PyObject *
get_bases(PyObject *module, const struct row *row)
{
    PyObject *names = as_tuple(row->bases), *bases;

    if (names == NULL)
        return NULL;
    bases = PyTuple_New(PyTuple_GET_SIZE(names));
    for (Py_ssize_t i = 0; bases != NULL && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *base = PyObject_GetAttr(module, PyTuple_GET_ITEM(names, i));
        if (base == NULL)
            Py_CLEAR(bases);
        else
            PyTuple_SET_ITEM(bases, i, base);
    }
    Py_DECREF(names);
    return bases;
}

static int
register_types(PyObject *cls, PyTypeObject *const *types)
{
    for (; *types != NULL; types++) {
        PyObject *done = PyObject_CallMethod(cls, "register", "O", *types);
        if (done == NULL)
            return -1;
        Py_DECREF(done);
    }
    return 0;
}

static int
add_class(PyObject *module, const struct types *made_of, const struct row *row)
{
    PyObject *dict =
        Py_BuildValue("{s()ss}", "__slots__", "__module__", "collections.abc");
    PyObject *bases = get_bases(module, row), *cls = NULL;
    int result = -1;

    if (dict != NULL && bases != NULL && add_methods(dict, made_of, row) == 0)
        cls = PyObject_CallFunction(made_of->meta, "sOO", row->name, bases,
                                    dict);
    if (cls != NULL && register_types(cls, row->types) == 0)
        result = PyModule_AddObjectRef(module, row->name, cls);
    Py_XDECREF(dict);
    Py_XDECREF(bases);
    Py_XDECREF(cls);
    return result;
}

int
pyb_collectionsabc_exec(PyObject *module)
{
    struct types made_of = {PyImport_ImportModuleAttrString("abc", "ABCMeta"),
                            NULL};
    int result = -1;

    if (made_of.meta != NULL)
        made_of.stub = pyb_abstractstub_type();
    if (made_of.stub != NULL)
        result = 0;

    for (size_t i = 0; result == 0 && i < Py_ARRAY_LENGTH(table); i++)
        result = add_class(module, &made_of, &table[i]);
    Py_XDECREF(made_of.meta);
    Py_XDECREF(made_of.stub);
    return result;
}
