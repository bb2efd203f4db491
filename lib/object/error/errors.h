/* errors.h: functions of errors.c for the rest of the library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_ERRORS_H
#define PYB_OBJECT_ERROR_ERRORS_H

#include "Python.h"

#include "gc/check/dead.h"

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

/* PYB_WRONG_TYPE: the same, because of an object's type. */
#define PYB_WRONG_TYPE(op, RESULT)                                            \
    (pyb_dead_given(__func__, op), PYB_BAD_CALL(RESULT))
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

/* What passes errors on and returns in one statement.  pyb_result_none and
   pyb_result_bool: what a method returns for a result that is -1 for an
   error. */
static inline PyObject *
pyb_result_none(int result)
{
    return result < 0 ? NULL : Py_None;
}

static inline PyObject *
pyb_result_bool(int result)
{
    return result < 0 ? NULL : PyBool_FromLong(result);
}

/* pyb_truth_stolen: the truth of an object, pyb_append_stolen: appends one to
   a list.  The object is stolen; NULL, with an exception, gives -1, as do
   errors. */
static inline int
pyb_truth_stolen(PyObject *op)
{
    if (op == NULL)
        return -1;
    int truth = PyObject_IsTrue(op);
    Py_DECREF(op);
    return truth;
}

static inline int
pyb_append_stolen(PyObject *list, PyObject *item)
{
    if (item == NULL)
        return -1;
    int result = PyList_Append(list, item);
    Py_DECREF(item);
    return result;
}

/* pyb_errors_type: TypeError with a message that names op's type in its one
   %s.  Always NULL. */
PyObject *pyb_errors_type(const char *format, PyObject *op);

/* pyb_errors_from_cause: raises type(text) with the pending exception as its
   cause and context.  Always NULL. */
PyObject *pyb_errors_from_cause(PyObject *type, const char *format, ...);

/* pyb_errors_note: adds a note to the pending exception; none if that fails.
 */
void pyb_errors_note(const char *format, ...);

struct pyb_stdstream; /* object/module/stdstream.h */

/* pyb_errors_write: writes "Name: text" and a line end to an open stream; the
   text is that of the exception or of another object, and none for None.
   pyb_errors_write_place: writes the place that an exception tells, as a
   SyntaxError does, and returns what is left to be written, a new reference;
   NULL if there is no place.
   They run with no exception pending and leave none. */
void pyb_errors_write(PyObject *exception, PyObject *text,
                      struct pyb_stdstream *out);
PyObject *pyb_errors_write_place(PyObject *exception,
                                 struct pyb_stdstream *out);

/* pyb_errors_display: the same with the exceptions that it came of, its notes,
   and the members of a group; of what is no exception, that it is none. */
void pyb_errors_display(PyObject *exception, struct pyb_stdstream *out);

/* pyb_errors_write_text: writes the result of make (PyObject_Str or
   PyObject_Repr) to an open stream, or the fallback if it fails.  Runs with
   no exception pending and leaves none. */
void pyb_errors_write_text(PyObject *(*make)(PyObject *), PyObject *object,
                           const char *fallback, struct pyb_stdstream *out);

#endif /* PYB_OBJECT_ERROR_ERRORS_H */
