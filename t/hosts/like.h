/* like.h: what the like_*.c share.  They state in their own words what Boehm's
   test programs ask of it, for each alone and with a guest in its process (see
   guest.c), and print what must be the same in both. */

#ifndef T_HOSTS_LIKE_H
#define T_HOSTS_LIKE_H

#define GC_THREADS

#include <gc/gc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stale pointer on the stack would keep what it refers to.  So what handles
   blocks that are to die stands APART, its frame is wiped when it is gone, and
   what has Boehm collect is a PART of its caller, whose frame was clean. */
#define APART __attribute__((noinline))
#define PART static inline __attribute__((always_inline))

/* like_need: says where it does not hold, and ends the program. */
#define like_need(holds) ((holds) ? (void)0 : like_fail(__FILE__, __LINE__))
void like_fail(const char *file, int line) __attribute__((noreturn));

/* like_test: a test, in a frame where no stale pointer stands. */
void like_test(void (*test)(void));

/* like_block: not NULL; cleared, as Boehm promises. */
void *like_block(size_t size);

/* like_wipe: leaves nothing on the stack below the caller's frame. */
void like_wipe(void);

/* like_collect: collects; finalizers that are ready have run then. */
PART void
like_collect(void)
{
    like_wipe();
    GC_gcollect();
    like_wipe();
    GC_invoke_finalizers();
}

/* Weak words.  like_watch: word i says from now on whether the block is there:
   Boehm clears it when it is not.  like_living: how many are, after a
   collection.  like_forget: none is watched any more. */
void like_watch(int i, void *block);
void like_forget(void);
enum { LIKE_WEAK = 1000 };
extern GC_hidden_pointer like_weak[LIKE_WEAK];
PART int
like_living(void)
{
    int n = 0;

    like_collect();
    for (int i = 0; i < LIKE_WEAK; i++)
        n += like_weak[i] != 0;
    return n;
}

/* Lists.  like_reversed: the same numbers in new cells, the other way round.
   like_sum: of the numbers, each times its place. */
struct like_cell {
    struct like_cell *rest;
    long *number;
};
struct like_cell *like_cons(long number, struct like_cell *rest);
struct like_cell *like_reversed(const struct like_cell *list);
long like_sum(const struct like_cell *list);

/* like_random: a number below n; the same sequence each time. */
unsigned like_random(unsigned n);

#endif /* T_HOSTS_LIKE_H */
