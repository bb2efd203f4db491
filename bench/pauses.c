/* pauses.c: how long a program stands still while cyclic garbage is made and
   collected automatically beside a live heap.

   A pause is what the public API shows of it, the time of a call that
   allocates; nothing is subtracted from it.  The first row is the throughput,
   without a clock in the loop.  Then each allocation is timed, in several runs
   of which the medians count: the longest one; the 99.9th percentile of all;
   and what is usual where there is a collection, the median of the longest
   ones, as many as the module gc says that there were collections.

   The live heap is a chain that has seen a full collection.  In the rows
   "churn" the garbage is dead when it is made, and the runs are short: one in
   which another process got the processor is made anew; in the rows "aging" it
   dies when 40000 younger objects are there, so that it is old by then and
   only full collections find it, and the runs are long enough for some of
   these; so it does in the rows "aging-beside", where ours may be done by a
   child process, beside the program. */

#define _GNU_SOURCE 1 /* for RUSAGE_THREAD */

#include "nodes.h"

#if __has_include(<pyboehm.h>)
#include <pyboehm.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>

enum { RUNS_MAX = 9, WINDOW = 20000 };

static size_t runs, tries, objects; /* objects are made in each run */

/* The garbage before it is garbage. */
static PyObject *window[WINDOW];
static size_t window_length; /* 0: there is no such time */

/* Puts a new pair where it lives for a while. */
static inline void
keep(struct pair *pair, size_t i)
{
    if (window_length > 0)
        Py_XSETREF(window[i % window_length], (PyObject *)pair);
    else
        Py_DECREF(pair);
}

static double
throughput(void)
{
    double start = bench_now();

    for (size_t i = 0; i < objects; i += 2) {
        struct pair *pair = pair_new();
        pair_tie(pair, pair_new());
        keep(pair, i / 2);
    }
    return (bench_now() - start) / (double)objects;
}

/* ------------------------------------------------------------------ */

static double *times; /* of each allocation of a run */

static struct pair *
timed_pair_new(size_t i)
{
    double start = bench_now();
    struct pair *self = PyObject_GC_New(struct pair, &pair_type);

    times[i] = bench_now() - start;
    if (self == NULL)
        bench_fail("no memory");
    self->left = self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

static void
time_allocations(void)
{
    for (size_t i = 0; i < objects; i += 2) {
        struct pair *pair = timed_pair_new(i);
        pair_tie(pair, timed_pair_new(i + 1));
        keep(pair, i / 2);
    }
}

/* How often all generations together were collected. */
static size_t
collections(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *stats = gc ? PyObject_CallMethod(gc, "get_stats", NULL) : NULL;
    long sum = 0;

    for (Py_ssize_t i = 0; stats != NULL && i < PyList_Size(stats); i++) {
        PyObject *of_one = PyList_GetItem(stats, i);
        sum += PyLong_AsLong(PyDict_GetItemString(of_one, "collections"));
    }
    if (stats == NULL || PyErr_Occurred())
        bench_fail("gc.get_stats failed");
    Py_DECREF(stats);
    Py_DECREF(gc);
    return (size_t)sum;
}

static double
percentile(const double *sorted, size_t n, double share)
{
    return sorted[(size_t)((double)(n - 1) * share)];
}

/* How often another process was given this one's processor. */
static long
switches(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        bench_fail("getrusage failed");
    return usage.ru_nivcsw;
}

/* Times the allocations of a run, anew if it was disturbed, but not for ever.
   How many collections there were. */
static size_t
undisturbed(void)
{
    size_t n = 0;
    long before;

    for (size_t i = 0; i < tries; i++) {
        n = collections();
        before = switches();
        time_allocations();
        n = collections() - n;
        if (switches() == before)
            break;
    }
    return n;
}

struct pauses {
    double longest[RUNS_MAX], of_all[RUNS_MAX], usual[RUNS_MAX];
};

static void
run(struct pauses *pauses, size_t number)
{
    size_t n = undisturbed();

    if (n == 0 || n > objects)
        bench_fail("%zu collections among %zu allocations", n, objects);
    bench_median(times, objects); /* sorts */
    pauses->longest[number] = times[objects - 1];
    pauses->of_all[number] = percentile(times, objects, 0.999);
    pauses->usual[number] = percentile(times + objects - n, n, 0.5);
}

static void
print(const char *row, const char *what, size_t size, double value,
      const char *unit)
{
    char name[40];

    snprintf(name, sizeof name, "%s%s", row, what);
    bench_print(name, size, value, unit);
}

static void
warm_up(void)
{
    size_t before = collections();

    throughput();
    if (collections() == before)
        bench_skip("nothing was collected: CPython does it only between "
                   "bytecodes, from 3.12 on");
}

/* The array of the times is no part of the program that is measured: its pages
   are shared, so that making a child process does not copy their table. */
static double *
times_array(void)
{
    size_t bytes = objects * sizeof *times;
    double *array = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (array == MAP_FAILED)
        bench_fail("no memory for %zu times", objects);
    return memset(array, 0, bytes);
}

static void
measure(const char *row, size_t size)
{
    struct pauses pauses;
    struct pair *live = nodes_chain(size);

    if (bench_hurry()) {
        runs = tries = 1;
        objects /= 10;
    }
    times = times_array();
    PyGC_Collect(); /* now they are old */
    warm_up();
    print(row, "", size, throughput(), "ns");
    for (size_t i = 0; i < runs; i++)
        run(&pauses, i);
    print(row, "-longest", size, bench_median(pauses.longest, runs) / 1000,
          "us");
    print(row, "-99.9", size, bench_median(pauses.of_all, runs) / 1000, "us");
    print(row, "-usual", size, bench_median(pauses.usual, runs) / 1000, "us");
    Py_XDECREF(live);
}

static void
churn(size_t size)
{
    runs = RUNS_MAX;
    tries = 20;
    objects = 300000;
    measure("churn", size);
}

static void
measure_aging(const char *row, size_t size)
{
    enum { OBJECTS_MIN = 1000000 };

    window_length = WINDOW;
    runs = 3;
    tries = 1;
    objects = size < OBJECTS_MIN / 3 ? OBJECTS_MIN : 3 * size;
    measure(row, size);
}

static void
aging(size_t size)
{
    measure_aging("aging", size);
}

static void
aging_beside(size_t size)
{
#ifdef PYBOEHM_H
    PyBoehm_GC_SetSnapshots(1);
#endif
    measure_aging("aging-beside", size);
}

static const struct bench_row rows[] = {
    {"churn", .once = churn},
    {"aging", .once = aging},
    {"aging-beside", .once = aging_beside},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
