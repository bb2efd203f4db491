/* dir.c: the names of an object's attributes. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/attr/dir.h"
#include "object/error/errors.h"

/* Adds the names of a type's attributes, inherited ones too.  0, or -1 with
   an exception. */
static int
add_type(PyObject *names, PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;

    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PYB_ASSERT(PyType_Check(base));
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

    PYB_ASSERT_OBJECT(PyDict_Check(names), names);
    if (status > 0) {
        status = PyDict_Check(dict) ? PyDict_Update(names, dict) : 0;
        Py_DECREF(dict);
    }
    return status;
}

/* The names in a dict; steals it. */
static PyObject *
take_names(PyObject *names, int status)
{
    PyObject *list = NULL;

    if (names != NULL && status == 0)
        list = PyDict_Keys(names);
    Py_XDECREF(names);
    return list;
}

/* Adds the names of the class that op claims, if that is one.  0, or -1 with
   an exception. */
static int
add_class(PyObject *names, PyObject *op)
{
    PyObject *cls;
    int status = PyObject_GetOptionalAttrString(op, "__class__", &cls);

    if (status > 0)
        status = PyType_Check(cls) ? add_type(names, (PyTypeObject *)cls) : 0;
    Py_XDECREF(cls);
    return status;
}

PyObject *
pyb_dir_object(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *names = PyDict_New();
    int status = names != NULL ? add_instance(names, self) : -1;

    if (status == 0)
        status = add_class(names, self);
    return take_names(names, status);
}

PyObject *
pyb_dir_type(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *names = PyDict_New();

    PYB_ASSERT_OBJECT(PyType_Check(self), self);
    return take_names(
        names, names != NULL ? add_type(names, (PyTypeObject *)self) : -1);
}

/* A module may have a function __dir__ of its own. */
PyObject *
pyb_dir_module(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *dict = PyObject_GetAttrString(self, "__dict__"), *function;
    PyObject *names = NULL;

    if (dict == NULL)
        return NULL;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%.200s.__dict__ is not a dictionary",
                     Py_TYPE(self)->tp_name);
    } else if (PyDict_GetItemStringRef(dict, "__dir__", &function) > 0) {
        names = PyObject_CallNoArgs(function);
        Py_DECREF(function);
    } else if (PyErr_Occurred() == NULL) {
        names = PyDict_Keys(dict);
    }
    Py_DECREF(dict);
    return names;
}

PyObject *
PyObject_Dir(PyObject *op)
{
    PyObject *method, *names;

    if (op == NULL)
        return pyb_raise(PyExc_SystemError, "frame does not exist");
    int found = pyb_attr_special(op, "__dir__", &method);
    if (found == 0)
        PyErr_SetString(PyExc_TypeError, "object does not provide __dir__");
    if (found <= 0)
        return NULL;
    names = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (names == NULL)
        return NULL;
    PyObject *list = PySequence_List(names);
    Py_DECREF(names);
    if (list != NULL && PyList_Sort(list) < 0)
        Py_CLEAR(list);
    return list;
}
