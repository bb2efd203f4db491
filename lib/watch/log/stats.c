/* stats.c: the collector's figures as a table, for PYBOEHM_STATS=1.

   Manual: doc/statistics.md. */

#include "Python.h"

#include "gc/control.h"
#include "gc/environment.h"
#include "gc/stats.h"
#include "watch/log/stats.h"

#include <unistd.h>

/* The table is wanted, and is not written yet. */
static int wanted;

static const double milli = 1e3;

static void
write_row(FILE *file, const char *name, const PyBoehm_GenerationStats *row)
{
    fprintf(file, "%10s %11zd %11zd %10zd %11zd %10.3f %10.3f\n", name,
            row->collections, row->candidates, row->collected, row->bytes,
            row->duration * milli, row->longest * milli);
}

static PyBoehm_GenerationStats
sum(const PyBoehm_GenerationStats *rows)
{
    PyBoehm_GenerationStats sum = {0};

    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        sum.collections += rows[i].collections;
        sum.candidates += rows[i].candidates;
        sum.collected += rows[i].collected;
        sum.uncollectable += rows[i].uncollectable;
        sum.bytes += rows[i].bytes;
        sum.duration += rows[i].duration;
        sum.longest = Py_MAX(sum.longest, rows[i].longest);
    }
    return sum;
}

static void
write_rows(FILE *file, const PyBoehm_GenerationStats *rows)
{
    static const char *const names[] = {"0", "1", "2"};

    fprintf(file, "%10s %11s %11s %10s %11s %10s %10s\n", "generation",
            "collections", "candidates", "collected", "bytes freed",
            "total ms", "longest ms");
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        write_row(file, names[i], &rows[i]);
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
write_table(FILE *file)
{
    PyBoehm_Stats stats = pyb_stats_get();
    PyBoehm_GenerationStats all = sum(stats.generations);

    fprintf(file,
            "pyboehm: process %ld, %.3f s after Py_Initialize, %.1f %% of that"
            " in collections\n",
            (long)getpid(), stats.elapsed, 100 * all.duration / stats.elapsed);
    write_rows(file, stats.generations);
    write_row(file, "all", &all);
    if (all.uncollectable > 0)
        fprintf(file, "uncollectable objects: %zd\n", all.uncollectable);
    write_teardowns(file, &stats.teardowns);
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
    const char *wish = pyb_environment("PYBOEHM_STATS");

    wanted = wish != NULL && strtol(wish, NULL, 10) > 0;
    if (wanted && !registered)
        registered = atexit(at_exit) == 0;
}
