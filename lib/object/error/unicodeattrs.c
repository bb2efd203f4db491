/* unicodeattrs.c: the attributes of UnicodeEncodeError, UnicodeDecodeError and
   UnicodeTranslateError, for C.  They may have been set to anything, or
   deleted. */

#include "Python.h"

#include "object/error/errors.h"
#include "object/error/exceptions.h"

/* exc as the structure if it is of the class; NULL with TypeError. */
static PyUnicodeErrorObject *
check(PyObject *exc, PyObject *type)
{
    if (exc == NULL)
        return PYB_BAD_CALL(NULL);
    if (!PyObject_TypeCheck(exc, (PyTypeObject *)type)) {
        PyErr_Format(PyExc_TypeError, "expecting a %s object, got %.200s",
                     PyExceptionClass_Name(type), Py_TYPE(exc)->tp_name);
        return NULL;
    }
    return (PyUnicodeErrorObject *)(void *)exc;
}

static PyObject *
get_str(PyObject *value, const char *name)
{
    if (value == NULL)
        return PyErr_Format(PyExc_TypeError, "%.200s attribute not set", name);
    if (!PyUnicode_Check(value))
        return PyErr_Format(PyExc_TypeError,
                            "%.200s attribute must be unicode", name);
    return Py_NewRef(value);
}

static PyObject *
get_bytes(PyObject *value, const char *name)
{
    if (value == NULL)
        return PyErr_Format(PyExc_TypeError, "%.200s attribute not set", name);
    if (!PyBytes_Check(value))
        return PyErr_Format(PyExc_TypeError, "%.200s attribute must be bytes",
                            name);
    return Py_NewRef(value);
}

/* The length of the object; -1 with TypeError. */
static Py_ssize_t
object_size(PyObject *type, PyUnicodeErrorObject *self)
{
    PyObject *object = type == PyExc_UnicodeDecodeError
                           ? get_bytes(self->object, "object")
                           : get_str(self->object, "object");

    if (object == NULL)
        return -1;
    Py_ssize_t size = PyObject_Size(object);
    Py_DECREF(object);
    return size;
}

/* start is that of a character, if there is one. */
static int
get_start(PyObject *exc, PyObject *type, Py_ssize_t *start)
{
    PyUnicodeErrorObject *self = check(exc, type);
    Py_ssize_t size = self != NULL ? object_size(type, self) : -1;

    if (size < 0)
        return -1;
    *start = Py_MAX(Py_MIN(self->start, size - 1), 0);
    return 0;
}

/* end is behind a character, if there is one. */
static int
get_end(PyObject *exc, PyObject *type, Py_ssize_t *end)
{
    PyUnicodeErrorObject *self = check(exc, type);
    Py_ssize_t size = self != NULL ? object_size(type, self) : -1;

    if (size < 0)
        return -1;
    *end = Py_MIN(Py_MAX(self->end, 1), size);
    return 0;
}

static int
set_reason(PyObject *exc, PyObject *type, const char *reason)
{
    PyUnicodeErrorObject *self = check(exc, type);

    if (self == NULL)
        return -1;
    if (reason == NULL)
        return PYB_BAD_CALL(-1);
    PyObject *text = PyUnicode_FromString(reason);
    if (text == NULL)
        return -1;
    Py_XSETREF(self->reason, text);
    return 0;
}

#define GET(CLASS, NAME, FIELD, FUNCTION)                                     \
    PyObject *Py##CLASS##_Get##NAME(PyObject *exc)                            \
    {                                                                         \
        PyUnicodeErrorObject *self = check(exc, PyExc_##CLASS);               \
        return self == NULL ? NULL : FUNCTION(self->FIELD, #FIELD);           \
    }
#define SET_POSITION(CLASS, NAME, FIELD)                                      \
    int Py##CLASS##_Set##NAME(PyObject *exc, Py_ssize_t FIELD)                \
    {                                                                         \
        PyUnicodeErrorObject *self = check(exc, PyExc_##CLASS);               \
        if (self == NULL)                                                     \
            return -1;                                                        \
        self->FIELD = FIELD;                                                  \
        return 0;                                                             \
    }
#define ATTRIBUTES(CLASS, GET_OBJECT)                                         \
    GET(CLASS, Object, object, GET_OBJECT)                                    \
    GET(CLASS, Reason, reason, get_str)                                       \
    SET_POSITION(CLASS, Start, start)                                         \
    SET_POSITION(CLASS, End, end)                                             \
    int Py##CLASS##_GetStart(PyObject *exc, Py_ssize_t *start)                \
    {                                                                         \
        return get_start(exc, PyExc_##CLASS, start);                          \
    }                                                                         \
    int Py##CLASS##_GetEnd(PyObject *exc, Py_ssize_t *end)                    \
    {                                                                         \
        return get_end(exc, PyExc_##CLASS, end);                              \
    }                                                                         \
    int Py##CLASS##_SetReason(PyObject *exc, const char *reason)              \
    {                                                                         \
        return set_reason(exc, PyExc_##CLASS, reason);                        \
    }

ATTRIBUTES(UnicodeEncodeError, get_str)
GET(UnicodeEncodeError, Encoding, encoding, get_str)
ATTRIBUTES(UnicodeDecodeError, get_bytes)
GET(UnicodeDecodeError, Encoding, encoding, get_str)
ATTRIBUTES(UnicodeTranslateError, get_str)
