/* context.h: context variables: values that belong to what a thread is doing,
   and not to a place in the program.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   A context maps context variables to values.  Each thread state has a current
   one, made when it is first needed; PyContext_Enter puts another in its
   place.  Copying a context costs the same whatever is in it; the first change
   of either of the two after that takes time in proportion to the number of
   its variables, others do not.

   Manual: "Context Variables Objects"; Python's library, "contextvars". */

#ifndef Py_CONTEXT_H
#define Py_CONTEXT_H

#include "object.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts, variables, and the tokens of changes; opaque. */
typedef struct _pycontextobject PyContext;
typedef struct _pycontextvarobject PyContextVar;
typedef struct _pycontexttokenobject PyContextToken;

/* contextvars.Context, ContextVar and Token. */
PyAPI_DATA(PyTypeObject) PyContext_Type;
PyAPI_DATA(PyTypeObject) PyContextVar_Type;
PyAPI_DATA(PyTypeObject) PyContextToken_Type;

/* PyContext_CheckExact and the others: is op one?  The types have no
   subclasses.  May be called in tp_traverse. */
#define PyContext_CheckExact(op) Py_IS_TYPE((op), &PyContext_Type)
#define PyContextVar_CheckExact(op) Py_IS_TYPE((op), &PyContextVar_Type)
#define PyContextToken_CheckExact(op) Py_IS_TYPE((op), &PyContextToken_Type)

/* ------------------------------------------------------------------ */
/* Contexts                                                            */

/* PyContext_New: an empty context, a new reference.  PyContext_Copy: one with
   the same values as ctx, a new reference.  PyContext_CopyCurrent: with those
   of the current one.  A new reference, or NULL with MemoryError, or TypeError
   if ctx is no context. */
PyAPI_FUNC(PyObject *) PyContext_New(void);
PyAPI_FUNC(PyObject *) PyContext_Copy(PyObject *ctx);
PyAPI_FUNC(PyObject *) PyContext_CopyCurrent(void);

/* PyContext_Enter: ctx is the thread's current context from now on.  0, or -1
   with RuntimeError if it has been entered already, by any thread.
   PyContext_Exit: the one that was current before is so again.  0, or -1 with
   RuntimeError if ctx is not the current one.  Both: TypeError if ctx is no
   context. */
PyAPI_FUNC(int) PyContext_Enter(PyObject *ctx);
PyAPI_FUNC(int) PyContext_Exit(PyObject *ctx);

/* ------------------------------------------------------------------ */
/* Variables                                                           */

/* PyContextVar_New: a variable; name is UTF-8 and for people, def its default
   or NULL.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyContextVar_New(const char *name, PyObject *def);

/* PyContextVar_Get: *value becomes a new reference to the variable's value in
   the current context; if it has none, to default_value; if that is NULL, to
   the variable's default; if it has none, NULL.  0, or -1 with TypeError, and
   *value NULL, if var is no variable. */
PyAPI_FUNC(int)
    PyContextVar_Get(PyObject *var, PyObject *default_value, PyObject **value);

/* PyContextVar_Set: gives the variable that value in the current context.
   Returns a token for PyContextVar_Reset, a new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyContextVar_Set(PyObject *var, PyObject *value);

/* PyContextVar_Reset: gives the variable the value, or none, that it had
   before the PyContextVar_Set that returned the token.  0, or -1 with
   RuntimeError if the token has been used, ValueError if it is of another
   variable or another context, TypeError for other objects. */
PyAPI_FUNC(int) PyContextVar_Reset(PyObject *var, PyObject *token);

/* ------------------------------------------------------------------ */
/* Watchers                                                            */

/* What a watcher is told of: a thread's current context is another one. */
typedef enum { Py_CONTEXT_SWITCHED = 1 } PyContextEvent;

/* PyContext_WatchCallback: obj is the context that is current now, or None.
   0, or -1 with an exception, which is reported as unraisable. */
typedef int (*PyContext_WatchCallback)(PyContextEvent event, PyObject *obj);

/* PyContext_AddWatcher: has callback called for each event, with no exception
   pending, until Py_Finalize.  Its number, or -1 with RuntimeError if there
   are eight.  PyContext_ClearWatcher: ends that; 0, or -1 with ValueError. */
PyAPI_FUNC(int) PyContext_AddWatcher(PyContext_WatchCallback callback);
PyAPI_FUNC(int) PyContext_ClearWatcher(int watcher_id);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_CONTEXT_H */
