/* bench.h: what all benchmarks share: the clock, the rows and their rounds.

   A benchmark is a program with a table of rows.  "PROGRAM ROW SIZE" measures
   one of them at one size, in a process of its own, so that no row inherits
   the heap of another; it prints what bench/run.sh reads, a line

       ROW <tab> SIZE <tab> VALUE <tab> UNIT <tab> SHARE

   SHARE is the part of the time that was Boehm's, in percent; it may be
   missing.

   Nothing here knows Python: see nodes.h for that. */

#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

struct bench_row {
    const char *name;

    /* Makes what the rounds need; may be NULL. */
    void (*begin)(size_t size);

    /* Makes one measurement and returns it, in nanoseconds per object or
       operation.  The first round warms up and does not count; the row's
       value is the median of the others. */
    double (*round)(size_t size);

    /* In place of both, for what can be measured only once in the life of a
       process or has several values: measures and prints all by itself. */
    void (*once)(size_t size);
};

/* bench_main: measures what the command line says; the last row of the table
   has no name.  What main returns. */
int bench_main(int argc, char **argv, const struct bench_row *rows);

/* bench_hurry: is BENCH_MILLISECONDS 0?  Then the figures do not matter, only
   that the program runs. */
int bench_hurry(void);

/* bench_now: a time in nanoseconds. */
double bench_now(void);

/* bench_print: a line of the output. */
void bench_print(const char *row, size_t size, double value, const char *unit);

/* bench_share: the part, up to 1, of the round that is being measured that was
   Boehm's. */
void bench_share(double share);

/* bench_median: of n values, which it sorts. */
double bench_median(double *values, size_t n);

/* bench_random: a number below n; the same sequence in each process. */
size_t bench_random(size_t n);

/* bench_array: zeroed memory for n items that is resident already, so that
   later measurements do not include page faults. */
void *bench_array(size_t n, size_t item_size);

/* bench_permutation: the numbers below n in random order, in such an array. */
size_t *bench_permutation(size_t n);

/* bench_fail: says what is wrong, and exits. */
void bench_fail(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* bench_skip: says why this side cannot be measured, and exits such that
   bench/run.sh goes on without it. */
void bench_skip(const char *why) __attribute__((noreturn));

#endif /* BENCH_H */
