/* retained.c: what objects and types keep alive.  See retained.h. */

#include "Python.h"

#include <stdlib.h>

#include "watch/report/retained.h"

/* ------------------------------------------------------------------ */
/* Objects                                                             */

/* From the last node to the first: what a node dominates comes behind it. */
static void
sum_objects(struct pyb_retained *retained, const struct pyb_snapshot *snapshot)
{
    const struct pyb_dominators *dominators = &retained->dominators;

    memcpy(retained->bytes, snapshot->bytes, snapshot->n * sizeof(size_t));
    for (size_t i = dominators->n; i-- > 0;) {
        uint32_t node = dominators->order[i];
        uint32_t parent = dominators->parent[node];

        if (parent != 0)
            retained->bytes[parent - 1] += retained->bytes[node];
    }
}

/* ------------------------------------------------------------------ */
/* Types                                                               */

static void
count_rows(struct pyb_retained *retained, const struct pyb_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->n; i++) {
        struct pyb_retained_row *row =
            &retained->rows[pyb_retained_row(snapshot, i)];
        unsigned state = snapshot->state[i];

        row->n++;
        row->bytes += snapshot->bytes[i];
        row->outside += (state & PYB_THING_OUTSIDE) != 0;
        row->garbage += (state & PYB_THING_GARBAGE) != 0;
        row->adopted += (state & PYB_THING_ADOPTED) != 0;
    }
}

/* A walk over the dominator tree that counts, for each row, the nodes on the
   way from the root to where it is. */
struct descent {
    uint32_t *child, *sibling; /* by number from one, so that 0 is the root */
    uint32_t *above;           /* by row */
};

static int
begin_descent(struct descent *d, const struct pyb_retained *retained,
              size_t n_objects, size_t n_rows)
{
    const struct pyb_dominators *dominators = &retained->dominators;

    d->child = calloc(n_objects + 1, sizeof *d->child);
    d->sibling = calloc(n_objects + 1, sizeof *d->sibling);
    d->above = calloc(n_rows + 1, sizeof *d->above);
    if (d->child == NULL || d->sibling == NULL || d->above == NULL)
        return -1;
    for (size_t i = 0; i < dominators->n; i++) {
        uint32_t node = dominators->order[i];
        uint32_t parent = dominators->parent[node];

        d->sibling[node + 1] = d->child[parent];
        d->child[parent] = node + 1;
    }
    return 0;
}

/* Only the first node of a row on the way down counts. */
static void
descend(struct descent *d, struct pyb_retained *retained,
        const struct pyb_snapshot *snapshot)
{
    uint32_t at = d->child[0];

    while (at != 0) {
        size_t row = pyb_retained_row(snapshot, at - 1);

        if (d->above[row]++ == 0)
            retained->rows[row].retained += retained->bytes[at - 1];
        if (d->child[at] != 0) {
            at = d->child[at];
            continue;
        }
        for (;;) {
            d->above[pyb_retained_row(snapshot, at - 1)]--;
            if (d->sibling[at] != 0) {
                at = d->sibling[at];
                break;
            }
            at = retained->dominators.parent[at - 1];
            if (at == 0)
                return;
        }
    }
}

static int
sum_types(struct pyb_retained *retained, const struct pyb_snapshot *snapshot)
{
    struct descent d = {NULL, NULL, NULL};
    int result =
        begin_descent(&d, retained, snapshot->n, 2 * snapshot->types.n);

    if (result == 0)
        descend(&d, retained, snapshot);
    free(d.child);
    free(d.sibling);
    free(d.above);
    return result;
}

/* ------------------------------------------------------------------ */

int
pyb_retained_take(struct pyb_retained *retained,
                  const struct pyb_snapshot *snapshot)
{
    *retained = (struct pyb_retained){.bytes = NULL};
    retained->bytes = calloc(snapshot->n + 1, sizeof *retained->bytes);
    retained->rows = calloc(2 * snapshot->types.n + 1, sizeof *retained->rows);
    if (retained->bytes != NULL && retained->rows != NULL &&
        pyb_dominators_take(&retained->dominators, &snapshot->flow,
                            snapshot->is_root) == 0) {
        sum_objects(retained, snapshot);
        count_rows(retained, snapshot);
        if (sum_types(retained, snapshot) == 0)
            return 0;
    }
    pyb_retained_end(retained);
    return -1;
}

void
pyb_retained_end(struct pyb_retained *retained)
{
    pyb_dominators_end(&retained->dominators);
    free(retained->bytes);
    free(retained->rows);
    *retained = (struct pyb_retained){.bytes = NULL};
}
