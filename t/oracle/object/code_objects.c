/* code_objects.c: types.CodeType called, as generators of bindings do, with
   what describes a function; wrong numbers and types.
   Manual: "Code Objects". */

#include "oracle.h"

/* The arguments that vary; the others are as small as they may be. */
struct given {
    int args, positional, keyword, locals, stack, flags;
    PyObject *names, *variables, *name;
};

static PyObject *
describe(const struct given *given)
{
    PyObject *types = need(PyImport_ImportModule("types"));
    PyObject *type = need(PyObject_GetAttrString(types, "CodeType"));
    PyObject *code = PyObject_CallFunction(
        type, "iiiiiiy#(O)OOsOsiyy()()", given->args, given->positional,
        given->keyword, given->locals, given->stack, given->flags, "d\0S\0",
        (Py_ssize_t)4, Py_None, given->names, given->variables, "m.pyx",
        given->name, "C.f", 7, "", "");

    drop_all(types, type);
    return code;
}

static void
attributes(PyObject *code)
{
    const char *const names[] = {
        "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
        "co_flags",    "co_varnames",        "co_filename",
        "co_name",     "co_qualname",        "co_firstlineno"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        show(names[i], PyObject_GetAttrString(code, names[i]));
    PyObject *varnames = PyCode_GetVarnames((PyCodeObject *)code);
    show("PyCode_GetVarnames", varnames);
}

void
oracle_program(void)
{
    PyObject *empty = need(PyTuple_New(0));
    PyObject *name = need(PyUnicode_FromString("f"));
    PyObject *two = need(Py_BuildValue("(ss)", "x", "y"));
    PyObject *number = need(Py_BuildValue("(i)", 1));
    struct given good = {1, 0, 0, 2, 0, 3, empty, two, name}, given;
    PyObject *code = need(describe(&good));

#define WITH(...)                                                             \
    (given = good, __VA_ARGS__, show(#__VA_ARGS__, describe(&given)))
    attributes(code);
    drop_all(code);
    WITH(given.args = -1);
    WITH(given.positional = -1);
    WITH(given.keyword = -1);
    WITH(given.locals = -1);
    WITH(given.args = 3);
    WITH(given.args = 0x7fffffff);
    WITH(given.locals = 3);
    WITH(given.keyword = 2);
    WITH(given.flags = 3 | 4 | 8);
    WITH(given.names = number);
    WITH(given.variables = number);
    WITH(given.variables = Py_None);
    WITH(given.name = Py_None);
    drop_all(empty, name, two, number);
}
