/* origins.h: where leaked objects were allocated, equal chains of calls
   together. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_ORIGINS_H
#define PYB_WATCH_ORIGINS_H

#include <stdio.h>

#include "object.h"

struct pyb_origin {
    size_t chain; /* see trace.h */
    size_t n, bytes;
};

struct pyb_origins {
    size_t n;
    struct pyb_origin *all; /* by chain, 0 first: where nobody knows; NULL if
                               nothing was recorded, or without memory */
};

void pyb_origins_begin(struct pyb_origins *origins);
void pyb_origins_count(struct pyb_origins *origins, PyObject *op,
                       size_t bytes);

/* pyb_origins_print: the chains with the most bytes; ends the count. */
void pyb_origins_print(struct pyb_origins *origins, FILE *file);

#endif /* PYB_WATCH_ORIGINS_H */
