/* condemned.h: sets of objects that are to die together.

   What the cycle pass finds dead is put into one condemned set.  To leave it
   to Boehm, it gets a herald: a block of Boehm's that nothing refers to, with
   a finalizer.  The members are weak from then on: Boehm's roots hook leaves
   them out.  When Boehm collects, it finds the herald unreachable, keeps all
   that the set reaches, and calls the finalizer, which tears the set down.

   A set is torn down exactly once, by whoever comes first:

     WAITING  the set has a herald that Boehm has not found yet
     PROBED   Boehm is asked which members it sees; see recount.c
     RUNNING  fresh, found, or being torn down; the members are roots of
              Boehm's
     DONE     torn down; the descriptor lives until Boehm cannot call the
              finalizer any more

   Code that a teardown runs may have Boehm call finalizers, the one of the
   same set included: only the first claim tears it down.

   Not required: that Boehm finds the herald at once.  The collecting thread
   does not wait for it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONDEMNED_H
#define PYB_GC_CONDEMNED_H

#include "gc/attach.h"
#include "gc/boehm.h"
#include "gc/cycle.h"
#include "gc/sidetable.h"
#include "gc/walk.h"

enum pyb_set_state {
    PYB_SET_WAITING,
    PYB_SET_PROBED,
    PYB_SET_RUNNING,
    PYB_SET_DONE
};

struct pyb_set {
    PyObject **members; /* the C allocator's; Boehm does not look there */
    size_t n;           /* a NULL among them is none any more */
    size_t kept;        /* the last of these: they hang on a tp_del */
    size_t spared;      /* that were members once, and live */
    size_t bytes;       /* of their blocks, as Boehm was told; 0: it was not */
    AO_t hidden;        /* the complement of the herald's address, or 0 */
    unsigned char *seen; /* after a probe: which members Boehm saw */
    unsigned long late;  /* pyb_adoption.late at the verdict */
    int adopted;         /* some members are, and dead */
    int foreign; /* to be counted again: code that nobody knows may have run
                    since the verdict, or the verdict is not sound */
    enum pyb_generation generation; /* that was collected */
    /* Once done: members found dead in the end, and what tp_del kept. */
    size_t collected, uncollectable;
    size_t freed; /* bytes of the blocks of members that are gone */
    int left;     /* the collecting thread has no more use for it */
    int claimed;  /* it is being torn down, or has been */
    struct pyb_errand burial; /* the finalizer's */
    AO_t state;  /* enum pyb_set_state; changed by the attached thread, or by
                    Boehm's hook with the world stopped */
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

/* pyb_condemned_spare: takes a member back to the living. */
void pyb_condemned_spare(struct pyb_set *set, PyObject **member);

/* pyb_condemned_release: frees the block of a member that is gone. */
void pyb_condemned_release(PyObject *op);

/* pyb_condemned_probe: has Boehm collect, and notes in set->seen which members
   it saw, that is, which ones its roots and the living lead to.  A last probe
   is pyb_boehm_last_probe.  Returns what that or pyb_boehm_probe does; -1:
   with nothing noted. */
int pyb_condemned_probe(struct pyb_set *set, int last);

/* pyb_condemned_forget_seen: ends the life of what was noted. */
void pyb_condemned_forget_seen(struct pyb_set *set);

/* pyb_condemned_any_waits: is there a set for Boehm to find? */
int pyb_condemned_any_waits(void);

/* pyb_condemned_contains: is op a member of some set that is not done? */
int pyb_condemned_contains(PyObject *op);

/* pyb_condemned_push_roots, pyb_condemned_marked, pyb_condemned_keep,
   pyb_condemned_found: Boehm's hooks, or parts of them. */
void pyb_condemned_push_roots(void);
void pyb_condemned_marked(void);
void pyb_condemned_keep(void *owner, struct pyb_boehm_marking *marking);
void pyb_condemned_found(void *owner);

#endif /* PYB_GC_CONDEMNED_H */
