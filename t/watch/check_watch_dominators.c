/* check_watch_dominators.c: what keeps what, in graphs made by chance, where
   each node is taken out in turn to see what can be reached without it; it
   looks behind the API.  See lib/watch/report/dominators.h. */

#include "../support/suite.h"

#include <string.h>

#include "watch/report/dominators.h"
#include "watch/report/numbers.h"

enum { NODES = 24, GRAPHS = 20000, LONG = 1000000 };

/* A graph that is easy to change; a bit for each edge and root. */
struct easy {
    uint32_t n, to[NODES], roots;
};

static uint64_t chance = 1;

/* A number below n. */
static uint32_t
number(uint32_t n)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(chance >> 33) % n;
}

static struct easy
random_graph(void)
{
    struct easy graph = {.n = 1 + number(NODES)};
    uint32_t edges = number(3 * graph.n + 1);

    graph.roots = 1u << number(graph.n);
    while (number(3) == 0)
        graph.roots |= 1u << number(graph.n);
    for (uint32_t i = 0; i < edges; i++)
        graph.to[number(graph.n)] |= 1u << number(graph.n);
    return graph;
}

/* What the roots lead to without a node; NODES: with all. */
static uint32_t
reached_without(const struct easy *graph, uint32_t gone)
{
    uint32_t keep = gone < NODES ? ~(1u << gone) : ~0u;
    uint32_t reached = graph->roots & keep, before;

    do {
        before = reached;
        for (uint32_t i = 0; i < graph->n; i++)
            if (reached & 1u << i)
                reached |= graph->to[i] & keep;
    } while (reached != before);
    return reached;
}

/* For each node those that dominate it, without itself. */
static void
find_all(const struct easy *graph, uint32_t dominators[NODES])
{
    uint32_t all = reached_without(graph, NODES);

    memset(dominators, 0, NODES * sizeof *dominators);
    for (uint32_t i = 0; i < graph->n; i++) {
        uint32_t lost = all & ~reached_without(graph, i);

        for (uint32_t j = 0; j < graph->n; j++)
            if (j != i && (lost & 1u << j))
                dominators[j] |= 1u << i;
    }
}

/* The dominator that all others dominate, from one. */
static uint32_t
nearest(const uint32_t dominators[NODES], uint32_t node)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (dominators[node] == (dominators[i] | 1u << i) &&
            (dominators[node] & 1u << i))
            return i + 1;
    return 0;
}

static void
convert(const struct easy *graph, struct pyb_flow *flow,
        unsigned char is_root[NODES])
{
    *flow = (struct pyb_flow){
        .n = graph->n,
        .first = calloc(graph->n + 1, sizeof(size_t)),
        .to = calloc(NODES * NODES, sizeof(uint32_t)),
    };
    for (uint32_t i = 0; i < graph->n; i++) {
        flow->first[i + 1] = flow->first[i];
        for (uint32_t j = 0; j < graph->n; j++)
            if (graph->to[i] & 1u << j)
                flow->to[flow->first[i + 1]++] = j;
        is_root[i] = (graph->roots & 1u << i) != 0;
    }
    ck_assert_int_eq(pyb_flow_turn(flow), 0);
}

static void
compare(const struct easy *graph)
{
    struct pyb_dominators found;
    struct pyb_flow flow;
    unsigned char is_root[NODES];
    uint32_t expected[NODES], all = reached_without(graph, NODES), seen = 0;

    convert(graph, &flow, is_root);
    ck_assert_int_eq(pyb_dominators_take(&found, &flow, is_root), 0);
    find_all(graph, expected);
    for (uint32_t i = 0; i < graph->n; i++)
        if (found.parent[i] != nearest(expected, i))
            ck_abort_msg("node %u of %u: %u, not %u", i, graph->n,
                         found.parent[i], nearest(expected, i));
    for (size_t i = 0; i < found.n; i++) {
        uint32_t node = found.order[i], parent = found.parent[node];

        ck_assert(parent == 0 || (seen & 1u << (parent - 1)) != 0);
        seen |= 1u << node;
    }
    ck_assert_uint_eq(seen, all);
    pyb_dominators_end(&found);
    pyb_flow_end(&flow);
}

START_TEST(as_if_each_node_were_taken_out)
{
    for (int i = 0; i < (suite_is_slow() ? GRAPHS / 50 : GRAPHS); i++) {
        struct easy graph = random_graph();

        compare(&graph);
    }
}

/* A chain of n nodes; each refers to the first one, too. */
static struct pyb_flow
chain(size_t n)
{
    struct pyb_flow flow = {
        .n = n,
        .first = calloc(n + 1, sizeof(size_t)),
        .to = calloc(2 * n, sizeof(uint32_t)),
    };

    for (size_t i = 0; i < n; i++) {
        flow.to[flow.first[i]] = (uint32_t)(i + 1 < n ? i + 1 : 0);
        flow.to[flow.first[i] + 1] = 0;
        flow.first[i + 1] = flow.first[i] + 2;
    }
    ck_assert_int_eq(pyb_flow_turn(&flow), 0);
    return flow;
}

/* Recursion, or a walk up the tree for each node, would not end well. */
START_TEST(a_long_chain)
{
    struct pyb_flow flow = chain(LONG);
    unsigned char *is_root = calloc(LONG, 1);
    struct pyb_dominators found;

    is_root[0] = 1;
    ck_assert_int_eq(pyb_dominators_take(&found, &flow, is_root), 0);
    ck_assert_uint_eq(found.n, LONG);
    for (uint32_t i = 0; i < LONG; i++)
        if (found.parent[i] != i)
            ck_abort_msg("node %u: %u", i, found.parent[i]);
    pyb_dominators_end(&found);
    pyb_flow_end(&flow);
    free(is_root);
}

START_TEST(nothing_at_all)
{
    struct pyb_flow flow = {.n = 0, .first = calloc(1, sizeof(size_t))};
    struct pyb_dominators found;

    ck_assert_int_eq(pyb_flow_turn(&flow), 0);
    ck_assert_int_eq(
        pyb_dominators_take(&found, &flow, (const unsigned char *)""), 0);
    ck_assert_uint_eq(found.n, 0);
    pyb_dominators_end(&found);
    pyb_flow_end(&flow);
}

/* ------------------------------------------------------------------ */
/* Each is broken in a process of its own                              */

static struct pyb_flow flow;
static struct pyb_dominators dominators;
static struct pyb_numbers numbers;

/* Three nodes, each of which keeps the next one. */
static void
take_three(void)
{
    flow = chain(3);
    pyb_dominators_take(&dominators, &flow, (const unsigned char *)"\1\0");
}

/* Three of them. */
static void
give_numbers(void)
{
    for (uintptr_t i = 1; i <= 3; i++)
        pyb_numbers_of(&numbers, (void *)(i << 8));
}

/* The place of a number in the table. */
static uint32_t *
place_of(uint32_t number)
{
    uint32_t *place = numbers.table;

    while (*place != number)
        place++;
    return place;
}

START_TEST(graphs_that_contradict_themselves_are_fatal)
{
    take_three();
    SUITE_FATAL((flow.first[0] = 1, pyb_flow_check(&flow)),
                "the edges of a graph do not begin with its first node");
    SUITE_FATAL((flow.turned[3]--, pyb_flow_check(&flow)),
                "a graph has another number of edges from their ends");
    SUITE_FATAL((flow.first[2] = flow.first[1] - 1, pyb_flow_check(&flow)),
                "the edges of a node end before they begin");
    SUITE_FATAL((flow.to[0] = 3, pyb_flow_check(&flow)),
                "an edge leads nowhere");
    SUITE_FATAL((flow.from[0] = 3, pyb_flow_check(&flow)),
                "an edge comes from nowhere");
    SUITE_FATAL((flow.to[0] = 2, pyb_flow_check(&flow)),
                "the edges of a graph are others from their ends");
    SUITE_FATAL(pyb_dominators_check(&dominators, 2),
                "more nodes are reached than there are");
    SUITE_FATAL(
        (dominators.parent[1] = 2, pyb_dominators_check(&dominators, 3)),
        "a node's dominator is none");
    SUITE_FATAL(
        (dominators.order[2] = 3, pyb_dominators_check(&dominators, 3)),
        "the order has what is no node");
    SUITE_FATAL((dominators.n--, pyb_dominators_check(&dominators, 3)),
                "the order has not all nodes with a dominator once");
    SUITE_FATAL((dominators.order[2] = dominators.order[1],
                 pyb_dominators_check(&dominators, 3)),
                "a node that no root leads to has a dominator");
    SUITE_FATAL((dominators.order[1] = 2, dominators.order[2] = 1,
                 pyb_dominators_check(&dominators, 3)),
                "a node is not behind its dominator");
    pyb_dominators_end(&dominators);
    pyb_flow_end(&flow);
}

START_TEST(numbers_that_contradict_themselves_are_fatal)
{
    give_numbers();
    SUITE_FATAL((numbers.n = numbers.slots, pyb_numbers_check(&numbers)),
                "there are more numbers than room");
    SUITE_FATAL((*place_of(3) = 4, pyb_numbers_check(&numbers)),
                "a table has a number that was not given");
    SUITE_FATAL((*place_of(3) = 0, pyb_numbers_check(&numbers)),
                "a table has not as many numbers as were given");
    SUITE_FATAL((*place_of(3) = 2, pyb_numbers_check(&numbers)),
                "an address has not the number that it was given");
    pyb_numbers_end(&numbers);
}

START_TEST(what_is_in_order_is_not)
{
    take_three();
    pyb_flow_check(&flow);
    pyb_dominators_check(&dominators, 3);
    give_numbers();
    pyb_numbers_check(&numbers);
    pyb_numbers_end(&numbers);
    pyb_dominators_end(&dominators);
    pyb_flow_end(&flow);
}
