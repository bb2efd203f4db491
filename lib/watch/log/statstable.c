/* statstable.c: the collector's figures as a table, for PYBOEHM_STATS=1.

   Manual: doc/statistics.md. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/control.h"
#include "gc/stats.h"
#include "watch/log/statstable.h"

#include <unistd.h>

/* The table is wanted, and is not written yet. */
static int wanted;

static const double milli = 1e3;

/* The figures of a generation, in the table's order: what the row "all" makes
   of them, and what the table calls them; NULL: they have no column. */
static const struct figure {
    size_t offset;
    enum { SUM, SUM_OF_SECONDS, MOST_SECONDS } kind;
    int width;
    const char *column;
} figures[] = {
#define OFFSET(field) offsetof(PyBoehm_GenerationStats, field)
    {OFFSET(collections), SUM, 11, "collections"},
    {OFFSET(candidates), SUM, 11, "candidates"},
    {OFFSET(collected), SUM, 10, "collected"},
    {OFFSET(bytes), SUM, 11, "bytes freed"},
    {OFFSET(duration), SUM_OF_SECONDS, 10, "total ms"},
    {OFFSET(longest), MOST_SECONDS, 10, "longest ms"},
    {OFFSET(uncollectable), SUM, 0, NULL},
#undef OFFSET
};
enum { FIGURES = sizeof figures / sizeof *figures };
_Static_assert(sizeof(Py_ssize_t) == sizeof(double), "fields are as large");
_Static_assert(FIGURES * sizeof(double) == sizeof(PyBoehm_GenerationStats),
               "figures has all fields");

static void *
field_of(PyBoehm_GenerationStats *row, const struct figure *figure)
{
    return (char *)row + figure->offset;
}

static void
add(PyBoehm_GenerationStats *sum, PyBoehm_GenerationStats *row)
{
    for (int i = 0; i < FIGURES; i++) {
        void *to = field_of(sum, &figures[i]);
        void *from = field_of(row, &figures[i]);

        if (figures[i].kind == SUM)
            *(Py_ssize_t *)to += *(Py_ssize_t *)from;
        else if (figures[i].kind == SUM_OF_SECONDS)
            *(double *)to += *(double *)from;
        else
            *(double *)to = Py_MAX(*(double *)to, *(double *)from);
    }
}

static void
write_heads(FILE *file)
{
    fprintf(file, "%10s", "generation");
    for (int i = 0; i < FIGURES; i++)
        if (figures[i].column != NULL)
            fprintf(file, " %*s", figures[i].width, figures[i].column);
    putc('\n', file);
}

static void
write_row(FILE *file, const char *name, PyBoehm_GenerationStats *row)
{
    fprintf(file, "%10s", name);
    for (int i = 0; i < FIGURES; i++) {
        void *field = field_of(row, &figures[i]);

        if (figures[i].column == NULL)
            continue;
        if (figures[i].kind == SUM)
            fprintf(file, " %*zd", figures[i].width, *(Py_ssize_t *)field);
        else
            fprintf(file, " %*.3f", figures[i].width,
                    *(double *)field * milli);
    }
    putc('\n', file);
}

static void
write_rows(FILE *file, PyBoehm_GenerationStats *rows,
           PyBoehm_GenerationStats *all)
{
    static const char *const names[] = {"0", "1", "2"};

    _Static_assert(Py_ARRAY_LENGTH(names) == PyBoehm_GC_GENERATIONS,
                   "each generation has a name");
    write_heads(file);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        write_row(file, names[i], &rows[i]);
    write_row(file, "all", all);
}

static void
write_boehm(FILE *file, const PyBoehm_BoehmStats *boehm)
{
    static const double mega = 1e-6;

    fprintf(file,
            "Boehm's heap: %.1f MB, %.1f MB of it free; %.1f MB unmapped; "
            "%.1f MB allocated\n",
            (double)boehm->heap_bytes * mega, (double)boehm->free_bytes * mega,
            (double)boehm->unmapped_bytes * mega,
            (double)boehm->total_bytes * mega);
    fprintf(file,
            "Boehm's collections: %zu, %.3f ms in all, the longest %.3f ms\n",
            boehm->collections, boehm->duration * milli,
            boehm->longest * milli);
}

static void
write_teardowns(FILE *file, const PyBoehm_TeardownStats *teardowns)
{
    fprintf(file,
            "sets of dead objects torn down: %zd in Boehm's finalizer, %zd by "
            "the collector%s\n",
            teardowns->by_finalizer, teardowns->by_collector,
            teardowns->waiting ? "; one waits for Boehm" : "");
    if (teardowns->starved > 0)
        fprintf(file,
                "collections that left something undone for lack of memory: "
                "%zd\n",
                teardowns->starved);
}

static void
write_snapshots(FILE *file, const PyBoehm_SnapshotStats *snapshots)
{
    if (snapshots->taken + snapshots->failed == 0)
        return;
    fprintf(file,
            "snapshots: %zd, %zd failed, %zd not wanted any more; waited for "
            "%.3f ms in all, the longest %.3f ms\n",
            snapshots->taken, snapshots->failed, snapshots->dropped,
            snapshots->duration * milli, snapshots->longest * milli);
}

static void
write_table(FILE *file)
{
    PyBoehm_Stats stats = pyb_stats_get();
    PyBoehm_GenerationStats all = {0};

    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        add(&all, &stats.generations[i]);
    fprintf(file,
            "pyboehm: process %ld, %.3f s after Py_Initialize, %.1f %% of that"
            " in collections\n",
            (long)getpid(), stats.elapsed, 100 * all.duration / stats.elapsed);
    write_rows(file, stats.generations, &all);
    if (all.uncollectable > 0)
        fprintf(file, "uncollectable objects: %zd\n", all.uncollectable);
    write_teardowns(file, &stats.teardowns);
    write_snapshots(file, &stats.snapshots);
    write_boehm(file, &stats.boehm);
    fflush(file);
}

void
PyBoehm_WriteStats(FILE *file)
{
    pyb_control_require(__func__);
    write_table(file);
}

/* ------------------------------------------------------------------ */
/* PYBOEHM_STATS                                                       */

void
pyb_watch_stats_end(void)
{
    if (wanted)
        write_table(stderr);
    wanted = 0;
}

/* Writes the table if the process ends without Py_Finalize. */
static void
at_exit(void)
{
    pyb_watch_stats_end();
}

void
pyb_watch_stats_begin(void)
{
    static int registered;
    wanted = pyb_environment_switch("PYBOEHM_STATS") == PYB_ON;
    if (wanted && !registered)
        registered = atexit(at_exit) == 0;
}
