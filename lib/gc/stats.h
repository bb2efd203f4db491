/* stats.h: what collections looked at and found, and how long they took. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_STATS_H
#define PYB_GC_STATS_H

#include <stddef.h>
#include <time.h>

#include "gc/heap/sidetable.h"
#include "pyboehm.h"

/* Why the program had to wait. */
enum pyb_why {
    PYB_WHY_ALLOCATION, /* enough containers were made */
    PYB_WHY_EXPLICIT,   /* it was asked for */
    PYB_WHY_BOEHM,      /* Boehm has collected: adopted ones may be dead */
    PYB_WHY_STRESS,     /* PYBOEHM_STRESS */
    PYB_WHY_SNAPSHOT,   /* a snapshot has found what is dead */
    PYB_WHY_LATE        /* no collection: a set that one has left to Boehm is
                           torn down */
};

/* What has torn a set down. */
enum pyb_by {
    PYB_BY_NONE, /* there was none, or it waits */
    PYB_BY_COLLECTOR,
    PYB_BY_FINALIZER /* Boehm's */
};

struct pyb_set;

/* A collection, or the late teardown of what one has found. */
struct pyb_pause {
    enum pyb_generation generation;
    enum pyb_why why;
    int nested; /* in another one, whose time it takes */
    enum pyb_by by;
    size_t candidates, collected, uncollectable;
    size_t bytes; /* of the blocks that were freed */
    int starved;  /* something was left undone for lack of memory */
    struct timespec begun;
    double duration; /* seconds; once it is over */
};

/* pyb_stats_init: all is 0, and time begins. */
void pyb_stats_init(void);

/* pyb_stats_begin: a pause begins. */
struct pyb_pause pyb_stats_begin(enum pyb_generation generation,
                                 enum pyb_why why);

/* pyb_stats_now: for what follows.  pyb_stats_snapshot_taken: the program has
   waited since then for a snapshot.  pyb_stats_snapshot_failed,
   pyb_stats_snapshot_dropped: one came to nothing: it could not be, or was not
   wanted any more. */
struct timespec pyb_stats_now(void);
void pyb_stats_snapshot_taken(struct timespec begun);
void pyb_stats_snapshot_failed(void);
void pyb_stats_snapshot_dropped(void);

/* pyb_stats_waiting: is there a set that waits? */
void pyb_stats_waiting(int waits);

/* pyb_stats_torn_down: a set is done.  One that a jump gave up never is: its
   figures are in no sum. */
void pyb_stats_torn_down(const struct pyb_set *set);

/* pyb_stats_end: the pause is over, with what came of its set; the
   event of a collection's end is told. */
void pyb_stats_end(struct pyb_pause *pause, const struct pyb_set *set);

/* pyb_stats_get: PyBoehm_GetStats, called from anywhere at any time. */
PyBoehm_Stats pyb_stats_get(void);

#endif /* PYB_GC_STATS_H */
