/* defects.h: objects and types that have a defect, see gc/check/defect.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_DEFECTS_H
#define PYB_WATCH_AUDIT_DEFECTS_H

#include "gc/check/defect.h"
#include "watch/audit/findings.h"

/* pyb_defects_note: notices a defect that has come to light.  The member of
   struct pyb_events; see gc/base/events.h. */
void pyb_defects_note(enum pyb_defect defect, PyObject *op);

/* pyb_defects_find: adds the defects of all objects, and, if events were
   watched from the start, those of dead objects' memory.  Returns 0, or -1 if
   there is no memory. */
int pyb_defects_find(struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_DEFECTS_H */
