/* objectprotocol.h: what any object can do: be printed, compared, hashed,
   tested, and have attributes.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Object Protocol"; "Exception Handling", part "Recursion
   Control". */

#ifndef Py_OBJECTPROTOCOL_H
#define Py_OBJECTPROTOCOL_H

#include <stdio.h>

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* _PyNone_Type, _PyNotImplemented_Type, PyEllipsis_Type: the types of the
   three singletons. */
PyAPI_DATA(PyTypeObject) _PyNone_Type;
PyAPI_DATA(PyTypeObject) _PyNotImplemented_Type;
PyAPI_DATA(PyTypeObject) PyEllipsis_Type;

/* ------------------------------------------------------------------ */
/* Text                                                                */

/* PyObject_Repr, PyObject_Str: repr(op), str(op); "<NULL>" for NULL.  A new
   reference to a str, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_Repr(PyObject *op);
PyAPI_FUNC(PyObject *) PyObject_Str(PyObject *op);

/* PyObject_ASCII: repr(op) with \x, \u, \U escapes for all but ASCII.  A new
   reference to a str, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_ASCII(PyObject *op);

/* PyObject_Bytes: bytes(op), but integers are refused with TypeError.
   A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_Bytes(PyObject *op);

/* PyObject_Format: format(obj, format_spec), by obj's __format__; NULL for the
   specifier stands for "".  A new reference to a str, or NULL with an
   exception: SystemError for a specifier that is no str. */
PyAPI_FUNC(PyObject *) PyObject_Format(PyObject *obj, PyObject *format_spec);

/* PyObject_Print: writes repr(op), with Py_PRINT_RAW str(op), to file.  0, or
   -1 with an exception. */
#define Py_PRINT_RAW 1
PyAPI_FUNC(int) PyObject_Print(PyObject *op, FILE *file, int flags);

/* Py_ReprEnter: to be called at the start of a container's tp_repr.  0: go
   on, and call Py_ReprLeave at the end; 1: op is being printed already, print
   an abbreviation; -1 with an exception. */
PyAPI_FUNC(int) Py_ReprEnter(PyObject *op);
PyAPI_FUNC(void) Py_ReprLeave(PyObject *op);

/* PyObject_Dir: the sorted list of names that dir(op) gives, a new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_Dir(PyObject *op);

/* ------------------------------------------------------------------ */
/* Comparison, hash, truth                                             */

/* PyObject_RichCompare: v op w with one of Py_LT ... Py_GE.  A new reference,
   or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_RichCompare(PyObject *v, PyObject *w, int op);

/* PyObject_RichCompareBool: its truth, 1, 0, or -1 with an exception.  An
   object is equal to itself without being asked. */
PyAPI_FUNC(int) PyObject_RichCompareBool(PyObject *v, PyObject *w, int op);

/* PyObject_Hash: hash(op), or -1 with an exception. */
PyAPI_FUNC(Py_hash_t) PyObject_Hash(PyObject *op);

/* PyObject_HashNotImplemented: the tp_hash of types without a hash: -1 with
   TypeError.  PyObject_GenericHash: a tp_hash by identity. */
PyAPI_FUNC(Py_hash_t) PyObject_HashNotImplemented(PyObject *op);
PyAPI_FUNC(Py_hash_t) PyObject_GenericHash(PyObject *op);

/* PyObject_IsTrue, PyObject_Not: 1, 0, or -1 with an exception. */
PyAPI_FUNC(int) PyObject_IsTrue(PyObject *op);
PyAPI_FUNC(int) PyObject_Not(PyObject *op);

/* PyObject_SelfIter: the tp_iter of iterators: op, a new reference. */
PyAPI_FUNC(PyObject *) PyObject_SelfIter(PyObject *op);

/* ------------------------------------------------------------------ */
/* Types                                                               */

/* PyObject_Type: the object's type, a new reference; NULL with SystemError
   for NULL. */
PyAPI_FUNC(PyObject *) PyObject_Type(PyObject *op);

/* PyObject_IsInstance, PyObject_IsSubclass: isinstance, issubclass; cls is a
   class or a tuple of those.  1, 0, or -1 with an exception. */
PyAPI_FUNC(int) PyObject_IsInstance(PyObject *inst, PyObject *cls);
PyAPI_FUNC(int) PyObject_IsSubclass(PyObject *derived, PyObject *cls);

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

/* PyObject_GetAttr(String): op.name, a new reference; NULL with
   AttributeError or another exception. */
PyAPI_FUNC(PyObject *) PyObject_GetAttr(PyObject *op, PyObject *name);
PyAPI_FUNC(PyObject *) PyObject_GetAttrString(PyObject *op, const char *name);

#if _PYB_LIMITED_AT_LEAST(0x030D0000)
/* PyObject_GetOptionalAttr(String): 1 and a new reference in *result; 0 and
   NULL if there is no such attribute, without an exception; -1 and NULL with
   any other exception. */
PyAPI_FUNC(int)
    PyObject_GetOptionalAttr(PyObject *op, PyObject *name, PyObject **result);
PyAPI_FUNC(int) PyObject_GetOptionalAttrString(PyObject *op, const char *name,
                                               PyObject **result);

/* PyObject_HasAttrWithError, PyObject_HasAttrStringWithError: 1, 0, or -1 with
   an exception that is not AttributeError. */
PyAPI_FUNC(int) PyObject_HasAttrWithError(PyObject *op, PyObject *name);
PyAPI_FUNC(int)
    PyObject_HasAttrStringWithError(PyObject *op, const char *name);
#endif

/* PyObject_HasAttr(String): 1 or 0; other exceptions go to the unraisable
   hook. */
PyAPI_FUNC(int) PyObject_HasAttr(PyObject *op, PyObject *name);
PyAPI_FUNC(int) PyObject_HasAttrString(PyObject *op, const char *name);

/* PyObject_SetAttr(String): op.name = value (not stolen); NULL deletes the
   attribute.  0, or -1 with an exception. */
PyAPI_FUNC(int)
    PyObject_SetAttr(PyObject *op, PyObject *name, PyObject *value);
PyAPI_FUNC(int)
    PyObject_SetAttrString(PyObject *op, const char *name, PyObject *value);

/* PyObject_DelAttr(String): del op.name.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyObject_DelAttr(PyObject *op, PyObject *name);
PyAPI_FUNC(int) PyObject_DelAttrString(PyObject *op, const char *name);
#define PyObject_DelAttr(op, name) PyObject_SetAttr((op), (name), NULL)
#define PyObject_DelAttrString(op, name)                                      \
    PyObject_SetAttrString((op), (name), NULL)

/* PyObject_GenericGetAttr, PyObject_GenericSetAttr: the usual tp_getattro and
   tp_setattro: data descriptors of the type, then the instance's dictionary,
   then other attributes of the type.  A new reference, or NULL with
   AttributeError or another exception; 0, or -1 with one. */
PyAPI_FUNC(PyObject *) PyObject_GenericGetAttr(PyObject *op, PyObject *name);
PyAPI_FUNC(int)
    PyObject_GenericSetAttr(PyObject *op, PyObject *name, PyObject *value);

/* PyObject_GenericGetDict, PyObject_GenericSetDict: getter and setter of
   __dict__; the closure is not used.  Get makes the dictionary if there is
   none yet: a new reference, or NULL with an exception.  Set: 0, or -1 with
   one. */
PyAPI_FUNC(PyObject *) PyObject_GenericGetDict(PyObject *op, void *closure);
PyAPI_FUNC(int)
    PyObject_GenericSetDict(PyObject *op, PyObject *value, void *closure);

#ifndef Py_LIMITED_API
/* _PyObject_GetDictPtr: where op keeps its instance dictionary (NULL there:
   not made yet); NULL if its type gives it none.  No exception.  This asks for
   the dictionary, as PyObject_GenericGetDict does: from now on collections
   count it. */
PyAPI_FUNC(PyObject **) _PyObject_GetDictPtr(PyObject *op);

/* PyObject_VisitManagedDict, PyObject_ClearManagedDict: for tp_traverse and
   for tp_clear and tp_dealloc of types with Py_TPFLAGS_MANAGED_DICT; nothing
   happens without the flag.  Visit shows the dictionary or, as long as no code
   has asked for that, what it holds; it returns what the visitor returned and
   may be called in tp_traverse.  Clear does not fail. */
PyAPI_FUNC(int)
    PyObject_VisitManagedDict(PyObject *op, visitproc visit, void *arg);
PyAPI_FUNC(void) PyObject_ClearManagedDict(PyObject *op);
#endif

/* ------------------------------------------------------------------ */
/* Recursion                                                           */

/* Py_EnterRecursiveCall: one level deeper.  0, or -1 with RecursionError:
   "maximum recursion depth exceeded", followed by where, and by ": the stack
   is nearly full" if that is why, as on a thread with a small stack.  After a
   0, call Py_LeaveRecursiveCall at the end. */
PyAPI_FUNC(int) Py_EnterRecursiveCall(const char *where);
PyAPI_FUNC(void) Py_LeaveRecursiveCall(void);

/* Py_GetRecursionLimit, Py_SetRecursionLimit: the number of levels, 1000 at
   first; for all threads. */
PyAPI_FUNC(int) Py_GetRecursionLimit(void);
PyAPI_FUNC(void) Py_SetRecursionLimit(int new_limit);

#ifdef __cplusplus
}
#endif

#endif /* Py_OBJECTPROTOCOL_H */
