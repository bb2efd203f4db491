/* contextmap.c: contexts as mappings of variables to values, and their
   methods.  An iterator goes over what the context had when it was made. */

#include "Python.h"

#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "types/context/context.h"

/* 0, or -1 with TypeError if the key is no variable. */
static int
check_key(PyObject *key)
{
    if (PyContextVar_CheckExact(key))
        return 0;
    return pyb_failf(PyExc_TypeError, "a ContextVar key was expected, got %R",
                     key);
}

static Py_ssize_t
length(PyObject *op)
{
    PyObject *vars = PYB_CONTEXT(op)->vars;

    return vars == NULL ? 0 : PyDict_Size(vars);
}

static int
contains(PyObject *op, PyObject *key)
{
    return check_key(key) < 0 ? -1 : pyb_context_find(op, key) != NULL;
}

static PyObject *
subscript(PyObject *op, PyObject *key)
{
    if (check_key(key) < 0)
        return NULL;
    PyObject *value = pyb_context_find(op, key);
    if (value == NULL)
        PyErr_SetObject(PyExc_KeyError, key);
    return Py_XNewRef(value);
}

PyMappingMethods pyb_context_mapping = {
    .mp_length = length,
    .mp_subscript = subscript,
};

PySequenceMethods pyb_context_sequence = {
    .sq_contains = contains,
};

/* The context's dict, or an empty one; a new reference. */
static PyObject *
vars_of(PyObject *op)
{
    PyObject *vars = PYB_CONTEXT(op)->vars;

    return vars == NULL ? PyDict_New() : Py_NewRef(vars);
}

PyObject *
pyb_context_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyContext_CheckExact(a) || !PyContext_CheckExact(b) ||
        (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *left = vars_of(a), *right = vars_of(b), *result = NULL;
    if (left != NULL && right != NULL)
        result = PyObject_RichCompare(left, right, op);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return result;
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

/* An iterator of what a method of the context's dict returns. */
static PyObject *
iterate(PyObject *op, const char *method)
{
    PyObject *vars = vars_of(op), *iterator = NULL;
    PyObject *view =
        vars == NULL ? NULL : PyObject_CallMethod(vars, method, NULL);

    if (view != NULL)
        iterator = PyObject_GetIter(view);
    Py_XDECREF(view);
    Py_XDECREF(vars);
    return iterator;
}

PyObject *
pyb_context_iter(PyObject *op)
{
    return iterate(op, "keys");
}

#define ITERATE(NAME)                                                         \
    static PyObject *NAME(PyObject *op, PyObject *Py_UNUSED(ignored))         \
    {                                                                         \
        return iterate(op, #NAME);                                            \
    }

ITERATE(keys)
ITERATE(values)
ITERATE(items)

static PyObject *
get(PyObject *op, PyObject *args)
{
    PyObject *key, *otherwise = Py_None;

    if (!PyArg_UnpackTuple(args, "get", 1, 2, &key, &otherwise) ||
        check_key(key) < 0)
        return NULL;
    PyObject *value = pyb_context_find(op, key);
    return Py_NewRef(value != NULL ? value : otherwise);
}

static PyObject *
copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyContext_Copy(op);
}

static PyObject *
run(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (nargs < 1)
        return pyb_raise(PyExc_TypeError,
                         "run() missing 1 required positional argument");
    if (PyContext_Enter(op) < 0)
        return NULL;
    PyObject *result =
        PyObject_Vectorcall(args[0], args + 1, (size_t)nargs - 1, kwnames);
    if (PyContext_Exit(op) < 0)
        Py_CLEAR(result);
    return result;
}

PyMethodDef pyb_context_methods[] = {
    {"get", get, PYB_VARARGS,
     PyDoc_STR("The value of a variable, or the second argument, or None.")},
    {"items", items, METH_NOARGS, PyDoc_STR("The variables with values.")},
    {"keys", keys, METH_NOARGS, PyDoc_STR("The variables.")},
    {"values", values, METH_NOARGS, PyDoc_STR("The values.")},
    {"copy", copy, METH_NOARGS, PyDoc_STR("A context with the same values.")},
    {"run", _PyCFunction_CAST(run), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Call a function while this is the current context.")},
    {NULL, NULL, 0, NULL},
};
