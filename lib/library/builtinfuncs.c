/* builtinfuncs.c: the functions of builtins that ask or tell one object
   something.  globals, locals, eval and the like would need code to run in.

   Manual: Python's library, "Built-in Functions". */

#include "Python.h"

#include "library/library.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"

#define FUNCTION(name)                                                        \
    static PyObject *builtin_##name(PyObject *Py_UNUSED(module), PyObject *arg)
#define WITH_ARGS(name)                                                       \
    static PyObject *builtin_##name(PyObject *Py_UNUSED(module),              \
                                    PyObject *args)
#define WITH_KEYWORDS(name)                                                   \
    static PyObject *builtin_##name(PyObject *Py_UNUSED(module),              \
                                    PyObject *args, PyObject *kwds)

/* A function of two arguments that is an expression of a and b. */
#define OF_TWO(NAME, RESULT)                                                  \
    WITH_ARGS(NAME)                                                           \
    {                                                                         \
        PyObject *a, *b;                                                      \
                                                                              \
        return PyArg_UnpackTuple(args, #NAME, 2, 2, &a, &b) ? (RESULT)        \
                                                            : NULL;           \
    }

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

WITH_ARGS(getattr)
{
    PyObject *op, *name, *otherwise = NULL, *value;

    if (!PyArg_UnpackTuple(args, "getattr", 2, 3, &op, &name, &otherwise))
        return NULL;
    if (otherwise == NULL)
        return PyObject_GetAttr(op, name);
    if (PyObject_GetOptionalAttr(op, name, &value) < 0)
        return NULL;
    return value != NULL ? value : Py_NewRef(otherwise);
}

OF_TWO(hasattr, pyb_result_bool(PyObject_HasAttrWithError(a, b)))
OF_TWO(delattr, pyb_result_none(PyObject_DelAttr(a, b)))

WITH_ARGS(setattr)
{
    PyObject *op, *name, *value;

    if (!PyArg_UnpackTuple(args, "setattr", 3, 3, &op, &name, &value))
        return NULL;
    return pyb_result_none(PyObject_SetAttr(op, name, value));
}

WITH_ARGS(dir)
{
    PyObject *op = NULL;

    if (!PyArg_UnpackTuple(args, "dir", 0, 1, &op))
        return NULL;
    return PyObject_Dir(op);
}

WITH_ARGS(vars)
{
    PyObject *op = NULL, *dict;

    if (!PyArg_UnpackTuple(args, "vars", 0, 1, &op))
        return NULL;
    if (op == NULL)
        return pyb_raise(PyExc_SystemError, "frame does not exist");
    if (PyObject_GetOptionalAttrString(op, "__dict__", &dict) < 0)
        return NULL;
    if (dict == NULL)
        PyErr_SetString(PyExc_TypeError,
                        "vars() argument must have __dict__ attribute");
    return dict;
}

/* ------------------------------------------------------------------ */
/* Types and identity                                                  */

FUNCTION(callable)
{
    return PyBool_FromLong(PyCallable_Check(arg));
}

FUNCTION(id)
{
    return PyLong_FromVoidPtr(arg);
}

FUNCTION(hash)
{
    Py_hash_t hash = PyObject_Hash(arg);

    return hash == -1 && PyErr_Occurred() ? NULL : PyLong_FromSsize_t(hash);
}

OF_TWO(isinstance, pyb_result_bool(PyObject_IsInstance(a, b)))
OF_TWO(issubclass, pyb_result_bool(PyObject_IsSubclass(a, b)))

WITH_KEYWORDS(import)
{
    static char *names[] = {"name",     "globals", "locals",
                            "fromlist", "level",   NULL};
    PyObject *name, *globals = NULL, *locals = NULL, *fromlist = NULL;
    int level = 0;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|OOOi:__import__", names,
                                     &name, &globals, &locals, &fromlist,
                                     &level))
        return NULL;
    return PyImport_ImportModuleLevelObject(name, globals, locals, fromlist,
                                            level);
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

FUNCTION(repr)
{
    return PyObject_Repr(arg);
}

WITH_ARGS(format)
{
    PyObject *op, *spec = NULL;

    if (!PyArg_UnpackTuple(args, "format", 1, 2, &op, &spec))
        return NULL;
    if (spec != NULL && !PyUnicode_Check(spec))
        return PyErr_Format(PyExc_TypeError,
                            "format() argument 2 must be str, not %.50s",
                            spec == Py_None ? "None" : Py_TYPE(spec)->tp_name);
    return PyObject_Format(op, spec);
}

FUNCTION(ascii)
{
    return PyObject_ASCII(arg);
}

/* TypeError: ord() of what has another length than 1. */
static PyObject *
no_character(Py_ssize_t length)
{
    return PyErr_Format(PyExc_TypeError,
                        "ord() expected a character, but string of length "
                        "%zd found",
                        length);
}

static PyObject *
ord_of_bytes(const char *data, Py_ssize_t size)
{
    return size == 1 ? PyLong_FromLong((unsigned char)*data)
                     : no_character(size);
}

FUNCTION(ord)
{
    if (PyBytes_Check(arg))
        return ord_of_bytes(PyBytes_AS_STRING(arg), PyBytes_GET_SIZE(arg));
    if (PyByteArray_Check(arg))
        return ord_of_bytes(PyByteArray_AS_STRING(arg),
                            PyByteArray_GET_SIZE(arg));
    if (!PyUnicode_Check(arg))
        return pyb_errors_type("ord() expected string of length 1, but %.200s "
                               "found",
                               arg);
    Py_ssize_t length = PyUnicode_GET_LENGTH(arg);
    return length == 1 ? PyLong_FromLong((long)PyUnicode_ReadChar(arg, 0))
                       : no_character(length);
}

FUNCTION(chr)
{
    int code = PyLong_AsInt(arg);

    if (code == -1 && PyErr_Occurred())
        return NULL;
    if (code < 0 || code > 0x10ffff)
        return pyb_raise(PyExc_ValueError, "chr() arg not in range(0x110000)");
    return PyUnicode_FromOrdinal(code);
}

FUNCTION(hex)
{
    return PyNumber_ToBase(arg, 16);
}

FUNCTION(oct)
{
    return PyNumber_ToBase(arg, 8);
}

FUNCTION(bin)
{
    return PyNumber_ToBase(arg, 2);
}

/* Writes text, which is stolen, to a file.  0, or -1 with an exception. */
static int
write_text(PyObject *file, PyObject *text)
{
    PyObject *done =
        text != NULL ? PyObject_CallMethod(file, "write", "O", text) : NULL;

    Py_XDECREF(text);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

/* Writes sep or end, if it is given and not None, or else the usual one. */
static int
write_mark(PyObject *file, PyObject *mark, const char *usual)
{
    return write_text(file, mark == NULL || mark == Py_None
                                ? PyUnicode_FromString(usual)
                                : Py_NewRef(mark));
}

static int
check_mark(PyObject *mark, const char *name)
{
    if (mark == NULL || mark == Py_None || PyUnicode_Check(mark))
        return 0;
    return pyb_failf(PyExc_TypeError,
                     "%s must be None or a string, not %.200s", name,
                     Py_TYPE(mark)->tp_name);
}

static int
print_to(PyObject *file, PyObject *args, PyObject *sep, PyObject *end)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++)
        if ((i > 0 && write_mark(file, sep, " ") < 0) ||
            write_text(file, PyObject_Str(PyTuple_GET_ITEM(args, i))) < 0)
            return -1;
    return write_mark(file, end, "\n");
}

static int
flush_file(PyObject *file)
{
    PyObject *done = PyObject_CallMethod(file, "flush", NULL);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

WITH_KEYWORDS(print)
{
    static char *names[] = {"sep", "end", "file", "flush", NULL};
    PyObject *sep = NULL, *end = NULL, *file = NULL;
    int flush = 0, result;
    PyObject *none = PyTuple_New(0);

    if (none == NULL)
        return NULL;
    result = PyArg_ParseTupleAndKeywords(none, kwds, "|OOOp:print", names,
                                         &sep, &end, &file, &flush)
                 ? 0
                 : -1;
    Py_DECREF(none);
    if (result < 0 || check_mark(sep, "sep") < 0 || check_mark(end, "end") < 0)
        return NULL;
    file = file == NULL || file == Py_None ? PySys_GetAttrString("stdout")
                                           : Py_NewRef(file);
    if (file == NULL)
        return NULL;
    if (file == Py_None) { /* nothing to print to */
        Py_DECREF(file);
        Py_RETURN_NONE;
    }
    result = print_to(file, args, sep, end);
    if (result == 0 && flush)
        result = flush_file(file);
    Py_DECREF(file);
    return pyb_result_none(result);
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

FUNCTION(abs)
{
    return PyNumber_Absolute(arg);
}

WITH_ARGS(divmod)
{
    PyObject *a, *b;

    if (!PyArg_UnpackTuple(args, "divmod", 2, 2, &a, &b))
        return NULL;
    return PyNumber_Divmod(a, b);
}

WITH_KEYWORDS(pow)
{
    static char *names[] = {"base", "exp", "mod", NULL};
    PyObject *base, *exponent, *modulus = Py_None;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO|O:pow", names, &base,
                                     &exponent, &modulus))
        return NULL;
    return PyNumber_Power(base, exponent, modulus);
}

WITH_KEYWORDS(round)
{
    static char *names[] = {"number", "ndigits", NULL};
    PyObject *number, *digits = Py_None, *method, *result;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:round", names, &number,
                                     &digits))
        return NULL;
    int found = pyb_attr_special(number, "__round__", &method);
    if (found < 0)
        return NULL;
    if (found == 0)
        return pyb_errors_type("type %.100s doesn't define __round__ method",
                               number);
    result = digits == Py_None ? PyObject_CallNoArgs(method)
                               : PyObject_CallOneArg(method, digits);
    Py_DECREF(method);
    return result;
}

#define ONE(NAME, DOC)                                                        \
    {                                                                         \
#NAME, builtin_##NAME, METH_O, PyDoc_STR(#NAME DOC)                   \
    }
#define SOME(NAME, DOC)                                                       \
    {                                                                         \
#NAME, builtin_##NAME, METH_VARARGS, PyDoc_STR(#NAME DOC)             \
    }
#define NAMED(NAME, DOC)                                                      \
    {                                                                         \
#NAME, _PyCFunction_CAST(builtin_##NAME),                             \
            METH_VARARGS | METH_KEYWORDS, PyDoc_STR(#NAME DOC)                \
    }

PyMethodDef pyb_builtinfuncs[] = {
    {"__import__", _PyCFunction_CAST(builtin_import),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("__import__($module, /, name, globals=None, locals=None, "
               "fromlist=(),\n           level=0)\n--\n\n"
               "Import a module, as the import statement does.")},
    ONE(abs, "($module, x, /)\n--\n\nThe absolute value."),
    ONE(ascii, "($module, obj, /)\n--\n\nThe repr, in ASCII alone."),
    ONE(bin, "($module, number, /)\n--\n\nAn integer in binary digits."),
    ONE(callable, "($module, obj, /)\n--\n\nTell whether it can be called."),
    ONE(chr, "($module, i, /)\n--\n\nThe character with that code point."),
    SOME(delattr, "($module, obj, name, /)\n--\n\nDelete an attribute."),
    SOME(dir, "([object]) -> list\n\nThe names of an object's attributes."),
    SOME(divmod, "($module, x, y, /)\n--\n\nThe tuple (x//y, x%y)."),
    SOME(format, "($module, value, format_spec='', /)\n--\n\n"
                 "The text of the value, as the specification says."),
    SOME(getattr, "(object, name[, default]) -> value\n\n"
                  "An attribute; the default if there is none."),
    SOME(hasattr, "($module, obj, name, /)\n--\n\n"
                  "Tell whether there is such an attribute."),
    ONE(hash, "($module, obj, /)\n--\n\nThe hash value."),
    ONE(hex, "($module, number, /)\n--\n\nAn integer in hexadecimal digits."),
    ONE(id, "($module, obj, /)\n--\n\n"
            "A number that no other object has at the same time."),
    SOME(isinstance, "($module, obj, class_or_tuple, /)\n--\n\n"
                     "Tell whether it is of one of the classes."),
    SOME(issubclass, "($module, cls, class_or_tuple, /)\n--\n\n"
                     "Tell whether it inherits from one of the classes."),
    ONE(oct, "($module, number, /)\n--\n\nAn integer in octal digits."),
    ONE(ord, "($module, c, /)\n--\n\nThe code point of a character."),
    NAMED(pow, "($module, /, base, exp, mod=None)\n--\n\n"
               "base**exp, or base**exp % mod."),
    NAMED(print, "($module, /, *args, sep=' ', end='\\n', file=None, "
                 "flush=False)\n--\n\nWrite the objects' texts to a file."),
    ONE(repr, "($module, obj, /)\n--\n\nThe text that stands for it."),
    NAMED(round, "($module, /, number, ndigits=None)\n--\n\n"
                 "The number with so many digits behind the point."),
    SOME(setattr, "($module, obj, name, value, /)\n--\n\n"
                  "Set an attribute."),
    SOME(vars, "([object]) -> dictionary\n\nThe attribute __dict__."),
    {NULL, NULL, 0, NULL},
};
