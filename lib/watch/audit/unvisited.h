/* unvisited.h: references that tp_traverse does not report. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNVISITED_H
#define PYB_WATCH_AUDIT_UNVISITED_H

#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_unvisited_find: adds the types with a tp_traverse that does not report
   what their instances own, and heap types that are not released.  Returns 0,
   or -1 if there is no memory. */
int pyb_unvisited_find(const struct pyb_evidence *evidence,
                       struct pyb_findings *findings);

/* Fields that the last audit could neither convict nor acquit: each would be
   such a finding if nothing else had a word that may own the reference. */
extern struct pyb_findings pyb_unvisited_undecided;

#endif /* PYB_WATCH_AUDIT_UNVISITED_H */
