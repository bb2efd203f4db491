/* retained.h: what objects and types keep alive.

   An object retains the bytes that would be free if it were: its own, and
   those of all objects that it dominates.  A type retains what its objects do;
   what one of them retains within another one of the same type counts
   once. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_RETAINED_H
#define PYB_WATCH_REPORT_RETAINED_H

#include "watch/report/dominators.h"
#include "watch/report/snapshot.h"

struct pyb_retained_row {
    size_t n, bytes, retained;
    size_t outside, garbage, adopted; /* how many of the objects are */
};

struct pyb_retained {
    struct pyb_dominators dominators;
    size_t *bytes;                 /* for each object */
    struct pyb_retained_row *rows; /* for each type two: its objects, and those
                                      that are pyboehm's own */
};

/* pyb_retained_take: Returns 0, or -1 if there is no memory. */
int pyb_retained_take(struct pyb_retained *retained,
                      const struct pyb_snapshot *snapshot);
void pyb_retained_end(struct pyb_retained *retained);

/* pyb_retained_check: fatal if the objects' bytes, or the rows, do not add up,
   see gc/base/fatal.h. */
void pyb_retained_check(const struct pyb_retained *retained,
                        const struct pyb_snapshot *snapshot);

/* pyb_retained_row: the number of the row that an object is counted in. */
static inline size_t
pyb_retained_row(const struct pyb_snapshot *snapshot, size_t i)
{
    PYB_ASSERT(i < snapshot->n && snapshot->type[i] < snapshot->types.n);
    return 2 * (size_t)snapshot->type[i] +
           ((snapshot->state[i] & PYB_THING_OWN) != 0);
}

#endif /* PYB_WATCH_REPORT_RETAINED_H */
