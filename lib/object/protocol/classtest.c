/* classtest.c: is an object an instance, a class a subclass?  Without asking
   the class's own method.  What is no type is a class if its __bases__ is a
   tuple.

   Manual: PyObject_IsInstance, PyObject_IsSubclass. */

#include "Python.h"

#include "object/error/errors.h"
#include "object/protocol/classtest.h"

/* The bases, a new reference; NULL if it is no class, with an exception if
   asking has raised one. */
static PyObject *
bases_of(PyObject *cls)
{
    PyObject *bases;

    if (PyObject_GetOptionalAttrString(cls, "__bases__", &bases) <= 0)
        return NULL;
    if (!PyTuple_Check(bases))
        Py_CLEAR(bases);
    return bases;
}

/* 0, or -1 with a TypeError that says so. */
static int
require_class(PyObject *cls, const char *message)
{
    PyObject *bases = bases_of(cls);

    if (bases == NULL)
        return PyErr_Occurred() ? -1 : pyb_fail(PyExc_TypeError, message);
    Py_DECREF(bases);
    return 0;
}

static int derives(PyObject *derived, PyObject *cls);

static int
any_derives(PyObject *bases, PyObject *cls)
{
    int result = 0;

    if (Py_EnterRecursiveCall(" in __issubclass__"))
        return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases) && result == 0; i++)
        result = derives(PyTuple_GET_ITEM(bases, i), cls);
    Py_LeaveRecursiveCall();
    return result;
}

/* Do the bases of bases lead to cls?  Where each has one, it takes no stack.
 */
static int
derives(PyObject *derived, PyObject *cls)
{
    PyObject *bases = NULL; /* they own derived, but for the first one */
    int result = 0;

    while (derived != cls) {
        Py_XSETREF(bases, bases_of(derived));
        if (bases == NULL || PyTuple_GET_SIZE(bases) != 1)
            break;
        derived = PyTuple_GET_ITEM(bases, 0);
    }
    if (derived == cls)
        result = 1;
    else if (bases == NULL)
        result = PyErr_Occurred() ? -1 : 0;
    else
        result = any_derives(bases, cls);
    Py_XDECREF(bases);
    return result;
}

static const char no_class[] =
    "isinstance() arg 2 must be a type, a tuple of types, or a union";

int
pyb_classtest_instance(PyObject *op, PyObject *cls)
{
    PyObject *claimed;
    int result = 0;

    if (PyType_Check(cls) && PyObject_TypeCheck(op, (PyTypeObject *)cls))
        return 1;
    if (!PyType_Check(cls) && require_class(cls, no_class) < 0)
        return -1;
    if (PyObject_GetOptionalAttrString(op, "__class__", &claimed) < 0)
        return -1;
    if (claimed != NULL && !PyType_Check(cls))
        result = derives(claimed, cls);
    else if (claimed != NULL && PyType_Check(claimed))
        result =
            PyType_IsSubtype((PyTypeObject *)claimed, (PyTypeObject *)cls);
    Py_XDECREF(claimed);
    return result;
}

int
pyb_classtest_subclass(PyObject *op, PyObject *cls)
{
    if (PyType_Check(op) && PyType_Check(cls))
        return PyType_IsSubtype((PyTypeObject *)op, (PyTypeObject *)cls);
    if (require_class(op, "issubclass() arg 1 must be a class") < 0 ||
        require_class(cls, "issubclass() arg 2 must be a class, a tuple of "
                           "classes, or a union") < 0)
        return -1;
    return derives(op, cls);
}
