/* handled.h: the handled exception, for errors.c. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_HANDLED_H
#define PYB_OBJECT_ERROR_HANDLED_H

#include "Python.h"

/* pyb_handled_chain: the handled exception, which there is, becomes the
   context of the pending one.  Never fails. */
void pyb_handled_chain(void);

#endif /* PYB_OBJECT_ERROR_HANDLED_H */
