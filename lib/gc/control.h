/* control.h: the state of the collector, and its switches.  What needs the
   rest of lib/gc is in switches.c: begin and end, set_audit and set_trace,
   choose_paths. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONTROL_H
#define PYB_GC_CONTROL_H

#include <stddef.h>

#include "gc/heap/sidetable.h"
#include "pyboehm.h"

struct pyb_extent;

struct pyb_control {
    /* Containers made and not freed since the last collection; at limit an
       automatic one is due.  The limit is out of reach while the collector is
       disabled; at work it is a look at whether it still is.  It is always
       reached with checks, stress, an audit or a trace. */
    Py_ssize_t made, limit;
    int thresholds[PYB_GENERATIONS];
    int backoff, backoff_max; /* how many times the first one counts */
    /* For generations 1 and 2: collections of the next younger one since the
       last of this one. */
    int counts[PYB_GENERATIONS];
    int initialized;
    int fast;        /* initialized, without checks, audit and trace */
    int audit;       /* what happens to objects is told: see events.h */
    int trace;       /* births and deaths of objects are told */
    int malloc_only; /* PYBOEHM_MALLOC=plain: each block is malloc's */
    int enabled;
    unsigned collecting; /* collections, teardowns, censuses under way: no
                            collection begins within one */
    int depth_before;    /* deallocations under way when the first began */
    struct pyb_extent *innermost; /* in the frame of the last one's function */
    Py_ssize_t look_at; /* so many made: see whether it still is under way */
    long stress;        /* PYBOEHM_STRESS: a full collection at each allocation
                           whose number this divides; 0: at none */
    size_t old;         /* survivors of the last full collection */
    size_t promoted;    /* objects that have grown old since */
    unsigned long changes; /* with checks: plain objects made and freed,
                              containers freed, (un)tracked, requests
                              to collect */
};
extern struct pyb_control pyb_control;

/* pyb_control_set_audit, pyb_control_set_trace: from now on the events of
   objects are told, or no longer; see events.h.  Both are off after
   Py_Initialize. */
void pyb_control_set_audit(int on);
void pyb_control_set_trace(int on);

/* pyb_control_require: fatal, naming what was asked for, unless Py_Initialize
   has been called; with checks, also unless this thread is attached. */
void pyb_control_require(const char *what);

/* pyb_control_need: the first half of it, for functions that otherwise would
   answer without noticing. */
static inline void
pyb_control_need(const char *what)
{
    if (_PyB_UNLIKELY(!pyb_control.initialized))
        pyb_control_require(what);
}

/* pyb_control_begin, pyb_control_end: around what no collection may begin in;
   they may nest.  The extent is the caller's, and stays until the end. */
void pyb_control_begin(struct pyb_extent *extent);
void pyb_control_end(struct pyb_extent *extent);

/* pyb_control_due_at: where pyb_control.made makes an automatic collection
   due. pyb_control_set_limit: after a change of what the limit depends on.
   pyb_control_choose_paths: the same of the fast paths, and so of the limit.
 */
Py_ssize_t pyb_control_due_at(void);
void pyb_control_set_limit(void);
void pyb_control_choose_paths(void);

/* pyb_control_hurry: the next container that is made takes the slow path,
   which is a safe place for deferred calls, until the limit is set again; safe
   in signal handlers. */
void pyb_control_hurry(void);

/* pyb_control_activity: with checks, a number that changes when an object is
   allocated, freed or tracked, or a collection is asked for: tp_traverse must
   not. */
unsigned long pyb_control_activity(void);

#endif /* PYB_GC_CONTROL_H */
