/* callbacks.h: functions that want to know of each collection. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CALLBACKS_H
#define PYB_GC_CALLBACKS_H

#include "pyboehm.h"

/* pyb_callbacks_call: calls them all; there is no pending exception before and
   after. */
void pyb_callbacks_call(const char *phase, const PyBoehm_GC_Info *info);

/* pyb_callbacks_forget: removes them all. */
void pyb_callbacks_forget(void);

#endif /* PYB_GC_CALLBACKS_H */
