/* dir.c: the names of an object's attributes. */

#include "Python.h"

#include "object/attr.h"

/* Adds the names of a type's attributes, inherited ones too.  0, or -1 with
   an exception. */
static int
add_type(PyObject *names, PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;

    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (base->tp_dict != NULL && PyDict_Update(names, base->tp_dict) < 0)
            return -1;
    }
    return 0;
}

/* Adds the names in op's __dict__, if it has one.  0, or -1 with an
   exception. */
static int
add_instance(PyObject *names, PyObject *op)
{
    PyObject *dict;
    int status = PyObject_GetOptionalAttrString(op, "__dict__", &dict);

    if (status > 0) {
        status = PyDict_Check(dict) ? PyDict_Update(names, dict) : 0;
        Py_DECREF(dict);
    }
    return status;
}

/* What dir says of an object without a __dir__: a new list. */
static PyObject *
default_names(PyObject *op)
{
    PyObject *names = PyDict_New(), *list = NULL;

    if (names == NULL)
        return NULL;
    if (PyType_Check(op)) {
        if (add_type(names, (PyTypeObject *)op) < 0)
            goto done;
    } else {
        if (add_instance(names, op) < 0 ||
            (!PyModule_Check(op) && add_type(names, Py_TYPE(op)) < 0))
            goto done;
    }
    list = PyDict_Keys(names);
done:
    Py_DECREF(names);
    return list;
}

PyObject *
PyObject_Dir(PyObject *op)
{
    PyObject *method, *names;

    if (op == NULL) {
        PyErr_SetString(PyExc_SystemError, "frame does not exist");
        return NULL;
    }
    int found = pyb_attr_special(op, "__dir__", &method);
    if (found < 0)
        return NULL;
    if (found > 0) {
        names = PyObject_CallNoArgs(method);
        Py_DECREF(method);
    } else {
        names = default_names(op);
    }
    if (names == NULL)
        return NULL;
    PyObject *list = PySequence_List(names);
    Py_DECREF(names);
    if (list != NULL && PyList_Sort(list) < 0)
        Py_CLEAR(list);
    return list;
}
