/* oserror.c: OSError, and the choice of its subclass by the error number. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "object/error/exceptions.h"

#define OS_FIELDS(F) F(myerrno) F(strerror) F(filename) F(filename2)
PYB_EXC_GC(os, PyOSErrorObject, OS_FIELDS)

static const struct {
    int number;
    PyObject **type;
} by_errno[] = {
    {EAGAIN, &PyExc_BlockingIOError},
    {EALREADY, &PyExc_BlockingIOError},
    {EINPROGRESS, &PyExc_BlockingIOError},
    {EWOULDBLOCK, &PyExc_BlockingIOError},
    {EPIPE, &PyExc_BrokenPipeError},
    {ESHUTDOWN, &PyExc_BrokenPipeError},
    {ECHILD, &PyExc_ChildProcessError},
    {ECONNABORTED, &PyExc_ConnectionAbortedError},
    {ECONNREFUSED, &PyExc_ConnectionRefusedError},
    {ECONNRESET, &PyExc_ConnectionResetError},
    {EEXIST, &PyExc_FileExistsError},
    {ENOENT, &PyExc_FileNotFoundError},
    {EISDIR, &PyExc_IsADirectoryError},
    {ENOTDIR, &PyExc_NotADirectoryError},
    {EINTR, &PyExc_InterruptedError},
    {EACCES, &PyExc_PermissionError},
    {EPERM, &PyExc_PermissionError},
    {ESRCH, &PyExc_ProcessLookupError},
    {ETIMEDOUT, &PyExc_TimeoutError},
};

/* The subclass for an error number, or type if there is none. */
static PyTypeObject *
class_for(PyTypeObject *type, PyObject *number)
{
    if (!PyLong_Check(number))
        return type;
    int overflow;
    long value = PyLong_AsLongAndOverflow(number, &overflow);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(by_errno) && !overflow; i++)
        if (by_errno[i].number == value)
            return (PyTypeObject *)*by_errno[i].type;
    PYB_ASSERT(PyType_IsSubtype(type, &pyb_exc_OSError));
    return type;
}

/* Argument i unless it is missing or None; borrowed. */
static PyObject *
optional(PyObject *args, Py_ssize_t i)
{
    if (i >= PyTuple_GET_SIZE(args) || PyTuple_GET_ITEM(args, i) == Py_None)
        return NULL;
    return PyTuple_GET_ITEM(args, i);
}

/* The third argument, which for a BlockingIOError may be a number: of the
   characters that were written.  0, or -1 with an exception. */
static int
fill_third(PyOSErrorObject *self, PyObject *third)
{
    if (third == NULL || !PyNumber_Check(third) ||
        !Py_IS_TYPE(self, (PyTypeObject *)PyExc_BlockingIOError)) {
        Py_XSETREF(self->filename, Py_XNewRef(third));
        return 0;
    }
    Py_CLEAR(self->filename);
    self->written = PyNumber_AsSsize_t(third, PyExc_ValueError);
    return self->written == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Fills the fields from 2 to 5 arguments: errno, strerror[, filename[,
   winerror[, filename2]]].  With a filename, args keeps only the first two. */
static int
fill(PyOSErrorObject *self, PyObject *args)
{
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);

    self->written = -1;
    if (nargs >= 2 && nargs <= 5 && fill_third(self, optional(args, 2)) < 0)
        return -1;
    PyObject *kept = Py_NewRef(args);
    if (nargs >= 2 && nargs <= 5) {
        Py_XSETREF(self->myerrno, Py_NewRef(PyTuple_GET_ITEM(args, 0)));
        Py_XSETREF(self->strerror, Py_NewRef(PyTuple_GET_ITEM(args, 1)));
        if (self->filename != NULL) {
            Py_XSETREF(self->filename2, Py_XNewRef(optional(args, 4)));
            Py_SETREF(kept, PyTuple_GetSlice(args, 0, 2));
        }
    }
    if (kept == NULL)
        return -1;
    Py_XSETREF(self->args, kept);
    return 0;
}

/* Does a subclass have its own __init__, and no __new__?  Then its __init__
   gets the arguments, and fills the fields by calling pyb_exc_os_init. */
static int
init_fills(PyTypeObject *type)
{
    return type->tp_init != pyb_exc_os_init && type->tp_new == pyb_exc_os_new;
}

PyObject *
pyb_exc_os_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (init_fills(type)) {
        PyObject *empty = pyb_exc_base_new(type, NULL, NULL);
        if (empty != NULL)
            PYB_EXC_CAST(PyOSErrorObject, empty)->written = -1;
        return empty;
    }
    if (!pyb_getargs_no_keywords(type->tp_name, kwargs))
        return NULL;
    if (type == &pyb_exc_OSError && PyTuple_GET_SIZE(args) >= 2 &&
        PyTuple_GET_SIZE(args) <= 5)
        type = class_for(type, PyTuple_GET_ITEM(args, 0));

    PyObject *op = pyb_exc_base_new(type, NULL, NULL);
    if (op != NULL && fill(PYB_EXC_CAST(PyOSErrorObject, op), args) < 0)
        Py_CLEAR(op);
    return op;
}

int
pyb_exc_os_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    if (!init_fills(Py_TYPE(op)))
        return 0;
    if (!pyb_getargs_no_keywords(Py_TYPE(op)->tp_name, kwargs))
        return -1;
    return fill(PYB_EXC_CAST(PyOSErrorObject, op), args);
}

PyObject *
pyb_exc_os_str(PyObject *op)
{
    PyOSErrorObject *self = PYB_EXC_CAST(PyOSErrorObject, op);
    PyObject *number = self->myerrno ? self->myerrno : Py_None;
    PyObject *text = self->strerror ? self->strerror : Py_None;

    if (self->filename != NULL && self->filename2 != NULL)
        return PyUnicode_FromFormat("[Errno %S] %S: %R -> %R", number, text,
                                    self->filename, self->filename2);
    if (self->filename != NULL)
        return PyUnicode_FromFormat("[Errno %S] %S: %R", number, text,
                                    self->filename);
    if (self->myerrno != NULL && self->strerror != NULL)
        return PyUnicode_FromFormat("[Errno %S] %S", number, text);
    return pyb_exc_base_str(op);
}

/* The arguments with the names of files, which args does not keep. */
static PyObject *
all_args(PyOSErrorObject *self)
{
    if (self->args == NULL)
        return PyTuple_New(0);
    if (PyTuple_GET_SIZE(self->args) != 2 || self->filename == NULL)
        return Py_NewRef(self->args);
    PyObject *number = PyTuple_GET_ITEM(self->args, 0);
    PyObject *text = PyTuple_GET_ITEM(self->args, 1);
    if (self->filename2 == NULL)
        return PyTuple_Pack(3, number, text, self->filename);
    return PyTuple_Pack(5, number, text, self->filename, Py_None,
                        self->filename2);
}

static PyObject *
reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyOSErrorObject *self = PYB_EXC_CAST(PyOSErrorObject, op);
    PyObject *args = all_args(self), *dict = NULL;

    if (args == NULL)
        return NULL;
    if (self->dict != NULL &&
        (dict = PyObject_GenericGetDict(op, NULL)) == NULL) {
        Py_DECREF(args);
        return NULL;
    }
    return pyb_reduce_type(op, args, dict);
}

static PyObject *
get_written(PyObject *op, void *Py_UNUSED(closure))
{
    Py_ssize_t written = PYB_EXC_CAST(PyOSErrorObject, op)->written;

    if (written != -1)
        return PyLong_FromSsize_t(written);
    PyErr_SetString(PyExc_AttributeError, "characters_written");
    return NULL;
}

static int
set_written(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    PyOSErrorObject *self = PYB_EXC_CAST(PyOSErrorObject, op);
    Py_ssize_t written = -1;

    if (value == NULL && self->written == -1)
        return pyb_fail(PyExc_AttributeError, "characters_written");
    if (value != NULL)
        written = PyNumber_AsSsize_t(value, PyExc_ValueError);
    if (written == -1 && PyErr_Occurred())
        return -1;
    self->written = written;
    return 0;
}

static PyGetSetDef getset[] = {
    {"characters_written", get_written, set_written, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"errno", _Py_T_OBJECT, offsetof(PyOSErrorObject, myerrno), 0,
     PyDoc_STR("POSIX exception code")},
    {"strerror", _Py_T_OBJECT, offsetof(PyOSErrorObject, strerror), 0,
     PyDoc_STR("exception strerror")},
    {"filename", _Py_T_OBJECT, offsetof(PyOSErrorObject, filename), 0,
     PyDoc_STR("exception filename")},
    {"filename2", _Py_T_OBJECT, offsetof(PyOSErrorObject, filename2), 0,
     PyDoc_STR("second exception filename")},
    {NULL, 0, 0, 0, NULL},
};

PYB_EXC_CLASS(OSError, &pyb_exc_Exception, os, PyOSErrorObject,
              PyDoc_STR("Base class for I/O related errors."),
              .tp_methods = methods, .tp_members = members,
              .tp_getset = getset)
PyObject *PyExc_EnvironmentError = (PyObject *)&pyb_exc_OSError;
PyObject *PyExc_IOError = (PyObject *)&pyb_exc_OSError;
