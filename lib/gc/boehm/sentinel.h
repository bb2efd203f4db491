/* sentinel.h: the sentinel, as the other files of this directory see it.
   boehm.h has the rest. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_SENTINEL_H
#define PYB_GC_BOEHM_SENTINEL_H

#include "gc/boehm/private.h"

/* pyb_sentinel_is: is this block the sentinel? */
int pyb_sentinel_is(const void *block);

/* pyb_sentinel_unmark: at the end of a mark: has Boehm find it unreachable,
   unless its finalizer is queued already. */
void pyb_sentinel_unmark(void);

/* pyb_sentinel_note_queued: its finalizer is going to be called. */
void pyb_sentinel_note_queued(void);

#endif /* PYB_GC_BOEHM_SENTINEL_H */
