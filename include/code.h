/* code.h: code objects, which are names of places, or describe a function.

   There is no interpreter, and no code of Python's to run.  Generators of
   bindings make a code object for each place that an exception passes, and
   one for each function, whose arguments it names; they call the type for
   that, which takes what CPython's takes and drops what would be run.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Code Objects". */

#ifndef Py_CODE_H
#define Py_CODE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* CO_...: bits of co_flags. */
#define CO_OPTIMIZED 0x0001
#define CO_NEWLOCALS 0x0002
#define CO_VARARGS 0x0004
#define CO_VARKEYWORDS 0x0008
#define CO_NESTED 0x0010
#define CO_GENERATOR 0x0020
#define CO_COROUTINE 0x0080
#define CO_ITERABLE_COROUTINE 0x0100
#define CO_ASYNC_GENERATOR 0x0200
#define CO_FUTURE_DIVISION 0x20000
#define CO_FUTURE_ABSOLUTE_IMPORT 0x40000
#define CO_FUTURE_WITH_STATEMENT 0x80000
#define CO_FUTURE_PRINT_FUNCTION 0x100000
#define CO_FUTURE_UNICODE_LITERALS 0x200000
#define CO_FUTURE_BARRY_AS_BDFL 0x400000
#define CO_FUTURE_GENERATOR_STOP 0x800000
#define CO_FUTURE_ANNOTATIONS 0x1000000

/* PyCodeObject: immutable.  Numbers of PyCode_NewEmpty's are 0 but for the
   line, and co_varnames is empty. */
struct PyCodeObject {
    PyObject ob_base;
    int co_argcount;
    int co_posonlyargcount;
    int co_kwonlyargcount;
    int co_flags;
    int co_firstlineno;
    PyObject *co_filename;
    PyObject *co_name;
    PyObject *co_qualname;
    PyObject *co_varnames;
};

/* The type code. */
PyAPI_DATA(PyTypeObject) PyCode_Type;

/* PyCode_Check: is op a code object?  May be called in tp_traverse. */
#define PyCode_Check(op) Py_IS_TYPE((op), &PyCode_Type)

/* PyCode_NewEmpty: a code object without code, for a place in a file.  A new
   reference, or NULL with an exception: UnicodeDecodeError if a name is not
   UTF-8, SystemError if it is NULL. */
PyAPI_FUNC(PyCodeObject *)
    PyCode_NewEmpty(const char *filename, const char *funcname,
                    int firstlineno);

/* PyCode_GetVarnames: the names of its arguments and variables, a tuple, a new
   reference.  PyCode_GetCellvars, PyCode_GetFreevars: of those that are
   shared: an empty tuple, a new reference.  PyCode_GetCode: its code: empty
   bytes, a new reference.  PyCode_GetNumFree: 0.  PyCode_Addr2Line: its first
   line, or -1 with SystemError if code is NULL or something else, as the
   others have. */
PyAPI_FUNC(PyObject *) PyCode_GetVarnames(PyCodeObject *code);
PyAPI_FUNC(PyObject *) PyCode_GetCellvars(PyCodeObject *code);
PyAPI_FUNC(PyObject *) PyCode_GetFreevars(PyCodeObject *code);
PyAPI_FUNC(PyObject *) PyCode_GetCode(PyCodeObject *code);
#define PyCode_GetNumFree(code) ((Py_ssize_t)0)
PyAPI_FUNC(int) PyCode_Addr2Line(PyCodeObject *code, int byte_offset);

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_CODE_H */
