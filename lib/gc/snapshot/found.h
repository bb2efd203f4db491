/* found.h: what a snapshot has found dead, in memory that the child and the
   program share.
   internals: snapshots

   The dead are divided.  Two of them are connected if one refers to the other,
   or both are connected with a third one; all that are connected are one
   component.  No component knows of another one, so some of them may be torn
   down as a set of their own, as if a collection had found no more: they are a
   group.  (A weak reference connects nothing: the callback of one that is
   condemned is not called, whichever set it is in.)

   A group is small, so that its end takes a fraction of a millisecond.  A
   component that is too large for that is in none. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_FOUND_H
#define PYB_GC_FOUND_H

#include "gc/condemned.h"

struct pyb_found;

/* A group has no more members than that, however many are wanted. */
enum { PYB_GROUP_MAX = 1 << 14 };

/* pyb_found_new: for a snapshot that is taken now, with groups of so many
   members, or of one larger component; NULL without memory.
   pyb_found_free: gives it up; NULL is nothing. */
struct pyb_found *pyb_found_new(size_t wanted);
void pyb_found_free(struct pyb_found *found);

/* pyb_found_fill: in the child: looks for the dead, and puts them into groups.
   Its gcrefs are of no use after that.
   pyb_found_is_filled: is that done? */
void pyb_found_fill(struct pyb_found *found);
int pyb_found_is_filled(const struct pyb_found *found);

/* pyb_found_condemn: condemns the dead that are candidates still: the current
   set, which is to be counted again.  *candidates becomes the number of
   objects that were looked at. */
struct pyb_set pyb_found_condemn(const struct pyb_found *found,
                                 size_t *candidates);

/* pyb_found_next_group: the members of a group, as far as they wait still,
   become the current set, a part of the other one, which is to be counted
   again.  Their lines are written to an array with room for PYB_GROUP_MAX,
   which has to last as long as the set.  *next is the number of the group that
   is looked at first, and becomes that of the next one.  The set is empty if
   there is none. */
struct pyb_set pyb_found_next_group(const struct pyb_found *found,
                                    size_t *next, struct pyb_line **lines);

#endif /* PYB_GC_FOUND_H */
