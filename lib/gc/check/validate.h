/* validate.h: functions that are fatal if a structure of the collector
   contradicts itself.  fatal.h says when they are called; pyb_line_check is in
   sidetable.h.

   All of them look only, and may be called wherever the attached thread is not
   in the middle of changing what they look at. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_VALIDATE_H
#define PYB_GC_CHECK_VALIDATE_H

#include "gc/condemned.h"
#include "gc/heap/heap.h"
#include "gc/heap/sidetable.h"

/* pyb_validate_is_due: is it this occasion's turn to walk over all that is
   ours?  Of a small heap each occasion has its turn; of a large one as many as
   keep the cost of an occasion constant, or each young collection would walk
   over all old objects. */
int pyb_validate_is_due(void);
#define PYB_EXPENSIVE_WALK(call)                                              \
    PYB_EXPENSIVE(pyb_validate_is_due() ? (call) : (void)0)

/* pyb_region_check: where it is, its pages, and each line of these. */
void pyb_region_check(const struct pyb_region *region);

/* pyb_size_check: the free list of blocks of one size, and its length. */
void pyb_size_check(const struct pyb_size *s);

/* pyb_recent_check: the list of recent lines: it ends, and has just the lines
   that say so. */
void pyb_recent_check(void);

/* pyb_gcrefs_check: all gcrefs are 0: not between pyb_cycle_deduce and
   pyb_cycle_forget. */
void pyb_gcrefs_check(void);

/* pyb_condemned_check: a set that is not done, and its members. */
void pyb_condemned_check(const struct pyb_set *set);

/* pyb_condemned_done_check: one that is: nothing has its mark. */
void pyb_condemned_done_check(const struct pyb_set *set);

/* pyb_heap_check: all regions, all sizes, the list of recent lines, and
   whether they add up: between the phases of a collection. */
void pyb_heap_check(void);

#endif /* PYB_GC_CHECK_VALIDATE_H */
