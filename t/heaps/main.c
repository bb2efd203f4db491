/* main.c: the command line of the programs for two heaps.

     heaps run FIRST COUNT    runs the programs of so many seeds; prints the
                              shortest form of one that fails
     heaps print SEED         prints a program
     heaps bytes HEX          runs these bytes
     heaps shrink SEED        prints the shortest form of a program that fails
                              alone */

#include "../random/child.h"
#include "../random/command.h"

#include "program.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SECONDS = 300, /* for one batch; it takes less than one */
    ROOM = 1024,   /* of bytes; no program of a seed needs it all */
    LEFT_OF = 100  /* one in so many may be left */
};

/* The processes' common sums. */
static struct tally *sums;

/* ------------------------------------------------------------------ */
/* Many programs                                                       */

/* Those of one batch, or the part of it that is in the range. */
static void
run_batch(uint64_t first, uint64_t end)
{
    uint8_t *room = malloc((size_t)PROGRAM_BATCH * ROOM);

    if (room == NULL)
        abort();
    driver_begin((int)(end - first));
    for (uint64_t seed = first; seed < end; seed++) {
        uint8_t *bytes = room + (seed - first) * ROOM;

        driver_add((int)(seed - first), seed, bytes,
                   program_random(seed, bytes, ROOM));
    }
    driver_go();
    free(room);
}

static int
run_batches(void *arg)
{
    const struct seeds *seeds = arg;
    uint64_t next;

    tally = *sums;
    for (uint64_t seed = seeds->first; seed < seeds->end; seed = next) {
        next = (seed / PROGRAM_BATCH + 1) * PROGRAM_BATCH;
        if (next > seeds->end)
            next = seeds->end;
        progress->seed = seed;
        alarm(SECONDS);
        run_batch(seed, next);
    }
    *sums = tally;
    return 0;
}

static int
report(void)
{
    printf("%lu graphs, %lu things, %lu of them adopted in the end, "
           "%lu garbage, %lu left, %lu given up by blocks, %lu snapshots\n",
           sums->graphs, sums->things, sums->adopted, sums->garbage,
           sums->left, sums->given_up, sums->snapshots);
    if (sums->left * LEFT_OF > sums->garbage)
        puts("too much is left");
    else if (sums->given_up == 0 && sums->graphs >= PROGRAM_BATCH)
        puts("no block gave up what it owned");
    else
        return 0;
    return 1;
}

static int
run(uint64_t first, uint64_t count)
{
    if (command_run((struct seeds){first, first + count, NULL}, run_batches) ==
        0)
        return report();
    report();
    printf("seed %llu failed\n", (unsigned long long)progress->seed);
    fflush(stdout);
    command_shrink(NULL);
    return 1;
}

/* ------------------------------------------------------------------ */

static int
run_hex(const char *text)
{
    command_hex(text);
    command_print();
    fflush(stdout);
    return child_run(command_again, NULL, 0) != 0;
}

int
main(int argc, char **argv)
{
    const char *command = argc > 2 ? argv[1] : "";

    child_init();
    sums = mmap(NULL, sizeof *sums, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sums == MAP_FAILED)
        return 2;
    if (strcmp(command, "run") == 0 && argc == 4)
        return run(command_number(argv[2]), command_number(argv[3]));
    if (strcmp(command, "bytes") == 0)
        return run_hex(argv[2]);
    return command_other(argc, argv);
}
