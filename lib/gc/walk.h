/* walk.h: going over objects, a card at a time.

   All, the young ones, or the members of a set: the passes of the collector
   are the same over each of them.  While a walk is under way nothing may be
   tracked; the caller sees to it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WALK_H
#define PYB_GC_WALK_H

#include "gc/sidetable.h"

enum pyb_walk_kind { PYB_WALK_ALL, PYB_WALK_YOUNG, PYB_WALK_SET };

struct pyb_walk {
    enum pyb_walk_kind kind;
    /* ALL */
    int condemned; /* these too */
    struct pyb_region *region;
    size_t card_number;
    /* YOUNG; NULL at the end */
    struct pyb_card *card;
    /* SET: members may be NULL */
    PyObject **member, **end;
};

/* What pyb_walk_next hands out at most. */
enum { PYB_WALK_BATCH = PYB_CARD_GRANULES };

/* The start of a walk over all tracked objects that are not condemned; over
   the young ones of them; over the members of a set. */
struct pyb_walk pyb_walk_all(void);
struct pyb_walk pyb_walk_young(void);
struct pyb_walk pyb_walk_set(PyObject **members, size_t n);

/* The start of a walk over all tracked objects, condemned ones too. */
struct pyb_walk pyb_walk_tracked(void);

/* pyb_walk_next: puts the next objects into batch and returns their number; 0
   at the end. */
size_t pyb_walk_next(struct pyb_walk *walk, PyObject *batch[PYB_WALK_BATCH]);

#endif /* PYB_GC_WALK_H */
