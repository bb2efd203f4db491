/* unreleased.h: heap types that dead instances still own. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_UNRELEASED_H
#define PYB_WATCH_UNRELEASED_H

#include "watch/evidence.h"
#include "watch/findings.h"

/* pyb_unreleased_find: adds the heap types that have references of which there
   is no trace: instances died and did not give theirs up.  slips_to says of
   each container in how many words of others its address stands that no visit
   accounts for.  0, or -1 if there is no memory. */
int pyb_unreleased_find(const struct pyb_evidence *evidence,
                        const uint32_t *slips_to,
                        struct pyb_findings *findings);

#endif /* PYB_WATCH_UNRELEASED_H */
