/* ceval.h: detaching and attaching the calling thread; calls that wait.

   What it is to be attached: pystate.h.

   Manual: "Thread states and the global interpreter lock". */

#ifndef Py_CEVAL_H
#define Py_CEVAL_H

#include "pystate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Letting others in                                                   */

/* PyEval_SaveThread: detaches the calling thread, which must be attached, and
   returns its thread state, which stays the thread's.
   PyEval_RestoreThread: attaches it again, and waits for that if need be; it
   keeps errno.  After Py_Finalize it waits forever. */
PyAPI_FUNC(PyThreadState *) PyEval_SaveThread(void);
PyAPI_FUNC(void) PyEval_RestoreThread(PyThreadState *tstate);

/* PyEval_AcquireThread: attaches tstate, not NULL, to this thread, which must
   have none.  PyEval_ReleaseThread: detaches it; fatal if it is not attached
   to this thread. */
PyAPI_FUNC(void) PyEval_AcquireThread(PyThreadState *tstate);
PyAPI_FUNC(void) PyEval_ReleaseThread(PyThreadState *tstate);

/* Py_BEGIN_ALLOW_THREADS, Py_END_ALLOW_THREADS: a block that runs detached, to
   wait or to work for long without the API; exceptions do not get lost in
   it.  Py_BLOCK_THREADS, Py_UNBLOCK_THREADS: inside of it, attach for a
   while. */
#define Py_BEGIN_ALLOW_THREADS                                                \
    {                                                                         \
        PyThreadState *_save;                                                 \
        _save = PyEval_SaveThread();
#define Py_BLOCK_THREADS PyEval_RestoreThread(_save);
#define Py_UNBLOCK_THREADS _save = PyEval_SaveThread();
#define Py_END_ALLOW_THREADS                                                  \
    PyEval_RestoreThread(_save);                                              \
    }

/* PyEval_InitThreads: does nothing.  PyEval_ThreadsInitialized: 1.  Old names;
   Py_Initialize is all there is to call.  PyEval_AcquireLock,
   PyEval_ReleaseLock: do nothing; CPython no longer has them. */
PyAPI_FUNC(void) PyEval_InitThreads(void);
PyAPI_FUNC(int) PyEval_ThreadsInitialized(void);
PyAPI_FUNC(void) PyEval_AcquireLock(void);
PyAPI_FUNC(void) PyEval_ReleaseLock(void);

/* ------------------------------------------------------------------ */
/* The frame under way, of which there is none                         */

/* PyEval_GetFrame, PyEval_GetGlobals, PyEval_GetFrameGlobals: NULL, without an
   exception, as in CPython outside of Python's code.  PyEval_GetLocals,
   PyEval_GetFrameLocals: NULL with SystemError "frame does not exist". */
PyAPI_FUNC(PyFrameObject *) PyEval_GetFrame(void);
PyAPI_FUNC(PyObject *) PyEval_GetGlobals(void);
PyAPI_FUNC(PyObject *) PyEval_GetLocals(void);
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(PyObject *) PyEval_GetFrameGlobals(void);
PyAPI_FUNC(PyObject *) PyEval_GetFrameLocals(void);
#endif

/* ------------------------------------------------------------------ */
/* Calls                                                               */

/* PyEval_CallObjectWithKeywords: PyObject_Call; args may be NULL.  A new
   reference, or NULL with an exception: TypeError if args is no tuple or
   kwargs no dictionary.  PyEval_CallObject: without kwargs.
   PyEval_CallFunction, PyEval_CallMethod: PyObject_CallFunction and
   PyObject_CallMethod, with a new reference.  CPython no longer declares
   them. */
PyAPI_FUNC(PyObject *)
    PyEval_CallObjectWithKeywords(PyObject *callable, PyObject *args,
                                  PyObject *kwargs);
#define PyEval_CallObject(callable, args)                                     \
    PyEval_CallObjectWithKeywords((callable), (args), NULL)
PyAPI_FUNC(PyObject *)
    PyEval_CallFunction(PyObject *callable, const char *format, ...);
PyAPI_FUNC(PyObject *) PyEval_CallMethod(PyObject *obj, const char *name,
                                         const char *format, ...);

/* PyEval_GetFuncName: the name of a function or method, or that of its type;
   the object has it.  PyEval_GetFuncDesc: "()" or " object", to follow it;
   static. */
PyAPI_FUNC(const char *) PyEval_GetFuncName(PyObject *func);
PyAPI_FUNC(const char *) PyEval_GetFuncDesc(PyObject *func);

/* _Py_CheckRecursiveCall: 0, or -1 with RecursionError if the stack is nearly
   full.  Modules made for old editions call it. */
PyAPI_FUNC(int)
    _Py_CheckRecursiveCall(PyThreadState *tstate, const char *where);

/* _PyEval_SliceIndex: a converter for PyArg_ParseTuple's O&: the bound of a
   slice, cut off to fit; None keeps *pi.  1, or 0 with TypeError. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) _PyEval_SliceIndex(PyObject *v, Py_ssize_t *pi);
#endif

/* ------------------------------------------------------------------ */
/* Calls that wait                                                     */

/* Py_AddPendingCall: has func(arg) called by the thread that called
   Py_Initialize, attached, in its next Py_MakePendingCalls, in the order in
   which they were added; func returns 0, or -1 with an exception.  From any
   thread, attached or not, and from signal handlers.  0, or -1 if 300 wait
   already. */
PyAPI_FUNC(int) Py_AddPendingCall(int (*func)(void *), void *arg);

/* Py_MakePendingCalls: a place where an attached thread lets happen what
   waits, since there is no interpreter whose loop would: others that wait to
   attach are let in first; the thread that called Py_Initialize then makes the
   calls of Py_AddPendingCall that wait.  0, or -1 with the exception of the
   first that fails; those after it wait on.  Calls that calls add are made,
   too, 300 at most in all.  A pending call that calls it makes none.
   Py_Finalize makes those that still wait. */
PyAPI_FUNC(int) Py_MakePendingCalls(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_CEVAL_H */
