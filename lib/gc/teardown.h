/* teardown.h: the end of a condemned set, in CPython's order. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_TEARDOWN_H
#define PYB_GC_TEARDOWN_H

#include "gc/condemned.h"

/* pyb_teardown: runs callbacks, finalizers and tp_clear over the set.  Members
   that turn out to live are spared.  Counts in the set how many were dead:
   those cleared and those that cannot be. */
void pyb_teardown(struct pyb_set *set);

#endif /* PYB_GC_TEARDOWN_H */
