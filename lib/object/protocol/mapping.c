/* mapping.c: the mapping protocol, and items and length of any object. */

#include "Python.h"

#include "object/error/errors.h"
#include "object/slot/slots.h"

/* ------------------------------------------------------------------ */
/* Length                                                              */

Py_ssize_t
PyObject_Size(PyObject *o)
{
    if (o == NULL)
        return pyb_fail_null_argument();
    if (PYB_SLOTS_SQ(o, sq_length) != NULL)
        return Py_TYPE(o)->tp_as_sequence->sq_length(o);
    return PyMapping_Size(o);
}

Py_ssize_t
PyMapping_Size(PyObject *o)
{
    if (o == NULL)
        return pyb_fail_null_argument();
    if (PYB_SLOTS_MP(o, mp_length) != NULL)
        return Py_TYPE(o)->tp_as_mapping->mp_length(o);
    if (PYB_SLOTS_SQ(o, sq_length) != NULL)
        pyb_errors_type("%.200s is not a mapping", o);
    else
        pyb_errors_type("object of type '%.200s' has no len()", o);
    return -1;
}

/* The result of o's __length_hint__: a new reference; NotImplemented if o has
   none or returned that; or NULL with an exception. */
static PyObject *
call_length_hint(PyObject *o)
{
    PyObject *name = PyUnicode_InternFromString("__length_hint__"), *result;

    if (name == NULL)
        return NULL;
    if (_PyType_Lookup(Py_TYPE(o), name) == NULL) {
        result = Py_NewRef(Py_NotImplemented);
    } else {
        result = PyObject_CallMethodObjArgs(o, name, NULL);
        if (result == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            result = Py_NewRef(Py_NotImplemented);
        }
    }
    Py_DECREF(name);
    return result;
}

Py_ssize_t
PyObject_LengthHint(PyObject *o, Py_ssize_t default_value)
{
    if (PYB_SLOTS_SQ(o, sq_length) != NULL ||
        PYB_SLOTS_MP(o, mp_length) != NULL) {
        Py_ssize_t n = PyObject_Size(o);
        if (n >= 0 || !PyErr_ExceptionMatches(PyExc_TypeError))
            return n;
        PyErr_Clear();
    }
    PyObject *hint = call_length_hint(o);
    Py_ssize_t n = -1;
    if (hint == NULL)
        return -1;
    if (hint == Py_NotImplemented) {
        n = default_value;
    } else if (!PyLong_Check(hint)) {
        pyb_errors_type("__length_hint__ must be an integer, not %.100s",
                        hint);
    } else {
        n = PyLong_AsSsize_t(hint);
        if (n < 0 && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError,
                            "__length_hint__() should return >= 0");
        n = Py_MAX(n, -1);
    }
    Py_DECREF(hint);
    return n;
}

/* ------------------------------------------------------------------ */
/* Items of any object                                                 */

/* Stores key as an index of a sequence.  0, or -1 with an exception. */
static int
sequence_index(PyObject *key, Py_ssize_t *i)
{
    if (!PyIndex_Check(key)) {
        pyb_errors_type("sequence index must be integer, not '%.200s'", key);
        return -1;
    }
    *i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    return *i == -1 && PyErr_Occurred() ? -1 : 0;
}

/* type[key]: calls __class_getitem__; only of type itself it is an alias,
   since metaclasses would inherit the method. */
static PyObject *
class_item(PyObject *type, PyObject *key)
{
    PyObject *method;

    if (type == (PyObject *)&PyType_Type)
        return Py_GenericAlias(type, key);
    int found =
        PyObject_GetOptionalAttrString(type, "__class_getitem__", &method);

    if (found < 0)
        return NULL;
    if (found == 0)
        return PyErr_Format(PyExc_TypeError,
                            "type '%.200s' is not subscriptable",
                            ((PyTypeObject *)type)->tp_name);
    PyObject *result = PyObject_CallOneArg(method, key);
    Py_DECREF(method);
    return result;
}

PyObject *
PyObject_GetItem(PyObject *o, PyObject *key)
{
    if (o == NULL || key == NULL)
        return pyb_errors_null_argument();
    if (PYB_SLOTS_MP(o, mp_subscript) != NULL)
        return Py_TYPE(o)->tp_as_mapping->mp_subscript(o, key);
    if (PYB_SLOTS_SQ(o, sq_item) != NULL) {
        Py_ssize_t i;
        return sequence_index(key, &i) < 0 ? NULL : PySequence_GetItem(o, i);
    }
    if (PyType_Check(o))
        return class_item(o, key);
    return pyb_errors_type("'%.200s' object is not subscriptable", o);
}

int
PyObject_SetItem(PyObject *o, PyObject *key, PyObject *value)
{
    Py_ssize_t i;

    if (o == NULL || key == NULL || value == NULL)
        return pyb_fail_null_argument();
    pyb_dead_kept(__func__, value);
    if (PYB_SLOTS_MP(o, mp_ass_subscript) != NULL)
        return Py_TYPE(o)->tp_as_mapping->mp_ass_subscript(o, key, value);
    if (PYB_SLOTS_SQ(o, sq_ass_item) != NULL)
        return sequence_index(key, &i) < 0 ? -1
                                           : PySequence_SetItem(o, i, value);
    pyb_errors_type("'%.200s' object does not support item assignment", o);
    return -1;
}

int
PyObject_DelItem(PyObject *o, PyObject *key)
{
    Py_ssize_t i;

    if (o == NULL || key == NULL)
        return pyb_fail_null_argument();
    if (PYB_SLOTS_MP(o, mp_ass_subscript) != NULL)
        return Py_TYPE(o)->tp_as_mapping->mp_ass_subscript(o, key, NULL);
    /* If key is a number, any sequence is tried; its error message says that
       it has no slot for that. */
    if (PYB_SLOTS_SQ(o, sq_ass_item) != NULL ||
        (Py_TYPE(o)->tp_as_sequence != NULL && PyIndex_Check(key)))
        return sequence_index(key, &i) < 0 ? -1 : PySequence_DelItem(o, i);
    pyb_errors_type("'%.200s' object does not support item deletion", o);
    return -1;
}

int
PyObject_DelItemString(PyObject *o, const char *key)
{
    if (o == NULL || key == NULL)
        return pyb_fail_null_argument();
    PyObject *name = PyUnicode_FromString(key);
    if (name == NULL)
        return -1;
    int result = PyObject_DelItem(o, name);
    Py_DECREF(name);
    return result;
}

/* ------------------------------------------------------------------ */
/* Mappings                                                            */

int
PyMapping_Check(PyObject *o)
{
    return o != NULL && PYB_SLOTS_MP(o, mp_subscript) != NULL;
}

PyObject *
PyMapping_GetItemString(PyObject *o, const char *key)
{
    if (key == NULL)
        return pyb_errors_null_argument();
    PyObject *name = PyUnicode_FromString(key);
    if (name == NULL)
        return NULL;
    PyObject *result = PyObject_GetItem(o, name);
    Py_DECREF(name);
    return result;
}

int
PyMapping_GetOptionalItem(PyObject *o, PyObject *key, PyObject **result)
{
    if (o != NULL && PyDict_CheckExact(o))
        return PyDict_GetItemRef(o, key, result);
    *result = PyObject_GetItem(o, key);
    if (*result != NULL)
        return 1;
    if (!PyErr_ExceptionMatches(PyExc_KeyError))
        return -1;
    PyErr_Clear();
    return 0;
}

int
PyMapping_GetOptionalItemString(PyObject *o, const char *key,
                                PyObject **result)
{
    *result = NULL;
    if (key == NULL)
        return pyb_fail_null_argument();
    PyObject *name = PyUnicode_FromString(key);
    if (name == NULL)
        return -1;
    int found = PyMapping_GetOptionalItem(o, name, result);
    Py_DECREF(name);
    return found;
}

int
PyMapping_SetItemString(PyObject *o, const char *key, PyObject *value)
{
    if (key == NULL)
        return pyb_fail_null_argument();
    PyObject *name = PyUnicode_FromString(key);
    if (name == NULL)
        return -1;
    int result = PyObject_SetItem(o, name, value);
    Py_DECREF(name);
    return result;
}

int
PyMapping_HasKeyWithError(PyObject *o, PyObject *key)
{
    PyObject *value;
    int found = PyMapping_GetOptionalItem(o, key, &value);

    Py_XDECREF(value);
    return found;
}

int
PyMapping_HasKeyStringWithError(PyObject *o, const char *key)
{
    PyObject *value;
    int found = PyMapping_GetOptionalItemString(o, key, &value);

    Py_XDECREF(value);
    return found;
}

int
PyMapping_HasKey(PyObject *o, PyObject *key)
{
    int found = PyMapping_HasKeyWithError(o, key);

    if (found < 0)
        PyErr_FormatUnraisable(
            "Exception ignored in PyMapping_HasKey(); consider using "
            "PyMapping_HasKeyWithError(), PyMapping_GetOptionalItem() or "
            "PyObject_GetItem()");
    return found > 0;
}

int
PyMapping_HasKeyString(PyObject *o, const char *key)
{
    int found = PyMapping_HasKeyStringWithError(o, key);

    if (found < 0)
        PyErr_FormatUnraisable(
            "Exception ignored in PyMapping_HasKeyString(); consider using "
            "PyMapping_HasKeyStringWithError(), "
            "PyMapping_GetOptionalItemString() or PyMapping_GetItemString()");
    return found > 0;
}

/* A list of what the method of that name returns; for a dict of_dict's. */
static PyObject *
list_of(PyObject *o, const char *name, unaryfunc of_dict)
{
    if (o == NULL)
        return pyb_errors_null_argument();
    if (PyDict_CheckExact(o))
        return of_dict(o);
    PyObject *result = PyObject_CallMethod(o, name, NULL);
    if (result == NULL || PyList_CheckExact(result))
        return result;
    PyObject *it = PyObject_GetIter(result);
    if (it == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError,
                     "%.200s.%s() returned a non-iterable (type %.200s)",
                     Py_TYPE(o)->tp_name, name, Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    if (it == NULL)
        return NULL;
    PyObject *list = PySequence_List(it);
    Py_DECREF(it);
    return list;
}

PyObject *
PyMapping_Keys(PyObject *o)
{
    return list_of(o, "keys", PyDict_Keys);
}

PyObject *
PyMapping_Values(PyObject *o)
{
    return list_of(o, "values", PyDict_Values);
}

PyObject *
PyMapping_Items(PyObject *o)
{
    return list_of(o, "items", PyDict_Items);
}
