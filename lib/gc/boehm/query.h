/* query.h: mark queries, as the other files of this directory see them.
   boehm.h has the rest.
   internals: adoption */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_QUERY_H
#define PYB_GC_BOEHM_QUERY_H

#include "gc/boehm/private.h"

/* pyb_query_mark_token: Boehm's mark procedure for tokens. */
struct GC_ms_entry *pyb_query_mark_token(GC_word *block,
                                         struct GC_ms_entry *top,
                                         struct GC_ms_entry *limit,
                                         GC_word env);

/* pyb_query_mark_begins: so it does; the world is stopped. */
void pyb_query_mark_begins(void);

/* pyb_query_roots: the roots are about to be pushed; 0 where that is needless:
   Boehm pushes them once more if its mark stack overflows while it marks what
   finalizers need.  The world runs then, and what our roots lead to has its
   mark already.
   pyb_query_mark_ended, pyb_query_collection_ended: so they have. */
int pyb_query_roots(void);
void pyb_query_mark_ended(void);
void pyb_query_collection_ended(void);

/* pyb_query_fini: the library ends: takes its hook out. */
void pyb_query_fini(void);

#endif /* PYB_GC_BOEHM_QUERY_H */
