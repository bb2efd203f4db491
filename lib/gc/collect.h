/* collect.h: one collection from end to end, and when one is due.

   internals: collection */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_COLLECT_H
#define PYB_GC_COLLECT_H

#include "gc/control.h"

/* pyb_collect_init: starts the collector; 0, or -1 if there is no memory.
   pyb_collect_fini: ends it; objects that live on stay ours. */
int pyb_collect_init(void);
void pyb_collect_fini(void);

/* pyb_collect_automatic: at the limit: collects what is due. */
void pyb_collect_automatic(void);

/* pyb_collect_generation: collects our heap alone, enabled or not.  Returns
   how many objects were found unreachable; 0 if a collection is under way.
   pyb_collect_whole: PyGC_Collect, enabled or not. */
Py_ssize_t pyb_collect_generation(enum pyb_generation oldest);
Py_ssize_t pyb_collect_whole(void);

/* pyb_collect_is_under_way: is a collection under way?  One that was left by a
   jump is given up here. */
int pyb_collect_is_under_way(void);

#endif /* PYB_GC_COLLECT_H */
