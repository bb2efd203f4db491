/* bytesfind.h: searches bytes for bytes.  This also works for str, since valid
   UTF-8 is found only at the beginning of a character. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_BYTES_BYTESFIND_H
#define PYB_TYPES_BYTES_BYTESFIND_H

#include "Python.h"

/* struct pyb_span: size bytes. */
struct pyb_span {
    const char *data;
    Py_ssize_t size;
};

/* pyb_bytesfind_first, pyb_bytesfind_last: the first or last place of the
   needle, NULL if there is none.  An empty one occurs at the start and at the
   end. */
const char *pyb_bytesfind_first(struct pyb_span hay, struct pyb_span needle);
const char *pyb_bytesfind_last(struct pyb_span hay, struct pyb_span needle);

/* pyb_bytesfind_count: the number of occurrences of a needle that is not
   empty, without overlaps. */
Py_ssize_t pyb_bytesfind_count(struct pyb_span hay, struct pyb_span needle);

/* pyb_bytesfind_starts, pyb_bytesfind_ends: 1 or 0. */
int pyb_bytesfind_starts(struct pyb_span hay, struct pyb_span needle);
int pyb_bytesfind_ends(struct pyb_span hay, struct pyb_span needle);

/* pyb_bytesfind_adjust: fits start and end, which may count from the end, to a
   sequence of that length; *start may remain greater than *end. */
void pyb_bytesfind_adjust(Py_ssize_t *start, Py_ssize_t *end,
                          Py_ssize_t length);

#endif /* PYB_TYPES_BYTES_BYTESFIND_H */
