/* modsupport.h: from Python arguments to C variables, and back.

   A format string describes the arguments, one unit for each.  Lengths that
   '#' yields or takes are Py_ssize_t; PY_SSIZE_T_CLEAN may be defined or not.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Parsing arguments and building values". */

#ifndef Py_MODSUPPORT_H
#define Py_MODSUPPORT_H

#include <stdarg.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Py_CLEANUP_SUPPORTED: what a converter of O& returns, instead of 1, when it
   wants to be called again with NULL for the object should a later argument
   fail. */
#define Py_CLEANUP_SUPPORTED 0x20000

/* _PyB_keywords: an array of parameter names that ends with NULL.  In C the
   strings may be declared const or not; in C++ the language sees to that. */
#ifdef __cplusplus
typedef const char *const *_PyB_keywords;
#else
typedef union {
    const char *const *names;
    char *const *plain;
} _PyB_keywords __attribute__((__transparent_union__));
#endif

/* PyArg_ParseTuple: takes a tuple of positional arguments apart.  Returns 1;
   or 0 with an exception and with what the earlier units had acquired (buffers
   and memory of es and et) released.  What the variables receive is borrowed
   from the arguments except where the manual says that it must be freed. */
PyAPI_FUNC(int) PyArg_ParseTuple(PyObject *args, const char *format, ...);
PyAPI_FUNC(int) PyArg_VaParse(PyObject *args, const char *format, va_list va);

/* PyArg_Parse: the same for a single object and a format of one unit, which
   may be several in parentheses. */
PyAPI_FUNC(int) PyArg_Parse(PyObject *args, const char *format, ...);

/* PyArg_ParseTupleAndKeywords: the same for positional arguments and a
   dictionary of keyword arguments, which may be NULL.  keywords names every
   unit; an empty name makes a positional-only one. */
PyAPI_FUNC(int) PyArg_ParseTupleAndKeywords(PyObject *args, PyObject *kwargs,
                                            const char *format,
                                            _PyB_keywords keywords, ...);
PyAPI_FUNC(int)
    PyArg_VaParseTupleAndKeywords(PyObject *args, PyObject *kwargs,
                                  const char *format, _PyB_keywords keywords,
                                  va_list va);

/* PyArg_ParseArray, PyArg_ParseArrayAndKeywords: the same for arguments in a
   C array, as METH_FASTCALL functions get them; kwnames, a tuple or NULL,
   names the keyword arguments, which follow the nargs positional ones. */
PyAPI_FUNC(int) PyArg_ParseArray(PyObject *const *args, Py_ssize_t nargs,
                                 const char *format, ...);
PyAPI_FUNC(int)
    PyArg_ParseArrayAndKeywords(PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames, const char *format,
                                _PyB_keywords keywords, ...);

/* PyArg_ValidateKeywordArguments: 1 if all keys of the dictionary are
   strings; else 0 with TypeError. */
PyAPI_FUNC(int) PyArg_ValidateKeywordArguments(PyObject *kwargs);

/* PyArg_UnpackTuple: stores borrowed references to the tuple's items, which
   are at least min and at most max, in max PyObject * variables; those left
   over stay as they are.  1, or 0 with TypeError that names the function (a
   NULL name is left out). */
PyAPI_FUNC(int) PyArg_UnpackTuple(PyObject *args, const char *name,
                                  Py_ssize_t min, Py_ssize_t max, ...);

/* Py_BuildValue: an object made from C values: None for an empty format, the
   unit's value for one unit, a tuple for several.  A new reference, or NULL
   with an exception.  N steals its argument, on failure too. */
PyAPI_FUNC(PyObject *) Py_BuildValue(const char *format, ...);
PyAPI_FUNC(PyObject *) Py_VaBuildValue(const char *format, va_list va);

/* _PyArg_ParseTuple_SizeT and kin: the functions above, which return a new
   reference where those do, under the names that PY_SSIZE_T_CLEAN gave them in
   CPython before 3.13; modules made then ask for them. */
PyAPI_FUNC(int) _PyArg_Parse_SizeT(PyObject *args, const char *format, ...);
PyAPI_FUNC(int)
    _PyArg_ParseTuple_SizeT(PyObject *args, const char *format, ...);
PyAPI_FUNC(int)
    _PyArg_ParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kwargs,
                                       const char *format,
                                       _PyB_keywords keywords, ...);
PyAPI_FUNC(int)
    _PyArg_VaParse_SizeT(PyObject *args, const char *format, va_list va);
PyAPI_FUNC(int)
    _PyArg_VaParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kwargs,
                                         const char *format,
                                         _PyB_keywords keywords, va_list va);
PyAPI_FUNC(PyObject *) _Py_BuildValue_SizeT(const char *format, ...);
PyAPI_FUNC(PyObject *) _Py_VaBuildValue_SizeT(const char *format, va_list va);

#ifdef __cplusplus
}
#endif

#endif /* Py_MODSUPPORT_H */
