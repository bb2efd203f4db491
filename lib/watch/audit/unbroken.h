/* unbroken.h: cycles that tp_clear has not broken. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNBROKEN_H
#define PYB_WATCH_AUDIT_UNBROKEN_H

#include "watch/audit/survivors.h"

/* pyb_unbroken_look: notices the cycles that keep the survivors, which must
   not be reached from outside of the set: for each connected part a cycle that
   is as short as possible. */
void pyb_unbroken_look(const struct pyb_survivors *survivors);

#endif /* PYB_WATCH_AUDIT_UNBROKEN_H */
