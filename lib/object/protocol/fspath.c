/* fspath.c: file descriptors and file names of objects. */

#include "Python.h"

#include <string.h>

#include "object/attr/attr.h"
#include "object/error/errors.h"

const char *Py_FileSystemDefaultEncoding = "utf-8";
const char *Py_FileSystemDefaultEncodeErrors = "surrogateescape";
int Py_HasFileSystemDefaultEncoding = 1;

/* The int that fileno() returns.  A new reference, or NULL with an
   exception. */
static PyObject *
call_fileno(PyObject *op)
{
    PyObject *method;
    int found = PyObject_GetOptionalAttrString(op, "fileno", &method);

    if (found < 0)
        return NULL;
    if (found == 0)
        return pyb_raise(PyExc_TypeError,
                         "argument must be an int, or have a fileno() "
                         "method.");
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result == NULL || PyLong_Check(result))
        return result;
    Py_DECREF(result);
    return pyb_raise(PyExc_TypeError, "fileno() returned a non-integer");
}

int
PyObject_AsFileDescriptor(PyObject *p)
{
    if (p == NULL)
        return pyb_fail_null_argument();
    PyObject *number = PyLong_Check(p) ? Py_NewRef(p) : call_fileno(p);
    if (number == NULL)
        return -1;
    int fd = PyLong_AsInt(number);
    Py_DECREF(number);
    if (fd == -1 && PyErr_Occurred())
        return -1;
    if (fd < 0)
        return pyb_failf(PyExc_ValueError,
                         "file descriptor cannot be a negative integer (%i)",
                         fd);
    return fd;
}

/* What messages here call a type: without its module. */
static const char *
name_of(const PyTypeObject *type)
{
    const char *dot = strrchr(type->tp_name, '.');

    return dot != NULL ? dot + 1 : type->tp_name;
}

PyObject *
PyOS_FSPath(PyObject *path)
{
    if (path == NULL)
        return pyb_errors_null_argument();
    if (PyUnicode_Check(path) || PyBytes_Check(path))
        return Py_NewRef(path);
    PyObject *method;
    int found = pyb_attr_special(path, "__fspath__", &method);
    if (found < 0)
        return NULL;
    if (found == 0)
        return PyErr_Format(PyExc_TypeError,
                            "expected str, bytes or os.PathLike object, "
                            "not %.200s",
                            name_of(Py_TYPE(path)));
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result == NULL || PyUnicode_Check(result) || PyBytes_Check(result))
        return result;
    PyErr_Format(PyExc_TypeError,
                 "expected %.200s.__fspath__() to return str or bytes, "
                 "not %.200s",
                 name_of(Py_TYPE(path)), name_of(Py_TYPE(result)));
    Py_DECREF(result);
    return NULL;
}
