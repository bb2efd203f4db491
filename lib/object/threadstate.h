/* threadstate.h: what is per thread, and attaching it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_THREADSTATE_H
#define PYB_OBJECT_THREADSTATE_H

#include "Python.h"

#include "gc/attach.h"
#include "gc/dealloc.h"
#include "object/recursion.h"

/* A thread state.  While it is attached the library's own variables hold what
   `saved' is for, and that holds what they had before: nothing. */
struct _ts {
    struct _ts *next; /* of all of them */
    uint64_t id;
    int automatic; /* made by PyGILState_Ensure: its thread's, and gone with
                      its last PyGILState_Release */
    int ensured;   /* calls of that less those of PyGILState_Release */
    PyObject *dict;
    PyObject *awaited; /* borrowed: the name of a module; see importlock.c */
    struct pyb_errand burial; /* if its thread ends without it */
    struct {
        PyObject *error; /* the pending exception */
        struct pyb_recursion recursion;
        struct pyb_deallocs deallocs;
        const char *importing;
    } saved;
};

/* What a thread knows of itself.  With another epoch than the library's all
   but `registered' is of an earlier life of the library. */
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

/* pyb_threadstate_attach: attaches it to this thread, which has none; waits
   for the lock.  pyb_threadstate_try: does not wait; 1, or 0 if somebody else
   is attached.  pyb_threadstate_detach: this thread, which has one. */
void pyb_threadstate_attach(PyThreadState *ts);
int pyb_threadstate_try(PyThreadState *ts);
void pyb_threadstate_detach(void);

/* pyb_threadstate_replace: attaches it in place of the attached one; no other
   thread comes in between. */
void pyb_threadstate_replace(PyThreadState *ts);

/* pyb_threadstate_drop: clears and deletes the attached state, and detaches
   the thread. */
void pyb_threadstate_drop(void);

/* pyb_threadstate_errands: attaches this thread, if that is possible at once,
   and so has errands run. */
void pyb_threadstate_errands(void);

/* pyb_threadstate_enter: makes this thread known to Boehm, until
   pyb_threadstate_fini, before anything is allocated there. */
void pyb_threadstate_enter(void);

/* pyb_threadstate_init: the library starts; 0, or -1 if there is no memory.
   pyb_threadstate_close: it ends: no other thread is attached any more, and
   what their states own is dropped.  pyb_threadstate_fini: the rest. */
int pyb_threadstate_init(void);
void pyb_threadstate_close(void);
void pyb_threadstate_fini(void);

/* pyb_threadstate_forget_others: after fork: what the states of the threads
   that stayed behind own is dropped. */
void pyb_threadstate_forget_others(void);

/* pyb_threadstate_is_main: is this the thread that started the library, or in
   the child the one that forked? */
int pyb_threadstate_is_main(void);

#endif /* PYB_OBJECT_THREADSTATE_H */
