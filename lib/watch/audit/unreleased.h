/* unreleased.h: heap types with references of dead instances. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNRELEASED_H
#define PYB_WATCH_AUDIT_UNRELEASED_H

#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_unreleased_find: adds the heap types with references that were not found
   in memory: instances died and did not release theirs.  slips_to has, for
   each container, the number of words in others with its address that no visit
   accounts for.  Returns 0, or -1 if there is no memory. */
int pyb_unreleased_find(const struct pyb_evidence *evidence,
                        const uint32_t *slips_to,
                        struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_UNRELEASED_H */
