/* main.c: the random world's command line.

     world run FIRST COUNT FILE    runs the programs of so many seeds; writes a
                                   line for each, with its transcript's digest,
                                   into FILE; prints a program that failed
     world run FIRST COUNT         says whether one fails, not which
     world print SEED              prints a program
     world transcript SEED         runs it and prints what is seen
     world digest FILE             runs the bytes in FILE; prints the digest
     world bytes HEX               runs these bytes and prints what is seen
     world shrink SEED [OTHER]     prints the shortest program that still
   fails, or that is seen in another way on the other side, whose driver is
   OTHER */

#include "child.h"
#include "driver.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { BATCH = 4000 }; /* programs for one process */

static uint8_t bytes[WORLD_LONGEST * 4];
static size_t n_bytes;

static uint64_t
number(const char *text)
{
    return strtoull(text, NULL, 0);
}

static void
seed_bytes(uint64_t seed)
{
    n_bytes = program_random(seed, bytes, sizeof bytes);
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

struct batch {
    uint64_t first, end;
    FILE *digests;
};

static int
run_batch(void *arg)
{
    const struct batch *batch = arg;

    for (uint64_t seed = batch->first; seed < batch->end; seed++) {
        struct driver_result result;

        progress->seed = seed;
        seed_bytes(seed);
        result = driver_run(bytes, n_bytes, NULL);
        if (result.failed)
            return 1;
        progress->programs++;
        progress->steps += result.steps;
        progress->compared += result.compared;
        fprintf(batch->digests, "%llu %016llx\n", (unsigned long long)seed,
                (unsigned long long)result.digest);
    }
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
show_failure(const char *against)
{
    size_t before = program_length(n_bytes);

    if (!shrink_fails(bytes, n_bytes, against)) {
        puts("it does not fail alone");
        return;
    }
    n_bytes = shrink(bytes, n_bytes, against);
    printf("shortest program that fails: %zu of %zu instructions\n",
           program_length(n_bytes), before);
    print_program();
    fputs("world bytes ", stdout);
    for (size_t i = 0; i < n_bytes; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
    if (WIFSIGNALED(child_run(run_again, NULL, 0)))
        puts("it ends in a crash");
}

/* Fewer programs are run after one that failed: the batch ends there.  That
   one is shown only if there is a file. */
static int
run(uint64_t first, uint64_t count, const char *file)
{
    struct batch batch = {first, first,
                          fopen(file != NULL ? file : "/dev/null", "w")};
    int failed = 0;

    if (batch.digests == NULL) {
        perror(file);
        return 2;
    }
    for (; batch.first < first + count && !failed; batch.first = batch.end) {
        batch.end = batch.first + BATCH;
        if (batch.end > first + count)
            batch.end = first + count;
        failed = child_run(run_batch, &batch, 0) != 0;
    }
    fclose(batch.digests);
    printf("%lu programs, %lu operations, %lu compared\n", progress->programs,
           progress->steps, progress->compared);
    if (failed) {
        printf("seed %llu failed\n", (unsigned long long)progress->seed);
        seed_bytes(progress->seed);
        if (file != NULL)
            show_failure(NULL);
    }
    return failed;
}

/* ------------------------------------------------------------------ */
/* One program                                                         */

static int
print_digest(const char *name)
{
    FILE *file = fopen(name, "rb");
    struct driver_result result;

    if (file == NULL) {
        perror(name);
        return 2;
    }
    n_bytes = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    driver_start();
    result = driver_run(bytes, n_bytes, NULL);
    if (!result.failed)
        printf("%016llx\n", (unsigned long long)result.digest);
    return result.failed;
}

static int
transcript(void)
{
    driver_start();
    return driver_run(bytes, n_bytes, stdout).failed;
}

static void
hex_bytes(const char *text)
{
    unsigned byte;

    for (n_bytes = 0; n_bytes < sizeof bytes; n_bytes++, text += 2) {
        if (sscanf(text, "%2x", &byte) != 1)
            return;
        bytes[n_bytes] = (uint8_t)byte;
    }
}

int
main(int argc, char **argv)
{
    const char *command = argc > 2 ? argv[1] : "";

    child_init();
    if (strcmp(command, "run") == 0 && (argc == 4 || argc == 5))
        return run(number(argv[2]), number(argv[3]), argv[4]);
    if (strcmp(command, "digest") == 0)
        return print_digest(argv[2]);
    if (strcmp(command, "bytes") == 0) {
        hex_bytes(argv[2]);
        return transcript();
    }
    if (argc > 2)
        seed_bytes(number(argv[2]));
    if (strcmp(command, "transcript") == 0)
        return transcript();
    if (strcmp(command, "print") == 0) {
        print_program();
        return 0;
    }
    if (strcmp(command, "shrink") == 0) {
        show_failure(argc > 3 ? argv[3] : NULL);
        return 0;
    }
    fputs("usage: see the head of main.c\n", stderr);
    return 2;
}
