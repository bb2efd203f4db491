/* type_attributes.c: the names of the attributes of the built-in types, and of
   the modules builtins and operator.  What one side lacks on purpose is in a
   table.
   Manual: Python's library, "Built-in Types", "Built-in Functions". */

#include "oracle.h"

/* "TYPE.NAME", and whether CPython 3.11 or this library lacks it. */
static const struct {
    const char *owner, *name;
    int ours; /* is it here, and not in CPython 3.11? */
    const char *why;
} exceptions[] = {
    {"ImportError", "name_from", 1, "new in 3.12"},
    {"bool", "is_integer", 1, "new in 3.12"},
    {"int", "is_integer", 1, "new in 3.12"},
    {"memoryview", "__class_getitem__", 1, "new in 3.14"},
    {"memoryview", "count", 1, "new in 3.14"},
    {"memoryview", "index", 1, "new in 3.14"},
    {"slice", "__class_getitem__", 1, "new in 3.14"},
    {"method", "__get__", 1, "new in 3.12"},
    {"property", "__name__", 1, "new in 3.13"},
    {"builtins", "PythonFinalizationError", 1, "new in 3.13"},
    {"types.GenericAlias", "__typing_unpacked_tuple_args__", 0,
     "for the module typing alone"},
    {"builtins", "frozendict", 1, "new in 3.15"},
    {"builtins", "sentinel", 1, "new in 3.15"},
    {"builtins", "__build_class__", 0, "it needs an interpreter"},
    {"builtins", "anext", 0, "it needs coroutines"},
    {"builtins", "breakpoint", 0, "it needs an interpreter"},
    {"builtins", "compile", 0, "it needs an interpreter"},
    {"builtins", "copyright", 0, "it is for a console"},
    {"builtins", "credits", 0, "it is for a console"},
    {"builtins", "eval", 0, "it needs an interpreter"},
    {"builtins", "exec", 0, "it needs an interpreter"},
    {"builtins", "exit", 0, "it is for a console"},
    {"builtins", "globals", 0, "it needs an interpreter"},
    {"builtins", "help", 0, "it is for a console"},
    {"builtins", "input", 0, "it is for a console"},
    {"builtins", "license", 0, "it is for a console"},
    {"builtins", "locals", 0, "it needs an interpreter"},
    {"builtins", "open", 0, "there are no files"},
    {"builtins", "quit", 0, "it is for a console"},
    {"operator", "__all__", 0, "for Python code alone"},
    {"operator", "_abs", 0, "for Python code alone"},
    {"operator", "__builtins__", 0, "for Python code alone"},
    {"operator", "__cached__", 0, "for Python code alone"},
    {"operator", "__file__", 0, "for Python code alone"},
};

static int
is_exception(const char *owner, const char *name)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(exceptions); i++)
        if (strcmp(exceptions[i].owner, owner) == 0 &&
            strcmp(exceptions[i].name, name) == 0)
            return 1;
    return 0;
}

/* Lists the names but for the exceptions, of which it is said what is there.
 */
static void
list_names(const char *owner, PyObject *op)
{
    PyObject *names = need(PyObject_Dir(op));

    say("%s", owner);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++) {
        const char *name = PyUnicode_AsUTF8(PyList_GET_ITEM(names, i));
        if (!is_exception(owner, name))
            say("  %s", name);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(exceptions); i++) {
        if (strcmp(exceptions[i].owner, owner) != 0)
            continue;
        PyObject *name = PyUnicode_FromString(exceptions[i].name);
        const char *seen = PySequence_Contains(names, name) ? "there" : "not";
        Py_DECREF(name);
        say("  %s", exceptions[i].name);
        differs(exceptions[i].why, exceptions[i].ours ? "there" : "not",
                exceptions[i].ours ? "not" : "there", seen);
    }
    Py_DECREF(names);
}

static PyTypeObject *const types[] = {
    &PyBaseObject_Type,
    &PyType_Type,
    &PyLong_Type,
    &PyBool_Type,
    &PyFloat_Type,
    &PyComplex_Type,
    &PyUnicode_Type,
    &PyBytes_Type,
    &PyByteArray_Type,
    &PyTuple_Type,
    &PyList_Type,
    &PyDict_Type,
    &PySet_Type,
    &PyFrozenSet_Type,
    &PyRange_Type,
    &PySlice_Type,
    &PyMemoryView_Type,
    &PyProperty_Type,
    &PyClassMethod_Type,
    &PyStaticMethod_Type,
    &PySuper_Type,
    &PyModule_Type,
    &PyCFunction_Type,
    &PyMethod_Type,
    &PyMethodDescr_Type,
    &PyWrapperDescr_Type,
    &PyGetSetDescr_Type,
    &PyMemberDescr_Type,
    &PyClassMethodDescr_Type,
    &PyDictProxy_Type,
    &PyCell_Type,
    &PyCapsule_Type,
    &PyEnum_Type,
    &PyReversed_Type,
    &PyZip_Type,
    &PyMap_Type,
    &PyFilter_Type,
    &PySeqIter_Type,
    &PyCallIter_Type,
    &PyListIter_Type,
    &PyListRevIter_Type,
    &PyTupleIter_Type,
    &PyDictIterKey_Type,
    &PyDictIterValue_Type,
    &PyDictIterItem_Type,
    &PyDictRevIterKey_Type,
    &PyDictKeys_Type,
    &PyDictValues_Type,
    &PyDictItems_Type,
    &PySetIter_Type,
    &PyRangeIter_Type,
    &PyLongRangeIter_Type,
    &PyUnicodeIter_Type,
    &PyBytesIter_Type,
    &PyByteArrayIter_Type,
    &PyEllipsis_Type,
    &_PyWeakref_RefType,
    &Py_GenericAliasType,
};

static PyObject **const classes[] = {
    &PyExc_BaseException,      &PyExc_OSError,
    &PyExc_SystemExit,         &PyExc_UnicodeDecodeError,
    &PyExc_KeyError,           &PyExc_ImportError,
    &PyExc_NameError,          &PyExc_AttributeError,
    &PyExc_StopIteration,      &PyExc_SyntaxError,
    &PyExc_UnicodeEncodeError,
};

static void
list_module(const char *name)
{
    PyObject *module = need(PyImport_ImportModule(name));

    list_names(name, module);
    Py_DECREF(module);
}

void
oracle_program(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        list_names(types[i]->tp_name, (PyObject *)types[i]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(classes); i++)
        list_names(((PyTypeObject *)*classes[i])->tp_name, *classes[i]);
    list_names("NoneType", (PyObject *)Py_TYPE(Py_None));
    list_names("NotImplementedType", (PyObject *)Py_TYPE(Py_NotImplemented));
    list_module("builtins");
    list_module("operator");
}
