/* origins.h: the places where leaked objects were allocated, summed up by
   chain of calls. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LEAKS_ORIGINS_H
#define PYB_WATCH_LEAKS_ORIGINS_H

#include <stdio.h>

#include "object.h"

struct pyb_origin {
    size_t chain; /* see trace.h */
    size_t n, bytes;
    size_t held;      /* of these: by others */
    uintptr_t hidden; /* the complement of one's address; a search of memory is
                         not to find it here */
};

struct pyb_origins {
    size_t n;
    struct pyb_origin *all; /* by chain; the first one, 0, stands for objects
                               with an unknown chain; NULL if nothing was
                               recorded, or without memory */
};

/* pyb_origins_count: an object more; held: another one owns it, which is
   counted, too. */
void pyb_origins_begin(struct pyb_origins *origins);
void pyb_origins_count(struct pyb_origins *origins, PyObject *op, size_t bytes,
                       int held);

/* pyb_origins_sort: those whose objects are held come last; before that, those
   with the most bytes first.
   pyb_origins_end: frees the counts. */
void pyb_origins_sort(struct pyb_origins *origins);
void pyb_origins_end(struct pyb_origins *origins);

/* pyb_origins_print: prints the chains with the most bytes, and frees the
   counts. */
void pyb_origins_print(struct pyb_origins *origins, FILE *file);

#endif /* PYB_WATCH_LEAKS_ORIGINS_H */
