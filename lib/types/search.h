/* search.h: looking for bytes in bytes.  For str it does as well: valid UTF-8
   is found only where a character begins. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SEARCH_H
#define PYB_TYPES_SEARCH_H

#include "Python.h"

/* struct pyb_span: size bytes. */
struct pyb_span {
    const char *data;
    Py_ssize_t size;
};

/* pyb_search_first, pyb_search_last: where the needle occurs first or last,
   NULL if nowhere.  An empty one occurs at the start and at the end. */
const char *pyb_search_first(struct pyb_span hay, struct pyb_span needle);
const char *pyb_search_last(struct pyb_span hay, struct pyb_span needle);

/* pyb_search_count: how often a needle that is not empty occurs, without
   overlaps. */
Py_ssize_t pyb_search_count(struct pyb_span hay, struct pyb_span needle);

/* pyb_search_starts, pyb_search_ends: 1 or 0. */
int pyb_search_starts(struct pyb_span hay, struct pyb_span needle);
int pyb_search_ends(struct pyb_span hay, struct pyb_span needle);

/* pyb_search_adjust: fits start and end, which may count from the end, to a
   sequence of that length; *start may remain greater than *end. */
void pyb_search_adjust(Py_ssize_t *start, Py_ssize_t *end, Py_ssize_t length);

#endif /* PYB_TYPES_SEARCH_H */
