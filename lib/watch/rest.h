/* rest.h: what is left of a condemned set when its members have been
   cleared. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REST_H
#define PYB_WATCH_REST_H

#include <stdint.h>

#include "gc/condemned.h"

/* While it is open the cell of each object is its place, from one on. */
struct pyb_rest {
    PyObject **objects; /* borrowed */
    uint32_t n;
    const struct pyb_set *set;
};

#define PYB_NOWHERE UINT32_MAX

/* pyb_rest_begin: the members that are alive.  0, or -1, with nothing open, if
   there are none, or there is no memory. */
int pyb_rest_begin(struct pyb_rest *rest, const struct pyb_set *set);
void pyb_rest_end(struct pyb_rest *rest);

/* pyb_rest_place: that of any address; PYB_NOWHERE: it is not of the rest. */
uint32_t pyb_rest_place(const struct pyb_rest *rest, const PyObject *op);

/* pyb_rest_narrow: leaves out whom somebody else owns, at once or through
   others; without memory all. */
void pyb_rest_narrow(struct pyb_rest *rest);

#endif /* PYB_WATCH_REST_H */
