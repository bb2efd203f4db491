/* outside.h: the places that have an object's address, and that no container
   accounts for: variables, stacks, the host's memory.

   Counts tell how many references come from outside, but not from where.  Each
   owner has the address somewhere, so all memory of the process is searched.
   An address may be in memory that is not used any more, above all on a stack:
   a place is a hint.  Places that are accounted for are left out: those in
   containers that visit the object, and in malloc memory of such containers as
   many as there are visits; so are freed blocks and unused parts of stacks. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_OUTSIDE_H
#define PYB_WATCH_MEMORY_OUTSIDE_H

#include "watch/why/census.h"
#include "watch/why/place.h"

struct pyb_places {
    size_t n;
    struct pyb_place *all; /* sorted by target, the likeliest owners first */
    int unknown;           /* memory cannot be read */
};

/* pyb_outside_find: finds the places of n objects in one search.  The part of
   this thread's stack above ground is in use; addresses below it do not count,
   among them those in the array objects, which the caller has on its stack.
   Returns 0, or -1 with MemoryError. */
int pyb_outside_find(const struct pyb_census *census, PyObject *const *objects,
                     size_t n, uintptr_t ground, struct pyb_places *places);

void pyb_outside_free(struct pyb_places *places);

#endif /* PYB_WATCH_MEMORY_OUTSIDE_H */
