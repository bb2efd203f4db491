/* flow.c: a directed graph in arrays.  See flow.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/report/flow.h"

/* Counts the edges that end at each node, two places further on: one for the
   sums, and one because filling moves each beginning to the next one's. */
static void
count_ends(struct pyb_flow *flow)
{
    for (size_t i = 0; i < flow->first[flow->n]; i++) {
        PYB_ASSERT(flow->to[i] < flow->n);
        flow->turned[flow->to[i] + 2]++;
    }
    for (size_t i = 2; i <= flow->n; i++)
        flow->turned[i] += flow->turned[i - 1];
}

static void
fill(struct pyb_flow *flow)
{
    for (size_t i = 0; i < flow->n; i++)
        for (size_t j = flow->first[i]; j < flow->first[i + 1]; j++)
            flow->from[flow->turned[flow->to[j] + 1]++] = (uint32_t)i;
    PYB_ASSERT(flow->turned[flow->n] == flow->first[flow->n]);
}

int
pyb_flow_turn(struct pyb_flow *flow)
{
    flow->turned = calloc(flow->n + 2, sizeof *flow->turned);
    flow->from = malloc((flow->first[flow->n] + 1) * sizeof *flow->from);
    if (flow->turned == NULL || flow->from == NULL) {
        free(flow->turned);
        free(flow->from);
        flow->turned = NULL;
        flow->from = NULL;
        return -1;
    }
    count_ends(flow);
    fill(flow);
    return 0;
}

void
pyb_flow_end(struct pyb_flow *flow)
{
    free(flow->first);
    free(flow->to);
    free(flow->turned);
    free(flow->from);
    *flow = (struct pyb_flow){0};
}
