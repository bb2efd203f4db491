/* code.c: code objects: names of places, which generators of bindings make for
   each place that an exception passes, and descriptions of functions.

   Manual: "Code Objects". */

#include "Python.h"

#include <stdbool.h>

#include "structmember.h"

#include "object/error/errors.h"

PyCodeObject *
PyCode_NewEmpty(const char *filename, const char *funcname, int firstlineno)
{
    if (filename == NULL || funcname == NULL)
        return PYB_BAD_CALL(NULL);
    PyCodeObject *code = PyObject_New(PyCodeObject, &PyCode_Type);
    if (code == NULL)
        return NULL;
    code->co_argcount = code->co_posonlyargcount = code->co_kwonlyargcount = 0;
    code->co_flags = 0;
    code->co_firstlineno = firstlineno;
    code->co_filename = PyUnicode_DecodeFSDefault(filename);
    code->co_name = PyUnicode_FromString(funcname);
    code->co_qualname = Py_XNewRef(code->co_name);
    code->co_varnames = PyTuple_New(0);
    if (code->co_filename == NULL || code->co_name == NULL ||
        code->co_varnames == NULL)
        Py_CLEAR(code);
    return code;
}

/* True, or false with TypeError: is each item a str?  So a code object refers
   to nothing that could lead back to it, and need not be a container. */
static bool
has_names_alone(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *name = PyTuple_GET_ITEM(tuple, i);

        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError,
                         "name tuples must contain only strings, not '%.500s'",
                         Py_TYPE(name)->tp_name);
            return false;
        }
    }
    return true;
}

static bool
is_not_negative(const char *name, int number)
{
    if (number < 0)
        PyErr_Format(PyExc_ValueError, "code: %s must not be negative", name);
    return number >= 0;
}

/* The names of the arguments come first among those of the variables. */
static bool
has_names_for_all(PyCodeObject *code, int nlocals)
{
    long long arguments =
        (long long)code->co_argcount + code->co_kwonlyargcount +
        !!(code->co_flags & CO_VARARGS) + !!(code->co_flags & CO_VARKEYWORDS);
    Py_ssize_t names = PyTuple_GET_SIZE(code->co_varnames);

    if (code->co_posonlyargcount > code->co_argcount || code->co_flags < 0)
        return PYB_BAD_CALL(false);
    if (arguments > names)
        PyErr_SetString(PyExc_ValueError, "code: co_varnames is too small");
    else if (nlocals != names)
        PyErr_SetString(PyExc_ValueError,
                        "code: co_nlocals != len(co_varnames)");
    return arguments <= names && nlocals == names;
}

/* code(...), with the arguments of CPython's: what describes a function stays,
   and of what an interpreter would run only the types are looked at. */
static PyObject *
code_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyCodeObject given = {.co_argcount = 0};
    int nlocals, stacksize;
    PyObject *bytecode, *consts, *names, *lines, *exceptions, *free, *cell;

    if (kwds != NULL && PyDict_GET_SIZE(kwds) > 0) {
        PyErr_SetString(PyExc_TypeError, "code() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(
            args, "iiiiiiSO!O!O!UUUiSS|O!O!:code", &given.co_argcount,
            &given.co_posonlyargcount, &given.co_kwonlyargcount, &nlocals,
            &stacksize, &given.co_flags, &bytecode, &PyTuple_Type, &consts,
            &PyTuple_Type, &names, &PyTuple_Type, &given.co_varnames,
            &given.co_filename, &given.co_name, &given.co_qualname,
            &given.co_firstlineno, &lines, &exceptions, &PyTuple_Type, &free,
            &PyTuple_Type, &cell) ||
        !is_not_negative("argcount", given.co_argcount) ||
        !is_not_negative("posonlyargcount", given.co_posonlyargcount) ||
        !is_not_negative("kwonlyargcount", given.co_kwonlyargcount) ||
        !is_not_negative("nlocals", nlocals) || !has_names_alone(names) ||
        !has_names_alone(given.co_varnames) ||
        !has_names_for_all(&given, nlocals))
        return NULL;
    PyCodeObject *code = PyObject_New(PyCodeObject, type);
    if (code == NULL)
        return NULL;
    given.ob_base = code->ob_base;
    *code = given;
    Py_INCREF(code->co_varnames);
    Py_INCREF(code->co_filename);
    Py_INCREF(code->co_name);
    Py_INCREF(code->co_qualname);
    return (PyObject *)code;
}

static void
code_dealloc(PyObject *op)
{
    PyCodeObject *code = (PyCodeObject *)op;

    Py_XDECREF(code->co_filename);
    Py_XDECREF(code->co_name);
    Py_XDECREF(code->co_qualname);
    Py_XDECREF(code->co_varnames);
    PyObject_Free(op);
}

static PyObject *
code_repr(PyObject *op)
{
    PyCodeObject *code = (PyCodeObject *)op;

    return PyUnicode_FromFormat("<code object %U at %p, file \"%U\", line %d>",
                                code->co_name, op, code->co_filename,
                                code->co_firstlineno);
}

/* 1, or 0 with SystemError. */
static int
check_code(PyCodeObject *code)
{
    return code != NULL && PyCode_Check(code) ? 1 : PYB_BAD_CALL(0);
}

PyObject *
PyCode_GetVarnames(PyCodeObject *code)
{
    return check_code(code) ? Py_NewRef(code->co_varnames) : NULL;
}

PyObject *
PyCode_GetCellvars(PyCodeObject *code)
{
    return check_code(code) ? PyTuple_New(0) : NULL;
}

PyObject *
PyCode_GetFreevars(PyCodeObject *code)
{
    return PyCode_GetCellvars(code);
}

PyObject *
PyCode_GetCode(PyCodeObject *code)
{
    return check_code(code) ? PyBytes_FromStringAndSize(NULL, 0) : NULL;
}

int
PyCode_Addr2Line(PyCodeObject *code, int Py_UNUSED(byte_offset))
{
    return check_code(code) ? code->co_firstlineno : -1;
}

#define MEMBER(NAME, TYPE)                                                    \
    {                                                                         \
#NAME, TYPE, offsetof(PyCodeObject, NAME), Py_READONLY, NULL          \
    }

static PyMemberDef code_members[] = {
    MEMBER(co_argcount, Py_T_INT),       MEMBER(co_posonlyargcount, Py_T_INT),
    MEMBER(co_kwonlyargcount, Py_T_INT), MEMBER(co_flags, Py_T_INT),
    MEMBER(co_firstlineno, Py_T_INT),    MEMBER(co_filename, _Py_T_OBJECT),
    MEMBER(co_name, _Py_T_OBJECT),       MEMBER(co_qualname, _Py_T_OBJECT),
    MEMBER(co_varnames, _Py_T_OBJECT),   {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyCode_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "code",
    .tp_basicsize = sizeof(PyCodeObject),
    .tp_dealloc = code_dealloc,
    .tp_repr = code_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = PyDoc_STR("The name of a place, or what describes a function; "
                        "there is no code."),
    .tp_members = code_members,
    .tp_new = code_new,
};
