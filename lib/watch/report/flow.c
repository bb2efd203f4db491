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

/* A number that an edge adds to the sum of all. */
static size_t
weight(size_t from, size_t to)
{
    return (from + 1) * 0x9e3779b97f4a7c15u + (to + 1) * (from ^ to);
}

void
pyb_flow_check(const struct pyb_flow *flow)
{
    size_t sum = 0, turned = 0;

    PYB_ALWAYS(flow->first[0] == 0 && flow->turned[0] == 0, NULL,
               "the edges of a graph do not begin with its first node");
    PYB_ALWAYS(flow->first[flow->n] == flow->turned[flow->n], NULL,
               "a graph has another number of edges from their ends");
    for (size_t i = 0; i < flow->n; i++) {
        PYB_ALWAYS(flow->first[i] <= flow->first[i + 1] &&
                       flow->turned[i] <= flow->turned[i + 1],
                   NULL, "the edges of a node end before they begin");
        for (size_t j = flow->first[i]; j < flow->first[i + 1]; j++) {
            PYB_ALWAYS(flow->to[j] < flow->n, NULL, "an edge leads nowhere");
            sum += weight(i, flow->to[j]);
        }
        for (size_t j = flow->turned[i]; j < flow->turned[i + 1]; j++) {
            PYB_ALWAYS(flow->from[j] < flow->n, NULL,
                       "an edge comes from nowhere");
            turned += weight(flow->from[j], i);
        }
    }
    PYB_ALWAYS(sum == turned, NULL,
               "the edges of a graph are others from their ends");
}

int
pyb_flow_turn(struct pyb_flow *flow)
{
    PYB_ASSERT(flow->turned == NULL && flow->from == NULL);
    PYB_ASSERT(flow->first[0] == 0);
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
    PYB_EXPENSIVE(pyb_flow_check(flow));
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
