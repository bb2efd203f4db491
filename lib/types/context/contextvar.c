/* contextvar.c: context variables, and the tokens of their changes.

   Manual: "Context Variables Objects". */

#include "Python.h"

#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "object/type/typeversion.h"
#include "types/context/context.h"

struct _pycontextvarobject {
    PyObject_HEAD
    PyObject *name;
    PyObject *value; /* the default, or NULL */
};

/* old is NULL if the variable had no value. */
struct _pycontexttokenobject {
    PyObject_HEAD
    PyObject *ctx;
    PyObject *var;
    PyObject *old;
    int used;
};

#define VAR(op) PYB_CAST(PyContextVar, PyContextVar_CheckExact, op)
#define TOKEN(op) PYB_CAST(PyContextToken, PyContextToken_CheckExact, op)

/* 0, or -1 with TypeError. */
static int
check_var(PyObject *op)
{
    if (op != NULL && PyContextVar_CheckExact(op))
        return 0;
    return pyb_fail(PyExc_TypeError, "an instance of ContextVar was expected");
}

/* ------------------------------------------------------------------ */
/* Variables                                                           */

static PyObject *
new_var(PyObject *name, PyObject *value)
{
    if (!PyUnicode_Check(name))
        return pyb_raise(PyExc_TypeError,
                         "context variable name must be a str");
    PyContextVar *var = PyObject_GC_New(PyContextVar, &PyContextVar_Type);
    if (var == NULL)
        return NULL;
    var->name = Py_NewRef(name);
    var->value = Py_XNewRef(value);
    PyObject_GC_Track((PyObject *)var);
    return (PyObject *)var;
}

PyObject *
PyContextVar_New(const char *name, PyObject *def)
{
    PyObject *text = PyUnicode_FromString(name);

    if (text == NULL)
        return NULL;
    PyObject *var = new_var(text, def);
    Py_DECREF(text);
    return var;
}

int
PyContextVar_Get(PyObject *var, PyObject *default_value, PyObject **value)
{
    *value = NULL;
    if (check_var(var) < 0)
        return -1;
    PyObject *found = pyb_context_find(pyb_context_peek(), var);
    if (found == NULL)
        found = default_value != NULL ? default_value : VAR(var)->value;
    *value = Py_XNewRef(found);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Tokens                                                              */

/* A token of a change that is about to be made. */
static PyObject *
new_token(PyObject *ctx, PyObject *var)
{
    PyContextToken *token =
        PyObject_GC_New(PyContextToken, &PyContextToken_Type);

    if (token == NULL)
        return NULL;
    token->ctx = Py_NewRef(ctx);
    token->var = Py_NewRef(var);
    token->old = Py_XNewRef(pyb_context_find(ctx, var));
    token->used = 0;
    PyObject_GC_Track((PyObject *)token);
    return (PyObject *)token;
}

PyObject *
PyContextVar_Set(PyObject *var, PyObject *value)
{
    if (check_var(var) < 0)
        return NULL;
    if (value == NULL)
        return pyb_errors_null_argument();
    PyObject *ctx = pyb_context_current();
    PyObject *token = ctx == NULL ? NULL : new_token(ctx, var);
    if (token != NULL && pyb_context_set(ctx, var, value) < 0)
        Py_CLEAR(token);
    return token;
}

int
PyContextVar_Reset(PyObject *var, PyObject *op)
{
    if (check_var(var) < 0)
        return -1;
    if (op == NULL || !PyContextToken_CheckExact(op))
        return pyb_fail(PyExc_TypeError, "an instance of Token was expected");
    PyContextToken *token = TOKEN(op);
    if (token->used)
        return pyb_failf(PyExc_RuntimeError, "%R has already been used once",
                         op);
    if (token->var != var)
        return pyb_failf(PyExc_ValueError,
                         "%R was created by a different ContextVar", op);
    PyObject *ctx = pyb_context_current();
    if (ctx == NULL)
        return -1;
    if (token->ctx != ctx)
        return pyb_failf(PyExc_ValueError,
                         "%R was created in a different Context", op);
    token->used = 1;
    return pyb_context_set(ctx, var, token->old);
}

/* ------------------------------------------------------------------ */
/* The type of variables                                               */

static PyObject *
var_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "default", NULL};
    PyObject *name, *value = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:ContextVar", names,
                                     &name, &value))
        return NULL;
    return new_var(name, value);
}

static int
var_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(VAR(op)->name);
    Py_VISIT(VAR(op)->value);
    return 0;
}

static int
var_clear(PyObject *op)
{
    Py_CLEAR(VAR(op)->name);
    Py_CLEAR(VAR(op)->value);
    return 0;
}

static void
var_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    var_clear(op);
    PyObject_GC_Del(op);
}

/* A default may lead back to the variable. */
static PyObject *
var_repr(PyObject *op)
{
    PyContextVar *var = VAR(op);
    PyObject *text;

    if (var->value == NULL)
        return PyUnicode_FromFormat("<ContextVar name=%R at %p>", var->name,
                                    op);
    int again = Py_ReprEnter(op);
    if (again != 0)
        return again > 0 ? PyUnicode_FromString("...") : NULL;
    text = PyUnicode_FromFormat("<ContextVar name=%R default=%R at %p>",
                                var->name, var->value, op);
    Py_ReprLeave(op);
    return text;
}

static PyObject *
var_get(PyObject *op, PyObject *args)
{
    PyObject *otherwise = NULL, *value;

    if (!PyArg_UnpackTuple(args, "get", 0, 1, &otherwise) ||
        PyContextVar_Get(op, otherwise, &value) < 0)
        return NULL;
    if (value == NULL)
        PyErr_SetObject(PyExc_LookupError, op);
    return value;
}

static PyObject *
var_reset(PyObject *op, PyObject *token)
{
    if (!PyContextToken_CheckExact(token))
        return PyErr_Format(PyExc_TypeError,
                            "expected an instance of Token, got %R", token);
    return pyb_result_none(PyContextVar_Reset(op, token));
}

static PyMethodDef var_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("A generic alias of the class.")},
    {"get", var_get, PYB_VARARGS,
     PyDoc_STR("The value in the current context, the argument, or the "
               "default.")},
    {"set", PyContextVar_Set, METH_O,
     PyDoc_STR("Change the value in the current context; a Token.")},
    {"reset", var_reset, METH_O,
     PyDoc_STR("Undo the change that a Token stands for.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef var_members[] = {
    {"name", _Py_T_OBJECT, offsetof(PyContextVar, name), Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyContextVar_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "_contextvars.ContextVar",
    .tp_basicsize = sizeof(PyContextVar),
    .tp_dealloc = var_dealloc,
    .tp_repr = var_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = var_traverse,
    .tp_clear = var_clear,
    .tp_methods = var_methods,
    .tp_members = var_members,
    .tp_new = var_new,
};

/* ------------------------------------------------------------------ */
/* The type of tokens                                                  */

/* Token.MISSING: the old value where there was none. */
static PyObject *
missing_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("<Token.MISSING>");
}

static PyTypeObject missing_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "Token.MISSING",
    .tp_basicsize = sizeof(PyObject),
    .tp_repr = missing_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};
static PyObject missing = {PyObject_HEAD_INIT(&missing_type)};

int
pyb_context_init(void)
{
    if (PyType_Ready(&missing_type) < 0)
        return -1;
    return pyb_type_put_string(&PyContextToken_Type, "MISSING", &missing) < 0
               ? -1
               : 0;
}

static PyObject *
token_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
          PyObject *Py_UNUSED(kwargs))
{
    return pyb_raise(PyExc_RuntimeError,
                     "Tokens can only be created by ContextVars");
}

static int
token_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(TOKEN(op)->ctx);
    Py_VISIT(TOKEN(op)->var);
    Py_VISIT(TOKEN(op)->old);
    return 0;
}

static int
token_clear(PyObject *op)
{
    Py_CLEAR(TOKEN(op)->ctx);
    Py_CLEAR(TOKEN(op)->var);
    Py_CLEAR(TOKEN(op)->old);
    return 0;
}

static void
token_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    token_clear(op);
    PyObject_GC_Del(op);
}

static PyObject *
token_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<Token%s var=%R at %p>",
                                TOKEN(op)->used ? " used" : "", TOKEN(op)->var,
                                op);
}

static PyObject *
token_var(PyObject *op, void *Py_UNUSED(closure))
{
    return Py_XNewRef(TOKEN(op)->var);
}

static PyObject *
token_old_value(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *old = TOKEN(op)->old;

    return Py_NewRef(old == NULL ? &missing : old);
}

static PyObject *
token_enter(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(op);
}

static PyObject *
token_exit(PyObject *op, PyObject *Py_UNUSED(args))
{
    return var_reset(TOKEN(op)->var, op);
}

static PyMethodDef token_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("A generic alias of the class.")},
    {"__enter__", token_enter, METH_NOARGS, PyDoc_STR("The token itself.")},
    {"__exit__", token_exit, METH_VARARGS,
     PyDoc_STR("Undo the change that the token stands for.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef token_getset[] = {
    {"var", token_var, NULL, NULL, NULL},
    {"old_value", token_old_value, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyContextToken_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "_contextvars.Token",
    .tp_basicsize = sizeof(PyContextToken),
    .tp_dealloc = token_dealloc,
    .tp_repr = token_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = token_traverse,
    .tp_clear = token_clear,
    .tp_methods = token_methods,
    .tp_getset = token_getset,
    .tp_new = token_new,
};
