/* control.h: when to collect, and one collection from end to end. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONTROL_H
#define PYB_GC_CONTROL_H

#include <stddef.h>

#include "gc/sidetable.h"
#include "pyboehm.h"

struct pyb_control {
    /* Containers made and not freed since the last collection; at limit an
       automatic one is due.  The limit is out of reach while the collector is
       disabled or at work, and always reached with checks or stress. */
    Py_ssize_t made, limit;
    int thresholds[PYB_GENERATIONS];
    int patience, patience_max; /* how many times the first one counts */
    /* For generations 1 and 2: collections of the next younger one since the
       last of this one. */
    int counts[PYB_GENERATIONS];
    int initialized;
    int quick; /* initialized, without checks, and nobody watches */
    /* Who watches objects come, and plain ones go; or NULL. */
    void (*made_one)(PyObject *op);
    void (*freed_one)(void *op, void *moved);
    int enabled;
    unsigned collecting; /* collections and teardowns under way */
    long stress;     /* PYBOEHM_STRESS: a full collection at each allocation
                        whose number this divides; 0: at none */
    size_t old;      /* survivors of the last full collection */
    size_t promoted; /* objects that have grown old since */
    unsigned long changes; /* with checks: plain objects made and freed,
                              containers freed, (un)tracked, requests
                              to collect */
};
extern struct pyb_control pyb_control;

/* pyb_control_init: starts the collector; 0, or -1 if there is no memory. */
int pyb_control_init(void);

/* pyb_control_fini: ends it; objects that live on stay held. */
void pyb_control_fini(void);

/* pyb_control_observe: somebody looks from now on; NULL: nobody does.  There
   is one at a time; pyb_control_fini ends it. */
struct pyb_observers;
void pyb_control_observe(const struct pyb_observers *observers);

/* pyb_control_watch: has made_one called with each new object, as soon as it
   has its head, and freed_one with each address that PyObject_Free gives back,
   or PyObject_Realloc, then with the one that takes its place; NULL: no
   longer.  They make, free and collect nothing. */
void pyb_control_watch(void (*made_one)(PyObject *op),
                       void (*freed_one)(void *op, void *moved));

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

/* pyb_control_automatic: at the limit: collects what is due. */
void pyb_control_automatic(void);

/* pyb_control_collect: collects our heap alone, enabled or not.  Returns how
   many objects were found unreachable; 0 if a collection is under way. */
Py_ssize_t pyb_control_collect(enum pyb_generation oldest);

/* pyb_control_collect_whole: PyGC_Collect, enabled or not. */
Py_ssize_t pyb_control_collect_whole(void);

/* pyb_control_begin, pyb_control_end: around what no collection may begin
   in. */
void pyb_control_begin(void);
void pyb_control_end(void);

/* pyb_control_activity: with checks, a number that changes when an object is
   allocated, freed or tracked, or a collection is asked for; for those of
   tp_traverse. */
unsigned long pyb_control_activity(void);

#endif /* PYB_GC_CONTROL_H */
