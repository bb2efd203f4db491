/* bench.c: what all benchmarks share: the clock, the rows and their rounds. */

#include "bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 1000 };

double
bench_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void
bench_print(const char *row, size_t size, double value, const char *unit)
{
    printf("%s\t%zu\t%.3f\t%s\n", row, size, value, unit);
}

void
bench_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void
bench_skip(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(77); /* as with automake's tests */
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double
bench_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Marsaglia's xorshift with 64 bits. */
size_t
bench_random(size_t n)
{
    static uint64_t state = 88172645463325252;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

void *
bench_array(size_t n, size_t item_size)
{
    size_t bytes = (n + 1) * item_size; /* never none */
    void *array = malloc(bytes);

    if (array == NULL)
        bench_fail("no memory for %zu items", n);
    return memset(array, 0, bytes);
}

size_t *
bench_permutation(size_t n)
{
    size_t *order = bench_array(n, sizeof *order);

    for (size_t i = 0; i < n; i++) {
        size_t j = bench_random(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* ------------------------------------------------------------------ */
/* Rows                                                                */

/* How long the rounds of a row go on, in nanoseconds of what they measure. */
static double
measuring_time(void)
{
    const char *wish = getenv("BENCH_MILLISECONDS");

    return 1e6 * (wish != NULL ? strtod(wish, NULL) : 200);
}

int
bench_hurry(void)
{
    return measuring_time() == 0;
}

/* Of the last round; negative if nothing was said of it. */
static double share = -1;

void
bench_share(double of_round)
{
    share = of_round;
}

/* Rounds until the time is over, and at least one. */
static void
measure(const struct bench_row *row, size_t size)
{
    double values[ROUNDS_MAX], shares[ROUNDS_MAX], end;
    size_t rounds = 0;

    row->round(size);
    end = bench_now() + measuring_time();
    do {
        values[rounds] = row->round(size);
        shares[rounds++] = share;
    } while (bench_now() < end && rounds < ROUNDS_MAX);
    printf("%s\t%zu\t%.3f\tns", row->name, size, bench_median(values, rounds));
    if (share >= 0)
        printf("\t%.1f", 100 * bench_median(shares, rounds));
    putchar('\n');
}

static void
run(const struct bench_row *row, size_t size)
{
    if (row->once != NULL) {
        row->once(size);
        return;
    }
    if (row->begin != NULL)
        row->begin(size);
    measure(row, size);
}

static size_t
read_size(const char *text)
{
    char *end;
    unsigned long size;

    errno = 0;
    size = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0')
        bench_fail("%s is no size", text);
    return size;
}

int
bench_main(int argc, char **argv, const struct bench_row *rows)
{
    const struct bench_row *row;

    if (argc != 3)
        bench_fail("usage: %s ROW SIZE", argv[0]);
    for (row = rows; row->name != NULL; row++)
        if (strcmp(row->name, argv[1]) == 0) {
            run(row, read_size(argv[2]));
            return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    bench_fail("%s has no row %s", argv[0], argv[1]);
}
