/* bytesfind.h: searches bytes for bytes.  This also works for str, since valid
   UTF-8 is found only at the beginning of a character. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_BYTES_BYTESFIND_H
#define PYB_TYPES_BYTES_BYTESFIND_H

#include "Python.h"

/* struct pyb_extent: size bytes. */
struct pyb_extent {
    const char *data;
    Py_ssize_t size;
};

/* pyb_search_first, pyb_search_last: the first or last place of the needle,
   NULL if there is none.  An empty one occurs at the start and at the end. */
const char *pyb_search_first(struct pyb_extent hay, struct pyb_extent needle);
const char *pyb_search_last(struct pyb_extent hay, struct pyb_extent needle);

/* pyb_search_count: the number of occurrences of a needle that is not empty,
   without overlaps. */
Py_ssize_t pyb_search_count(struct pyb_extent hay, struct pyb_extent needle);

/* pyb_search_starts, pyb_search_ends: 1 or 0. */
int pyb_search_starts(struct pyb_extent hay, struct pyb_extent needle);
int pyb_search_ends(struct pyb_extent hay, struct pyb_extent needle);

/* pyb_search_adjust: fits start and end, which may count from the end, to a
   sequence of that length; *start may remain greater than *end. */
void pyb_search_adjust(Py_ssize_t *start, Py_ssize_t *end, Py_ssize_t length);

#endif /* PYB_TYPES_BYTES_BYTESFIND_H */
