/* listed.h: the objects that a report lists one by one: all of a small heap;
   of a large one those that retain most, some of each type, and what leads to
   these. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_LISTED_H
#define PYB_WATCH_REPORT_LISTED_H

#include "watch/report/retained.h"
#include "watch/why/edges.h"

enum {
    PYB_LISTED_MAX = 20000,
    PYB_LISTED_OWNERS = 4 /* owners that are named for an object */
};

struct pyb_listed_owner {
    uint32_t owner;           /* the number of the object, from one; 0: none */
    char name[PYB_EDGE_NAME]; /* of the place in it */
};

struct pyb_listed {
    size_t n;
    uint32_t *objects; /* their numbers, those that retain most first */
    uint32_t *place;   /* for each object of the snapshot its place in the
                          list, from one; 0: it has none */
    /* PYB_LISTED_OWNERS for each in the list; the first is the one that the
       shortest way from outside leads through. */
    struct pyb_listed_owner *owners;
};

/* pyb_listed_take: chooses the objects and names their owners.  Returns 0, or
   -1 if there is no memory. */
int pyb_listed_take(struct pyb_listed *listed,
                    const struct pyb_snapshot *snapshot,
                    const struct pyb_retained *retained);

/* pyb_listed_check: fatal if an object is not in its place, or an owner is no
   container or named twice, see gc/base/fatal.h. */
void pyb_listed_check(const struct pyb_listed *listed,
                      const struct pyb_snapshot *snapshot,
                      const struct pyb_retained *retained);

void pyb_listed_end(struct pyb_listed *listed);

#endif /* PYB_WATCH_REPORT_LISTED_H */
