/* pending.h: the start and the end of pending calls. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_PENDING_H
#define PYB_RUNTIME_PENDING_H

/* pyb_pending_init: prepares for forks. */
void pyb_pending_init(void);

/* pyb_pending_finish: makes the remaining calls when the library ends. */
void pyb_pending_finish(void);

#endif /* PYB_RUNTIME_PENDING_H */
