/* threadstate.h: the state of each thread, and attaching it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_THREADSTATE_H
#define PYB_RUNTIME_THREADSTATE_H

#include "Python.h"

#include "gc/base/gil.h"
#include "gc/dealloc.h"
#include "runtime/recursion.h"

/* A thread state.  While it is attached, the library's variables have the
   contents of `saved', and `saved' has the empty contents that they had
   before. */
struct _ts {
    _PYB_THREADSTATE_MEMBERS
    struct _ts *next, **link; /* the list of all; the pointer to this one */
    uint64_t id;
    int automatic; /* made by PyGILState_Ensure, for one thread; deleted by its
                      last PyGILState_Release */
    int ensured;   /* calls of PyGILState_Ensure minus calls of
                      PyGILState_Release */
    PyObject *dict;
    PyObject *context; /* the current one, or NULL */
    PyObject *awaited; /* borrowed: the name of a module; see importlock.c */
    struct pyb_deferred burial; /* deletes the state after its thread's end */
    int ended; /* so it has: the burial alone, which is deferred, deletes it */
    struct {
        PyObject *error;   /* the pending exception */
        PyObject *handled; /* the exception being handled */
        struct pyb_recursion recursion;
        struct pyb_deallocs deallocs;
        const char *importing;
    } saved;
};

/* Of the attached thread: the pending exception and the one being handled,
   each owned or NULL; and the dotted name that it is importing, until a module
   gets it, or NULL. */
extern PyObject *pyb_threadstate_error, *pyb_threadstate_handled;
extern const char *pyb_threadstate_importing;

/* The state of a thread itself.  If the epoch differs from the library's, all
   members except `registered' are from an earlier life of the library. */
struct pyb_thread {
    PyThreadState *attached; /* its attached state, or NULL */
    PyThreadState *latest;   /* the one that was attached last */
    AO_t epoch;
    enum { PYB_UNKNOWN, PYB_HOSTS, PYB_OURS } registered; /* with Boehm */
    int ending;
};

/* pyb_threadstate_thread: this thread. */
struct pyb_thread *pyb_threadstate_thread(void);

/* pyb_threadstate_new: a thread state, or NULL if there is no memory. */
PyThreadState *pyb_threadstate_new(void);

/* pyb_threadstate_check: fatal if the list of all contradicts itself, see
   gc/base/fatal.h.  No other thread may be changing it. */
void pyb_threadstate_check(void);

/* pyb_threadstate_attach: attaches it to this thread, which has none; waits
   for the lock.  pyb_threadstate_try: does not wait; 1, or 0 if another thread
   is attached.  pyb_threadstate_detach: detaches this thread's state. */
void pyb_threadstate_attach(PyThreadState *ts);
int pyb_threadstate_try(PyThreadState *ts);
void pyb_threadstate_detach(void);

/* pyb_threadstate_replace: attaches a state in place of the attached one; no
   other thread is attached in between. */
void pyb_threadstate_replace(PyThreadState *ts);

/* pyb_threadstate_drop: clears and deletes the attached state, and detaches
   the thread. */
void pyb_threadstate_drop(void);

/* pyb_threadstate_deferred: attaches this thread, if that is possible without
   waiting, and so makes deferred calls. */
void pyb_threadstate_deferred(void);

/* pyb_threadstate_enter: makes this thread known to Boehm, until
   pyb_threadstate_fini, before anything is allocated there. */
void pyb_threadstate_enter(void);

/* pyb_threadstate_init: the library starts; 0, or -1 if there is no memory.
   pyb_threadstate_close: it ends: no other thread can attach any more.
   pyb_threadstate_fini: frees the rest. */
int pyb_threadstate_init(void);
void pyb_threadstate_close(void);
void pyb_threadstate_fini(void);

/* pyb_guards_open: guards can be had.  pyb_guards_close: no more; waits,
   detached, until all are closed. */
void pyb_guards_open(void);
void pyb_guards_close(void);

/* pyb_interpreter_clear: drops the dictionary of
   PyInterpreterState_GetDict. */
void pyb_interpreter_clear(void);

/* pyb_threadstate_forget_others: drops the states of all other threads, and
   their objects: after fork, where the threads exist only in the parent, and
   after pyb_threadstate_close. */
void pyb_threadstate_forget_others(void);

/* pyb_threadstate_is_main: is this the thread that started the library, or in
   the child the one that forked? */
int pyb_threadstate_is_main(void);

#endif /* PYB_RUNTIME_THREADSTATE_H */
