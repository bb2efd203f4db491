/* retained.c: what objects and types keep alive.  See retained.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/report/retained.h"

/* ------------------------------------------------------------------ */
/* Objects                                                             */

/* From the last node to the first: what a node dominates comes behind it. */
static void
sum_objects(struct pyb_retained *retained, const struct pyb_snapshot *snapshot)
{
    const struct pyb_dominators *dominators = &retained->dominators;

    PYB_ASSERT(dominators->n <= snapshot->n);
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
            row = pyb_retained_row(snapshot, at - 1);
            PYB_ASSERT(d->above[row] > 0); /* it was counted on the way down */
            d->above[row]--;
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

/* Each object that is reached is within one that nothing dominates. */
static void
check_objects(const struct pyb_retained *retained,
              const struct pyb_snapshot *snapshot)
{
    size_t own = 0, outermost = 0;

    for (size_t i = 0; i < retained->dominators.n; i++) {
        uint32_t node = retained->dominators.order[i];

        own += snapshot->bytes[node];
        if (retained->dominators.parent[node] == 0)
            outermost += retained->bytes[node];
    }
    PYB_ALWAYS(own == outermost, NULL,
               "objects retain other bytes than there are");
}

void
pyb_retained_check(const struct pyb_retained *retained,
                   const struct pyb_snapshot *snapshot)
{
    size_t n = 0, bytes = 0;

    check_objects(retained, snapshot);
    for (size_t i = 0; i < 2 * snapshot->types.n; i++) {
        const struct pyb_retained_row *row = &retained->rows[i];

        PYB_ALWAYS(row->outside <= row->n && row->garbage <= row->n &&
                       row->adopted <= row->n,
                   NULL, "a row has more of its objects than it has");
        n += row->n;
        bytes += row->bytes;
    }
    for (size_t i = 0; i < snapshot->n; i++) {
        PYB_ALWAYS(retained->bytes[i] >= snapshot->bytes[i], NULL,
                   "an object retains less than itself");
        bytes -= snapshot->bytes[i];
    }
    PYB_ALWAYS(n == snapshot->n && bytes == 0, NULL,
               "the rows have other objects than there are");
}

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
        if (sum_types(retained, snapshot) == 0) {
            PYB_EXPENSIVE(pyb_retained_check(retained, snapshot));
            return 0;
        }
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
