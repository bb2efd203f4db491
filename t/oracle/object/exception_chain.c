/* exception_chain.c: cause and context: which function sets what, and where
   references go; fetching, restoring and normalising.
   Manual: "Exception Handling". */

#include "oracle.h"

static PyObject *
caught(void)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

static void
chain(void)
{
    PyObject *outer, *inner;

    PyErr_SetString(PyExc_KeyError, "inner");
    inner = caught();
    PyErr_SetString(PyExc_ValueError, "outer");
    outer = caught();
    SHOW(PyException_GetCause(outer));
    SHOW(PyException_GetContext(outer));
    SHOW(PyException_GetTraceback(outer));
    SHOW(PyObject_GetAttrString(outer, "__suppress_context__"));
    PyException_SetContext(outer, Py_NewRef(inner));
    SHOW(PyException_GetContext(outer));
    SHOW(PyObject_GetAttrString(outer, "__suppress_context__"));
    PyException_SetCause(outer, Py_NewRef(inner));
    SHOW(PyObject_GetAttrString(outer, "__suppress_context__"));
    SHOW(PyObject_GetAttrString(outer, "__cause__"));
    RESULT(PyObject_SetAttrString(outer, "__cause__", Py_True));
    RESULT(PyObject_SetAttrString(outer, "__cause__", Py_None));
    SHOW(PyException_GetCause(outer));
    RESULT(PyObject_DelAttrString(outer, "__cause__"));
    RESULT(PyObject_SetAttrString(outer, "__context__", Py_True));
    RESULT(PyObject_SetAttrString(outer, "__traceback__", Py_True));
    RESULT(PyException_SetTraceback(outer, Py_None));
    RESULT(PyObject_DelAttrString(outer, "__traceback__"));
    RESULT(PyObject_GC_IsTracked(outer));
    PyException_SetContext(inner, Py_NewRef(outer));
    drop_all(inner, outer);
    collect();
}

static void
normalise(const char *label, PyObject *type, PyObject *value)
{
    PyObject *traceback = NULL;

    say("%s", label);
    PyErr_NormalizeException(&type, &value, &traceback);
    show("    type", type);
    show("    value", value);
    result("    traceback", traceback != NULL);
    Py_XDECREF(traceback);
}

static void
normalised(void)
{
    PyObject *key = Py_NewRef(PyExc_KeyError);
    PyObject *instance =
        need(PyObject_CallFunction(PyExc_ValueError, "s", "as it is"));

    normalise("NULL", Py_NewRef(key), NULL);
    normalise("None", Py_NewRef(key), Py_NewRef(Py_None));
    normalise("text", Py_NewRef(key), PyUnicode_FromString("text"));
    normalise("tuple", Py_NewRef(key), Py_BuildValue("(is)", 1, "two"));
    normalise("another instance", Py_NewRef(key), Py_NewRef(instance));
    normalise("an instance of a subclass", Py_NewRef(PyExc_Exception),
              Py_NewRef(instance));
    normalise("bad arguments", Py_NewRef(PyExc_UnicodeDecodeError),
              Py_BuildValue("(i)", 1));
    drop_all(key, instance);
}

static void
raising(void)
{
    PyObject *instance = need(PyObject_CallFunction(PyExc_KeyError, "s", "k"));

    PyErr_SetObject(PyExc_KeyError, instance);
    RESULT(PyErr_ExceptionMatches(PyExc_LookupError));
    RESULT(PyErr_ExceptionMatches(PyExc_ValueError));
    error();
    PyErr_SetObject(PyExc_ValueError, instance);
    error();
    PyErr_SetNone(PyExc_StopIteration);
    error();
    PyErr_SetString((PyObject *)&PyLong_Type, "no exception class");
    error();
    PyErr_SetObject(PyExc_ValueError, NULL);
    error();
    RESULT(PyErr_GivenExceptionMatches(instance, PyExc_KeyError));
    RESULT(PyErr_GivenExceptionMatches(PyExc_KeyError, PyExc_LookupError));
    RESULT(PyErr_GivenExceptionMatches(NULL, PyExc_LookupError));
    RESULT(PyErr_GivenExceptionMatches(instance, Py_None));
    RESULT(PyErr_BadArgument());
    PyErr_BadInternalCall();
    error();
    say("%s", PyExceptionClass_Name(PyExc_KeyError));
    RESULT(PyExceptionClass_Check(instance));
    RESULT(PyExceptionInstance_Check(instance));
    SHOW(PyException_GetContext(instance));
    Py_DECREF(instance);
}

void
oracle_program(void)
{
    chain();
    normalised();
    raising();
}
