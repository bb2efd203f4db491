/* syntaxplace.c: the place in a text that an exception tells, as people read
   it: the file, the line, and what of it is wrong.

   Manual: "SyntaxError", its attributes; PyErr_DisplayException. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/stdstream.h"

/* Columns are counted from 1; 0 and less: not known. */
struct place {
    PyObject *message, *filename, *text; /* owned */
    Py_ssize_t line, column, end_line, end_column;
};

#define NO_LINE PY_SSIZE_T_MIN

static void
forget(struct place *place)
{
    Py_CLEAR(place->message);
    Py_CLEAR(place->filename);
    Py_CLEAR(place->text);
}

/* An attribute that is a number, or None, which stands for another one.  -1
   with an exception. */
static int
get_number(PyObject *exception, const char *name, Py_ssize_t none,
           Py_ssize_t *number)
{
    PyObject *value = PyObject_GetAttrString(exception, name);

    if (value == NULL)
        return -1;
    *number = value == Py_None ? none : PyLong_AsSsize_t(value);
    Py_DECREF(value);
    return *number == -1 && PyErr_Occurred() ? -1 : 0;
}

/* -1: something is missing, or is no number. */
static int
read_place(PyObject *exception, struct place *place)
{
    place->message = PyObject_GetAttrString(exception, "msg");
    place->filename = PyObject_GetAttrString(exception, "filename");
    place->text = PyObject_GetAttrString(exception, "text");
    if (place->message == NULL || place->filename == NULL ||
        place->text == NULL ||
        get_number(exception, "lineno", NO_LINE, &place->line) < 0 ||
        place->line == NO_LINE ||
        get_number(exception, "offset", -1, &place->column) < 0)
        return -1;
    place->end_line = place->line;
    place->end_column = -1;
    if ((PyObject *)Py_TYPE(exception) != PyExc_SyntaxError)
        return 0; /* of a derived class, the end is not asked for */
    if (get_number(exception, "end_lineno", place->line, &place->end_line) < 0)
        return -1;
    return get_number(exception, "end_offset", -1, &place->end_column);
}

/* The line of the text that has the column, without what it begins with, and
   carets below what is meant. */
static void
write_source(const char *text, Py_ssize_t column, Py_ssize_t end, FILE *file)
{
    Py_ssize_t carets = end > 0 && end > column ? end - column : 1;
    Py_ssize_t blank = (Py_ssize_t)strspn(text, " \t\f");
    const char *next;

    text += blank;
    Py_ssize_t size = (Py_ssize_t)strlen(text), at = column - 1 - blank;
    if (size > 0 && text[size - 1] == '\n')
        size--;
    at = Py_MIN(at, size);
    PYB_ASSERT(size >= 0);
    while ((next = strchr(text, '\n')) != NULL && next - text < at) {
        at -= next + 1 - text;
        size -= next + 1 - text;
        text = next + 1;
    }
    fprintf(file, "    %s%s", text, text[size] == '\n' ? "" : "\n");
    if (at < 0)
        return;
    fprintf(file, "    %*s", (int)Py_MIN(at, INT_MAX), "");
    for (; carets > 0; carets--)
        putc('^', file);
    putc('\n', file);
}

static void
write_place(const struct place *place, struct pyb_stdstream *out)
{
    Py_ssize_t size, end = place->end_column;
    const char *text;

    fputs("  File \"", out->file);
    if (place->filename == Py_None)
        fputs("<string>", out->file);
    else
        pyb_errors_write_text(PyObject_Str, place->filename, "?", out);
    fprintf(out->file, "\", line %zd\n", place->line);
    if (place->text == Py_None)
        return;
    text = PyUnicode_AsUTF8AndSize(place->text, &size);
    if (text == NULL) {
        PyErr_Clear();
        return;
    }
    if (place->end_line > place->line) /* the first line is shown alone */
        end = size;
    write_source(text, place->column, Py_MIN(end, size + 1), out->file);
}

PyObject *
pyb_errors_write_place(PyObject *exception, struct pyb_stdstream *out)
{
    struct place place = {.message = NULL};
    PyObject *message = NULL;

    PYB_ASSERT(PyErr_Occurred() == NULL);
    if (PyObject_HasAttrStringWithError(exception, "print_file_and_line") >
            0 &&
        read_place(exception, &place) == 0) {
        write_place(&place, out);
        message = Py_NewRef(place.message);
    }
    PyErr_Clear();
    forget(&place);
    return message;
}
