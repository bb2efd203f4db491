/* revalidate.h: a condemned set is looked at again, and what lives is rescued.
 */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_REVALIDATE_H
#define PYB_GC_REVALIDATE_H

#include "gc/condemned.h"

/* Of functions that handle members, called by those that have Boehm collect: a
   pointer to a member left in a caller's frame would be one that Boehm sees.
 */
#define PYB_APART __attribute__((noinline))

/* pyb_revalidate: spares the members that are owned from outside.  With ask,
   or if something was adopted lately, Boehm is asked about the adopted ones,
   and what it sees is rescued with all that it reaches; the host's finalizers
   may run. Without, only the set refers to these. */
void pyb_revalidate(struct pyb_set *set, int ask);

/* pyb_set_any_adopted: is a member adopted? */
int pyb_set_any_adopted(const struct pyb_set *set);

#endif /* PYB_GC_REVALIDATE_H */
