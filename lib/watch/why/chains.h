/* chains.h: the shortest chain of containers from a root outside to each
   object. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_CHAINS_H
#define PYB_WATCH_WHY_CHAINS_H

#include <stdint.h>

#include "gc/base/fatal.h"
#include "watch/why/census.h"

/* The root of a chain, and why it is not collected. */
enum pyb_chain_root {
    PYB_CHAIN_NONE,     /* no chain: the object is collected */
    PYB_CHAIN_OUTSIDE,  /* has references from outside, is immortal, or
                           adopted */
    PYB_CHAIN_FROZEN,   /* garbage that PyBoehm_GC_Freeze hides */
    PYB_CHAIN_UNTRACKED /* garbage with references that the collector does not
                           see */
};

struct pyb_chains {
    const struct pyb_census *census;
    PyObject *end;       /* chains do not lead through it, except for an object
                            that keeps itself alive because it is not
                            tracked */
    size_t *from;        /* for each node the number of its predecessor, from
                            one; 0 for roots and nodes that are not reached */
    uint32_t *length;    /* steps from the root */
    unsigned char *root; /* enum pyb_chain_root */
    size_t *queue, n;    /* the nodes reached, shortest chains first */
};

/* pyb_chains_take: finds the chains.  Returns 0, or -1 with MemoryError. */
int pyb_chains_take(struct pyb_chains *chains, const struct pyb_census *census,
                    PyObject *end);
void pyb_chains_end(struct pyb_chains *chains);

/* pyb_chains_check: fatal if a chain is not one step longer than the one that
   it goes on from, or has another root, see gc/base/fatal.h. */
void pyb_chains_check(const struct pyb_chains *chains);

/* pyb_chains_number: a node's number, counted from zero. */
static inline size_t
pyb_chains_number(const struct pyb_chains *chains, const struct pyb_node *node)
{
    PYB_ASSERT(node >= chains->census->nodes &&
               node < chains->census->nodes + chains->census->n);
    return (size_t)(node - chains->census->nodes);
}

#endif /* PYB_WATCH_WHY_CHAINS_H */
