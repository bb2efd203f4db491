/* shrink.c: the shortest program that still fails; see child.h. */

#include "child.h"

#include "bytecode.h"
#include "driver.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20, FEW = 8 };

struct progress *progress;

void
child_init(void)
{
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
}

int
child_run(int (*function)(void *arg), void *arg, int quiet)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        int nowhere = quiet ? open("/dev/null", O_WRONLY) : -1;

        if (nowhere >= 0)
            dup2(nowhere, STDERR_FILENO);
        driver_start();
        status = function(arg);
        fflush(NULL);
        _exit(status);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("fork");
        exit(2);
    }
    return status;
}

/* ------------------------------------------------------------------ */
/* Does it fail?                                                       */

struct bytes {
    const uint8_t *bytes;
    size_t n;
};

static int
run_one(void *arg)
{
    const struct bytes *program = arg;
    struct driver_result result;

    alarm(SECONDS);
    result = driver_run(program->bytes, program->n, NULL);
    progress->digest = result.digest;
    return result.failed;
}

/* The digest that the other side's driver prints for a program; 0 if it fails
   there. */
static uint64_t
other_digest(const uint8_t *bytes, size_t n, const char *against)
{
    char name[] = "/tmp/world.XXXXXX", command[4096];
    unsigned long long digest = 0;
    int file = mkstemp(name);
    FILE *pipe;

    if (file < 0 || write(file, bytes, n) != (ssize_t)n) {
        perror(name);
        exit(2);
    }
    close(file);
    snprintf(command, sizeof command, "%s digest %s 2>/dev/null", against,
             name);
    pipe = popen(command, "r");
    if (pipe == NULL || fscanf(pipe, "%llx", &digest) != 1)
        digest = 0;
    if (pipe != NULL)
        pclose(pipe);
    unlink(name);
    return digest;
}

int
shrink_fails(const uint8_t *bytes, size_t n, const char *against)
{
    struct bytes program = {bytes, n};

    if (child_run(run_one, &program, 1) != 0)
        return 1;
    return against != NULL &&
           other_digest(bytes, n, against) != progress->digest;
}

/* ------------------------------------------------------------------ */
/* Less of it                                                          */

/* Leaves out each run of so many instructions that is not needed. */
static size_t
leave_out(uint8_t *bytes, size_t n, size_t run, const char *against)
{
    uint8_t *trial = malloc(n + 1);
    size_t at = n;

    if (trial == NULL)
        return n;
    while (at >= run) {
        at -= run;
        memcpy(trial, bytes, at);
        memcpy(trial + at, bytes + at + run, n - at - run);
        if (!shrink_fails(trial, n - run, against))
            continue;
        n -= run;
        memcpy(bytes, trial, n);
    }
    free(trial);
    return n;
}

/* The smaller values that an operand may take; each changes one of the things
   that it says. */
static int
smaller(uint8_t byte, unsigned attempt)
{
    if (attempt == 0)
        return 0;
    if (attempt <= 8) /* a bit less */
        return byte & ~(1 << (attempt - 1));
    return byte % FEW;
}

/* Makes operands smaller where that changes nothing. */
static void
simplify(uint8_t *bytes, size_t n, const char *against)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned attempt = 0; attempt <= 9; attempt++) {
            uint8_t before = bytes[i];

            if (i % PROGRAM_INSN_BYTES == 0 ||
                smaller(before, attempt) >= before)
                continue;
            bytes[i] = (uint8_t)smaller(before, attempt);
            if (!shrink_fails(bytes, n, against))
                bytes[i] = before;
        }
}

static size_t
leave_out_all(uint8_t *bytes, size_t n, const char *against)
{
    size_t before, run = PROGRAM_INSN_BYTES;

    while (run * 2 <= n)
        run *= 2;
    do {
        before = n;
        for (size_t r = run; r >= PROGRAM_INSN_BYTES; r /= 2)
            n = leave_out(bytes, n, r, against);
    } while (n < before);
    return n;
}

size_t
shrink(uint8_t *bytes, size_t n, const char *against)
{
    size_t before;

    n = program_length(n) * PROGRAM_INSN_BYTES;
    do {
        before = n;
        n = leave_out_all(bytes, n, against);
        simplify(bytes, n, against);
        n = leave_out_all(bytes, n, against);
    } while (n < before);
    return n;
}
