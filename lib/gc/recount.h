/* recount.h: a condemned set is looked at again, and what lives is spared. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_RECOUNT_H
#define PYB_GC_RECOUNT_H

#include "gc/condemned.h"

/* Of functions that handle members, called by those that have Boehm collect: a
   pointer to a member left in a caller's frame would be one that Boehm sees.
 */
#define PYB_APART __attribute__((noinline))

/* Has a member left the set?  It was freed, or untracked since the verdict;
   tracked again it would be young. */
static inline int
pyb_member_has_left(const PyObject *op)
{
    return op->ob_type == NULL ||
           !pyb_has_bit(pyb_card_held(op)->age2, pyb_bit_number(op));
}

/* How many members come first that are to be collected. */
static inline size_t
pyb_set_collectable(const struct pyb_set *set)
{
    return set->n - set->kept;
}

/* The walk over them. */
static inline struct pyb_walk
pyb_set_walk(const struct pyb_set *set)
{
    return pyb_walk_set(set->members, pyb_set_collectable(set));
}

/* pyb_recount: strikes members that have left the set, and spares what is
   owned from outside.  With ask, or if something was adopted lately, Boehm is
   asked about the adopted ones, and what it sees is spared with all that it
   reaches; the host's finalizers may run.  Without, nobody but the set refers
   to these. */
void pyb_recount(struct pyb_set *set, int ask);

/* pyb_set_any_adopted: is a member adopted that is to be collected? */
int pyb_set_any_adopted(const struct pyb_set *set);

#endif /* PYB_GC_RECOUNT_H */
