/* census.h: all containers that are alive, and who owns them.

       struct pyb_census census;

       if (pyb_census_take(&census) < 0)
           return -1;  MemoryError
       ...
       pyb_census_end(&census);

   Dictionaries of instances that nobody has seen are none: they are parts of
   the instances.

   In between nothing may run but tp_traverse: nothing is made, freed, tracked
   or collected.  Objects that are no containers lie in malloc memory; only
   what refers to them knows them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_CENSUS_H
#define PYB_WATCH_CENSUS_H

#include <stddef.h>

#include "object.h"

struct pyb_person {
    PyObject *op;    /* borrowed */
    Py_ssize_t left; /* counted references that no container's tp_traverse
                        reports, Boehm's own not among them: its owners
                        outside; less than 0: visited too often.  0 of what is
                        immortal */
};

struct pyb_census {
    size_t n;
    struct pyb_person *people; /* in the order of their addresses, a region of
                                  the side table after the other */
};

/* pyb_census_take: 0, or -1 with MemoryError.  No collection begins until
   pyb_census_end; it must not be called in the middle of one. */
int pyb_census_take(struct pyb_census *census);

/* pyb_census_find: whose address it is; NULL of anything else.  Any address
   will do. */
struct pyb_person *pyb_census_find(const struct pyb_census *census,
                                   const void *address);

void pyb_census_end(struct pyb_census *census);

#endif /* PYB_WATCH_CENSUS_H */
