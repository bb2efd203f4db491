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
   Py_Initialize is all there is to call. */
PyAPI_FUNC(void) PyEval_InitThreads(void);
PyAPI_FUNC(int) PyEval_ThreadsInitialized(void);

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
