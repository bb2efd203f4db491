/* quiet.h: collections of Boehm's that run no finalizers. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_QUIET_H
#define PYB_GC_BOEHM_QUIET_H

#include "gc/boehm/private.h"

/* pyb_quiet_can: can there be one?  pyb_quiet_collect: makes one.  0 if Boehm
   has not collected: it marks by and by, or waits to be asked.  What it finds
   is kept back until pyb_boehm_run_finalizers.
   pyb_quiet_abandon: nothing is. */
int pyb_quiet_can(void);
int pyb_quiet_collect(void);
void pyb_quiet_abandon(void);

#endif /* PYB_GC_BOEHM_QUIET_H */
