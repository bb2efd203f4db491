/* memory.c: resident memory, in bytes per container of two references.

   As the kernel counts it, in /proc/self/status: what the containers take
   beyond their own struct; how much more it is at the most while a collection
   runs; how much of that stays afterwards; and what is left when all of them
   are gone. */

#include "nodes.h"

/* One of the kernel's figures, in bytes. */
static double
status(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    size_t length = strlen(name);
    double kilobytes = -1;

    if (file == NULL)
        bench_fail("no /proc/self/status");
    while (kilobytes < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, length) == 0)
            kilobytes = strtod(line + length, NULL);
    fclose(file);
    if (kilobytes < 0)
        bench_fail("/proc/self/status does not say %s", name);
    return 1024 * kilobytes;
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

static const struct bench_row rows[] = {
    {"live", .once = live},
    {"dead", .once = dead},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
