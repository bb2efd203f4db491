/* exception_groups.c: BaseExceptionGroup and ExceptionGroup: which of them is
   made, what they refuse, their parts.
   Manual: Python's library, "Exception groups". */

#include "oracle.h"

static PyObject *group, *base;

static PyObject *
made(PyObject *type, const char *text)
{
    return need(PyObject_CallFunction(type, "s", text));
}

/* type(message, [exceptions]); the exceptions are given up. */
static PyObject *
group_of(PyObject *type, const char *message, PyObject *a, PyObject *b)
{
    return PyObject_CallFunction(type, "s[NN]", message, a, b);
}

static void
show_fields(PyObject *op)
{
    show("  message", PyObject_GetAttrString(op, "message"));
    show("  exceptions", PyObject_GetAttrString(op, "exceptions"));
    show("  args", PyObject_GetAttrString(op, "args"));
    show("  str", PyObject_Str(op));
    RESULT(PyObject_SetAttrString(op, "message", Py_None));
    RESULT(PyObject_IsInstance(op, PyExc_Exception));
}

static void
show_group(const char *label, PyObject *op)
{
    if (op == NULL) {
        show(label, op);
        return;
    }
    say("%s: a %s", label, Py_TYPE(op)->tp_name);
    show_kept("  repr", op);
    show_fields(op);
    Py_DECREF(op);
}

static void
making(void)
{
    show_group("two", group_of(base, "m", made(PyExc_ValueError, "1"),
                               made(PyExc_KeyError, "2")));
    show_group("with an exit", group_of(base, "m", made(PyExc_ValueError, "1"),
                                        made(PyExc_SystemExit, "2")));
    show_group("no group", group_of(group, "m", made(PyExc_ValueError, "1"),
                                    made(PyExc_SystemExit, "2")));
    show_group("no exception", group_of(base, "m", made(PyExc_ValueError, "1"),
                                        need(PyLong_FromLong(3))));
    show_group("a class", group_of(base, "m", made(PyExc_ValueError, "1"),
                                   Py_NewRef(PyExc_ValueError)));
    show_group("one", PyObject_CallFunction(group, "s(N)", "m",
                                            made(PyExc_ValueError, "1")));
    show_group("none", PyObject_CallFunction(group, "s[]", "m"));
    show_group("no sequence", PyObject_CallFunction(group, "si", "m", 3));
    show_group("a set", PyObject_CallFunction(group, "sN", "m",
                                              need(PyFrozenSet_New(NULL))));
    show_group("no message", PyObject_CallFunction(group, "i[]", 1));
    show_group("one argument", PyObject_CallFunction(group, "s", "m"));
    show_group("no argument", PyObject_CallNoArgs(group));
    show_group("three", PyObject_CallFunction(group, "s[]i", "m", 3));
}

/* Classes: their bases and order, subclasses of either. */
static void
classes(void)
{
    PyObject *more, *ordinary;

    SHOW(PyObject_GetAttrString(group, "__mro__"));
    SHOW(PyObject_GetAttrString(group, "__bases__"));
    SHOW(PyObject_GetAttrString(base, "__mro__"));
    SHOW(PyObject_GetAttrString(group, "__module__"));
    SHOW(PyObject_GetItem(group, (PyObject *)&PyLong_Type));
    more = need(PyErr_NewException("shop.More", base, NULL));
    ordinary = need(PyErr_NewException("shop.Ordinary", group, NULL));
    show_group("more", group_of(more, "m", made(PyExc_ValueError, "1"),
                                made(PyExc_SystemExit, "2")));
    show_group("more, of ordinary ones",
               group_of(more, "m", made(PyExc_ValueError, "1"),
                        made(PyExc_ValueError, "2")));
    PyObject *wrong = group_of(ordinary, "m", made(PyExc_ValueError, "1"),
                               made(PyExc_SystemExit, "2"));
    RESULT(wrong == NULL);
    error();
    drop_all(more, ordinary);
}

/* m[ValueError 1, n[KeyError 2, ValueError 3], KeyError 4] */
static PyObject *
nested(void)
{
    PyObject *inner = need(group_of(base, "n", made(PyExc_KeyError, "2"),
                                    made(PyExc_ValueError, "3")));

    return need(PyObject_CallFunction(base, "s[NNN]", "m",
                                      made(PyExc_ValueError, "1"), inner,
                                      made(PyExc_KeyError, "4")));
}

static void
parts(void)
{
    PyObject *op = nested(), *cause = made(PyExc_TypeError, "why");
    PyObject *tuple = need(PyTuple_Pack(2, PyExc_IndexError, PyExc_KeyError));

    PyException_SetCause(op, Py_NewRef(cause));
    PyException_SetContext(op, Py_NewRef(cause));
    Py_XDECREF(need(PyObject_CallMethod(op, "add_note", "s", "note")));
    SHOW(PyObject_CallMethod(op, "split", "O", PyExc_ValueError));
    SHOW(PyObject_CallMethod(op, "split", "(O)", tuple));
    SHOW(PyObject_CallMethod(op, "split", "O", PyExc_TypeError));
    SHOW(PyObject_CallMethod(op, "split", "O", PyExc_LookupError));
    SHOW(PyObject_CallMethod(op, "subgroup", "O", PyExc_ValueError));
    SHOW(PyObject_CallMethod(op, "subgroup", "O", PyExc_TypeError));
    SHOW(PyObject_CallMethod(op, "derive", "[O]", cause));
    SHOW(PyObject_CallMethod(op, "derive", "[i]", 3));
    PyObject *whole = need(PyObject_CallMethod(op, "subgroup", "O", base));
    RESULT(whole == op);
    Py_DECREF(whole);
    PyObject *part =
        need(PyObject_CallMethod(op, "subgroup", "O", PyExc_KeyError));
    show("cause", PyException_GetCause(part));
    show("context", PyException_GetContext(part));
    SHOW(PyObject_GetAttrString(part, "__notes__"));
    RESULT(PyException_GetTraceback(part) == NULL);
    PyObject *wrong = PyObject_CallMethod(op, "split", "i", 3);
    say("split by 3: %d %d", wrong == NULL,
        PyErr_ExceptionMatches(PyExc_TypeError));
    PyErr_Clear();
    drop_all(op, cause, tuple, part);
}

/* A derive of its own has to make a group. */
static PyObject *
derive_none(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(excs))
{
    Py_RETURN_NONE;
}

static void
deriving(void)
{
    static PyMethodDef method = {"derive", derive_none, METH_O, NULL};
    PyObject *dict = need(PyDict_New());
    PyObject *function = need(PyCFunction_New(&method, NULL));

    PyDict_SetItemString(dict, "derive", function);
    PyObject *type = need(PyErr_NewException("shop.Odd", base, dict));
    PyObject *op = need(group_of(type, "m", made(PyExc_ValueError, "1"),
                                 made(PyExc_KeyError, "2")));
    SHOW(PyObject_CallMethod(op, "split", "O", PyExc_ValueError));
    drop_all(dict, function, type, op);
}

static void
cycle(void)
{
    PyObject *op = nested();

    PyObject_SetAttrString(op, "me", op);
    Py_DECREF(op);
    collect();
}

void
oracle_program(void)
{
    PyObject *builtins = need(PyImport_ImportModule("builtins"));

    base = PyExc_BaseExceptionGroup;
    group = need(PyObject_GetAttrString(builtins, "ExceptionGroup"));
    making();
    collect();
    classes();
    collect();
    parts();
    collect();
    deriving();
    collect();
    cycle();
    drop_all(builtins, group);
}
