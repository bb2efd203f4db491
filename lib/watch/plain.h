/* plain.h: sets of objects that are no containers, as lists that grow. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_PLAIN_H
#define PYB_WATCH_PLAIN_H

#include <stddef.h>

#include "object.h"

struct pyb_plain {
    size_t n, room;
    PyObject **all; /* borrowed */
    int no_memory;  /* some are missing */
};

/* pyb_plain_add: perhaps not for the first time. */
void pyb_plain_add(struct pyb_plain *plain, PyObject *op);

/* pyb_plain_sort: by address, each once; to be called before pyb_plain_has. */
void pyb_plain_sort(struct pyb_plain *plain);
int pyb_plain_has(const struct pyb_plain *plain, PyObject *op);

void pyb_plain_end(struct pyb_plain *plain);

#endif /* PYB_WATCH_PLAIN_H */
