/* syntax_errors.c: SyntaxError and its subclasses: what they are made of,
   their text, and where PyErr_SyntaxLocation says they are. Manual: "Exception
   Handling", "Syntax errors". */

#include "oracle.h"

static const char *const fields[] = {
    "msg",  "filename",   "lineno",     "offset",
    "text", "end_lineno", "end_offset", "print_file_and_line",
};

/* NULL: with an exception. */
static void
tell(const char *label, PyObject *op)
{
    say("%s", label);
    show_kept("    repr", op);
    if (op == NULL)
        return;
    show("    str", PyObject_Str(op));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        show(fields[i], PyObject_GetAttrString(op, fields[i]));
    result("    tracked", PyObject_GC_IsTracked(op));
    Py_DECREF(op);
}

static void
made(PyObject *type)
{
    tell("nothing", PyObject_CallNoArgs(type));
    tell("a text", PyObject_CallFunction(type, "s", "bad"));
    tell("no text", PyObject_CallFunction(type, "i", 7));
    tell("three", PyObject_CallFunction(type, "iii", 1, 2, 3));
    tell("a place", PyObject_CallFunction(type, "s(siis)", "bad", "/a/dir/f.x",
                                          3, 4, "text"));
    tell("a list",
         PyObject_CallFunction(type, "s[siis]", "bad", "f.x", 3, 4, "text"));
    tell("with its end", PyObject_CallFunction(type, "s(siisii)", "bad",
                                               "dir/", 3, 4, "t", 5, 6));
    tell("with half an end",
         PyObject_CallFunction(type, "s(siisi)", "bad", "f", 3, 4, "t", 5));
    tell("too short", PyObject_CallFunction(type, "s(s)", "bad", "f"));
    tell("too long", PyObject_CallFunction(type, "s(iiiiiii)", "bad", 1, 2, 3,
                                           4, 5, 6, 7));
    tell("no place", PyObject_CallFunction(type, "si", "bad", 5));
    tell("odd ones", PyObject_CallFunction(type, "s(OdOO)", "bad", Py_None,
                                           1.5, Py_None, Py_None));
    tell("a line", PyObject_CallFunction(type, "O(OiOO)", Py_None, Py_None, 8,
                                         Py_None, Py_None));
    tell("a large line", PyObject_CallFunction(type, "s(sLOO)", "bad", "f",
                                               1LL << 40, Py_None, Py_None));
}

static void
located(PyObject *type, const char *filename, int lineno, int column)
{
    PyObject *t, *v, *b;

    PyErr_SetString(type, "bad");
    if (column == -2)
        PyErr_SyntaxLocation(filename, lineno);
    else
        PyErr_SyntaxLocationEx(filename, lineno, column);
    PyErr_Fetch(&t, &v, &b);
    PyErr_NormalizeException(&t, &v, &b);
    Py_XDECREF(t);
    Py_XDECREF(b);
    tell("located", v);
}

static void
set(void)
{
    PyObject *op = need(PyObject_CallFunction(PyExc_SyntaxError, "s", "bad"));

    result("set",
           PyObject_SetAttrString(op, "lineno", need(PyLong_FromLong(7))));
    result("deleted", PyObject_DelAttrString(op, "msg"));
    tell("changed", op);
}

void
oracle_program(void)
{
    made(PyExc_SyntaxError);
    made(PyExc_TabError);
    located(PyExc_SyntaxError, "no/such/file.x", 5, -2);
    located(PyExc_IndentationError, "no/such/file.x", 5, 2);
    located(PyExc_SyntaxError, NULL, 5, -1);
    located(PyExc_ValueError, "no/such/file.x", 5, 0);
    set();
}
