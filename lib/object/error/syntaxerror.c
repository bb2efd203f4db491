/* syntaxerror.c: SyntaxError and its subclasses, which know a place in a text.

   Manual: "Exception Handling", section "Syntax errors". */

#include "Python.h"

#include "object/error/errors.h"
#include "object/error/exceptions.h"

#define SYNTAX_FIELDS(F)                                                      \
    F(msg)                                                                    \
    F(filename)                                                               \
    F(lineno)                                                                 \
    F(offset) F(text) F(end_lineno) F(end_offset) F(print_file_and_line)
PYB_EXC_GC(syntax, PySyntaxErrorObject, SYNTAX_FIELDS)

/* The second argument: (filename, lineno, offset, text), and perhaps
   (end_lineno, end_offset). */
static int
set_place(PySyntaxErrorObject *self, PyObject *place)
{
    PyObject *info = PySequence_Tuple(place), *fields[6] = {NULL};
    PyObject **places[] = {&self->filename,   &self->lineno,
                           &self->offset,     &self->text,
                           &self->end_lineno, &self->end_offset};

    if (info == NULL)
        return -1;
    int parsed =
        PyArg_ParseTuple(info, "OOOO|OO", &fields[0], &fields[1], &fields[2],
                         &fields[3], &fields[4], &fields[5]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(fields); i++)
        Py_XSETREF(*places[i], parsed ? Py_XNewRef(fields[i]) : NULL);
    Py_DECREF(info);
    if (!parsed)
        return -1;
    return self->end_lineno == NULL || self->end_offset != NULL
               ? 0
               : pyb_fail(PyExc_TypeError, "end_offset must be provided when "
                                           "end_lineno is provided");
}

int
pyb_exc_syntax_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PySyntaxErrorObject *self = PYB_EXC_CAST(PySyntaxErrorObject, op);
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (pyb_exc_base_init(op, args, kwargs) < 0)
        return -1;
    if (n > 0)
        Py_XSETREF(self->msg, Py_NewRef(PyTuple_GET_ITEM(args, 0)));
    return n == 2 ? set_place(self, PyTuple_GET_ITEM(args, 1)) : 0;
}

/* What stands behind the last '/', a new reference. */
static PyObject *
basename_of(PyObject *filename)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(filename);
    Py_ssize_t slash = PyUnicode_FindChar(filename, '/', 0, n, -1);

    return slash < -1 ? NULL : PyUnicode_Substring(filename, slash + 1, n);
}

PyObject *
pyb_exc_syntax_str(PyObject *op)
{
    PySyntaxErrorObject *self = PYB_EXC_CAST(PySyntaxErrorObject, op);
    PyObject *msg = self->msg != NULL ? self->msg : Py_None;
    int has_name = self->filename != NULL && PyUnicode_Check(self->filename);
    int has_line = self->lineno != NULL && PyLong_CheckExact(self->lineno);
    PyObject *name = NULL, *result;

    if (has_name) {
        name = basename_of(self->filename);
        if (name == NULL)
            return NULL;
    }
    if (has_name && has_line)
        result =
            PyUnicode_FromFormat("%S (%U, line %S)", msg, name, self->lineno);
    else if (has_name)
        result = PyUnicode_FromFormat("%S (%U)", msg, name);
    else if (has_line)
        result = PyUnicode_FromFormat("%S (line %S)", msg, self->lineno);
    else
        result = PyObject_Str(msg);
    Py_XDECREF(name);
    return result;
}

#define MEMBER(FIELD, DOC)                                                    \
    {                                                                         \
#FIELD, _Py_T_OBJECT, offsetof(PySyntaxErrorObject, FIELD), 0,        \
            PyDoc_STR("exception " DOC)                                       \
    }
static PyMemberDef syntax_members[] = {
    MEMBER(msg, "msg"),
    MEMBER(filename, "filename"),
    MEMBER(lineno, "lineno"),
    MEMBER(offset, "offset"),
    MEMBER(text, "text"),
    MEMBER(end_lineno, "end lineno"),
    MEMBER(end_offset, "end offset"),
    MEMBER(print_file_and_line, "print_file_and_line"),
    {NULL, 0, 0, 0, NULL},
};

PYB_EXC_CLASS(SyntaxError, &pyb_exc_Exception, syntax, PySyntaxErrorObject,
              PyDoc_STR("Invalid syntax."), .tp_members = syntax_members)
PYB_EXC_CLASS(IndentationError, &pyb_exc_SyntaxError, syntax,
              PySyntaxErrorObject, PyDoc_STR("Improper indentation."))
PYB_EXC_CLASS(TabError, &pyb_exc_IndentationError, syntax, PySyntaxErrorObject,
              PyDoc_STR("Improper mixture of spaces and tabs."))
