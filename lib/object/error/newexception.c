/* newexception.c: exception classes made at run time. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* A dictionary of the new class's attributes, with __module__; new. */
static PyObject *
make_attributes(PyObject *module, PyObject *dict)
{
    PyObject *attributes = dict == NULL ? PyDict_New() : PyDict_Copy(dict);
    if (attributes == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(PyUnicode_Check(module), module);
    int has = PyDict_ContainsString(attributes, "__module__");
    if (has < 0 ||
        (!has && PyDict_SetItemString(attributes, "__module__", module) < 0))
        Py_CLEAR(attributes);
    return attributes;
}

/* base as a tuple; new. */
static PyObject *
make_bases(PyObject *base)
{
    if (base == NULL)
        base = PyExc_Exception;
    return PyTuple_Check(base) ? Py_NewRef(base) : PyTuple_Pack(1, base);
}

PyObject *
PyErr_NewException(const char *name, PyObject *base, PyObject *dict)
{
    PyObject *module = NULL, *attributes = NULL, *bases = NULL, *type = NULL;
    const char *dot = strrchr(name, '.');

    if (dot == NULL)
        return pyb_raise(PyExc_SystemError,
                         "PyErr_NewException: name must be module.class");
    module = PyUnicode_FromStringAndSize(name, dot - name);
    if (module == NULL)
        return NULL;
    attributes = make_attributes(module, dict);
    bases = make_bases(base);
    if (attributes != NULL && bases != NULL)
        type = PyObject_CallFunction((PyObject *)&PyType_Type, "sOO", dot + 1,
                                     bases, attributes);
    Py_DECREF(module);
    Py_XDECREF(attributes);
    Py_XDECREF(bases);
    return type;
}

PyObject *
PyErr_NewExceptionWithDoc(const char *name, const char *doc, PyObject *base,
                          PyObject *dict)
{
    if (doc == NULL)
        return PyErr_NewException(name, base, dict);

    PyObject *attributes = dict == NULL ? PyDict_New() : PyDict_Copy(dict);
    PyObject *text = PyUnicode_FromString(doc);
    PyObject *type = NULL;
    if (attributes != NULL && text != NULL &&
        PyDict_SetItemString(attributes, "__doc__", text) == 0)
        type = PyErr_NewException(name, base, attributes);
    Py_XDECREF(attributes);
    Py_XDECREF(text);
    return type;
}
