/* format.c: PyObject_Format. */

#include "Python.h"

#include "object/attr/attr.h"
#include "object/error/errors.h"

PyObject *
PyObject_Format(PyObject *obj, PyObject *format_spec)
{
    PyObject *method, *result;

    if (obj == NULL)
        return pyb_errors_null_argument();
    if (format_spec != NULL && !PyUnicode_Check(format_spec))
        return PyErr_Format(PyExc_SystemError,
                            "Format specifier must be a string, not %.200s",
                            Py_TYPE(format_spec)->tp_name);
    if ((format_spec == NULL || PyUnicode_GET_LENGTH(format_spec) == 0) &&
        (PyUnicode_CheckExact(obj) || PyLong_CheckExact(obj)))
        return PyObject_Str(obj);
    int found = pyb_attr_special(obj, "__format__", &method);
    if (found < 0)
        return NULL;
    if (found == 0)
        return PyErr_Format(PyExc_TypeError,
                            "Type %.100s doesn't define __format__",
                            Py_TYPE(obj)->tp_name);
    if (format_spec != NULL)
        result = PyObject_CallOneArg(method, format_spec);
    else
        result = PyObject_CallFunction(method, "s", "");
    Py_DECREF(method);
    if (result == NULL || PyUnicode_Check(result))
        return result;
    PyErr_Format(PyExc_TypeError, "__format__ must return a str, not %.200s",
                 Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    return NULL;
}
