/* context_variables.c: contexts, context variables and tokens, from C and by
   their methods.  Manual: "Context Variables Objects". */

#include "oracle.h"

static PyObject *
value_of(PyObject *var, PyObject *otherwise)
{
    PyObject *value = NULL; /* 3.11 leaves it, if it fails */
    int found = PyContextVar_Get(var, otherwise, &value);

    if (found < 0 || value == NULL)
        say("get: %d, no value", found);
    if (found < 0)
        error();
    return value != NULL ? value : Py_NewRef(Py_None);
}

#define VALUE(var, otherwise) show(#var, value_of(var, otherwise))

static PyObject *
text_of(const char *text)
{
    return need(PyUnicode_FromString(text));
}

static void
variables(PyObject *x, PyObject *y)
{
    PyObject *a = text_of("a"), *b = text_of("b");

    VALUE(x, NULL);
    VALUE(x, a);
    VALUE(y, NULL);
    VALUE(y, a);
    PyObject *first = need(PyContextVar_Set(x, a));
    PyObject *second = need(PyContextVar_Set(x, b));
    PyObject *other = need(PyContextVar_Set(y, b));
    VALUE(x, NULL);
    VALUE(x, a);
    show_kept("token", first);
    SHOW(PyObject_GetAttrString(first, "var"));
    SHOW(PyObject_GetAttrString(first, "old_value"));
    SHOW(PyObject_GetAttrString(second, "old_value"));
    SHOW(PyObject_GetAttrString((PyObject *)Py_TYPE(first), "MISSING"));
    RESULT(PyContextVar_Reset(x, other));
    RESULT(PyContextVar_Reset(x, second));
    VALUE(x, NULL);
    RESULT(PyContextVar_Reset(x, second));
    RESULT(PyContextVar_Reset(x, first));
    VALUE(x, NULL);
    RESULT(PyContextVar_Reset(y, other));
    VALUE(y, NULL);
    RESULT(PyContextVar_Reset(x, Py_None));
    RESULT(PyContextVar_Reset(Py_None, first));
    RESULT(PyContextVar_Set(Py_None, a) == NULL);
    VALUE(Py_None, NULL);
    RESULT(PyObject_Hash(x) == PyObject_Hash(x));
    RESULT((int)PyObject_Hash(first));
    RESULT(PyObject_SetAttrString(x, "name", a));
    visits("variable", y);
    visits("token", second);
    drop_all(a, b, first, second, other);
}

static void
by_methods(PyObject *x, PyObject *y)
{
    SHOW(PyObject_CallMethod(x, "get", NULL));
    SHOW(PyObject_CallMethod(x, "get", "i", 3));
    SHOW(PyObject_CallMethod(x, "get", "ii", 3, 4));
    SHOW(PyObject_CallMethod(y, "get", NULL));
    SHOW(PyObject_GetAttrString(x, "name"));
    PyObject *token = need(PyObject_CallMethod(x, "set", "i", 5));
    SHOW(PyObject_CallMethod(x, "get", NULL));
    SHOW(PyObject_CallMethod(x, "reset", "i", 3));
    SHOW(PyObject_CallMethod(x, "reset", "O", token));
    SHOW(PyObject_CallMethod(x, "reset", "O", token));
    SHOW(PyObject_CallMethod(x, "get", NULL));
    SHOW(PyObject_CallFunction((PyObject *)Py_TYPE(token), NULL));
    SHOW(PyObject_CallFunction((PyObject *)&PyContextVar_Type, "i", 1));
    SHOW(PyObject_CallFunction((PyObject *)&PyContextVar_Type, "s", "z"));
    RESULT(PyObject_CallFunction((PyObject *)&PyContextVar_Type, NULL) ==
           NULL);
    Py_DECREF(token);
}

static PyObject *
inside(PyObject *x, PyObject *args)
{
    show_kept("arguments", args);
    VALUE(x, NULL);
    PyObject *token = need(PyContextVar_Set(x, Py_True));
    VALUE(x, NULL);
    Py_DECREF(token);
    return PyTuple_Size(args) == 0 ? PyErr_Format(PyExc_KeyError, "none")
                                   : Py_NewRef(args);
}

static void
contexts(PyObject *x, PyObject *y)
{
    PyObject *ctx = need(PyContext_New()), *a = text_of("a");
    PyObject *outer = need(PyContextVar_Set(x, a));

    RESULT(PyContext_CheckExact(ctx));
    RESULT(PyContext_Exit(ctx) == -1);
    PyErr_Clear();
    RESULT(PyContext_Enter(ctx));
    RESULT(PyContext_Enter(ctx) == -1);
    PyErr_Clear();
    VALUE(x, NULL);
    RESULT(PyContextVar_Reset(x, outer));
    PyObject *token = need(PyContextVar_Set(x, Py_False));
    PyObject *copy = need(PyContext_CopyCurrent());
    RESULT(PyObject_RichCompareBool(copy, ctx, Py_EQ));
    Py_DECREF(need(PyContextVar_Set(x, Py_None)));
    RESULT(PyObject_RichCompareBool(copy, ctx, Py_EQ));
    RESULT(PyObject_RichCompareBool(copy, ctx, Py_NE));
    PyObject *second = need(PyContext_New());
    RESULT(PyContext_Enter(second));
    RESULT(PyContext_Exit(ctx));
    RESULT(PyContext_Exit(second));
    RESULT(PyContext_Exit(ctx));
    VALUE(x, NULL);
    RESULT(PyContextVar_Reset(x, outer));
    RESULT(PyContext_Copy(Py_None) == NULL);
    RESULT(PyContext_Enter(Py_None));
    RESULT(PyContext_Exit(Py_None));

    RESULT(PyObject_Size(copy));
    SHOW(PyObject_GetItem(copy, x));
    SHOW(PyObject_GetItem(copy, y));
    SHOW(PyObject_GetItem(copy, Py_None));
    RESULT(PySequence_Contains(copy, x));
    RESULT(PySequence_Contains(copy, y));
    RESULT(PySequence_Contains(copy, a));
    SHOW(PyObject_CallMethod(copy, "get", "O", x));
    SHOW(PyObject_CallMethod(copy, "get", "O", y));
    SHOW(PyObject_CallMethod(copy, "get", "Oi", y, 3));
    SHOW(PyObject_CallMethod(copy, "get", "i", 3));
    SHOW(PySequence_List(copy));
    static const char *const methods[] = {"keys", "values", "items"};
    for (int i = 0; i < 3; i++) {
        PyObject *all = need(PyObject_CallMethod(copy, methods[i], NULL));
        RESULT(PyIter_Check(all));
        SHOW(PySequence_List(all));
        Py_DECREF(all);
    }
    RESULT(PyObject_Hash(copy) == -1);
    PyErr_Clear();
    RESULT(PyObject_RichCompare(copy, ctx, Py_LT) == NULL);
    PyErr_Clear();
    SHOW(PyObject_CallFunction((PyObject *)&PyContext_Type, "i", 1));

    static PyMethodDef method = {"inside", inside, METH_VARARGS, NULL};
    PyObject *function = need(PyCFunction_New(&method, x));
    SHOW(PyObject_CallMethod(copy, "run", "Oi", function, 7));
    SHOW(PyObject_CallMethod(copy, "run", "O", function));
    SHOW(PyObject_CallMethod(copy, "run", NULL));
    SHOW(PyObject_GetItem(copy, x));
    VALUE(x, NULL);
    PyObject *again = need(PyObject_CallMethod(copy, "copy", NULL));
    RESULT(PyObject_RichCompareBool(copy, again, Py_EQ));
    PyObject *reference = need(PyWeakref_NewRef(again, NULL));
    drop_all(again, ctx, a, outer, token, copy, second, function, reference);
}

static void
cycles(void)
{
    PyObject *ctx = need(PyContext_New());
    PyObject *x = need(PyContextVar_New("x", NULL));

    RESULT(PyContext_Enter(ctx));
    Py_DECREF(need(PyContextVar_Set(x, ctx)));
    RESULT(PyContext_Exit(ctx));
    PyObject *reference = need(PyWeakref_NewRef(ctx, NULL));
    drop_all(x, ctx);
    RESULT(PyGC_Collect() > 0);
    RESULT(PyWeakref_GetObject(reference) == Py_None);
    Py_DECREF(reference);
}

void
oracle_program(void)
{
    PyObject *module = need(PyImport_ImportModule("_contextvars"));
    PyObject *type = need(PyObject_GetAttrString(module, "ContextVar"));
    PyObject *x = need(PyContextVar_New("x", NULL));
    PyObject *y = need(PyContextVar_New("y", Py_Ellipsis));

    RESULT(type == (PyObject *)&PyContextVar_Type);
    show_kept("x", x);
    show_kept("y", y);
    variables(x, y);
    by_methods(x, y);
    contexts(x, y);
    cycles();
    PyObject *copied = need(PyObject_CallMethod(module, "copy_context", NULL));
    RESULT(PyContext_CheckExact(copied));
    drop_all(copied, module, type, x, y);
}
