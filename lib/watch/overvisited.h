/* overvisited.h: references that tp_traverse reports and that are none. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_OVERVISITED_H
#define PYB_WATCH_OVERVISITED_H

#include "watch/evidence.h"
#include "watch/findings.h"

/* pyb_overvisited_find: adds the types whose tp_traverse visits an object more
   often than there are references to it.  0, or -1 if there is no memory. */
int pyb_overvisited_find(const struct pyb_evidence *evidence,
                         struct pyb_findings *findings);

#endif /* PYB_WATCH_OVERVISITED_H */
