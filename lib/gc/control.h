/* control.h: when to collect, and one collection from end to end. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CONTROL_H
#define PYB_GC_CONTROL_H

#include "object.h"

#include <stddef.h>

enum pyb_generation { PYB_YOUNG, PYB_FULL };

struct pyb_control {
    /* Containers made and not freed since the last collection; at limit an
       automatic one is due.  The limit is out of reach while the collector is
       disabled or at work. */
    Py_ssize_t made, limit;
    Py_ssize_t threshold;
    int initialized;
    int enabled;
    unsigned collecting;   /* collections and teardowns under way */
    size_t old;            /* survivors of the last full collection */
    size_t promoted;       /* young objects that have grown old since */
    unsigned long changes; /* with checks: objects freed, (un)tracked */
};
extern struct pyb_control pyb_control;

/* pyb_control_init: starts the collector; 0, or -1 if there is no memory. */
int pyb_control_init(void);

/* pyb_control_fini: ends it; objects that live on stay held. */
void pyb_control_fini(void);

/* pyb_control_require: fatal, naming what was asked for, unless Py_Initialize
   has been called. */
void pyb_control_require(const char *what);

/* pyb_control_automatic: collects what is due. */
void pyb_control_automatic(void);

/* pyb_control_collect: collects, enabled or not.  Returns how many objects
   were found unreachable; 0 if a collection is under way. */
Py_ssize_t pyb_control_collect(enum pyb_generation generation);

/* pyb_control_begin, pyb_control_end: around what no collection may begin
   in. */
void pyb_control_begin(void);
void pyb_control_end(void);

/* pyb_control_activity: a number that changes when an object is allocated,
   freed or tracked; for the checks of tp_traverse. */
unsigned long pyb_control_activity(void);

#endif /* PYB_GC_CONTROL_H */
