/* pystate.h: threads, and which of them may use the library.

   One thread at a time is attached, and it alone may call the API.  The thread
   that calls Py_Initialize is attached when that returns.  It stays so, and
   all others wait, until it detaches: with Py_BEGIN_ALLOW_THREADS (ceval.h),
   PyEval_SaveThread, or the PyGILState_Release that belongs to an outermost
   PyGILState_Ensure.  Nothing detaches a thread by force, for there is no
   interpreter; a thread that works for long calls Py_MakePendingCalls now and
   then, which lets others in if any wait.

   The thread that has waited longest is next, and one that detaches and
   attaches again at once comes after all those that wait.

   What is kept for each thread in its thread state: the pending exception, the
   depth of Py_EnterRecursiveCall, the objects of Py_ReprEnter, deallocations
   under way, PyThreadState_GetDict's dictionary.

   A thread that the Boehm collector does not know is registered with it from
   when it attaches its first thread state until that is deleted, by
   PyGILState_Release for instance, or the thread ends.  A thread that the host
   has registered, or created with Boehm's pthread_create, is left alone.  So
   that this is possible Boehm goes over to its manner for several threads when
   a thread detaches for the first time, as if the host had created a thread:
   it takes its lock, and starts its marking threads.  A program that never
   detaches is not affected.  Py_Initialize is called by a thread that Boehm
   knows, or while no other thread uses Boehm.

   A thread that ends while it is attached is detached.  From the beginning of
   Py_Finalize on, threads other than the one that calls it can no longer
   attach: those that try wait forever.  It frees all thread states.

   After fork the child has one thread, attached if it was.  If another thread
   was attached at that moment the child cannot use the library.

   Boehm may call a finalizer of the library's, the end of dead containers, in
   any of its threads.  It runs attached: at once if that thread is attached or
   none is; otherwise by the thread that is, when it attaches or detaches,
   allocates, or calls Py_MakePendingCalls.  No thread waits for it, so it does
   no harm to allocate from Boehm with a lock held that the attached thread
   waits for.

   Manual: "Thread states and the global interpreter lock". */

#ifndef Py_PYSTATE_H
#define Py_PYSTATE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread state, and the one interpreter there is; opaque, but for what
   generators of bindings use: the interpreter, a number that is theirs, 1 at
   first, and a flag that they clear, which nothing reads. */
typedef struct _ts PyThreadState;
typedef struct _is PyInterpreterState;
#define _PYB_THREADSTATE_MEMBERS                                              \
    PyInterpreterState *interp;                                               \
    int gilstate_counter;                                                     \
    struct {                                                                  \
        unsigned int bound_gilstate;                                          \
    } _status;
#if !defined(Py_LIMITED_API) && !defined(PYBOEHM_BUILD)
struct _ts {
    _PYB_THREADSTATE_MEMBERS
};
#endif

/* ------------------------------------------------------------------ */
/* A thread that needs the API for a while                             */

/* What PyGILState_Ensure found: the thread was attached, or it was not. */
typedef enum { PyGILState_LOCKED, PyGILState_UNLOCKED } PyGILState_STATE;

/* PyGILState_Ensure: attaches the calling thread, whatever it is, and waits
   for that if need be; nothing but counting if it is attached.  The result is
   for the PyGILState_Release that belongs to it.  A thread without a thread
   state gets one, which lives until its last PyGILState_Release.  Without
   memory for it, a fatal error. */
PyAPI_FUNC(PyGILState_STATE) PyGILState_Ensure(void);

/* PyGILState_Release: undoes a PyGILState_Ensure of this thread; the thread is
   attached as it was before.  Fatal if the thread is not attached now. */
PyAPI_FUNC(void) PyGILState_Release(PyGILState_STATE oldstate);

/* PyGILState_Check: 1 if the calling thread is attached, else 0.  At any time,
   from any thread. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) PyGILState_Check(void);
#endif

/* PyGILState_GetThisThreadState: the thread state that the calling thread has
   or last had attached, borrowed, or NULL; from any thread. */
PyAPI_FUNC(PyThreadState *) PyGILState_GetThisThreadState(void);

/* ------------------------------------------------------------------ */
/* Thread states                                                       */

/* PyThreadState_New: a new one, attached to no thread; NULL if there is no
   memory.  From any thread.  The interpreter is ignored. */
PyAPI_FUNC(PyThreadState *) PyThreadState_New(PyInterpreterState *interp);

/* PyThreadState_Clear: drops what a thread state owns; by an attached thread.
   PyThreadState_Delete: frees one that has been cleared and is attached to no
   thread, fatal if it is to this one; from any thread.
   PyThreadState_DeleteCurrent: detaches the calling thread and frees its
   thread state. */
PyAPI_FUNC(void) PyThreadState_Clear(PyThreadState *tstate);
PyAPI_FUNC(void) PyThreadState_Delete(PyThreadState *tstate);
#ifndef Py_LIMITED_API
PyAPI_FUNC(void) PyThreadState_DeleteCurrent(void);
#endif

/* PyThreadState_Get: the attached thread state, borrowed; fatal if the thread
   is not attached.  PyThreadState_GetUnchecked, _PyThreadState_UncheckedGet:
   NULL then; from any thread. */
PyAPI_FUNC(PyThreadState *) PyThreadState_Get(void);
#define PyThreadState_GET() PyThreadState_Get()
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyThreadState *) PyThreadState_GetUnchecked(void);
PyAPI_FUNC(PyThreadState *) _PyThreadState_UncheckedGet(void);
#endif

/* PyThreadState_Swap: attaches tstate in place of the attached thread state,
   which is the result; each may be NULL, for none.  From any thread. */
PyAPI_FUNC(PyThreadState *) PyThreadState_Swap(PyThreadState *tstate);

/* PyThreadState_GetDict: the attached thread state's dictionary for whatever
   C code wants to keep for the thread, borrowed; NULL without an exception if
   the thread is not attached or there is no memory. */
PyAPI_FUNC(PyObject *) PyThreadState_GetDict(void);

/* PyThreadState_GetID: its number, which no other one has had.
   PyThreadState_GetInterpreter: the interpreter. */
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(uint64_t) PyThreadState_GetID(PyThreadState *tstate);
#endif
#if _PYB_LIMITED_AT_LEAST(0x03090000)
PyAPI_FUNC(PyInterpreterState *)
    PyThreadState_GetInterpreter(PyThreadState *tstate);
#endif

/* PyThreadState_GetFrame: NULL: no frame is ever current. */
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(PyFrameObject *) PyThreadState_GetFrame(PyThreadState *tstate);
#endif

/* PyThreadState_SetAsyncExc: 0, the number of threads that it interrupted:
   there is no loop of an interpreter to interrupt. */
PyAPI_FUNC(int) PyThreadState_SetAsyncExc(unsigned long id, PyObject *exc);

/* _PyThreadState_Prealloc: PyThreadState_New.  _PyThreadState_Init: does
   nothing.  Modules made for old editions call them. */
PyAPI_FUNC(PyThreadState *)
    _PyThreadState_Prealloc(PyInterpreterState *interp);
PyAPI_FUNC(void) _PyThreadState_Init(PyThreadState *tstate);

/* PyInterpreterState_GetDict: a dictionary for whatever C code wants to keep
   until Py_Finalize, borrowed; NULL without an exception if there is no
   memory. */
#if _PYB_LIMITED_AT_LEAST(0x03080000)
PyAPI_FUNC(PyObject *) PyInterpreterState_GetDict(PyInterpreterState *interp);
#endif

/* PyInterpreterState_New: NULL, without an exception: there is one
   interpreter.  PyInterpreterState_Clear, PyInterpreterState_Delete: do
   nothing. */
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_New(void);
PyAPI_FUNC(void) PyInterpreterState_Clear(PyInterpreterState *interp);
PyAPI_FUNC(void) PyInterpreterState_Delete(PyInterpreterState *interp);

/* PyInterpreterState_Get: the interpreter; fatal if the thread is not
   attached.  PyInterpreterState_Main: the same from any thread.
   PyInterpreterState_GetID: its number, 0. */
#if _PYB_LIMITED_AT_LEAST(0x03090000)
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Get(void);
#endif
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Main(void);
#endif

/* PyInterpreterState_Head: the interpreter; PyInterpreterState_Next: NULL: it
   is the only one.  PyInterpreterState_ThreadHead, PyThreadState_Next: the
   first of all thread states, and the one after tstate, borrowed; NULL at the
   end.  For debuggers: other threads may make and delete some. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Head(void);
PyAPI_FUNC(PyInterpreterState *)
    PyInterpreterState_Next(PyInterpreterState *interp);
PyAPI_FUNC(PyThreadState *)
    PyInterpreterState_ThreadHead(PyInterpreterState *interp);
PyAPI_FUNC(PyThreadState *) PyThreadState_Next(PyThreadState *tstate);
#endif
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(int64_t) PyInterpreterState_GetID(PyInterpreterState *interp);
#endif

/* ------------------------------------------------------------------ */
/* Guards                                                              */

#if _PYB_LIMITED_AT_LEAST(0x030F0000)

/* A guard, which holds up the end of the library; a view of the interpreter,
   which does not; what undoes a PyThreadState_Ensure.  Opaque. */
typedef struct PyInterpreterGuard PyInterpreterGuard;
typedef struct PyInterpreterView PyInterpreterView;
typedef struct PyThreadStateToken PyThreadStateToken;

/* PyInterpreterGuard_FromCurrent: a guard: Py_Finalize, which begins with
   that, waits until all are closed.  NULL with PythonFinalizationError if it
   has begun.  PyInterpreterGuard_FromView: the same from any thread; NULL,
   without an exception, if the library that the view is of is ending or has
   ended, or there is no memory.  PyInterpreterGuard_Close: closes and frees
   it; from any thread. */
PyAPI_FUNC(PyInterpreterGuard *) PyInterpreterGuard_FromCurrent(void);
PyAPI_FUNC(PyInterpreterGuard *)
    PyInterpreterGuard_FromView(PyInterpreterView *view);
PyAPI_FUNC(void) PyInterpreterGuard_Close(PyInterpreterGuard *guard);

/* PyInterpreterView_FromCurrent: a view, or NULL with MemoryError.
   PyInterpreterView_FromMain: the same from any thread and at any time, NULL
   without an exception.  It is of the library between one Py_Initialize and
   its Py_Finalize.  PyInterpreterView_Close: frees it; from any thread. */
PyAPI_FUNC(PyInterpreterView *) PyInterpreterView_FromCurrent(void);
PyAPI_FUNC(PyInterpreterView *) PyInterpreterView_FromMain(void);
PyAPI_FUNC(void) PyInterpreterView_Close(PyInterpreterView *view);

/* PyThreadState_Ensure: PyGILState_Ensure, which cannot wait forever since the
   guard is open, until the token is released.  PyThreadState_EnsureFromView:
   the same with a guard of its own, closed at the release.  NULL, without an
   exception, if there is no memory, or no guard to be had.
   PyThreadState_Release: undoes it, and frees the token. */
PyAPI_FUNC(PyThreadStateToken *)
    PyThreadState_Ensure(PyInterpreterGuard *guard);
PyAPI_FUNC(PyThreadStateToken *)
    PyThreadState_EnsureFromView(PyInterpreterView *view);
PyAPI_FUNC(void) PyThreadState_Release(PyThreadStateToken *token);

#endif

/* ------------------------------------------------------------------ */
/* Fork                                                                */

/* PyOS_BeforeFork, PyOS_AfterFork_Parent: around fork in the parent; they do
   nothing, and may be left out.
   PyOS_AfterFork_Child, of old PyOS_AfterFork: in the child, by the attached
   thread: drops what the states of the threads that stayed behind own.  What
   else there is to do after fork happens by itself. */
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(void) PyOS_BeforeFork(void);
PyAPI_FUNC(void) PyOS_AfterFork_Parent(void);
PyAPI_FUNC(void) PyOS_AfterFork_Child(void);
#endif
PyAPI_FUNC(void) PyOS_AfterFork(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_PYSTATE_H */
