/* misvisited.h: what tp_traverse visits and is no object. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MISVISITED_H
#define PYB_WATCH_MISVISITED_H

#include "watch/evidence.h"
#include "watch/findings.h"

/* pyb_misvisited_find: adds the types whose tp_traverse visits NULL, dead
   objects or other memory.  0, or -1 if there is no memory. */
int pyb_misvisited_find(const struct pyb_evidence *evidence,
                        struct pyb_findings *findings);

#endif /* PYB_WATCH_MISVISITED_H */
