/* objectset.h: sets of objects that are not containers, as lists that grow. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_OBJECTSET_H
#define PYB_WATCH_WHY_OBJECTSET_H

#include <stddef.h>

#include "object.h"

struct pyb_objectset {
    size_t n, room;
    PyObject **all; /* borrowed */
    int no_memory;  /* memory ran out, and some are missing */
};

/* pyb_objectset_add: adds an object, which may be in the list already. */
void pyb_objectset_add(struct pyb_objectset *set, PyObject *op);

/* pyb_objectset_sort: sorts by address and removes duplicates; it must be
   called before pyb_objectset_has. */
void pyb_objectset_sort(struct pyb_objectset *set);
int pyb_objectset_has(const struct pyb_objectset *set, PyObject *op);

/* pyb_objectset_check: fatal if a list that was sorted is not, see
   gc/base/fatal.h. */
void pyb_objectset_check(const struct pyb_objectset *set);

void pyb_objectset_end(struct pyb_objectset *set);

#endif /* PYB_WATCH_WHY_OBJECTSET_H */
