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

#include "../random/child.h"
#include "../random/command.h"
#include "../random/driver.h"

#include <string.h>

static int
run_batch(void *arg)
{
    const struct seeds *seeds = arg;

    for (uint64_t seed = seeds->first; seed < seeds->end; seed++) {
        struct driver_result result;

        progress->seed = seed;
        command_seed(seed);
        result = driver_run(program.bytes, program.n, NULL);
        if (result.failed)
            return 1;
        progress->programs++;
        progress->steps += result.steps;
        progress->compared += result.compared;
        fprintf(seeds->arg, "%llu %016llx\n", (unsigned long long)seed,
                (unsigned long long)result.digest);
    }
    return 0;
}

/* A program that failed is shown only if there is a file. */
static int
run(uint64_t first, uint64_t count, const char *file)
{
    FILE *digests = fopen(file != NULL ? file : "/dev/null", "w");
    int failed;

    if (digests == NULL) {
        perror(file);
        return 2;
    }
    failed =
        command_run((struct seeds){first, first + count, digests}, run_batch);
    fclose(digests);
    printf("%lu programs, %lu operations, %lu compared\n", progress->programs,
           progress->steps, progress->compared);
    if (failed)
        printf("seed %llu failed\n", (unsigned long long)progress->seed);
    if (failed && file != NULL)
        command_shrink(NULL);
    return failed;
}

static int
print_digest(const char *name)
{
    FILE *file = fopen(name, "rb");
    struct driver_result result;

    if (file == NULL) {
        perror(name);
        return 2;
    }
    program.n = fread(program.bytes, 1, PROGRAM_ROOM, file);
    fclose(file);
    driver_start();
    result = driver_run(program.bytes, program.n, NULL);
    if (!result.failed)
        printf("%016llx\n", (unsigned long long)result.digest);
    return result.failed;
}

static int
transcript(void)
{
    driver_start();
    return driver_run(program.bytes, program.n, stdout).failed;
}

int
main(int argc, char **argv)
{
    const char *command = argc > 2 ? argv[1] : "";

    child_init();
    if (strcmp(command, "run") == 0 && (argc == 4 || argc == 5))
        return run(command_number(argv[2]), command_number(argv[3]), argv[4]);
    if (strcmp(command, "digest") == 0)
        return print_digest(argv[2]);
    if (strcmp(command, "bytes") == 0) {
        command_hex(argv[2]);
        return transcript();
    }
    if (strcmp(command, "transcript") == 0) {
        command_seed(command_number(argv[2]));
        return transcript();
    }
    return command_other(argc, argv);
}
