/* dominators.h: what keeps what: the dominator tree of a graph.

   A node dominates another one if all paths from the roots to that lead
   through it: when the one is gone, so is the other.  The last dominator
   before the node itself is its immediate one. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_DOMINATORS_H
#define PYB_WATCH_REPORT_DOMINATORS_H

#include "watch/report/flow.h"

struct pyb_dominators {
    uint32_t *parent; /* for each node the number of its immediate dominator,
                         from one; 0: no node keeps it alone, or no root leads
                         to it */
    uint32_t *order;  /* the nodes that roots lead to, each behind its
                         immediate dominator */
    size_t n;         /* how many these are */
};

/* pyb_dominators_take: the dominator tree of a graph that has been turned;
   is_root has a byte for each node.  Returns 0, or -1 if there is no
   memory. */
int pyb_dominators_take(struct pyb_dominators *dominators,
                        const struct pyb_flow *flow,
                        const unsigned char *is_root);

/* pyb_dominators_check: fatal if what stands of a graph of n nodes is no tree,
   see gc/base/fatal.h; only of a small one each node is looked for. */
void pyb_dominators_check(const struct pyb_dominators *dominators, size_t n);

void pyb_dominators_end(struct pyb_dominators *dominators);

#endif /* PYB_WATCH_REPORT_DOMINATORS_H */
