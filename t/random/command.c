/* command.c: what the command lines of all worlds have in common; see
   command.h. */

#include "command.h"

#include "child.h"
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { BATCH = 4000 }; /* programs for one process */

struct program program;

uint64_t
command_number(const char *text)
{
    return strtoull(text, NULL, 0);
}

void
command_seed(uint64_t seed)
{
    program.n = program_random(seed, program.bytes, PROGRAM_ROOM);
}

void
command_hex(const char *text)
{
    unsigned byte;

    for (program.n = 0; program.n < PROGRAM_ROOM; text += 2) {
        if (sscanf(text, "%2x", &byte) != 1)
            return;
        program.bytes[program.n++] = (uint8_t)byte;
    }
}

int
command_again(void *unused)
{
    (void)unused;
    return driver_run(program.bytes, program.n, NULL).failed;
}

/* ------------------------------------------------------------------ */
/* Showing it                                                          */

void
command_print(void)
{
    for (size_t i = 0; i < program_length(program.n); i++) {
        printf("%5zu  ", i);
        program_print(stdout, program_decode(program.bytes, program.n, i));
        putchar('\n');
    }
}

static void
print_hex(void)
{
    printf("%s bytes ", program_language.name);
    for (size_t i = 0; i < program.n; i++)
        printf("%02x", program.bytes[i]);
    putchar('\n');
}

void
command_shrink(const char *against)
{
    size_t before = program_length(program.n);

    if (!shrink_fails(program.bytes, program.n, against)) {
        puts("it does not fail alone");
        return;
    }
    program.n = shrink(program.bytes, program.n, against);
    printf("shortest program that fails: %zu of %zu instructions\n",
           program_length(program.n), before);
    command_print();
    print_hex();
    if (WIFSIGNALED(child_run(command_again, NULL, 0)))
        puts("it ends in a crash");
}

/* ------------------------------------------------------------------ */

int
command_run(struct seeds all, int (*run)(void *seeds))
{
    struct seeds some = all;

    for (; some.first < all.end; some.first = some.end) {
        some.end = (some.first / BATCH + 1) * BATCH;
        if (some.end > all.end)
            some.end = all.end;
        if (child_run(run, &some, 0) != 0) {
            command_seed(progress->seed);
            return 1;
        }
    }
    return 0;
}

int
command_other(int argc, char **argv)
{
    const char *command = argc > 2 ? argv[1] : "";

    if (argc > 2)
        command_seed(command_number(argv[2]));
    if (strcmp(command, "print") == 0) {
        command_print();
    } else if (strcmp(command, "shrink") == 0) {
        command_shrink(argc > 3 ? argv[3] : NULL);
    } else {
        fputs("usage: see the head of main.c\n", stderr);
        return 2;
    }
    return 0;
}
