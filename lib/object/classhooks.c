/* classhooks.c: what a new class tells its attributes and its bases.

   Manual: the language reference, "Customizing class creation". */

#include "Python.h"

#include "object/attr.h"
#include "object/classhooks.h"

/* Says in the pending exception which attribute's __set_name__ raised it. */
static void
add_note(PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyObject *error = PyErr_GetRaisedException();
    PyObject *note = PyUnicode_FromFormat(
        "Error calling __set_name__ on '%.100s' instance %R in '%.100s'",
        Py_TYPE(value)->tp_name, name, type->tp_name);
    PyObject *done = NULL;

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

/* The methods may change the dictionary: a copy is walked. */
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

/* The attribute that is found first behind the type itself, bound to the type
   as a class method is.  A new reference, or NULL with an exception. */
static PyObject *
find_behind(PyTypeObject *type, const char *name)
{
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);
        PyObject *found, *bound;
        descrgetfunc get;

        if (PyDict_GetItemStringRef(base->tp_dict, name, &found) < 0)
            return NULL;
        if (found == NULL)
            continue;
        get = Py_TYPE(found)->tp_descr_get;
        if (get == NULL)
            return found;
        bound = get(found, NULL, (PyObject *)type);
        Py_DECREF(found);
        return bound;
    }
    PyErr_Format(PyExc_AttributeError, "'super' object has no attribute '%s'",
                 name);
    return NULL;
}

int
pyb_classhooks_init_subclass(PyTypeObject *type, PyObject *kwds)
{
    PyObject *method = find_behind(type, "__init_subclass__"), *result;

    if (method == NULL)
        return -1;
    result = PyObject_VectorcallDict(method, NULL, 0, kwds);
    Py_DECREF(method);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}
