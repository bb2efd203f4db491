/* child.h: programs run in child processes, which may die of them. */

#ifndef T_RANDOM_CHILD_H
#define T_RANDOM_CHILD_H

#include <stddef.h>
#include <stdint.h>

/* What children tell of their work, also of that in which they died. */
struct progress {
    uint64_t seed; /* under way */
    unsigned long programs, steps, compared;
    uint64_t digest; /* of the last program */
};
extern struct progress *progress;

/* child_init: makes room for progress; call it first. */
void child_init(void);

/* child_run: how a child ended, as waitpid says, that called function(arg)
   with the library up and exited with its result; quiet: without its standard
   error. */
int child_run(int (*function)(void *arg), void *arg, int quiet);

/* shrink: makes a program of n bytes that fails shorter as long as it does;
   returns its new length.  against: NULL, or the other side's driver, whose
   transcript must be the same. */
size_t shrink(uint8_t *bytes, size_t n, const char *against);

/* shrink_fails: does a program fail? */
int shrink_fails(const uint8_t *bytes, size_t n, const char *against);

#endif /* T_RANDOM_CHILD_H */
