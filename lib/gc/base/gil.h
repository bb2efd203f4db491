/* gil.h: which thread may use the library.
   internals: threads

   One thread at a time is attached: it holds the lock of this file.  Threads
   that wait get it in the order in which they came: the thread that releases
   it hands it over, and waits behind the others if it wants it again.  No
   thread is made to release it.

   Boehm may call a finalizer of ours in any thread, with locks of the host's
   held.  What it has to do is a deferred call: done at once if this thread is
   attached, or no thread is; else the thread that is does it, at its next safe
   place: when it attaches or detaches, in the slow path of an allocation, in
   Py_MakePendingCalls and PyErr_CheckSignals.  No thread waits for the lock
   because of a deferred call.

   Not required: what is per thread.  lib/runtime/threadstate.c swaps that. The
   lock is taken and given up there, and at the end of a process, for reports
   (lib/watch/log/leaving.c). */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_GIL_H
#define PYB_GC_BASE_GIL_H

#include <atomic_ops.h>

/* pyb_gil_open: the library starts: this thread is attached.
   pyb_gil_close: it ends: only this thread, which is attached, gets
   the lock; others wait forever.
   pyb_gil_end: this thread is attached no more, and none can be. */
void pyb_gil_open(void);
void pyb_gil_close(void);
void pyb_gil_end(void);

/* pyb_gil_acquire: waits until this thread is the attached one.
   pyb_gil_try_acquire: the same without waiting; 1, or 0 if it is not.
   pyb_gil_release: the next one's turn. */
void pyb_gil_acquire(void);
int pyb_gil_try_acquire(void);
void pyb_gil_release(void);

/* pyb_gil_is_held: is this thread the attached one? */
int pyb_gil_is_held(void);

/* pyb_gil_turns: how many times a thread was attached so far: another number
   than before, and others may have had their turn. */
unsigned long pyb_gil_turns(void);

/* pyb_gil_waiting: how many threads wait for it. */
int pyb_gil_waiting(void);

/* Something that an attached thread has to do; the caller's memory. */
struct pyb_deferred {
    void (*run)(void *arg);
    void *arg;
    struct pyb_deferred *next;
};

/* pyb_gil_defer: has the call made by an attached thread, sooner or
   later; may be called in any thread that Boehm knows. */
void pyb_gil_defer(struct pyb_deferred *deferred);

/* pyb_gil_defer_later: has it made at the next safe place, by whichever thread
   is attached then; safe in signal handlers.  It must not be in the list. */
void pyb_gil_defer_later(struct pyb_deferred *deferred);

/* pyb_gil_run_deferred: at a safe place of the attached thread. */
void pyb_gil_run_deferred(void);

extern AO_t pyb_gil_deferred; /* the list's head */

static inline int
pyb_gil_has_deferred(void)
{
    return AO_load(&pyb_gil_deferred) != 0;
}

#endif /* PYB_GC_BASE_GIL_H */
