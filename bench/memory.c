/* memory.c: resident memory, in bytes per container of two references.

   As the kernel counts it, in /proc/self/status: what the containers take
   beyond their own struct; how much more it is at the most while a collection
   runs; how much of that stays afterwards; and what is left when all of them
   are gone.  And how much more it is at the most while a snapshot is looked at
   than between snapshots: for that there is a second process, and a third one
   that watches the two, and counts what they share once. */

#include "nodes.h"

#if __has_include(<pyboehm.h>)
#include <pyboehm.h>
#endif
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One of the kernel's figures of a process, in bytes; -1 if there is none. */
static double
figure(const char *path, const char *name)
{
    FILE *file = fopen(path, "r");
    char line[200];
    size_t length = strlen(name);
    double kilobytes = -1;

    if (file == NULL)
        return -1;
    while (kilobytes < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, length) == 0)
            kilobytes = strtod(line + length, NULL);
    fclose(file);
    return kilobytes < 0 ? -1 : 1024 * kilobytes;
}

static double
status(const char *name)
{
    double bytes = figure("/proc/self/status", name);

    if (bytes < 0)
        bench_fail("/proc/self/status does not say %s", name);
    return bytes;
}

static double
resident(void)
{
    return status("VmRSS:");
}

/* Has the kernel forget how much it was at the most. */
static void
forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file == NULL || fputs("5", file) < 0 || fclose(file) != 0)
        bench_fail("cannot write /proc/self/clear_refs");
}

static double
peak(void)
{
    return status("VmHWM:");
}

static void
print(const char *row, size_t size, double bytes)
{
    bench_print(row, size, bytes / (double)size, "bytes");
}

/* Prints what a collection needs that finds so many dead. */
static void
collect(const char *during, const char *after, size_t size, size_t dead)
{
    double before = resident();

    forget_peak();
    nodes_collect(dead);
    print(during, size, peak() - before);
    print(after, size, resident() - before);
}

static void
live(size_t size)
{
    double before = resident();
    struct pair *head = nodes_chain(size);

    print("live", size, resident() - before - (double)(size * sizeof *head));
    collect("live-during", "live-after", size, 0);
    Py_DECREF(head);
    nodes_collect(0);
    print("live-freed", size, resident() - before);
}

static void
dead(size_t size)
{
    double before = resident();

    PyGC_Disable();
    for (size_t i = 0; i < size; i += 2)
        nodes_tie();
    PyGC_Enable();
    print("dead", size,
          resident() - before - (double)(size * sizeof(struct pair)));
    collect("dead-during", "dead-after", size, size);
    nodes_collect(0);
    print("dead-freed", size, resident() - before);
}

/* ------------------------------------------------------------------ */
/* While a snapshot is looked at                                       */

/* The most that was seen: of the program alone, and with a child. */
struct peaks {
    double alone, beside;
};

/* What a process has, with its part of what it shares. */
static double
share(pid_t process)
{
    char path[60];

    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)process);
    return figure(path, "Pss:");
}

/* The program's child that is not this process; 0 if there is none. */
static pid_t
other_child(pid_t program)
{
    char path[60];
    long child = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)program,
             (long)program);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (fscanf(file, "%ld", &child) == 1 && child == (long)getpid())
        child = 0;
    fclose(file);
    return (pid_t)child;
}

/* The program first: what it shares with a child that is there afterwards was
   shared all the while. */
static void
watch(pid_t program, struct peaks *peaks)
{
    static const struct timespec moment = {.tv_nsec = 1000000};

    while (getppid() == program) {
        pid_t child = other_child(program);
        double of_both = share(program);
        double of_child = child != 0 ? share(child) : -1;

        if (of_child < 0)
            peaks->alone = Py_MAX(peaks->alone, of_both);
        else
            peaks->beside = Py_MAX(peaks->beside, of_both + of_child);
        nanosleep(&moment, NULL);
    }
    _exit(EXIT_SUCCESS);
}

/* Begins to watch this program; the process that does. */
static pid_t
begin_watch(struct peaks **peaks)
{
    pid_t program = getpid(), watcher;

    *peaks = mmap(NULL, sizeof **peaks, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (*peaks == MAP_FAILED || (watcher = fork()) < 0)
        bench_fail("cannot make the process that watches");
    if (watcher == 0)
        watch(program, *peaks);
    return watcher;
}

/* Pairs that are old when they become garbage, so that only full collections
   find them. */
static void
age(size_t objects)
{
    enum { WINDOW = 20000 };
    static PyObject *window[WINDOW];

    for (size_t i = 0; i < objects / 2; i++) {
        struct pair *pair = pair_new();

        pair_tie(pair, pair_new());
        Py_XSETREF(window[i % WINDOW], (PyObject *)pair);
    }
    for (size_t i = 0; i < WINDOW; i++)
        Py_CLEAR(window[i]);
}

static void
snapshot(size_t size)
{
    struct peaks *peaks;
    struct pair *head;
    pid_t watcher;

#ifdef PYBOEHM_H
    PyBoehm_GC_SetSnapshots(1);
#else
    bench_skip("CPython takes no snapshots");
#endif
    watcher = begin_watch(&peaks);
    head = nodes_chain(size);
    PyGC_Collect(); /* now they are old */
    age(9 * size);
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
    if (peaks->beside == 0 && !bench_hurry())
        bench_skip("none was seen: /proc shows no children, or not what "
                   "memory they have");
    print("snapshot", size, peaks->beside - peaks->alone);
    Py_DECREF(head);
}

static const struct bench_row rows[] = {
    {"live", .once = live},
    {"dead", .once = dead},
    {"snapshot", .once = snapshot},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
