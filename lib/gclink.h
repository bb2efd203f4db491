/* gclink.h: the collector's ties to the object layer. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GCLINK_H
#define PYB_GCLINK_H

/* pyb_gclink_init: fills in the collector's upcalls and starts it; 0, or -1 if
   there is no memory. */
int pyb_gclink_init(void);

/* pyb_gclink_fini: ends the collector.  Objects that live on keep their
   memory. */
void pyb_gclink_fini(void);

#endif /* PYB_GCLINK_H */
