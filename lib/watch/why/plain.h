/* plain.h: sets of objects that are not containers, as lists that grow. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_PLAIN_H
#define PYB_WATCH_WHY_PLAIN_H

#include <stddef.h>

#include "object.h"

struct pyb_plain {
    size_t n, room;
    PyObject **all; /* borrowed */
    int no_memory;  /* memory ran out, and some are missing */
};

/* pyb_plain_add: adds an object, which may be in the list already. */
void pyb_plain_add(struct pyb_plain *plain, PyObject *op);

/* pyb_plain_sort: sorts by address and removes duplicates; it must be called
   before pyb_plain_has. */
void pyb_plain_sort(struct pyb_plain *plain);
int pyb_plain_has(const struct pyb_plain *plain, PyObject *op);

/* pyb_plain_check: fatal if a list that was sorted is not, see
   gc/base/fatal.h. */
void pyb_plain_check(const struct pyb_plain *plain);

void pyb_plain_end(struct pyb_plain *plain);

#endif /* PYB_WATCH_WHY_PLAIN_H */
