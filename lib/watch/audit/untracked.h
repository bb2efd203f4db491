/* untracked.h: objects that no collection sees, because PyObject_GC_Track was
   not called for them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNTRACKED_H
#define PYB_WATCH_AUDIT_UNTRACKED_H

#include "watch/audit/findings.h"
#include "watch/memory/evidence.h"

/* pyb_untracked_find: adds a finding for each type of the program's with
   instances that are not tracked and in a cycle to which nothing outside
   leads: these are never freed.  Returns 0, or -1 if there is no memory. */
int pyb_untracked_find(const struct pyb_evidence *evidence,
                       struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_UNTRACKED_H */
