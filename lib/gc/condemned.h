/* condemned.h: sets of objects that are to die together.

   What the cycle pass finds dead is put into one condemned set.  To leave it
   to Boehm, its members are moved into an ordinary GC_MALLOC array that
   nothing refers to, with a finalizer. The members are weak from then on:
   Boehm's roots hook leaves them out.  When Boehm collects, it finds the array
   unreachable, keeps all that it reaches, and calls the finalizer, which tears
   the set down.

   A set is torn down exactly once, by whoever comes first:

     WAITING  the finalizer is registered; Boehm or the collecting thread will
              come
     RUNNING  fresh, or being torn down; the array is a root of Boehm's
     DONE     torn down; the descriptor lives until Boehm cannot call the
              finalizer any more

   Code that a teardown runs may have Boehm call finalizers, the one of the
   same set included: only the first claim tears it down.

   Not required: that Boehm finds the array at once.  The collecting thread
   does not wait for it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONDEMNED_H
#define PYB_GC_CONDEMNED_H

#include <pthread.h>

#include "gc/cycle.h"
#include "gc/sidetable.h"
#include "gc/walk.h"

enum pyb_set_state { PYB_SET_WAITING, PYB_SET_RUNNING, PYB_SET_DONE };

struct pyb_set {
    AO_t hidden;  /* the complement of the array's address */
    size_t n;     /* members; a NULL among them is none any more */
    size_t kept;  /* the last of these: they hang on a tp_del */
    size_t bytes; /* of their blocks, as Boehm was told; 0: it was not */
    AO_t plain;   /* the array is still the C allocator's */
    int foreign;  /* to be counted again: code that nobody knows may have run
                     since the verdict, or the verdict is not sound */
    enum pyb_generation generation; /* that was collected */
    /* Once done: members found dead in the end, and what tp_del kept. */
    size_t collected, uncollectable;
    int held;    /* the collecting thread will claim the set */
    int claimed; /* it is being torn down, or has been */
    pthread_t collector;
    AO_t state;  /* enum pyb_set_state; changed by the collecting thread, but
                    see finalize */
    AO_t owners; /* of the descriptor: the collecting thread, Boehm */
    struct pyb_set *link;
};

/* pyb_condemned_make: a set of what the cycle pass, of that result, found dead
   in a generation and the younger ones.  NULL if there is no memory:
   nothing is condemned then, and the candidates are not forgotten. */
struct pyb_set *pyb_condemned_make(enum pyb_generation oldest,
                                   struct pyb_cycle_result result);

/* pyb_condemned_register: leaves the set to Boehm.  0, or -1 if Boehm cannot
   have it for lack of memory. */
int pyb_condemned_register(struct pyb_set *set);

/* pyb_condemned_claim: tears the set down unless that has been done. */
void pyb_condemned_claim(struct pyb_set *set);

/* pyb_condemned_claim_all: tears down all sets that wait: the library ends. */
void pyb_condemned_claim_all(void);

/* pyb_condemned_leave: the collecting thread has no more use for the set that
   it made; a waiting one lives on until Boehm comes. */
void pyb_condemned_leave(struct pyb_set *set);

/* pyb_condemned_members: the array. */
static inline PyObject **
pyb_condemned_members(const struct pyb_set *set)
{
    return (PyObject **)~set->hidden;
}

/* pyb_condemned_spare: takes a member back to the living. */
void pyb_condemned_spare(const struct pyb_set *set, PyObject **member);

/* pyb_condemned_release: frees the block of a member that is gone. */
void pyb_condemned_release(PyObject *op);

/* pyb_condemned_any_waits: is there a set for Boehm to find? */
int pyb_condemned_any_waits(void);

/* pyb_condemned_contains: is op a member of some set that is not done? */
int pyb_condemned_contains(PyObject *op);

/* pyb_condemned_push_roots, pyb_condemned_unmark: parts of Boehm's hooks. */
void pyb_condemned_push_roots(void);
void pyb_condemned_unmark(void);

#endif /* PYB_GC_CONDEMNED_H */
