/* unvisited.h: references that tp_traverse does not report. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_UNVISITED_H
#define PYB_WATCH_UNVISITED_H

#include "watch/evidence.h"
#include "watch/findings.h"

/* pyb_unvisited_find: adds the types whose tp_traverse does not report what
   their instances own, and heap types that are not given up.  0, or -1 if
   there is no memory. */
int pyb_unvisited_find(const struct pyb_evidence *evidence,
                       struct pyb_findings *findings);

#endif /* PYB_WATCH_UNVISITED_H */
