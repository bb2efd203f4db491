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

/* like_random: a number below n; the same sequence each time. */
unsigned like_random(unsigned n);

#endif /* T_HOSTS_LIKE_H */
