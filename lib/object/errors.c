/* errors.c: the pending exception: setting it, testing it, raising the
   standard errors.

   Invariant: pyb_errors_pending is NULL or owns a BaseException. */

#include "Python.h"

#include "gc/control.h"
#include "object/errors.h"
#include "object/exceptions.h"

PyObject *pyb_errors_pending;

/* ------------------------------------------------------------------ */
/* The pending exception                                               */

PyObject *
PyErr_GetRaisedException(void)
{
    pyb_control_need(__func__);
    PyObject *exception = pyb_errors_pending;
    pyb_errors_pending = NULL;
    return exception;
}

void
PyErr_SetRaisedException(PyObject *exc)
{
    pyb_control_need(__func__);
    PyObject *previous = pyb_errors_pending;
    pyb_errors_pending = exc;
    Py_XDECREF(previous);
}

PyObject *
PyErr_Occurred(void)
{
    pyb_control_need(__func__);
    return pyb_errors_pending == NULL
               ? NULL
               : (PyObject *)Py_TYPE(pyb_errors_pending);
}

void
PyErr_Clear(void)
{
    PyErr_SetRaisedException(NULL);
}

int
PyErr_GivenExceptionMatches(PyObject *err, PyObject *exc)
{
    if (err == NULL || exc == NULL)
        return 0;
    /* The last item takes the tuple's place: deep nesting needs no stack. */
    while (PyTuple_Check(exc)) {
        Py_ssize_t last = PyTuple_GET_SIZE(exc) - 1;

        if (last < 0)
            return 0;
        for (Py_ssize_t i = 0; i < last; i++)
            if (PyErr_GivenExceptionMatches(err, PyTuple_GET_ITEM(exc, i)))
                return 1;
        exc = PyTuple_GET_ITEM(exc, last);
    }
    if (PyExceptionInstance_Check(err))
        err = PyExceptionInstance_Class(err);
    if (PyExceptionClass_Check(err) && PyExceptionClass_Check(exc))
        return PyType_IsSubtype((PyTypeObject *)err, (PyTypeObject *)exc);
    return err == exc;
}

int
PyErr_ExceptionMatches(PyObject *exc)
{
    return PyErr_GivenExceptionMatches(PyErr_Occurred(), exc);
}

/* ------------------------------------------------------------------ */
/* The same in three parts                                             */

void
PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback)
{
    PyObject *exception = PyErr_GetRaisedException();

    *value = exception;
    *type = exception == NULL ? NULL : Py_NewRef(Py_TYPE(exception));
    *traceback =
        exception == NULL ? NULL : PyException_GetTraceback(exception);
}

/* Makes an exception: type(), type(value) or type(*value).  A new reference,
   or NULL with the exception that came instead. */
static PyObject *
create(PyObject *type, PyObject *value)
{
    PyObject *exception;

    if (value == NULL || value == Py_None)
        exception = PyObject_CallNoArgs(type);
    else if (PyTuple_Check(value))
        exception = PyObject_Call(type, value, NULL);
    else
        exception = PyObject_CallOneArg(type, value);

    if (exception != NULL && !PyExceptionInstance_Check(exception)) {
        PyErr_Format(PyExc_TypeError,
                     "calling %R should have returned an instance of "
                     "BaseException, not %s",
                     type, Py_TYPE(exception)->tp_name);
        Py_CLEAR(exception);
    }
    return exception;
}

/* Is value already what raising type(value) would have to make? */
static int
is_instance(PyObject *value, PyObject *type)
{
    return value != NULL && PyExceptionInstance_Check(value) &&
           PyErr_GivenExceptionMatches(value, type);
}

void
PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback)
{
    if (type == NULL) {
        PyErr_Clear();
    } else {
        PyErr_SetObject(type, value);
        if (traceback != NULL &&
            PyErr_GivenExceptionMatches(pyb_errors_pending, type) &&
            PyException_SetTraceback(pyb_errors_pending, traceback) < 0)
            PyErr_SetString(PyExc_TypeError,
                            "PyErr_Restore() argument 3 must be a traceback");
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

void
PyErr_NormalizeException(PyObject **type, PyObject **value,
                         PyObject **traceback)
{
    if (*type == NULL || !PyExceptionClass_Check(*type))
        return;
    if (is_instance(*value, *type)) { /* maybe of a subclass */
        Py_SETREF(*type, Py_NewRef(Py_TYPE(*value)));
        return;
    }

    PyObject *saved = PyErr_GetRaisedException();
    PyObject *made = create(*type, *value);
    if (made == NULL) {
        made = PyErr_GetRaisedException();
        Py_XSETREF(*traceback, PyException_GetTraceback(made));
    }
    Py_XSETREF(*value, made);
    Py_SETREF(*type, Py_NewRef(Py_TYPE(made)));
    PyErr_SetRaisedException(saved);
}

/* ------------------------------------------------------------------ */
/* Raising                                                             */

void
PyErr_SetObject(PyObject *type, PyObject *value)
{
    PyErr_Clear();
    if (type == NULL) {
        _PyErr_BadInternalCall(__FILE__, __LINE__);
        return;
    }
    if (!PyExceptionClass_Check(type)) {
        PyErr_Format(PyExc_SystemError,
                     "_PyErr_SetObject: exception %R is not a "
                     "BaseException subclass",
                     type);
        return;
    }
    PyObject *exception =
        is_instance(value, type) ? Py_NewRef(value) : create(type, value);
    if (exception != NULL)
        PyErr_SetRaisedException(exception);
}

void
PyErr_SetNone(PyObject *type)
{
    PyErr_SetObject(type, NULL);
}

void
PyErr_SetString(PyObject *type, const char *string)
{
    PyErr_Clear();
    PyObject *text = PyUnicode_FromString(string);
    if (text == NULL)
        return;
    PyErr_SetObject(type, text);
    Py_DECREF(text);
}

PyObject *
PyErr_FormatV(PyObject *type, const char *format, va_list vargs)
{
    PyErr_Clear(); /* the arguments' repr must not run with one pending */
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    if (text != NULL) {
        PyErr_SetObject(type, text);
        Py_DECREF(text);
    }
    return NULL;
}

PyObject *
PyErr_Format(PyObject *type, const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    PyErr_FormatV(type, format, vargs);
    va_end(vargs);
    return NULL;
}

PyObject *
pyb_errors_null_argument(void)
{
    if (pyb_errors_pending == NULL)
        PyErr_SetString(PyExc_SystemError,
                        "null argument to internal routine");
    return NULL;
}

PyObject *
pyb_errors_type(const char *format, PyObject *op)
{
    return PyErr_Format(PyExc_TypeError, format, Py_TYPE(op)->tp_name);
}

PyObject *
pyb_errors_from_cause(PyObject *type, const char *format, ...)
{
    PyObject *cause = PyErr_GetRaisedException();
    va_list vargs;

    va_start(vargs, format);
    PyErr_FormatV(type, format, vargs);
    va_end(vargs);
    if (cause ==
        pyb_errors_pending) { /* both are the one for want of memory */
        Py_DECREF(cause);
    } else if (cause != NULL) {
        PyException_SetContext(pyb_errors_pending, Py_NewRef(cause));
        PyException_SetCause(pyb_errors_pending, cause);
    }
    return NULL;
}

PyObject *
PyErr_NoMemory(void)
{
    PyErr_SetRaisedException(pyb_exceptions_no_memory());
    return NULL;
}

int
PyErr_BadArgument(void)
{
    PyErr_SetString(PyExc_TypeError,
                    "bad argument type for built-in operation");
    return 0;
}

void
_PyErr_BadInternalCall(const char *filename, int lineno)
{
    PyErr_Format(PyExc_SystemError, "%s:%d: bad argument to internal function",
                 filename, lineno);
}

#undef PyErr_BadInternalCall
void
PyErr_BadInternalCall(void)
{
    PyErr_SetString(PyExc_SystemError, "bad argument to internal function");
}

int
PyErr_CheckSignals(void)
{
    return 0;
}

/* ------------------------------------------------------------------ */
/* Errors of the operating system                                      */

/* The constructor's arguments for an error number; a new tuple. */
static PyObject *
errno_args(int number, PyObject *filename, PyObject *filename2)
{
    const char *text = number == 0 ? "Error" : strerror(number);

    if (filename == NULL)
        return Py_BuildValue("(is)", number, text);
    if (filename2 == NULL)
        return Py_BuildValue("(isO)", number, text, filename);
    return Py_BuildValue("(isOiO)", number, text, filename, 0, filename2);
}

PyObject *
PyErr_SetFromErrnoWithFilenameObjects(PyObject *type, PyObject *filename,
                                      PyObject *filename2)
{
    int number = errno;

    PyErr_Clear();
    PyObject *args = errno_args(number, filename, filename2);
    if (args == NULL)
        return NULL;
    PyErr_SetObject(type, args);
    Py_DECREF(args);
    return NULL;
}

PyObject *
PyErr_SetFromErrnoWithFilenameObject(PyObject *type, PyObject *filename)
{
    return PyErr_SetFromErrnoWithFilenameObjects(type, filename, NULL);
}

PyObject *
PyErr_SetFromErrnoWithFilename(PyObject *type, const char *filename)
{
    int number = errno;
    PyObject *name = NULL;

    PyErr_Clear();
    if (filename != NULL) {
        name = PyUnicode_DecodeFSDefault(filename);
        if (name == NULL)
            return NULL;
    }
    errno = number;
    PyErr_SetFromErrnoWithFilenameObject(type, name);
    Py_XDECREF(name);
    return NULL;
}

PyObject *
PyErr_SetFromErrno(PyObject *type)
{
    return PyErr_SetFromErrnoWithFilenameObjects(type, NULL, NULL);
}

/* ------------------------------------------------------------------ */
/* Errors of importing                                                 */

PyObject *
PyErr_SetImportErrorSubclass(PyObject *exception, PyObject *msg,
                             PyObject *name, PyObject *path)
{
    PyErr_Clear();
    if (msg == NULL) {
        PyErr_SetString(PyExc_TypeError, "expected a message argument");
        return NULL;
    }
    if (!PyExceptionClass_Check(exception) ||
        !PyErr_GivenExceptionMatches(exception, PyExc_ImportError)) {
        PyErr_SetString(PyExc_TypeError, "expected a subclass of ImportError");
        return NULL;
    }

    PyObject *args = PyTuple_Pack(1, msg);
    PyObject *kwargs = Py_BuildValue("{sOsO}", "name", name ? name : Py_None,
                                     "path", path ? path : Py_None);
    if (args != NULL && kwargs != NULL) {
        PyObject *error = PyObject_Call(exception, args, kwargs);
        if (error != NULL)
            PyErr_SetRaisedException(error);
    }
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return NULL;
}

PyObject *
PyErr_SetImportError(PyObject *msg, PyObject *name, PyObject *path)
{
    return PyErr_SetImportErrorSubclass(PyExc_ImportError, msg, name, path);
}
