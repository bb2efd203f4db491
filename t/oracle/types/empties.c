/* empties.c: every method of an empty object that can be called without
   arguments, and with an empty one.
   Manual: Python's library, "Built-in Types". */

#include "oracle.h"

/* clang-format off */
static const char *const names[] = {
    "__copy__", "__iter__", "__len__", "__repr__", "__reversed__", "__str__",
    "capitalize", "casefold", "clear", "copy", "decode", "difference",
    "encode", "expandtabs", "format", "hex", "intersection", "isalnum",
    "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower",
    "isnumeric", "isprintable", "isspace", "istitle", "isupper", "items",
    "keys", "lower", "lstrip", "pop", "popitem", "reverse", "rsplit", "rstrip",
    "sort", "split", "splitlines", "strip", "swapcase", "title", "tobytes",
    "tolist", "union", "update", "upper", "values",
};
/* clang-format on */

/* clang-format off */
static const char *const names_of_one[] = {
    "__add__", "__contains__", "__eq__", "__iadd__", "__lt__", "append",
    "count", "endswith", "extend", "find", "index", "isdisjoint", "issubset",
    "join", "partition", "remove", "removeprefix", "removesuffix", "rfind",
    "rindex", "rpartition", "split", "startswith", "strip",
    "symmetric_difference", "translate", "update",
};
/* clang-format on */

/* The type and the value of what op's method answers, and what became of op;
   nothing if there is no such method. */
static void
call(PyObject *(*make)(void), const char *name, int has_argument)
{
    PyObject *op = need(make());
    PyObject *method = PyObject_GetAttrString(op, name);

    if (method == NULL) {
        PyErr_Clear();
        Py_DECREF(op);
        return;
    }
    PyObject *argument = has_argument ? need(make()) : NULL;
    PyObject *value = PyObject_CallFunctionObjArgs(method, argument, NULL);
    const char *type = value == NULL         ? "no object"
                       : PyErr_Occurred()    ? "an object, and an exception"
                       : PyIter_Check(value) ? "an iterator"
                                             : Py_TYPE(value)->tp_name;

    say("%s.%s: %s", Py_TYPE(op)->tp_name, name, type);
    if (value != NULL && PyIter_Check(value))
        Py_SETREF(value, need(PySequence_List(value)));
    show("  answers", value);
    show_kept("  is", op);
    Py_XDECREF(argument);
    drop_all(method, op);
}

static PyObject *
empty_str(void)
{
    return PyUnicode_FromString("");
}

static PyObject *
empty_bytes(void)
{
    return PyBytes_FromStringAndSize(NULL, 0);
}

static PyObject *
empty_bytearray(void)
{
    return PyByteArray_FromStringAndSize(NULL, 0);
}

/* One that had bytes once. */
static PyObject *
emptied_bytearray(void)
{
    PyObject *op = need(PyByteArray_FromStringAndSize("abc", 3));

    if (PyByteArray_Resize(op, 0) < 0)
        Py_CLEAR(op);
    return op;
}

static PyObject *
empty_view(void)
{
    PyObject *bytes = need(empty_bytes()),
             *view = PyMemoryView_FromObject(bytes);

    Py_DECREF(bytes);
    return view;
}

static PyObject *
empty_list(void)
{
    return PyList_New(0);
}

static PyObject *
empty_tuple(void)
{
    return PyTuple_New(0);
}

static PyObject *
empty_dict(void)
{
    return PyDict_New();
}

static PyObject *
empty_set(void)
{
    return PySet_New(NULL);
}

static PyObject *
empty_frozenset(void)
{
    return PyFrozenSet_New(NULL);
}

void
oracle_program(void)
{
    PyObject *(*const makers[])(void) = {
        empty_str,  empty_bytes,     empty_bytearray, emptied_bytearray,
        empty_view, empty_list,      empty_tuple,     empty_dict,
        empty_set,  empty_frozenset,
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(makers); i++) {
        for (size_t k = 0; k < Py_ARRAY_LENGTH(names); k++)
            call(makers[i], names[k], 0);
        if (makers[i] == empty_view)
            continue; /* in 3.11 it has no count and no index */
        for (size_t k = 0; k < Py_ARRAY_LENGTH(names_of_one); k++)
            call(makers[i], names_of_one[k], 1);
    }
}
