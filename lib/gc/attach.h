/* attach.h: which thread may use the library.

   One thread at a time is attached: it holds the lock of this file.  Those who
   wait for it get it in the order in which they came: who gives it up hands it
   over, and if that one wants it again it comes last.  Nobody is made to give
   it up.

   Boehm may call a finalizer of ours in any thread, with locks of the host's
   held.  What it has to do is an errand: done at once if this thread is
   attached, or nobody is; else the thread that is does it, at its next safe
   place: when it attaches or detaches, in the slow path of an allocation, in
   Py_MakePendingCalls.  Nobody waits for the lock because of an errand.

   Not required: what is per thread.  lib/object/threadstate.c exchanges that,
   and is who calls all of this but the errands. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_ATTACH_H
#define PYB_GC_ATTACH_H

#include <atomic_ops.h>

/* pyb_attach_open: the library starts: this thread is attached.
   pyb_attach_close: it ends: nobody but this thread, which is attached, gets
   the lock; others wait forever.
   pyb_attach_end: this thread is attached no more; nobody can be. */
void pyb_attach_open(void);
void pyb_attach_close(void);
void pyb_attach_end(void);

/* pyb_attach_take: waits until this thread is the attached one.
   pyb_attach_try: the same without waiting; 1, or 0 if it is not.
   pyb_attach_give: the next one's turn. */
void pyb_attach_take(void);
int pyb_attach_try(void);
void pyb_attach_give(void);

/* pyb_attach_holds: is this thread the attached one? */
int pyb_attach_holds(void);

/* pyb_attach_waiting: how many threads wait for it. */
int pyb_attach_waiting(void);

/* Something that an attached thread has to do; its memory is whose it is. */
struct pyb_errand {
    void (*run)(void *arg);
    void *arg;
    struct pyb_errand *next;
};

/* pyb_attach_send: has the errand run by an attached thread, sooner or
   later; may be called in any thread that Boehm knows. */
void pyb_attach_send(struct pyb_errand *errand);

/* pyb_attach_run_errands: at a safe place of the attached thread. */
void pyb_attach_run_errands(void);

extern AO_t pyb_attach_errands; /* the list's head */

static inline int
pyb_attach_has_errands(void)
{
    return AO_load(&pyb_attach_errands) != 0;
}

#endif /* PYB_GC_ATTACH_H */
