/* kept.h: garbage that has an owner again after its tp_clear has been
   called. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_KEPT_H
#define PYB_WATCH_AUDIT_KEPT_H

#include "watch/audit/survivors.h"

/* pyb_kept_look: notices the survivors with references from outside of the
   set. */
void pyb_kept_look(const struct pyb_survivors *survivors);

#endif /* PYB_WATCH_AUDIT_KEPT_H */
