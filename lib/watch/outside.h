/* outside.h: the places that have an object's address, and that no container
   answers for: variables, stacks, the host's memory.

   Counts say how many owners there are outside, and not who.  Whoever has a
   reference has the address somewhere, so all memory of the process is looked
   through.  An address may stand where nobody reads it any more, on a stack
   above all: a place is a hint.  Places that are accounted for are left out:
   those in containers that visit the object, and in malloc memory that such a
   container refers to; so are freed blocks and unused parts of stacks. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_OUTSIDE_H
#define PYB_WATCH_OUTSIDE_H

#include "watch/census.h"
#include "watch/place.h"

struct pyb_places {
    size_t n;
    struct pyb_place *all; /* by target, the likeliest owners first */
    int unknown;           /* memory cannot be read */
};

/* pyb_outside_find: the places of n objects, any number of them in one go.
   This thread's stack is in use from ground up; what is below is nobody's, the
   array of objects, which the caller has there, too.  0, or -1 with
   MemoryError. */
int pyb_outside_find(const struct pyb_census *census, PyObject *const *objects,
                     size_t n, uintptr_t ground, struct pyb_places *places);

void pyb_outside_free(struct pyb_places *places);

#endif /* PYB_WATCH_OUTSIDE_H */
