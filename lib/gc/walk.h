/* walk.h: going over objects, a card at a time.

   All, those of generation 0 or of 0 and 1, or the members of a set: the
   passes of the collector are the same over each of them.  While a walk is
   under way nothing may be tracked; the caller sees to it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WALK_H
#define PYB_GC_WALK_H

#include "gc/sidetable.h"

enum pyb_walk_kind { PYB_WALK_ALL, PYB_WALK_RECENT, PYB_WALK_SET };

struct pyb_walk {
    enum pyb_walk_kind kind;
    /* ALL */
    int tracked; /* all that is: condemned and frozen ones too */
    struct pyb_region *region;
    size_t card_number;
    /* RECENT */
    int middle;            /* generation 1 too */
    struct pyb_card *card; /* NULL at the end */
    /* SET: members may be NULL */
    PyObject **member, **end;
};

/* What pyb_walk_next hands out at most. */
enum { PYB_WALK_BATCH = PYB_CARD_GRANULES };

/* The start of a walk over what a collection of a generation looks at, which
   is it and the younger ones; condemned objects are in none. */
struct pyb_walk pyb_walk_generation(enum pyb_generation oldest);

/* The start of a walk over all tracked objects, condemned and frozen ones too;
   over the members of a set. */
struct pyb_walk pyb_walk_tracked(void);
struct pyb_walk pyb_walk_set(PyObject **members, size_t n);

/* pyb_walk_next: puts the next objects into batch and returns their number; 0
   at the end. */
size_t pyb_walk_next(struct pyb_walk *walk, PyObject *batch[PYB_WALK_BATCH]);

#endif /* PYB_GC_WALK_H */
