/* errors.h: functions of errors.c for the rest of the library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_ERRORS_H
#define PYB_OBJECT_ERROR_ERRORS_H

#include "Python.h"

/* What raises and returns in one statement.  pyb_raise returns NULL, pyb_fail
   and pyb_failf (of PyErr_Format's arguments) return -1, PYB_BAD_CALL
   (SystemError) and PYB_MEMORY_ERROR return their argument. */
static inline void *
pyb_raise(PyObject *type, const char *text)
{
    PyErr_SetString(type, text);
    return NULL;
}

static inline int
pyb_fail(PyObject *type, const char *text)
{
    PyErr_SetString(type, text);
    return -1;
}

#define pyb_failf(...) (PyErr_Format(__VA_ARGS__), -1)
#define PYB_BAD_CALL(RESULT) (PyErr_BadInternalCall(), (RESULT))
#define PYB_MEMORY_ERROR(RESULT) (PyErr_NoMemory(), (RESULT))

/* pyb_errors_null_argument: SystemError for an argument that is NULL, unless
   an exception, which may be why it is NULL, is pending.  Always NULL. */
PyObject *pyb_errors_null_argument(void);

/* pyb_fail_null_argument: the same.  Always -1. */
static inline int
pyb_fail_null_argument(void)
{
    pyb_errors_null_argument();
    return -1;
}

/* pyb_errors_type: TypeError with a message that names op's type in its one
   %s.  Always NULL. */
PyObject *pyb_errors_type(const char *format, PyObject *op);

/* pyb_errors_from_cause: raises type(text) with the pending exception as its
   cause and context.  Always NULL. */
PyObject *pyb_errors_from_cause(PyObject *type, const char *format, ...);

/* pyb_errors_write: writes "Name: text" and a line end to standard error.
   Runs with no exception pending and leaves none. */
void pyb_errors_write(PyObject *exception);

/* pyb_errors_write_text: writes the result of make (PyObject_Str or
   PyObject_Repr) to standard error, or the fallback if it fails.  Runs with no
   exception pending and leaves none. */
void pyb_errors_write_text(PyObject *(*make)(PyObject *), PyObject *object,
                           const char *fallback);

#endif /* PYB_OBJECT_ERROR_ERRORS_H */
