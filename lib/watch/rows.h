/* rows.h: arrays that grow. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_ROWS_H
#define PYB_WATCH_ROWS_H

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"

/* pyb_rows_grow: makes room for one more row in an array from malloc that has
   n.  Returns the array, or NULL if there is no memory; then it is as it
   was. */
static inline void *
pyb_rows_grow(void *rows, size_t n, size_t *room, size_t size)
{
    size_t wanted = 2 * *room + 64;

    PYB_ASSERT(size > 0 && n < wanted && (rows != NULL || *room == 0));
    if (n < *room)
        return rows;
    if (wanted > SIZE_MAX / size ||
        (rows = realloc(rows, wanted * size)) == NULL)
        return NULL;
    *room = wanted;
    return rows;
}

#endif /* PYB_WATCH_ROWS_H */
