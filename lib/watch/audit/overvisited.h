/* overvisited.h: visits of tp_traverse without a reference. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_OVERVISITED_H
#define PYB_WATCH_AUDIT_OVERVISITED_H

#include "gc/check/visits.h"
#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_overvisited_find: adds the types with a tp_traverse that visits an
   object more often than there are references to it.  Returns 0, or -1 if
   there is no memory. */
int pyb_overvisited_find(const struct pyb_evidence *evidence,
                         struct pyb_findings *findings);

/* pyb_overvisited_note: an object was cleared as garbage, and has an owner:
   this may be why. */
void pyb_overvisited_note(const struct pyb_visits *suspicion);

#endif /* PYB_WATCH_AUDIT_OVERVISITED_H */
