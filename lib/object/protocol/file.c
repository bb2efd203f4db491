/* file.c: calling the methods of files.

   Manual: "File Objects". */

#include "Python.h"

#include "object/error/errors.h"

PyObject *
PyFile_FromFd(int fd, const char *Py_UNUSED(name), const char *mode,
              int buffering, const char *encoding, const char *errors,
              const char *newline, int closefd)
{
    PyObject *io = PyImport_ImportModule("io");

    if (io == NULL)
        return NULL;
    PyObject *file = PyObject_CallMethod(
        io, "open", "isisssO", fd, mode != NULL ? mode : "r", buffering,
        encoding, errors, newline, closefd ? Py_True : Py_False);
    Py_DECREF(io);
    return file;
}

/* The text without its line end; steals line.  A new reference, or NULL with
   an exception: EOFError if it is empty. */
static PyObject *
strip_line(PyObject *line)
{
    Py_ssize_t size = PyObject_Size(line);
    PyObject *text = NULL;

    if (size == 0) {
        PyErr_SetString(PyExc_EOFError, "EOF when reading a line");
    } else if (PyBytes_Check(line)) {
        const char *bytes = PyBytes_AS_STRING(line);
        text =
            PyBytes_FromStringAndSize(bytes, size - (bytes[size - 1] == '\n'));
    } else {
        text = PyUnicode_Substring(
            line, 0, size - (PyUnicode_ReadChar(line, size - 1) == '\n'));
    }
    Py_DECREF(line);
    return text;
}

PyObject *
PyFile_GetLine(PyObject *p, int n)
{
    if (p == NULL)
        return PYB_BAD_CALL(NULL);
    PyObject *line = n > 0 ? PyObject_CallMethod(p, "readline", "i", n)
                           : PyObject_CallMethod(p, "readline", NULL);
    if (line != NULL && !PyBytes_Check(line) && !PyUnicode_Check(line)) {
        PyErr_SetString(PyExc_TypeError,
                        "object.readline() returned non-string");
        Py_CLEAR(line);
    }
    return line != NULL && n < 0 ? strip_line(line) : line;
}

int
PyFile_WriteObject(PyObject *obj, PyObject *p, int flags)
{
    if (p == NULL)
        return pyb_fail(PyExc_TypeError, "writeobject with NULL file");
    PyObject *write = PyObject_GetAttrString(p, "write");
    if (write == NULL)
        return -1;
    PyObject *text =
        flags & Py_PRINT_RAW ? PyObject_Str(obj) : PyObject_Repr(obj);
    PyObject *result = text != NULL ? PyObject_CallOneArg(write, text) : NULL;
    int status = result != NULL ? 0 : -1;
    Py_XDECREF(text);
    Py_DECREF(write);
    Py_XDECREF(result);
    return status;
}

int
PyFile_WriteString(const char *s, PyObject *p)
{
    if (PyErr_Occurred())
        return -1;
    if (p == NULL)
        return pyb_fail(PyExc_SystemError, "null file for PyFile_WriteString");
    PyObject *text = PyUnicode_FromString(s);
    int result = text != NULL ? PyFile_WriteObject(text, p, Py_PRINT_RAW) : -1;
    Py_XDECREF(text);
    return result;
}
