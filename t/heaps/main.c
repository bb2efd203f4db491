/* main.c: the command line of the programs for two heaps.

     heaps run FIRST COUNT    runs the programs of so many seeds; prints the
                              shortest form of one that fails
     heaps print SEED         prints a program
     heaps bytes HEX          runs these bytes
     heaps shrink SEED        prints the shortest form of a program that fails
                              alone */

#include "../world/child.h"
#include "../world/driver.h"

#include "program.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    GRAPHS = 400,  /* at a time */
    BATCHES = 10,  /* for one process */
    SECONDS = 300, /* for one batch; it takes less than one */
    ROOM = PROGRAM_LONGEST * PROGRAM_INSN_BYTES,
    LEFT_OF = 100 /* one in so many may be left */
};

static uint8_t bytes[ROOM];
static size_t n_bytes;

/* The processes' common sums. */
static struct tally *sums;

static uint64_t
number(const char *text)
{
    return strtoull(text, NULL, 0);
}

static void
seed_bytes(uint64_t seed)
{
    n_bytes = program_random(seed, seed / GRAPHS, bytes, sizeof bytes);
}

static void
print_program(void)
{
    for (size_t i = 0; i < program_length(n_bytes); i++) {
        printf("%5zu  ", i);
        program_print(stdout, program_decode(bytes, n_bytes, i));
        putchar('\n');
    }
}

/* ------------------------------------------------------------------ */
/* Many programs                                                       */

struct range {
    uint64_t first, end;
};

/* Those of one batch, or the part of it that is in the range. */
static void
run_batch(uint64_t first, uint64_t end)
{
    uint8_t *room = malloc((size_t)GRAPHS * ROOM);

    if (room == NULL)
        abort();
    driver_begin((int)(end - first));
    for (uint64_t seed = first; seed < end; seed++) {
        uint8_t *program = room + (seed - first) * ROOM;

        driver_add((int)(seed - first), seed, program,
                   program_random(seed, seed / GRAPHS, program, ROOM));
    }
    driver_go();
    free(room);
}

static uint64_t
end_of_batch(uint64_t seed, uint64_t end)
{
    uint64_t next = (seed / GRAPHS + 1) * GRAPHS;

    return next < end ? next : end;
}

static int
run_range(void *arg)
{
    const struct range *range = arg;
    uint64_t next;

    tally = *sums;
    for (uint64_t seed = range->first; seed < range->end; seed = next) {
        next = end_of_batch(seed, range->end);
        progress->seed = seed;
        alarm(SECONDS);
        run_batch(seed, next);
    }
    *sums = tally;
    return 0;
}

static int
run_again(void *unused)
{
    (void)unused;
    return driver_run(bytes, n_bytes, NULL).failed;
}

/* Shows the program in bytes, which fails, as short as can be. */
static void
show_failure(void)
{
    size_t before = program_length(n_bytes);

    if (!shrink_fails(bytes, n_bytes, NULL)) {
        puts("it does not fail alone");
        return;
    }
    n_bytes = shrink(bytes, n_bytes, NULL);
    printf("shortest program that fails: %zu of %zu instructions\n",
           program_length(n_bytes), before);
    print_program();
    fputs("heaps bytes ", stdout);
    for (size_t i = 0; i < n_bytes; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
    if (WIFSIGNALED(child_run(run_again, NULL, 0)))
        puts("it ends in a crash");
}

static int
report(void)
{
    printf("%lu graphs, %lu things, %lu of them adopted in the end, "
           "%lu garbage, %lu left\n",
           sums->graphs, sums->things, sums->adopted, sums->garbage,
           sums->left);
    if (sums->left * LEFT_OF <= sums->garbage)
        return 0;
    puts("too much is left");
    return 1;
}

static int
run(uint64_t first, uint64_t count)
{
    struct range range = {first, first};
    uint64_t end = first + count;

    for (; range.first < end; range.first = range.end) {
        range.end = end_of_batch(range.first, end);
        for (int i = 1; i < BATCHES && range.end < end; i++)
            range.end = end_of_batch(range.end, end);
        if (child_run(run_range, &range, 0) != 0) {
            report();
            printf("seed %llu failed\n", (unsigned long long)progress->seed);
            fflush(stdout);
            seed_bytes(progress->seed);
            show_failure();
            return 1;
        }
    }
    return report();
}

/* ------------------------------------------------------------------ */

static int
run_hex(const char *text)
{
    unsigned byte;

    for (n_bytes = 0; n_bytes < sizeof bytes; n_bytes++, text += 2) {
        if (sscanf(text, "%2x", &byte) != 1)
            break;
        bytes[n_bytes] = (uint8_t)byte;
    }
    print_program();
    fflush(stdout);
    return child_run(run_again, NULL, 0) != 0;
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
        return run(number(argv[2]), number(argv[3]));
    if (strcmp(command, "bytes") == 0)
        return run_hex(argv[2]);
    if (argc > 2)
        seed_bytes(number(argv[2]));
    if (strcmp(command, "print") == 0) {
        print_program();
        return 0;
    }
    if (strcmp(command, "shrink") == 0) {
        show_failure();
        return 0;
    }
    fputs("usage: see the head of main.c\n", stderr);
    return 2;
}
