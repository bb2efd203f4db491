/* growth.c: what grew since the last time: PyBoehm_Growth.

   What the last call saw is kept by the names of types: these may be gone by
   the next one, and others have their addresses. */

#include "Python.h"
#include "pyboehm.h"

#include <stdlib.h>

#include "gc/base/bold.h"
#include "gc/base/fatal.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/stats.h"
#include "object/error/errors.h"
#include "watch/leaks/trace.h"
#include "watch/report/heapreport.h"

struct row {
    char *name; /* from malloc */
    size_t n, bytes;
    size_t more, more_bytes; /* than the last time */
};

static struct {
    struct row *rows; /* sorted by name */
    size_t n;
    int called;
    double elapsed;
} last;

static void
drop(struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(rows[i].name);
    free(rows);
}

void
pyb_growth_end(void)
{
    drop(last.rows, last.n);
    memset(&last, 0, sizeof last);
}

/* ------------------------------------------------------------------ */
/* Counting                                                            */

static int
by_name(const void *one, const void *other)
{
    return strcmp(((const struct row *)one)->name,
                  ((const struct row *)other)->name);
}

/* Is each name there once, so that it is found? */
static int
check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        PYB_ASSERT(by_name(&rows[i - 1], &rows[i]) < 0);
    return 1;
}

/* Makes one of the rows with equal names, which are next to each other.
   Returns how many are left. */
static size_t
join(struct row *rows, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (kept > 0 && strcmp(rows[kept - 1].name, rows[i].name) == 0) {
            rows[kept - 1].n += rows[i].n;
            rows[kept - 1].bytes += rows[i].bytes;
            free(rows[i].name);
        } else {
            rows[kept++] = rows[i];
        }
    return kept;
}

/* A row for each type, without what is pyboehm's own. */
static void
count(const struct pyb_snapshot *snapshot, struct row *rows)
{
    for (size_t i = 0; i < snapshot->n; i++)
        if ((snapshot->state[i] & PYB_THING_OWN) == 0) {
            PYB_ASSERT(snapshot->type[i] < snapshot->types.n);
            rows[snapshot->type[i]].n++;
            rows[snapshot->type[i]].bytes += snapshot->bytes[i];
        }
}

/* The rows, sorted by name; NULL if there is no memory. */
static struct row *
take_rows(const struct pyb_snapshot *snapshot, size_t *n)
{
    size_t types = snapshot->types.n;
    struct row *rows = calloc(types + 1, sizeof *rows);

    for (size_t i = 0; rows != NULL && i < types; i++) {
        rows[i].name = strdup(pyb_snapshot_type(snapshot, i)->tp_name);
        if (rows[i].name == NULL) {
            drop(rows, i);
            rows = NULL;
        }
    }
    if (rows == NULL)
        return NULL;
    count(snapshot, rows);
    qsort(rows, types, sizeof *rows, by_name);
    *n = join(rows, types);
    return rows;
}

/* ------------------------------------------------------------------ */
/* Comparing                                                           */

static size_t
excess(size_t now, size_t then)
{
    return now > then ? now - then : 0;
}

static int
grew(const struct row *row)
{
    return row->more > 0 || row->more_bytes > 0;
}

/* Returns how many types grew. */
static int
compare(struct row *rows, size_t n)
{
    int types = 0;

    for (size_t i = 0; i < n; i++) {
        const struct row *then = last.n > 0
                                     ? bsearch(&rows[i], last.rows, last.n,
                                               sizeof *last.rows, by_name)
                                     : NULL;

        rows[i].more = excess(rows[i].n, then != NULL ? then->n : 0);
        rows[i].more_bytes =
            excess(rows[i].bytes, then != NULL ? then->bytes : 0);
        types += grew(&rows[i]);
    }
    return types;
}

/* ------------------------------------------------------------------ */
/* Printing                                                            */

static int
by_growth(const void *one, const void *other)
{
    const struct row *a = one, *b = other;

    if (a->more_bytes != b->more_bytes)
        return a->more_bytes > b->more_bytes ? -1 : 1;
    if (a->more != b->more)
        return a->more > b->more ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void
print_row(const struct row *row, FILE *file)
{
    fprintf(file, "%11zu %12zu %11zu %12zu  %s\n", row->more, row->more_bytes,
            row->n, row->bytes, row->name);
}

static struct row
sum(const struct row *rows, size_t n, char *name)
{
    struct row total = {.name = name};

    for (size_t i = 0; i < n; i++) {
        total.n += rows[i].n;
        total.bytes += rows[i].bytes;
        total.more += rows[i].more;
        total.more_bytes += rows[i].more_bytes;
    }
    return total;
}

/* Leaves the rows in another order. */
static void
print(struct row *rows, size_t n, int types, double elapsed, FILE *file)
{
    static char name[] = "all";
    struct row total = sum(rows, n, name);

    if (!last.called) {
        fprintf(file,
                "pyboehm: %zu object%s, %zu bytes; the next call says what "
                "grew\n",
                total.n, total.n == 1 ? "" : "s", total.bytes);
        return;
    }
    if (types == 0) {
        fprintf(file, "pyboehm: nothing grew in %.3f s%s\n", elapsed,
                pyb_trace_is_on() ? ""
                                  : "; what no container has is counted with "
                                    "PYBOEHM_TRACE=1");
        return;
    }
    fprintf(file, "%spyboehm: what grew in %.3f s%s\n", pyb_bold(file),
            elapsed, pyb_regular(file));
    fputs("   +objects       +bytes     objects        bytes  type\n", file);
    qsort(rows, n, sizeof *rows, by_growth);
    for (size_t i = 0; i < n && grew(&rows[i]); i++)
        print_row(&rows[i], file);
    print_row(&total, file);
}

/* Compares, prints, and keeps the rows for the next call. */
static int
tell(struct row *rows, size_t n, FILE *file)
{
    double now = pyb_stats_get().elapsed;
    int types = last.called ? compare(rows, n) : 0;

    PYB_ASSERT(types >= 0 && (size_t)types <= n);
    if (file != NULL)
        print(rows, n, types, now - last.elapsed, file);
    qsort(rows, n, sizeof *rows, by_name);
    PYB_EXPENSIVE(check_rows(rows, n));
    drop(last.rows, last.n);
    last.rows = rows;
    last.n = n;
    last.called = 1;
    last.elapsed = now;
    return types;
}

int
PyBoehm_Growth(FILE *file)
{
    struct pyb_snapshot snapshot;
    struct row *rows;
    size_t n = 0;

    pyb_control_require(__func__);
    if (pyb_collect_is_under_way())
        return pyb_fail(PyExc_RuntimeError, "a collection is under way");
    if (pyb_snapshot_take(&snapshot) < 0)
        return -1;
    rows = take_rows(&snapshot, &n);
    pyb_snapshot_end(&snapshot);
    if (rows == NULL)
        return PYB_MEMORY_ERROR(-1);
    return tell(rows, n, file);
}
