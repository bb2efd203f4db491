/* sizet.c: functions of formats under the names that PY_SSIZE_T_CLEAN gave
   them in CPython before 3.13, with _SizeT.  Lengths are Py_ssize_t under
   either name. */

#include "Python.h"

#include "object/args/getargs.h"
#include "object/protocol/call.h"

/* RETURNs CALL, which uses the arguments behind LAST as va. */
#define FORWARD(TYPE, LAST, CALL)                                             \
    va_list va;                                                               \
                                                                              \
    va_start(va, LAST);                                                       \
    TYPE result = (CALL);                                                     \
    va_end(va);                                                               \
    return result

int
_PyArg_ParseTuple_SizeT(PyObject *args, const char *format, ...)
{
    FORWARD(int, format, PyArg_VaParse(args, format, va));
}

int
_PyArg_VaParse_SizeT(PyObject *args, const char *format, va_list va)
{
    return PyArg_VaParse(args, format, va);
}

int
_PyArg_Parse_SizeT(PyObject *args, const char *format, ...)
{
    FORWARD(int, format, pyb_getargs_parse_one(args, format, va));
}

int
_PyArg_ParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kwargs,
                                   const char *format, _PyB_keywords keywords,
                                   ...)
{
    FORWARD(int, keywords,
            PyArg_VaParseTupleAndKeywords(args, kwargs, format, keywords, va));
}

int
_PyArg_VaParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kwargs,
                                     const char *format,
                                     _PyB_keywords keywords, va_list va)
{
    return PyArg_VaParseTupleAndKeywords(args, kwargs, format, keywords, va);
}

PyObject *
_Py_BuildValue_SizeT(const char *format, ...)
{
    FORWARD(PyObject *, format, Py_VaBuildValue(format, va));
}

PyObject *
_Py_VaBuildValue_SizeT(const char *format, va_list va)
{
    return Py_VaBuildValue(format, va);
}

PyObject *
_PyObject_CallFunction_SizeT(PyObject *callable, const char *format, ...)
{
    FORWARD(PyObject *, format, pyb_call_function(callable, format, va));
}

PyObject *
_PyObject_CallMethod_SizeT(PyObject *obj, const char *name, const char *format,
                           ...)
{
    FORWARD(PyObject *, format, pyb_call_method(obj, name, format, va));
}

/* The same functions under names of CPython before 3.13. */

PyObject *
PyEval_CallFunction(PyObject *callable, const char *format, ...)
{
    FORWARD(PyObject *, format, pyb_call_function(callable, format, va));
}

PyObject *
PyEval_CallMethod(PyObject *obj, const char *name, const char *format, ...)
{
    FORWARD(PyObject *, format, pyb_call_method(obj, name, format, va));
}
