/* syntaxlocation.c: where in a text a SyntaxError is.

   Manual: "Exception Handling", section "Syntax errors". */

#include "Python.h"

/* Sets an attribute of the exception, to None for NULL; steals value. */
static void
set_field(PyObject *exc, const char *name, PyObject *value)
{
    PyObject *given = value != NULL ? value : Py_NewRef(Py_None);

    PyErr_Clear();
    if (PyObject_SetAttrString(exc, name, given) < 0)
        PyErr_Clear();
    Py_DECREF(given);
}

static int
has_field(PyObject *exc, const char *name)
{
    PyObject *value;
    int has = PyObject_GetOptionalAttrString(exc, name, &value);

    PyErr_Clear();
    Py_XDECREF(value);
    return has > 0;
}

/* What a report asks for, of an exception of another class. */
static void
complete(PyObject *exc)
{
    if (!has_field(exc, "msg"))
        set_field(exc, "msg", PyObject_Str(exc));
    if (!has_field(exc, "print_file_and_line"))
        set_field(exc, "print_file_and_line", NULL);
}

static PyObject *
number_or_null(int number)
{
    return number >= 0 ? PyLong_FromLong(number) : NULL;
}

void
PyErr_RangedSyntaxLocationObject(PyObject *filename, int lineno,
                                 int col_offset, int end_lineno,
                                 int end_col_offset)
{
    PyObject *exc = PyErr_GetRaisedException();

    if (exc == NULL)
        return;
    set_field(exc, "lineno", number_or_null(lineno));
    set_field(exc, "offset", number_or_null(col_offset));
    set_field(exc, "end_lineno", number_or_null(end_lineno));
    set_field(exc, "end_offset", number_or_null(end_col_offset));
    if (filename != NULL) {
        PyObject *text = PyErr_ProgramTextObject(filename, lineno);

        set_field(exc, "filename", Py_NewRef(filename));
        if (text != NULL)
            set_field(exc, "text", text);
    }
    if ((PyObject *)Py_TYPE(exc) != PyExc_SyntaxError)
        complete(exc);
    PyErr_SetRaisedException(exc);
}

void
PyErr_SyntaxLocationObject(PyObject *filename, int lineno, int col_offset)
{
    PyErr_RangedSyntaxLocationObject(filename, lineno, col_offset, lineno, -1);
}

void
PyErr_SyntaxLocationEx(const char *filename, int lineno, int col_offset)
{
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *name =
        filename != NULL ? PyUnicode_DecodeFSDefault(filename) : NULL;

    PyErr_SetRaisedException(exc);
    PyErr_SyntaxLocationObject(name, lineno, col_offset);
    Py_XDECREF(name);
}

void
PyErr_SyntaxLocation(const char *filename, int lineno)
{
    PyErr_SyntaxLocationEx(filename, lineno, -1);
}

/* ------------------------------------------------------------------ */
/* The text                                                            */

/* A line of the file, a new reference; NULL, without an exception, if there is
   none or it is not UTF-8. */
static PyObject *
read_line(FILE *file, int lineno)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t size = 0;

    for (int i = 0; i < lineno && size >= 0; i++)
        size = getline(&line, &room, file);
    PyObject *text = lineno > 0 && size >= 0
                         ? PyUnicode_FromStringAndSize(line, size)
                         : NULL;
    PyErr_Clear();
    free(line);
    return text;
}

PyObject *
PyErr_ProgramText(const char *filename, int lineno)
{
    FILE *file = filename != NULL && lineno > 0 ? fopen(filename, "re") : NULL;

    if (file == NULL)
        return NULL;
    PyObject *text = read_line(file, lineno);
    fclose(file);
    return text;
}

PyObject *
PyErr_ProgramTextObject(PyObject *filename, int lineno)
{
    PyObject *bytes;

    if (filename == NULL || !PyUnicode_FSConverter(filename, &bytes)) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *text = PyErr_ProgramText(PyBytes_AS_STRING(bytes), lineno);
    Py_DECREF(bytes);
    return text;
}
