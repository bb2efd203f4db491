/* rows.h: arrays that grow. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_ROWS_H
#define PYB_WATCH_ROWS_H

#include "Python.h"

#include <stdlib.h>
#include <string.h>

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

/* Rows of types, each of which begins with its type. */
struct pyb_typerows {
    void *all; /* NULL, or from malloc */
    size_t n, room;
};

/* pyb_typerows_of: the row of a type; if there is none, a new one at the end,
   zero but for the type.  NULL if there is no memory. */
static inline void *
pyb_typerows_of(struct pyb_typerows *rows, size_t size, PyTypeObject *type)
{
    char *row = rows->all;

    for (size_t i = 0; i < rows->n; i++, row += size)
        if (*(PyTypeObject **)(void *)row == type)
            return row;
    row = pyb_rows_grow(rows->all, rows->n, &rows->room, size);
    if (row == NULL)
        return NULL;
    rows->all = row;
    row += size * rows->n++;
    memset(row, 0, size);
    *(PyTypeObject **)(void *)row = type;
    return row;
}

#endif /* PYB_WATCH_ROWS_H */
