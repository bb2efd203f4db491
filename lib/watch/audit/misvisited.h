/* misvisited.h: addresses that tp_traverse visits and that are not objects. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_MISVISITED_H
#define PYB_WATCH_AUDIT_MISVISITED_H

#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_misvisited_find: adds the types with a tp_traverse that visits NULL,
   dead objects or other memory.  Returns 0, or -1 if there is no memory. */
int pyb_misvisited_find(const struct pyb_evidence *evidence,
                        struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_MISVISITED_H */
