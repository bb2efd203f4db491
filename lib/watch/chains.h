/* chains.h: from which owner outside, and over which containers, an object is
   reached: the shortest way. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_CHAINS_H
#define PYB_WATCH_CHAINS_H

#include <stdint.h>

#include "watch/census.h"

/* What a chain begins with, and why that is not collected. */
enum pyb_chain_root {
    PYB_CHAIN_NONE,     /* it is collected: nothing leads to it */
    PYB_CHAIN_OUTSIDE,  /* counted from outside, immortal, or adopted */
    PYB_CHAIN_FROZEN,   /* garbage that PyBoehm_GC_Freeze hides */
    PYB_CHAIN_UNTRACKED /* garbage whose references the collector does not
                           see */
};

struct pyb_chains {
    const struct pyb_census *census;
    PyObject *end;    /* chains do not lead through it; but what keeps itself
                         because it is not tracked leads to itself */
    size_t *from;     /* of each person, who leads to it: the number, from
                         one on; 0 of roots and of who is not reached */
    uint32_t *length; /* steps from the root */
    unsigned char *root; /* enum pyb_chain_root */
    size_t *queue, n;    /* those reached, shortest chains first */
};

/* pyb_chains_take: 0, or -1 with MemoryError. */
int pyb_chains_take(struct pyb_chains *chains, const struct pyb_census *census,
                    PyObject *end);
void pyb_chains_end(struct pyb_chains *chains);

/* pyb_chains_number: a person's number, from zero on. */
static inline size_t
pyb_chains_number(const struct pyb_chains *chains,
                  const struct pyb_person *person)
{
    return (size_t)(person - chains->census->people);
}

#endif /* PYB_WATCH_CHAINS_H */
