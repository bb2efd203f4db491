/* kept.h: garbage that turns out to have an owner when its tp_clear has
   been called. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_KEPT_H
#define PYB_WATCH_KEPT_H

#include "watch/rest.h"

/* pyb_kept_look: notices those that others than the rest own. */
void pyb_kept_look(const struct pyb_rest *rest);

#endif /* PYB_WATCH_KEPT_H */
