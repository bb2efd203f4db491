/* tally.h: many programs at a time in the same heaps. */

#ifndef T_HEAPS_TALLY_H
#define T_HEAPS_TALLY_H

#include <stddef.h>
#include <stdint.h>

/* What was seen, of all programs that were run. */
struct tally {
    unsigned long graphs, things, adopted, garbage;
    unsigned long given_up; /* what finalizers of blocks owned */
    unsigned long snapshots;
    unsigned long left; /* garbage that Boehm would not give up */
};
extern struct tally tally;

/* driver_begin: makes room for n graphs; driver_add: gives one of them its
   program, which must stay where it is; driver_go: runs them.  A failure ends
   the process, its seed in progress. */
void driver_begin(int n);
void driver_add(int number, uint64_t seed, const uint8_t *bytes, size_t n);
void driver_go(void);

#endif /* T_HEAPS_TALLY_H */
