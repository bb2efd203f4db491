/* classhooks.c: the methods of attributes and bases that a new class calls.
   Manual: the language reference, "Customizing class creation". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/attr/super.h"
#include "object/type/classhooks.h"

/* Adds a note to the pending exception: the attribute with the __set_name__
   that raised it. */
static void
add_note(PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyObject *error = PyErr_GetRaisedException();
    PyObject *note = PyUnicode_FromFormat(
        "Error calling __set_name__ on '%.100s' instance %R in '%.100s'",
        Py_TYPE(value)->tp_name, name, type->tp_name);
    PyObject *done = NULL;

    PYB_ASSERT(error != NULL);
    if (note != NULL)
        done = PyObject_CallMethod(error, "add_note", "O", note);
    if (done == NULL)
        PyErr_Clear();
    Py_XDECREF(done);
    Py_XDECREF(note);
    PyErr_SetRaisedException(error);
}

static int
set_name(PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyObject *method, *result;
    int found = pyb_attr_special(value, "__set_name__", &method);

    if (found <= 0)
        return found;
    result =
        PyObject_CallFunctionObjArgs(method, (PyObject *)type, name, NULL);
    Py_DECREF(method);
    if (result == NULL) {
        add_note(type, name, value);
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* A copy of the dictionary is walked, since the methods may change it. */
int
pyb_classhooks_set_names(PyTypeObject *type)
{
    PyObject *names = PyDict_Copy(type->tp_dict), *name, *value;
    Py_ssize_t pos = 0;
    int result = names != NULL ? 0 : -1;

    while (result == 0 && PyDict_Next(names, &pos, &name, &value))
        result = set_name(type, name, value);
    Py_XDECREF(names);
    return result;
}

int
pyb_classhooks_init_subclass(PyTypeObject *type, PyObject *kwds)
{
    PyObject *name = PyUnicode_InternFromString("__init_subclass__");
    PyObject *method = NULL, *result = NULL;
    int found = -1;

    PYB_ASSERT(PyType_HasFeature(type, Py_TPFLAGS_READY));
    if (name != NULL)
        found = pyb_super_find(type, type, name, NULL, &method);
    Py_XDECREF(name);
    if (found <= 0) /* a metatype's mro may leave object out */
        return found;
    result = PyObject_VectorcallDict(method, NULL, 0, kwds);
    Py_DECREF(method);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}
