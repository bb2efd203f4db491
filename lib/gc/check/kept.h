/* kept.h: with checks or an audit: garbage that is still owned when all of it
   has been cleared. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_KEPT_H
#define PYB_GC_CHECK_KEPT_H

#include "gc/condemned.h"

/* pyb_kept_each: the members of a set have been cleared; tells of those that
   are left and have references from outside of it.  Boehm's reference to an
   adopted member does not count. */
void pyb_kept_each(const struct pyb_set *set, void (*tell)(PyObject *op));

/* pyb_kept_check: fatal if there is one that was visited too often, as it
   seems. */
void pyb_kept_check(const struct pyb_set *set);

#endif /* PYB_GC_CHECK_KEPT_H */
