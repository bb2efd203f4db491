/* stats.c: what collections looked at and found, and how long they took. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/probes.h"
#include "gc/boehm/boehm.h"
#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/stats.h"

static struct {
    PyBoehm_GenerationStats generations[PYB_GENERATIONS];
    PyBoehm_TeardownStats teardowns;
    PyBoehm_SnapshotStats snapshots;
    struct timespec begun; /* Py_Initialize */
} stats;

struct timespec
pyb_stats_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

static double
seconds_since(struct timespec begun)
{
    struct timespec now = pyb_stats_now();

    PYB_ASSERT(begun.tv_nsec >= 0 && begun.tv_nsec < 1000000000);
    return (double)(now.tv_sec - begun.tv_sec) +
           1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
}

void
pyb_stats_init(void)
{
    memset(&stats, 0, sizeof stats);
    stats.begun = pyb_stats_now();
}

struct pyb_pause
pyb_stats_begin(enum pyb_generation generation, enum pyb_why why)
{
    struct pyb_pause pause = {.generation = generation, .why = why};

    PYB_ASSERT(generation <= PYB_OLD);
    if (why != PYB_WHY_LATE) {
        stats.generations[generation].collections++;
        PYB_PROBE1(gc__start, (int)generation);
    } else {
        pause.nested = pyb_control.collecting > 0;
    }
    pause.begun = pyb_stats_now();
    return pause;
}

void
pyb_stats_snapshot_taken(struct timespec begun)
{
    double duration = seconds_since(begun);

    stats.snapshots.taken++;
    stats.snapshots.duration += duration;
    stats.snapshots.longest = Py_MAX(stats.snapshots.longest, duration);
}

void
pyb_stats_snapshot_failed(void)
{
    stats.snapshots.failed++;
}

void
pyb_stats_snapshot_dropped(void)
{
    stats.snapshots.dropped++;
}

void
pyb_stats_waiting(int waits)
{
    PYB_ASSERT(waits == 0 || waits == 1);
    stats.teardowns.waiting = waits;
}

void
pyb_stats_torn_down(const struct pyb_set *set)
{
    PyBoehm_GenerationStats *g = &stats.generations[set->generation];

    PYB_ASSERT(set->by != PYB_BY_NONE && set->generation <= PYB_OLD);
    PYB_ASSERT(set->collected <= set->n);
    g->collected += (Py_ssize_t)set->collected;
    g->uncollectable += (Py_ssize_t)set->uncollectable;
    g->bytes += (Py_ssize_t)set->freed;
    if (set->by == PYB_BY_FINALIZER)
        stats.teardowns.by_finalizer++;
    else
        stats.teardowns.by_collector++;
}

void
pyb_stats_end(struct pyb_pause *pause, const struct pyb_set *set)
{
    PyBoehm_GenerationStats *g = &stats.generations[pause->generation];

    PYB_ASSERT(pause->generation <= PYB_OLD && pause->by == PYB_BY_NONE);
    pause->by = set->by;
    pause->collected = set->collected;
    pause->uncollectable = set->uncollectable;
    pause->bytes = set->freed;
    pause->starved = set->starved;
    stats.teardowns.starved += set->starved;
    pause->duration = seconds_since(pause->begun);
    g->candidates += (Py_ssize_t)pause->candidates;
    if (!pause->nested) {
        g->duration += pause->duration;
        g->longest = Py_MAX(g->longest, pause->duration);
    }
    if (pause->why != PYB_WHY_LATE)
        PYB_PROBE1(gc__done, pause->collected + pause->uncollectable);
    if (pyb_events != NULL)
        pyb_events->paused(pause);
}

PyBoehm_Stats
pyb_stats_get(void)
{
    PyBoehm_Stats all = {.elapsed = seconds_since(stats.begun)};

    memcpy(all.generations, stats.generations, sizeof all.generations);
    all.teardowns = stats.teardowns;
    all.snapshots = stats.snapshots;
    pyb_boehm_stats(&all.boehm);
    return all;
}

/* ------------------------------------------------------------------ */
/* The public calls                                                    */

void
PyBoehm_GC_GetStats(PyBoehm_GC_Stats wanted[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        const PyBoehm_GenerationStats *g = &stats.generations[i];

        wanted[i] =
            (PyBoehm_GC_Stats){g->collections, g->collected, g->uncollectable,
                               g->candidates, g->duration};
    }
}

void
PyBoehm_GetStats(PyBoehm_Stats *wanted, size_t size)
{
    PyBoehm_Stats all;

    pyb_control_require(__func__);
    all = pyb_stats_get();
    memset(wanted, 0, size);
    memcpy(wanted, &all, Py_MIN(size, sizeof all));
}
