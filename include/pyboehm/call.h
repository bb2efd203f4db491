/* call.h: calling objects.

   Every function here returns the call's result, a new reference, or NULL
   with an exception.  None steals a reference to an argument, but formats
   with N do.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Call Protocol". */

#ifndef Py_CALL_H
#define Py_CALL_H

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyCallable_Check: 1 if op can be called, else 0.  Never fails; NULL can not
   be called. */
PyAPI_FUNC(int) PyCallable_Check(PyObject *op);

/* ------------------------------------------------------------------ */
/* With a tuple and a dictionary                                       */

/* PyObject_Call: callable(*args, **kwargs); args is a tuple, kwargs a
   dictionary with str keys or NULL.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PyObject_Call(PyObject *callable, PyObject *args, PyObject *kwargs);

/* PyObject_CallObject: callable(*args); args is a tuple or NULL.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_CallObject(PyObject *callable, PyObject *args);

/* ------------------------------------------------------------------ */
/* With C arguments                                                    */

/* PyObject_CallNoArgs, PyObject_CallOneArg: callable(), callable(arg).  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_CallNoArgs(PyObject *callable);
PyAPI_FUNC(PyObject *) PyObject_CallOneArg(PyObject *callable, PyObject *arg);

/* PyObject_CallFunction, PyObject_CallMethod: callable(...), obj.name(...)
   with the arguments that Py_BuildValue makes of the format.  A format of one
   unit whose value is a tuple gives the tuple's items as arguments; NULL or ""
   gives none.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyObject_CallFunction(PyObject *callable, const char *format, ...);
PyAPI_FUNC(PyObject *) PyObject_CallMethod(PyObject *obj, const char *name,
                                           const char *format, ...);

/* _PyObject_CallFunction_SizeT, _PyObject_CallMethod_SizeT: the same, with a
   new reference, under the names that PY_SSIZE_T_CLEAN gave them in CPython
   before 3.13. */
PyAPI_FUNC(PyObject *)
    _PyObject_CallFunction_SizeT(PyObject *callable, const char *format, ...);
PyAPI_FUNC(PyObject *)
    _PyObject_CallMethod_SizeT(PyObject *obj, const char *name,
                               const char *format, ...);

/* PyObject_CallFunctionObjArgs, PyObject_CallMethodObjArgs: the arguments are
   objects; NULL ends them.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_CallFunctionObjArgs(PyObject *callable, ...);
PyAPI_FUNC(PyObject *)
    PyObject_CallMethodObjArgs(PyObject *obj, PyObject *name, ...);

/* PyObject_CallMethodNoArgs, PyObject_CallMethodOneArg: obj.name(),
   obj.name(arg); name is a str.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PyObject_CallMethodNoArgs(PyObject *obj, PyObject *name);
PyAPI_FUNC(PyObject *)
    PyObject_CallMethodOneArg(PyObject *obj, PyObject *name, PyObject *arg);

/* ------------------------------------------------------------------ */
/* Vectorcall                                                          */

/* PY_VECTORCALL_ARGUMENTS_OFFSET: set in nargsf if the callee may change
   args[-1], and puts it back before it returns. */
#define PY_VECTORCALL_ARGUMENTS_OFFSET ((size_t)1 << (8 * sizeof(size_t) - 1))

/* PyVectorcall_NARGS: the number of positional arguments in nargsf. */
#if _PYB_LIMITED_AT_LEAST(0x030C0000)
PyAPI_FUNC(Py_ssize_t) PyVectorcall_NARGS(size_t nargsf);
static inline Py_ssize_t
_PyB_VectorcallNargs(size_t nargsf)
{
    return (Py_ssize_t)(nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET);
}
#define PyVectorcall_NARGS(nargsf) _PyB_VectorcallNargs(nargsf)
#endif

/* PyVectorcall_Function: the vectorcall function of op, or NULL without an
   exception if it has none. */
PyAPI_FUNC(vectorcallfunc) PyVectorcall_Function(PyObject *op);

#if _PYB_LIMITED_AT_LEAST(0x030C0000)
/* PyVectorcall_Call: calls the vectorcall function with a tuple and a
   dictionary (or NULL): what tp_call of a type with vectorcall is set to.  A
   new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyVectorcall_Call(PyObject *callable, PyObject *tuple, PyObject *dict);

/* PyObject_Vectorcall: args holds the positional arguments and after them the
   values of the keyword arguments, whose names are the tuple kwnames (NULL:
   none).  Works with any callable.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PyObject_Vectorcall(PyObject *callable, PyObject *const *args,
                        size_t nargsf, PyObject *kwnames);
#endif

/* PyObject_VectorcallDict: the same with the keyword arguments in a dictionary
   (or NULL).  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyObject_VectorcallDict(PyObject *callable, PyObject *const *args,
                            size_t nargsf, PyObject *kwargs);

/* PyObject_VectorcallMethod: args[0].name(...) with the other arguments;
   args[0] counts in nargsf.  With PY_VECTORCALL_ARGUMENTS_OFFSET args[0] may
   be changed meanwhile.  A new reference, or NULL with an exception. */
#if _PYB_LIMITED_AT_LEAST(0x030C0000)
PyAPI_FUNC(PyObject *)
    PyObject_VectorcallMethod(PyObject *name, PyObject *const *args,
                              size_t nargsf, PyObject *kwnames);
#endif

/* The names of 3.8. */
#define _PyObject_Vectorcall PyObject_Vectorcall
#define _PyObject_VectorcallMethod PyObject_VectorcallMethod
#define _PyObject_FastCallDict PyObject_VectorcallDict
#define _PyVectorcall_Function PyVectorcall_Function
#define _PyObject_CallOneArg PyObject_CallOneArg
#define _PyObject_CallNoArg PyObject_CallNoArgs

#ifdef __cplusplus
}
#endif

#endif /* Py_CALL_H */
