/* pending.h: the life of pending calls. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PENDING_H
#define PYB_OBJECT_PENDING_H

/* pyb_pending_init: the library starts; 0, or -1 if there is no memory.
   pyb_pending_finish: it ends: makes the calls that still wait. */
int pyb_pending_init(void);
void pyb_pending_finish(void);

#endif /* PYB_OBJECT_PENDING_H */
