/* permanent.h: objects that live as long as the process: static types,
   immortal objects, and all objects that these refer to. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_PERMANENT_H
#define PYB_WATCH_WHY_PERMANENT_H

#include "watch/why/census.h"
#include "watch/why/objectset.h"

struct pyb_permanent {
    const struct pyb_census *census;
    unsigned char *is; /* for each container: 1 if it is permanent */
    size_t *queue, n;  /* the numbers of the permanent ones */
    struct pyb_objectset
        plain; /* the permanent objects that are not containers */
};

/* pyb_permanent_take: finds the objects.  Returns 0, or -1 with
   MemoryError. */
int pyb_permanent_take(struct pyb_permanent *permanent,
                       const struct pyb_census *census);
void pyb_permanent_end(struct pyb_permanent *permanent);

/* pyb_permanent_check: fatal if a container is permanent and has not been
   found, or was found twice, see gc/base/fatal.h. */
void pyb_permanent_check(const struct pyb_permanent *permanent);

#endif /* PYB_WATCH_WHY_PERMANENT_H */
