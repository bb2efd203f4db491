/* pending.h: the end of pending calls. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PENDING_H
#define PYB_OBJECT_PENDING_H

/* pyb_pending_init: prepares for forks. */
void pyb_pending_init(void);

/* pyb_pending_finish: the library ends: makes the calls that still wait. */
void pyb_pending_finish(void);

#endif /* PYB_OBJECT_PENDING_H */
