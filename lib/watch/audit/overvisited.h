/* overvisited.h: visits of tp_traverse without a reference. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_OVERVISITED_H
#define PYB_WATCH_AUDIT_OVERVISITED_H

#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_overvisited_find: adds the types with a tp_traverse that visits an
   object more often than there are references to it.  Returns 0, or -1 if
   there is no memory. */
int pyb_overvisited_find(const struct pyb_evidence *evidence,
                         struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_OVERVISITED_H */
