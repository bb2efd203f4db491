/* objectset.c: sets of objects that are not containers.  See objectset.h. */

#include "Python.h"

#include <stdlib.h>

#include "watch/rows.h"
#include "watch/why/objectset.h"

void
pyb_objectset_add(struct pyb_objectset *plain, PyObject *op)
{
    PyObject **more =
        pyb_rows_grow(plain->all, plain->n, &plain->room, sizeof *more);

    if (more == NULL) {
        plain->no_memory = 1;
        return;
    }
    plain->all = more;
    more[plain->n++] = op;
}

static int
compare(const void *one, const void *other)
{
    uintptr_t a = (uintptr_t) * (PyObject *const *)one;
    uintptr_t b = (uintptr_t) * (PyObject *const *)other;

    return (a > b) - (a < b);
}

void
pyb_objectset_sort(struct pyb_objectset *plain)
{
    size_t n = 0;

    if (plain->n == 0)
        return;
    qsort(plain->all, plain->n, sizeof *plain->all, compare);
    for (size_t i = 1; i < plain->n; i++)
        if (plain->all[i] != plain->all[n])
            plain->all[++n] = plain->all[i];
    plain->n = n + 1;
}

void
pyb_objectset_check(const struct pyb_objectset *plain)
{
    PYB_ALWAYS(plain->n <= plain->room, NULL,
               "a list of objects has more than room");
    for (size_t i = 1; i < plain->n; i++)
        PYB_ALWAYS(compare(&plain->all[i - 1], &plain->all[i]) < 0, NULL,
                   "a list of objects is not in order");
}

int
pyb_objectset_has(const struct pyb_objectset *plain, PyObject *op)
{
    return plain->n > 0 && bsearch(&op, plain->all, plain->n,
                                   sizeof *plain->all, compare) != NULL;
}

void
pyb_objectset_end(struct pyb_objectset *plain)
{
    free(plain->all);
    *plain = (struct pyb_objectset){0, 0, NULL, 0};
}
