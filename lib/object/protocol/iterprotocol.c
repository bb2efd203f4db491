/* iterprotocol.c: the iterator protocol. */

#include "Python.h"

#include "object/error/errors.h"

PyObject *
PyObject_GetIter(PyObject *o)
{
    getiterfunc iter = Py_TYPE(o)->tp_iter;

    if (iter == NULL) {
        if (PySequence_Check(o))
            return PySeqIter_New(o);
        return PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                            Py_TYPE(o)->tp_name);
    }
    PyObject *it = iter(o);
    if (it != NULL && !PyIter_Check(it)) {
        PyErr_Format(PyExc_TypeError,
                     "iter() returned non-iterator of type '%.100s'",
                     Py_TYPE(it)->tp_name);
        Py_CLEAR(it);
    }
    return it;
}

PyObject *
PyObject_GetAIter(PyObject *o)
{
    PyAsyncMethods *methods = Py_TYPE(o)->tp_as_async;

    if (methods == NULL || methods->am_aiter == NULL)
        return PyErr_Format(PyExc_TypeError,
                            "'%.200s' object is not an async iterable",
                            Py_TYPE(o)->tp_name);
    PyObject *it = methods->am_aiter(o);
    if (it != NULL && !PyAIter_Check(it)) {
        PyErr_Format(PyExc_TypeError,
                     "aiter() returned not an async iterator of type '%.100s'",
                     Py_TYPE(it)->tp_name);
        Py_CLEAR(it);
    }
    return it;
}

int
PyAIter_Check(PyObject *o)
{
    PyAsyncMethods *methods = Py_TYPE(o)->tp_as_async;

    return methods != NULL && methods->am_anext != NULL;
}

int
PyIter_Check(PyObject *o)
{
    return Py_TYPE(o)->tp_iternext != NULL;
}

/* After tp_iternext returned NULL: 0 at the end, with no exception pending; -1
   with an exception. */
static int
end_or_error(void)
{
    if (_PyB_LIKELY(!PyErr_Occurred()))
        return 0;
    if (!PyErr_ExceptionMatches(PyExc_StopIteration))
        return -1;
    PyErr_Clear();
    return 0;
}

PyObject *
PyIter_Next(PyObject *iter)
{
    PyObject *item = Py_TYPE(iter)->tp_iternext(iter);

    if (item == NULL)
        end_or_error();
    return item;
}

int
PyIter_NextItem(PyObject *iter, PyObject **item)
{
    iternextfunc next = Py_TYPE(iter)->tp_iternext;

    if (next == NULL) {
        *item = NULL;
        return pyb_failf(PyExc_TypeError, "expected an iterator, got '%.200s'",
                         Py_TYPE(iter)->tp_name);
    }
    *item = next(iter);
    return *item != NULL ? 1 : end_or_error();
}

/* The value that a pending StopIteration carries, or None if no exception is
   pending; the exception is removed.  A new reference; NULL with any other
   exception. */
static PyObject *
take_final_value(void)
{
    if (!PyErr_Occurred())
        return Py_NewRef(Py_None);
    if (!PyErr_ExceptionMatches(PyExc_StopIteration))
        return NULL;
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *value = PyObject_GetAttrString(exc, "value");
    Py_DECREF(exc);
    return value;
}

PySendResult
PyIter_Send(PyObject *iter, PyObject *value, PyObject **result)
{
    PyTypeObject *type = Py_TYPE(iter);

    if (type->tp_as_async != NULL && type->tp_as_async->am_send != NULL)
        return type->tp_as_async->am_send(iter, value, result);
    if (value == Py_None && PyIter_Check(iter))
        *result = type->tp_iternext(iter);
    else
        *result = PyObject_CallMethod(iter, "send", "(O)", value);
    if (*result != NULL)
        return PYGEN_NEXT;
    *result = take_final_value();
    return *result != NULL ? PYGEN_RETURN : PYGEN_ERROR;
}
