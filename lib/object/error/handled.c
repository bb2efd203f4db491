/* handled.c: the exception that is being handled, and how it becomes the
   context of those raised meanwhile.

   Invariant: pyb_threadstate_handled is NULL or owned, and never None.  The
   API takes any object there, so only BaseExceptions become a context. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/error/exceptions.h"
#include "object/error/handled.h"
#include "runtime/threadstate.h"

PyObject *
PyErr_GetHandledException(void)
{
    pyb_control_need(__func__);
    return Py_XNewRef(pyb_threadstate_handled);
}

void
PyErr_SetHandledException(PyObject *exc)
{
    pyb_control_need(__func__);
    Py_XSETREF(pyb_threadstate_handled,
               exc == Py_None ? NULL : Py_XNewRef(exc));
}

void
PyErr_GetExcInfo(PyObject **type, PyObject **value, PyObject **traceback)
{
    PyObject *handled = PyErr_GetHandledException();

    *type =
        Py_NewRef(handled == NULL ? Py_None : (PyObject *)Py_TYPE(handled));
    *traceback = NULL;
    if (handled != NULL && PyExceptionInstance_Check(handled))
        *traceback = PyException_GetTraceback(handled);
    if (*traceback == NULL)
        *traceback = Py_NewRef(Py_None);
    *value = handled == NULL ? Py_NewRef(Py_None) : handled;
}

void
PyErr_SetExcInfo(PyObject *type, PyObject *value, PyObject *traceback)
{
    PyErr_SetHandledException(value);
    Py_XDECREF(value);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
}

/* ------------------------------------------------------------------ */
/* The context                                                         */

static PyObject *
context_of(PyObject *exception)
{
    return PYB_EXC_BASE(exception)->context;
}

/* Cuts the chain of contexts that begins with first in front of exception, so
   that exception can precede first without a circle.  A program may have made
   one of its own: slow takes one step for two of last, and is met there. */
static void
cut_before(PyObject *exception, PyObject *first)
{
    PyObject *last = first, *slow = first;

    for (int odd = 0; context_of(last) != NULL; odd = !odd) {
        if (context_of(last) == exception) {
            PyException_SetContext(last, NULL);
            return;
        }
        last = context_of(last);
        if (last == slow)
            return;
        if (odd)
            slow = context_of(slow);
    }
}

void
pyb_handled_chain(void)
{
    PyObject *exception = pyb_threadstate_error;
    PyObject *handled = pyb_threadstate_handled;

    PYB_ASSERT(handled != NULL);
    if (exception == NULL || exception == handled ||
        !PyExceptionInstance_Check(handled))
        return;
    cut_before(exception, handled);
    PyException_SetContext(exception, Py_NewRef(handled));
}
