/* gclink.h: the collector's ties to the object layer. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_GCLINK_H
#define PYB_OBJECT_GCLINK_H

/* pyb_gclink_init: fills in the collector's upcalls and starts it; 0, or -1 if
   there is no memory. */
int pyb_gclink_init(void);

/* pyb_gclink_fini: ends the collector.  Objects that live on keep their
   memory. */
void pyb_gclink_fini(void);

/* pyb_gclink_is_atomic: the upcall is_atomic, see gc/upcalls.h; defined where
   the types that have _PyB_TPFLAGS_UNTRACKABLE are. */
int pyb_gclink_is_atomic(PyObject *op, int full);

#endif /* PYB_OBJECT_GCLINK_H */
