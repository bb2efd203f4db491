/* unbroken.h: cycles that tp_clear has not broken. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_UNBROKEN_H
#define PYB_WATCH_UNBROKEN_H

#include "gc/condemned.h"

/* pyb_unbroken_look: a set's members have been cleared: of those that are
   still there, and that nobody but one another owns, notices what keeps them:
   a cycle that is as small as it gets, of each part that hangs together. */
void pyb_unbroken_look(struct pyb_set *set);

#endif /* PYB_WATCH_UNBROKEN_H */
