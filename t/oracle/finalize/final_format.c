/* final_format.c: reports with a message: PyErr_FormatUnraisable, since 3.13.
   Manual: "PyErr_FormatUnraisable": "Similar to PyErr_WriteUnraisable(), but
   the format and subsequent parameters help format the warning message ... If
   format is NULL, only the traceback is printed". */

#include "oracle.h"

static PyObject *
hook(PyObject *self, PyObject *args)
{
    const char *parts[] = {"exc_type", "exc_value", "err_msg", "object"};

    for (int i = 0; i < 4; i++)
        show(parts[i], PyObject_GetAttrString(args, parts[i]));
    Py_RETURN_NONE;
}

static PyMethodDef hook_def = {"hook", hook, METH_O, NULL};

static void
raise(const char *message)
{
    say("%s:", message);
    PyErr_SetString(PyExc_ValueError, message);
}

static void
reports(void)
{
    PyObject *list = need(Py_BuildValue("[i]", 5));

    raise("formatted");
    PyErr_FormatUnraisable("Exception ignored in %s of %R", "spam", list);
    error();
    raise("no format");
    PyErr_FormatUnraisable(NULL);
    error();
    say("nothing pending:");
    PyErr_FormatUnraisable("not seen %d", 1);
    error();
    Py_DECREF(list);
}

void
oracle_program(void)
{
    PyObject *function = need(PyCFunction_New(&hook_def, NULL));

    PySys_SetObject("unraisablehook", function);
    Py_DECREF(function);
    reports();
    PySys_SetObject("unraisablehook", Py_None);
    stderr_begin();
    reports();
    stderr_end();
}
