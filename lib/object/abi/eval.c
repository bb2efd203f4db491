/* eval.c: functions named PyEval that need no interpreter: calls, and what a
   callable is called in messages.

   Manual: "Reflection". */

#include "Python.h"

#include "object/error/errors.h"
#include "object/protocol/sequence.h"

PyObject *
PyEval_CallObjectWithKeywords(PyObject *callable, PyObject *args,
                              PyObject *kwargs)
{
    if (args != NULL && !PyTuple_Check(args))
        return pyb_raise(PyExc_TypeError, "argument list must be a tuple");
    if (kwargs != NULL && !PyDict_Check(kwargs))
        return pyb_raise(PyExc_TypeError, "keyword list must be a dictionary");
    PyObject *given = args != NULL ? Py_NewRef(args) : PyTuple_New(0);
    if (given == NULL)
        return NULL;
    PyObject *result = PyObject_Call(callable, given, kwargs);
    Py_DECREF(given);
    return result;
}

const char *
PyEval_GetFuncName(PyObject *func)
{
    if (PyMethod_Check(func))
        return PyEval_GetFuncName(PyMethod_GET_FUNCTION(func));
    if (PyCFunction_Check(func))
        return ((PyCFunctionObject *)(void *)func)->m_ml->ml_name;
    return Py_TYPE(func)->tp_name;
}

const char *
PyEval_GetFuncDesc(PyObject *func)
{
    return PyMethod_Check(func) || PyCFunction_Check(func) ? "()" : " object";
}

int
_PyEval_SliceIndex(PyObject *v, Py_ssize_t *pi)
{
    return v == NULL || pyb_sequence_bound(v, 1, pi) == 0;
}
