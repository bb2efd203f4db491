/* why.h: what keeps an object alive, for callers that have a census. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_WHY_H
#define PYB_WATCH_WHY_WHY_H

#include <stdint.h>
#include <stdio.h>

#include "watch/why/census.h"
#include "watch/why/place.h"

/* pyb_why_tell: does the work of PyBoehm_WhyAlive.  The part of this thread's
   stack above ground is in use. */
int pyb_why_tell(const struct pyb_census *census, PyObject *op,
                 uintptr_t ground, FILE *file);

/* pyb_why_places: see places in events.h. */
size_t pyb_why_places(PyObject *op, FILE *file);

#endif /* PYB_WATCH_WHY_WHY_H */
