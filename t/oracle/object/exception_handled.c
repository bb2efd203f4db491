/* exception_handled.c: the handled exception, and the context of exceptions
   raised meanwhile.  Manual: "Exception Handling". */

#include "oracle.h"

static PyObject *
made(PyObject *type, const char *text)
{
    return need(PyObject_CallFunction(type, "s", text));
}

/* The pending exception and its contexts, three of them at most. */
static void
chain(const char *label)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    say("%s", label);
    for (PyObject *at = value; at != NULL;) {
        PyObject *next = PyException_GetContext(at);
        show_kept("    then", at);
        Py_XDECREF(next);
        at = next == value ? NULL : next;
    }
    drop_all(type, value);
    Py_XDECREF(traceback);
}

static void
parts(void)
{
    PyObject *type, *value, *traceback;

    PyErr_GetExcInfo(&type, &value, &traceback);
    show("type", type);
    show("value", value);
    show("traceback", traceback);
}

void
oracle_program(void)
{
    PyObject *first = made(PyExc_KeyError, "first");
    PyObject *second = made(PyExc_ValueError, "second");

    say("handled: %d", PyErr_GetHandledException() != NULL);
    parts();
    PyErr_SetHandledException(first);
    state("first", first);
    SHOW(PyErr_GetHandledException());
    parts();

    PyErr_SetString(PyExc_TypeError, "raised");
    chain("SetString");
    PyErr_Format(PyExc_TypeError, "%d", 5);
    chain("Format");
    PyErr_SetNone(PyExc_TypeError);
    chain("SetNone");
    errno = 2;
    PyErr_SetFromErrno(PyExc_OSError);
    chain("SetFromErrno");
    PyErr_SetImportError(second, NULL, NULL);
    chain("SetImportError");
    PyErr_BadArgument();
    chain("BadArgument");
    PyErr_SetObject(PyExc_KeyError, first);
    chain("itself");
    PyErr_SetObject(PyExc_ValueError, second);
    chain("an instance");
    PyErr_SetHandledException(second);
    PyErr_SetObject(PyExc_KeyError, first);
    chain("the other way round");
    PyErr_SetObject(PyExc_ValueError, second);
    chain("and again");
    PyErr_Restore(Py_NewRef(PyExc_TypeError), made(PyExc_TypeError, "x"),
                  NULL);
    chain("Restore");

    PyErr_SetExcInfo(Py_NewRef(Py_True), Py_NewRef(first), Py_NewRef(Py_None));
    parts();
    PyErr_SetObject((PyObject *)&PyLong_Type, NULL);
    chain("no class");
    PyErr_SetHandledException(Py_None);
    say("handled: %d", PyErr_GetHandledException() != NULL);
    PyErr_SetString(PyExc_TypeError, "raised");
    chain("none handled");
    PyException_SetContext(first, NULL);
    PyException_SetContext(second, NULL);
    drop_all(first, second);
    collect();
}
