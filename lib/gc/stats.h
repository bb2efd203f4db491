/* stats.h: what collections looked at and found, and how long they took. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_STATS_H
#define PYB_GC_STATS_H

#include <stddef.h>
#include <time.h>

#include "gc/sidetable.h"
#include "pyboehm.h"

/* Why the program had to wait. */
enum pyb_why {
    PYB_WHY_ALLOCATION, /* enough containers were made */
    PYB_WHY_EXPLICIT,   /* it was asked for */
    PYB_WHY_BOEHM,      /* Boehm has collected: adopted ones may be dead */
    PYB_WHY_STRESS,     /* PYBOEHM_STRESS */
    PYB_WHY_FINALIZER   /* Boehm calls the finalizer of a set that a collection
                           has left to it: no collection */
};

/* A collection, or the late teardown of what one has found. */
struct pyb_pause {
    enum pyb_generation generation;
    enum pyb_why why;
    int nested; /* in another one, whose time it takes */
    size_t candidates, collected, uncollectable;
    size_t bytes; /* of the blocks that were freed */
    struct timespec begun;
    double duration; /* seconds; once it is over */
};

/* pyb_stats_init: all is 0, and time begins. */
void pyb_stats_init(void);

/* pyb_stats_begin: a pause begins. */
struct pyb_pause pyb_stats_begin(enum pyb_generation generation,
                                 enum pyb_why why);

/* pyb_stats_freed: what the teardown of a set that was found in a generation
   came to. */
void pyb_stats_freed(enum pyb_generation generation, size_t collected,
                     size_t uncollectable, size_t bytes);

/* pyb_stats_end: the pause is over; those who watch are told. */
void pyb_stats_end(struct pyb_pause *pause);

/* pyb_stats_get: PyBoehm_GetStats, called from anywhere at any time. */
PyBoehm_Stats pyb_stats_get(void);

#endif /* PYB_GC_STATS_H */
