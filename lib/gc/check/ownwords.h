/* ownwords.h: the library's own words.
   internals: adoption */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_OWNWORDS_H
#define PYB_GC_CHECK_OWNWORDS_H

#include "gc/condemned.h"

/* pyb_ownwords_check: Boehm is about to be asked about the set: fatal if a
   word of the library's own leads to a member, for Boehm would see it. */
void pyb_ownwords_check(const struct pyb_set *set);

#endif /* PYB_GC_CHECK_OWNWORDS_H */
