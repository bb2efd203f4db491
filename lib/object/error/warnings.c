/* warnings.c: issuing warnings. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include "gc/base/ownlibrary.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/error/warnings.h"

static int (*warning_hook)(PyObject *, const char *, void *);

void
PyBoehm_SetWarningHook(int (*hook)(PyObject *category, const char *text,
                                   void *arg),
                       void *arg)
{
    pyb_control_require(__func__);
    warning_hook = hook;
    pyb_host_words.warning_hook = arg;
}

void
pyb_warnings_fini(void)
{
    warning_hook = NULL;
    pyb_host_words.warning_hook = NULL;
}

/* A warning; the place is written in front unless filename is NULL. */
struct warning {
    PyObject *category;
    const char *text;
    const char *filename;
    int lineno;
};

static int
is_ignored(PyObject *category)
{
    return PyErr_GivenExceptionMatches(category, PyExc_DeprecationWarning) ||
           PyErr_GivenExceptionMatches(category,
                                       PyExc_PendingDeprecationWarning) ||
           PyErr_GivenExceptionMatches(category, PyExc_ImportWarning) ||
           PyErr_GivenExceptionMatches(category, PyExc_ResourceWarning);
}

static void
write_warning(const struct warning *warning)
{
    PYB_ASSERT(PyExceptionClass_Check(warning->category));
    fflush(stdout);
    if (warning->filename != NULL)
        fprintf(stderr, "%s:%d: ", warning->filename, warning->lineno);
    fprintf(stderr, "%s: %s\n", PyExceptionClass_Name(warning->category),
            warning->text);
    fflush(stderr);
}

/* Calls the hook and obeys its result. */
static int
call_hook(const struct warning *warning)
{
    int result = warning_hook(warning->category, warning->text,
                              pyb_host_words.warning_hook);

    if (result == -1 && PyErr_Occurred() == NULL)
        PyErr_SetString(warning->category, warning->text);
    return result == -1 ? -1 : 0;
}

/* The driver of all the functions below.  A pending exception stays, unless
   the warning becomes an exception. */
static int
warn(struct warning warning)
{
    if (warning.category == NULL)
        warning.category = PyExc_RuntimeWarning;
    if (!PyExceptionClass_Check(warning.category) ||
        !PyErr_GivenExceptionMatches(warning.category, PyExc_Warning))
        return pyb_failf(PyExc_TypeError,
                         "category must be a Warning subclass, not '%s'",
                         Py_TYPE(warning.category)->tp_name);
    if (warning_hook == NULL) {
        if (!is_ignored(warning.category))
            write_warning(&warning);
        return 0;
    }

    PyObject *saved = PyErr_GetRaisedException();
    if (call_hook(&warning) < 0) {
        Py_XDECREF(saved);
        return -1;
    }
    PyErr_SetRaisedException(saved);
    return 0;
}

int
PyErr_WarnEx(PyObject *category, const char *message,
             Py_ssize_t Py_UNUSED(stack_level))
{
    return warn((struct warning){.category = category, .text = message});
}

int
PyErr_WarnExplicit(PyObject *category, const char *message,
                   const char *filename, int lineno,
                   const char *Py_UNUSED(module),
                   PyObject *Py_UNUSED(registry))
{
    return warn((struct warning){category, message, filename, lineno});
}

/* What is no str raises TypeError. */
int
PyErr_WarnExplicitObject(PyObject *category, PyObject *message,
                         PyObject *filename, int lineno,
                         PyObject *Py_UNUSED(module),
                         PyObject *Py_UNUSED(registry))
{
    const char *text = PyUnicode_AsUTF8(message);
    const char *name = text == NULL ? NULL : PyUnicode_AsUTF8(filename);

    if (name == NULL)
        return -1;
    return warn((struct warning){category, text, name, lineno});
}

/* warn with a text that is formatted: warning.text is not looked at. */
static int
warn_format(struct warning warning, const char *format, va_list vargs)
{
    PyObject *saved = PyErr_GetRaisedException();
    PyObject *text = PyUnicode_FromFormatV(format, vargs);

    warning.text = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    int result = warning.text != NULL ? warn(warning) : -1;
    Py_XDECREF(text);
    if (result < 0)
        Py_XDECREF(saved);
    else
        PyErr_SetRaisedException(saved);
    return result;
}

int
PyErr_WarnFormat(PyObject *category, Py_ssize_t Py_UNUSED(stack_level),
                 const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    int result =
        warn_format((struct warning){.category = category}, format, vargs);
    va_end(vargs);
    return result;
}

int
PyErr_WarnExplicitFormat(PyObject *category, const char *filename, int lineno,
                         const char *Py_UNUSED(module),
                         PyObject *Py_UNUSED(registry), const char *format,
                         ...)
{
    struct warning warning = {category, NULL, filename, lineno};
    va_list vargs;

    va_start(vargs, format);
    int result = warn_format(warning, format, vargs);
    va_end(vargs);
    return result;
}

int
PyErr_ResourceWarning(PyObject *Py_UNUSED(source),
                      Py_ssize_t Py_UNUSED(stack_level), const char *format,
                      ...)
{
    struct warning warning = {.category = PyExc_ResourceWarning};
    va_list vargs;

    va_start(vargs, format);
    int result = warn_format(warning, format, vargs);
    va_end(vargs);
    return result;
}
