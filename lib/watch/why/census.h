/* census.h: all containers that are alive, and how many references to each
   come from outside.

       struct pyb_census census;
       if (pyb_census_take(&census) < 0)
           return -1;  MemoryError
       ...
       pyb_census_end(&census);

   A dictionary of an instance that has not been asked for (see
   object/attr/instancedict.h) is not entered: it is part of the instance.

   While a census is open, only tp_traverse may run: nothing may be made,
   freed, tracked or collected.  Objects that are not containers lie in malloc
   memory and are known only by the references to them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_CENSUS_H
#define PYB_WATCH_WHY_CENSUS_H

#include <stddef.h>

#include "gc/base/extent.h"
#include "object.h"

struct pyb_node {
    PyObject *op;    /* borrowed */
    Py_ssize_t left; /* counted references that no container's tp_traverse
                        reports, without Boehm's own: those from outside.
                        Negative: visited too often.  0 for immortal objects */
};

struct pyb_census {
    size_t n;
    struct pyb_node *nodes; /* sorted by address within each region of the side
                               table */
    struct pyb_extent extent;
};

/* pyb_census_take: enters all containers.  Returns 0, or -1 with MemoryError.
   No collection begins until pyb_census_end; the function must not be called
   in the middle of one. */
int pyb_census_take(struct pyb_census *census);

/* pyb_census_find: the container at an address; NULL if there is none.  The
   address may be any number. */
struct pyb_node *pyb_census_find(const struct pyb_census *census,
                                 const void *address);

/* pyb_census_visits: how often a container visits an object. */
size_t pyb_census_visits(PyObject *owner, PyObject *op);

/* pyb_census_check: fatal if a container is not found by its address, or is
   out of order, see gc/base/fatal.h. */
void pyb_census_check(const struct pyb_census *census);

/* pyb_census_end: frees it, its addresses overwritten; collections may begin.
 */
void pyb_census_end(struct pyb_census *census);

#endif /* PYB_WATCH_WHY_CENSUS_H */
