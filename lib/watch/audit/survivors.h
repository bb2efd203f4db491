/* survivors.h: members of a condemned set that are alive after tp_clear. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REST_H
#define PYB_WATCH_REST_H

#include <stdint.h>

#include "gc/condemned.h"

/* While it is open, the gcref of each object is its place, counted from
   one. */
struct pyb_survivors {
    PyObject **objects; /* borrowed */
    uint32_t n;
    const struct pyb_set *set;
};

#define PYB_NOWHERE UINT32_MAX

/* pyb_survivors_begin: finds the members that are alive.  Returns 0; or -1 if
   there are none, or there is no memory, and then nothing is open. */
int pyb_survivors_begin(struct pyb_survivors *survivors,
                        const struct pyb_set *set);
void pyb_survivors_end(struct pyb_survivors *survivors);

/* pyb_survivors_place: the place of an object, from zero; PYB_NOWHERE for any
   other address. */
uint32_t pyb_survivors_place(const struct pyb_survivors *survivors,
                             const PyObject *op);

/* pyb_survivors_narrow: drops the objects that are reached from outside of the
   set; without memory, all objects. */
void pyb_survivors_narrow(struct pyb_survivors *survivors);

#endif /* PYB_WATCH_REST_H */
