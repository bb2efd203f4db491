/* unbroken.h: cycles that tp_clear has not broken. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_UNBROKEN_H
#define PYB_WATCH_UNBROKEN_H

#include "watch/rest.h"

/* pyb_unbroken_look: of the rest that nobody but one another owns, notices
   what keeps them: a cycle that is as small as it gets, of each part that
   hangs together. */
void pyb_unbroken_look(const struct pyb_rest *rest);

#endif /* PYB_WATCH_UNBROKEN_H */
