/* methodobject.h: functions written in C, and objects that call them.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Common Object Structures", part "Implementing functions and
   methods". */

#ifndef Py_METHODOBJECT_H
#define Py_METHODOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The signatures a C function may have; ml_flags says which one it is.  All
   return a new reference, or NULL with an exception. */
typedef PyObject *(*PyCFunction)(PyObject *self, PyObject *args);
typedef PyObject *(*PyCFunctionWithKeywords)(PyObject *self, PyObject *args,
                                             PyObject *kwargs);
typedef PyObject *(*PyCFunctionFast)(PyObject *self, PyObject *const *args,
                                     Py_ssize_t nargs);
typedef PyObject *(*PyCFunctionFastWithKeywords)(PyObject *self,
                                                 PyObject *const *args,
                                                 Py_ssize_t nargs,
                                                 PyObject *kwnames);
typedef PyObject *(*PyCMethod)(PyObject *self, PyTypeObject *defining_class,
                               PyObject *const *args, size_t nargs,
                               PyObject *kwnames);
typedef PyCFunctionFast _PyCFunctionFast;
typedef PyCFunctionFastWithKeywords _PyCFunctionFastWithKeywords;

/* _PyCFunction_CAST: a function of another signature for ml_meth, without
   the compiler's warning. */
#define _PyCFunction_CAST(func) ((PyCFunction)(void (*)(void))(func))

/* PyMethodDef: a function or method; it outlives all objects made from it.
   ml_doc may begin with "name(...)\n--\n\n", which __doc__ leaves out. */
struct PyMethodDef {
    const char *ml_name;
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
};
typedef struct PyMethodDef PyMethodDef;

/* Calling conventions: one of VARARGS, VARARGS|KEYWORDS, FASTCALL,
   FASTCALL|KEYWORDS, METHOD|FASTCALL|KEYWORDS, NOARGS and O ... */
#define METH_VARARGS 0x0001
#define METH_KEYWORDS 0x0002
#define METH_NOARGS 0x0004
#define METH_O 0x0008
#define METH_FASTCALL 0x0080
#define METH_METHOD 0x0200
/* ... and with it, for methods of types: bound to the class, or to nothing. */
#define METH_CLASS 0x0010
#define METH_STATIC 0x0020
/* Put into the type's dictionary though the name is there already. */
#define METH_COEXIST 0x0040

/* PyCFunctionObject, PyCMethodObject: a C function with its self; the second
   also knows the class that defines it.  For the fields' use see
   PyCMethod_New; read them with the macros below. */
typedef struct {
    PyObject_HEAD
    PyMethodDef *m_ml;
    PyObject *m_self;
    PyObject *m_module;
    PyObject *m_weakreflist;
    vectorcallfunc vectorcall;
} PyCFunctionObject;

typedef struct {
    PyCFunctionObject func;
    PyTypeObject *mm_class;
} PyCMethodObject;

/* The types of C functions, and of those that know their class. */
PyAPI_DATA(PyTypeObject) PyCFunction_Type;
PyAPI_DATA(PyTypeObject) PyCMethod_Type;

/* PyCFunction_Check and kin: is op a C function; exactly that; one that
   knows its class?  May be called in tp_traverse. */
#define PyCFunction_CheckExact(op) Py_IS_TYPE((op), &PyCFunction_Type)
#define PyCFunction_Check(op) PyObject_TypeCheck((op), &PyCFunction_Type)
#define PyCMethod_CheckExact(op) Py_IS_TYPE((op), &PyCMethod_Type)
#define PyCMethod_Check(op) PyObject_TypeCheck((op), &PyCMethod_Type)

/* PyCMethod_New: a callable for the definition.  self (may be NULL) is what
   the function gets first, module becomes __module__ (may be NULL), cls is
   the defining class with METH_METHOD and NULL without.  None of the three is
   stolen.  A new reference, or NULL; SystemError if flags and cls do not
   agree. */
PyAPI_FUNC(PyObject *) PyCMethod_New(PyMethodDef *ml, PyObject *self,
                                     PyObject *module, PyTypeObject *cls);

/* PyCFunction_NewEx, PyCFunction_New: the same without cls, and without
   module; a new reference. */
PyAPI_FUNC(PyObject *)
    PyCFunction_NewEx(PyMethodDef *ml, PyObject *self, PyObject *module);
PyAPI_FUNC(PyObject *) PyCFunction_New(PyMethodDef *ml, PyObject *self);

/* PyCFunction_Call: op(*args, **kwargs), as PyObject_Call; a new reference. */
PyAPI_FUNC(PyObject *)
    PyCFunction_Call(PyObject *op, PyObject *args, PyObject *kwargs);

/* PyCFunction_GetFunction, GetSelf, GetFlags: the function; self, borrowed,
   NULL for a static method; the flags.  NULL or -1 with SystemError if op is
   not a C function. */
PyAPI_FUNC(PyCFunction) PyCFunction_GetFunction(PyObject *op);
PyAPI_FUNC(PyObject *) PyCFunction_GetSelf(PyObject *op);
PyAPI_FUNC(int) PyCFunction_GetFlags(PyObject *op);

/* The same without a check; GET_CLASS is the defining class, borrowed, or
   NULL. */
#define _PyCFunction_OBJECT(op) ((PyCFunctionObject *)(void *)(op))
#define PyCFunction_GET_FUNCTION(op) (_PyCFunction_OBJECT(op)->m_ml->ml_meth)
#define PyCFunction_GET_FLAGS(op) (_PyCFunction_OBJECT(op)->m_ml->ml_flags)
#define PyCFunction_GET_SELF(op)                                              \
    ((PyCFunction_GET_FLAGS(op) & METH_STATIC)                                \
         ? NULL                                                               \
         : _PyCFunction_OBJECT(op)->m_self)
#define PyCFunction_GET_CLASS(op)                                             \
    ((PyCFunction_GET_FLAGS(op) & METH_METHOD)                                \
         ? ((PyCMethodObject *)(void *)(op))->mm_class                        \
         : NULL)

#ifdef __cplusplus
}
#endif

#endif /* Py_METHODOBJECT_H */
