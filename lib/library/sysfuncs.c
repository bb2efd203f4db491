/* sysfuncs.c: the functions of sys that make sense without Python code.

   Manual: Python's library, "sys". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"
#include "runtime/recursion.h"

#define NO_ARGS(name)                                                         \
    static PyObject *sys_##name(PyObject *Py_UNUSED(module),                  \
                                PyObject *Py_UNUSED(none))
#define FUNCTION(name)                                                        \
    static PyObject *sys_##name(PyObject *Py_UNUSED(module), PyObject *arg)
#define WITH_ARGS(name)                                                       \
    static PyObject *sys_##name(PyObject *Py_UNUSED(module), PyObject *args)
#define WITH_KEYWORDS(name)                                                   \
    static PyObject *sys_##name(PyObject *Py_UNUSED(module), PyObject *args,  \
                                PyObject *kwds)

/* ------------------------------------------------------------------ */
/* Objects                                                             */

FUNCTION(getrefcount)
{
    return PyLong_FromSsize_t(Py_REFCNT(arg));
}

/* What __sizeof__ says; -1 with an exception. */
static Py_ssize_t
ask_size(PyObject *op)
{
    PyObject *answer = PyObject_CallMethod(op, "__sizeof__", NULL);
    Py_ssize_t size = -1;

    if (answer != NULL && !PyLong_Check(answer))
        PyErr_SetString(PyExc_TypeError, "an integer is required");
    else if (answer != NULL)
        size = PyLong_AsSsize_t(answer);
    Py_XDECREF(answer);
    if (size < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "__sizeof__() should return >= 0");
    return size;
}

/* Nothing lies before an object, where CPython has a collector's header. */
WITH_KEYWORDS(getsizeof)
{
    static char *names[] = {"object", "default", NULL};
    PyObject *op, *otherwise = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:getsizeof", names, &op,
                                     &otherwise))
        return NULL;
    Py_ssize_t size = ask_size(op);
    if (size >= 0)
        return PyLong_FromSsize_t(size);
    if (otherwise == NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
        return NULL;
    PyErr_Clear();
    return Py_NewRef(otherwise);
}

FUNCTION(intern)
{
    if (!PyUnicode_Check(arg))
        return pyb_errors_type("intern() argument must be str, not %.200s",
                               arg);
    if (!PyUnicode_CheckExact(arg))
        return pyb_errors_type("can't intern %.400s", arg);
    PyObject *text = Py_NewRef(arg);
    PyUnicode_InternInPlace(&text);
    return text;
}

/* ------------------------------------------------------------------ */
/* Exceptions, the end                                                 */

NO_ARGS(exception)
{
    PyObject *exc = PyErr_GetHandledException();

    return exc != NULL ? exc : Py_NewRef(Py_None);
}

NO_ARGS(exc_info)
{
    PyObject *parts[3], *result;

    PyErr_GetExcInfo(&parts[0], &parts[1], &parts[2]);
    for (size_t i = 0; i < 3; i++)
        if (parts[i] == NULL)
            parts[i] = Py_NewRef(Py_None);
    result = PyTuple_Pack(3, parts[0], parts[1], parts[2]);
    for (size_t i = 0; i < 3; i++)
        Py_DECREF(parts[i]);
    return result;
}

/* With a tuple the exception has its items as arguments. */
WITH_ARGS(exit)
{
    PyObject *status = NULL;

    if (!PyArg_UnpackTuple(args, "exit", 0, 1, &status))
        return NULL;
    PyErr_SetObject(PyExc_SystemExit, status);
    return NULL;
}

NO_ARGS(is_finalizing)
{
    return PyBool_FromLong(Py_IsFinalizing());
}

/* ------------------------------------------------------------------ */
/* Settings                                                            */

NO_ARGS(getrecursionlimit)
{
    return PyLong_FromLong(Py_GetRecursionLimit());
}

FUNCTION(setrecursionlimit)
{
    int limit = PyLong_AsInt(arg);

    if (limit == -1 && PyErr_Occurred())
        return NULL;
    if (limit < 1)
        return pyb_raise(PyExc_ValueError, "recursion limit must be greater "
                                           "or equal than 1");
    if (pyb_recursion.depth >= limit)
        return PyErr_Format(PyExc_RecursionError,
                            "cannot set the recursion limit to %i at the "
                            "recursion depth %i: the limit is too low",
                            limit, pyb_recursion.depth);
    Py_SetRecursionLimit(limit);
    Py_RETURN_NONE;
}

NO_ARGS(getdefaultencoding)
{
    return PyUnicode_FromString(PyUnicode_GetDefaultEncoding());
}

NO_ARGS(getfilesystemencoding)
{
    return PyUnicode_FromString(Py_FileSystemDefaultEncoding);
}

NO_ARGS(getfilesystemencodeerrors)
{
    return PyUnicode_FromString(Py_FileSystemDefaultEncodeErrors);
}

/* ------------------------------------------------------------------ */
/* Audit hooks                                                         */

/* audit(event, *args). */
WITH_ARGS(audit)
{
    if (PyTuple_GET_SIZE(args) == 0)
        return pyb_raise(PyExc_TypeError, "audit() missing 1 required "
                                          "positional argument: 'event'");
    PyObject *name = PyTuple_GET_ITEM(args, 0);
    if (!PyUnicode_Check(name))
        return pyb_errors_type("expected str for argument 'event', not "
                               "%.200s",
                               name);
    const char *event = PyUnicode_AsUTF8(name);
    PyObject *rest =
        event != NULL ? PyTuple_GetSlice(args, 1, PY_SSIZE_T_MAX) : NULL;
    int result = rest != NULL ? PySys_AuditTuple(event, rest) : -1;
    Py_XDECREF(rest);
    return pyb_result_none(result);
}

PyMethodDef pyb_sysfuncs[] = {
    {"audit", sys_audit, METH_VARARGS,
     "Passes the event to any hooks that are attached."},
    {"exc_info", sys_exc_info, METH_NOARGS,
     "Type, exception and traceback of what is being handled, or three "
     "times None."},
    {"exception", sys_exception, METH_NOARGS,
     "The exception that is being handled, or None."},
    {"exit", sys_exit, METH_VARARGS, "Raises SystemExit(status)."},
    {"getdefaultencoding", sys_getdefaultencoding, METH_NOARGS,
     "The encoding of str where none is named."},
    {"getfilesystemencodeerrors", sys_getfilesystemencodeerrors, METH_NOARGS,
     "The error handler for the names of files."},
    {"getfilesystemencoding", sys_getfilesystemencoding, METH_NOARGS,
     "The encoding of the names of files."},
    {"getrecursionlimit", sys_getrecursionlimit, METH_NOARGS,
     "How deep calls may be nested."},
    {"getrefcount", sys_getrefcount, METH_O, "The object's reference count."},
    {"getsizeof", _PyCFunction_CAST(sys_getsizeof),
     METH_VARARGS | METH_KEYWORDS,
     "The object's size in bytes, as __sizeof__ has it, or the default."},
    {"intern", sys_intern, METH_O, "The interned string of that text."},
    {"is_finalizing", sys_is_finalizing, METH_NOARGS,
     "Has the library begun to end?"},
    {"setrecursionlimit", sys_setrecursionlimit, METH_O,
     "Sets how deep calls may be nested."},
    {NULL, NULL, 0, NULL},
};
