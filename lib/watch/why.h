/* why.h: who holds an object, for those who have a census already. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_H
#define PYB_WATCH_WHY_H

#include <stdint.h>
#include <stdio.h>

#include "watch/census.h"
#include "watch/place.h"

/* pyb_why_tell: what PyBoehm_WhyAlive writes and returns.  This thread's stack
   is in use from ground up. */
int pyb_why_tell(const struct pyb_census *census, PyObject *op,
                 uintptr_t ground, FILE *file);

/* pyb_why_name: writes what an object is called, "module 'custom' at 0x1a0".
 */
void pyb_why_name(PyObject *op, FILE *file);

#endif /* PYB_WATCH_WHY_H */
