/* flow.h: a directed graph in arrays: which object refers to which.

   Nodes are numbered from zero.  The edges of node i lead to to[first[i]] and
   the following, up to to[first[i + 1]]; a node may be there several times. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_FLOW_H
#define PYB_WATCH_REPORT_FLOW_H

#include <stddef.h>
#include <stdint.h>

struct pyb_flow {
    size_t n;      /* nodes */
    size_t *first; /* n + 1 */
    uint32_t *to;
    /* The same edges from their ends: what refers to node i, from
       from[turned[i]] on. */
    size_t *turned; /* n + 1 */
    uint32_t *from;
};

/* pyb_flow_turn: fills in turned and from, from malloc.  Returns 0, or -1 if
   there is no memory; then both are NULL. */
int pyb_flow_turn(struct pyb_flow *flow);

/* pyb_flow_check: fatal if the edges of a graph that has been turned are
   others from their ends, or have no ends, see gc/base/fatal.h. */
void pyb_flow_check(const struct pyb_flow *flow);

/* pyb_flow_end: frees the four arrays, which may be NULL. */
void pyb_flow_end(struct pyb_flow *flow);

#endif /* PYB_WATCH_REPORT_FLOW_H */
