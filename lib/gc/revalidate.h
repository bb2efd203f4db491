/* revalidate.h: a condemned set is looked at again, and what lives is rescued.
 */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_REVALIDATE_H
#define PYB_GC_REVALIDATE_H

#include "gc/condemned.h"

/* pyb_judge: of a set that has just been condemned, adopted members among
   them: Boehm is asked about these, and what it sees is rescued with all that
   it reaches.  The host's finalizers may run.  The verdict is no final one:
   pyb_revalidate asks again.

   pyb_revalidate: rescues the members that are owned from outside, and what
   Boehm sees.  Post-condition: no member is one that Boehm sees, or that code
   of the host's can have got hold of since Boehm said so. */
void pyb_judge(struct pyb_set *set);
void pyb_revalidate(struct pyb_set *set);

/* pyb_condemned_any_adopted: is a member adopted? */
int pyb_condemned_any_adopted(const struct pyb_set *set);

#endif /* PYB_GC_REVALIDATE_H */
