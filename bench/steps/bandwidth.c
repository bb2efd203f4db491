/* bandwidth.c: what the machine's memory can do: bandwidth MIB

   In a working set of so many MiB, one line per figure, NAME<tab>VALUE:

     read       GB/s of a walk that reads each line
     update     GB/s of one that also writes it; what is read counts
     latency    ns for each line of a walk in no order, where the next address
                stands in the line
     random     ns for each line of a walk in no order whose addresses are
   known before, fetched AHEAD lines earlier; as count and reach do

   The best of several rounds: what the machine can do, not what other
   programs leave of it. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE = 64, WORDS = LINE / sizeof(uint64_t), AHEAD = 16, ROUNDS = 7 };

struct line {
    uint64_t words[WORDS];
};

static struct line *lines;
static uint32_t *order; /* all lines, in no order */
static size_t n;
static volatile uint64_t
    sink; /* what keeps the compiler from leaving work out */

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
walk_read(void)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < WORDS; j++)
            sum += lines[i].words[j];
    sink = sum;
}

static void
walk_update(void)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 1; j < WORDS; j++)
            lines[i].words[j]++;
}

static void
walk_dependent(void)
{
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++)
        at = lines[at].words[0];
    sink = at;
}

static void
walk_random(void)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            __builtin_prefetch(&lines[order[i + AHEAD]]);
        sum += lines[order[i]].words[0];
    }
    sink = sum;
}

/* ns for each line, the best of all rounds. */
static double
best(void (*walk)(void))
{
    double least = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double start = now();

        walk();
        double took = (now() - start) / (double)n;
        if (round == 0 || took < least)
            least = took;
    }
    return least;
}

/* One cycle through all lines, in no order. */
static void
shuffle(void)
{
    uint64_t state = 1;

    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)(state >> 33) % i;
        uint32_t other = order[j];

        order[j] = order[i];
        order[i] = other;
    }
    for (size_t i = 0; i < n; i++)
        lines[order[i]].words[0] = order[(i + 1) % n];
}

int
main(int argc, char **argv)
{
    n = argc == 2 ? (size_t)(atof(argv[1]) * 1024 * 1024) / LINE : 0;
    if (n < 2) {
        fprintf(stderr, "usage: bandwidth MIB\n");
        return EXIT_FAILURE;
    }
    lines = aligned_alloc(LINE, n * sizeof *lines);
    order = malloc(n * sizeof *order);
    if (lines == NULL || order == NULL) {
        fprintf(stderr, "bandwidth: no memory\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < WORDS; j++)
            lines[i].words[j] = i;
    shuffle();
    printf("read\t%.1f\n", LINE / best(walk_read));
    printf("update\t%.1f\n", LINE / best(walk_update));
    printf("latency\t%.1f\n", best(walk_dependent));
    printf("random\t%.1f\n", best(walk_random));
    free(order);
    free(lines);
    return 0;
}
