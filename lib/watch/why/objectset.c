/* objectset.c: sets of objects that are not containers.  See objectset.h. */

#include "Python.h"

#include <stdlib.h>

#include "watch/rows.h"
#include "watch/why/objectset.h"

void
pyb_objectset_add(struct pyb_objectset *set, PyObject *op)
{
    PyObject **more =
        pyb_rows_grow(set->all, set->n, &set->room, sizeof *more);

    if (more == NULL) {
        set->no_memory = 1;
        return;
    }
    set->all = more;
    more[set->n++] = op;
}

static int
compare(const void *one, const void *other)
{
    uintptr_t a = (uintptr_t) * (PyObject *const *)one;
    uintptr_t b = (uintptr_t) * (PyObject *const *)other;

    return (a > b) - (a < b);
}

void
pyb_objectset_sort(struct pyb_objectset *set)
{
    size_t n = 0;

    if (set->n == 0)
        return;
    qsort(set->all, set->n, sizeof *set->all, compare);
    for (size_t i = 1; i < set->n; i++)
        if (set->all[i] != set->all[n])
            set->all[++n] = set->all[i];
    set->n = n + 1;
}

void
pyb_objectset_check(const struct pyb_objectset *set)
{
    PYB_ALWAYS(set->n <= set->room, NULL,
               "a list of objects has more than room");
    for (size_t i = 1; i < set->n; i++)
        PYB_ALWAYS(compare(&set->all[i - 1], &set->all[i]) < 0, NULL,
                   "a list of objects is not in order");
}

int
pyb_objectset_has(const struct pyb_objectset *set, PyObject *op)
{
    return set->n > 0 &&
           bsearch(&op, set->all, set->n, sizeof *set->all, compare) != NULL;
}

void
pyb_objectset_end(struct pyb_objectset *set)
{
    free(set->all);
    *set = (struct pyb_objectset){0, 0, NULL, 0};
}
