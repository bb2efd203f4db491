/* errors.c: the pending exception: setting it, testing it, raising the
   standard errors.

   Invariant: pyb_threadstate_error is NULL or owns a BaseException. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/error/exceptions.h"
#include "object/error/handled.h"
#include "runtime/threadstate.h"

/* ------------------------------------------------------------------ */
/* The pending exception                                               */

PyObject *
PyErr_GetRaisedException(void)
{
    pyb_control_need(__func__);
    PyObject *exception = pyb_threadstate_error;
    pyb_threadstate_error = NULL;
    return exception;
}

void
PyErr_SetRaisedException(PyObject *exc)
{
    pyb_control_need(__func__);
    PyObject *previous = pyb_threadstate_error;
    pyb_threadstate_error = exc;
    Py_XDECREF(previous);
}

PyObject *
PyErr_Occurred(void)
{
    pyb_control_need(__func__);
    return pyb_threadstate_error == NULL
               ? NULL
               : (PyObject *)Py_TYPE(pyb_threadstate_error);
}

void
PyErr_Clear(void)
{
    PyErr_SetRaisedException(NULL);
}

static int
matches_one(PyObject *err, PyObject *exc)
{
    if (PyExceptionInstance_Check(err))
        err = PyExceptionInstance_Class(err);
    if (PyExceptionClass_Check(err) && PyExceptionClass_Check(exc))
        return PyType_IsSubtype((PyTypeObject *)err, (PyTypeObject *)exc);
    return err == exc;
}

/* struct nest: the tuples that an item is in, the outermost first, each with
   the number of its next item. */
struct nest {
    struct level {
        PyObject *tuple;
        Py_ssize_t next;
    } few[16], *levels;
    size_t n, room;
};

static int
enter_tuple(struct nest *nest, PyObject *tuple)
{
    if (nest->n == nest->room) {
        struct level *old = nest->levels != nest->few ? nest->levels : NULL;
        struct level *levels =
            PyMem_RawRealloc(old, 2 * nest->room * sizeof *levels);
        if (levels == NULL)
            return -1;
        if (old == NULL)
            memcpy(levels, nest->few, sizeof nest->few);
        nest->levels = levels;
        nest->room *= 2;
    }
    nest->levels[nest->n++] = (struct level){tuple, 0};
    return 0;
}

/* The next item of the innermost tuple, which is left with its last one; NULL
   if it has none. */
static PyObject *
next_item(struct nest *nest)
{
    struct level *level = &nest->levels[nest->n - 1];
    Py_ssize_t size = PyTuple_GET_SIZE(level->tuple);
    PyObject *item =
        size > 0 ? PyTuple_GET_ITEM(level->tuple, level->next++) : NULL;

    if (level->next >= size)
        nest->n--;
    return item;
}

/* Tuples nest as deeply as memory lasts; then they take the stack. */
int
PyErr_GivenExceptionMatches(PyObject *err, PyObject *exc)
{
    if (err == NULL || exc == NULL)
        return 0;
    if (!PyTuple_Check(exc))
        return matches_one(err, exc);

    struct nest nest = {.n = 0, .room = Py_ARRAY_LENGTH(nest.few)};
    int matches = 0;
    nest.levels = nest.few;
    enter_tuple(&nest, exc);
    while (nest.n > 0 && !matches) {
        PyObject *item = next_item(&nest);
        if (item == NULL)
            continue;
        if (!PyTuple_Check(item))
            matches = matches_one(err, item);
        else if (enter_tuple(&nest, item) < 0)
            matches = PyErr_GivenExceptionMatches(err, item);
    }
    if (nest.levels != nest.few)
        PyMem_RawFree(nest.levels);
    return matches;
}

int
PyErr_ExceptionMatches(PyObject *exc)
{
    return PyErr_GivenExceptionMatches(PyErr_Occurred(), exc);
}

/* ------------------------------------------------------------------ */
/* Making the exception                                                */

/* Makes an exception: type(), type(value) or type(*value).  A new reference,
   or NULL with another exception. */
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
    PYB_ASSERT(exception != NULL || pyb_threadstate_error != NULL);
    return exception;
}

/* Is value already an instance of type, as raising type(value) would make
   it? */
static int
is_instance(PyObject *value, PyObject *type)
{
    return value != NULL && PyExceptionInstance_Check(value) &&
           PyErr_GivenExceptionMatches(value, type);
}

/* PyErr_SetObject, but the context stays as it is.  0, or -1 if another
   exception is pending now. */
static int
set_object(PyObject *type, PyObject *value)
{
    PyErr_Clear();
    if (type == NULL) {
        _PyErr_BadInternalCall(__FILE__, __LINE__);
        return -1;
    }
    if (!PyExceptionClass_Check(type))
        return pyb_failf(PyExc_SystemError,
                         "_PyErr_SetObject: exception %R is not a "
                         "BaseException subclass",
                         type);
    PyObject *exception =
        is_instance(value, type) ? Py_NewRef(value) : create(type, value);
    if (exception == NULL)
        return -1;
    PyErr_SetRaisedException(exception);
    return 0;
}

/* ------------------------------------------------------------------ */
/* The pending exception in three parts                                */

void
PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback)
{
    PyObject *exception = PyErr_GetRaisedException();

    *value = exception;
    *type = exception == NULL ? NULL : Py_NewRef(Py_TYPE(exception));
    *traceback =
        exception == NULL ? NULL : PyException_GetTraceback(exception);
}

void
PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback)
{
    if (type == NULL) {
        PyErr_Clear();
    } else {
        set_object(type, value);
        if (traceback != NULL &&
            PyErr_GivenExceptionMatches(pyb_threadstate_error, type) &&
            PyException_SetTraceback(pyb_threadstate_error, traceback) < 0)
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
    pyb_dead_kept(__func__, value);
    if (set_object(type, value) == 0 && pyb_threadstate_handled != NULL)
        pyb_handled_chain();
    PYB_ASSERT(pyb_threadstate_error != NULL);
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
    PyErr_Clear(); /* an argument's repr must not run with an exception
                      pending */
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    if (text != NULL) {
        PyErr_SetObject(type, text);
        Py_DECREF(text);
    }
    PYB_ASSERT(pyb_threadstate_error != NULL);
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
    if (pyb_threadstate_error == NULL)
        PyErr_SetString(PyExc_SystemError,
                        "null argument to internal routine");
    return NULL;
}

PyObject *
pyb_errors_type(const char *format, PyObject *op)
{
    PYB_ASSERT(strchr(format, '%') != NULL);
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
    PYB_ASSERT(pyb_threadstate_error != NULL);
    if (cause == pyb_threadstate_error) { /* both are the static MemoryError */
        Py_DECREF(cause);
    } else if (cause != NULL) {
        PyException_SetContext(pyb_threadstate_error, Py_NewRef(cause));
        PyException_SetCause(pyb_threadstate_error, cause);
    }
    return NULL;
}

void
pyb_errors_note(const char *format, ...)
{
    PyObject *exception = PyErr_GetRaisedException();
    va_list vargs;

    PYB_ASSERT(exception != NULL);
    va_start(vargs, format);
    PyObject *note = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (note != NULL)
        Py_XDECREF(PyObject_CallMethod(exception, "add_note", "O", note));
    Py_XDECREF(note);
    PyErr_SetRaisedException(exception); /* in place of any other */
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
    if (msg == NULL)
        return pyb_raise(PyExc_TypeError, "expected a message argument");
    if (!PyExceptionClass_Check(exception) ||
        !PyErr_GivenExceptionMatches(exception, PyExc_ImportError))
        return pyb_raise(PyExc_TypeError,
                         "expected a subclass of ImportError");

    PyObject *args = PyTuple_Pack(1, msg);
    PyObject *kwargs = Py_BuildValue("{sOsO}", "name", name ? name : Py_None,
                                     "path", path ? path : Py_None);
    if (args != NULL && kwargs != NULL) {
        PyObject *error = PyObject_Call(exception, args, kwargs);
        if (error != NULL)
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_XDECREF(error);
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
