/* release.c: large structures die by count alone, when their owner lets go.

   The structures are made anew for each round, which is not measured. */

#include "nodes.h"

static double
chain(size_t size)
{
    struct pair *head = nodes_chain(size);
    double start = bench_now();

    Py_DECREF(head);
    return (bench_now() - start) / (double)size;
}

/* A binary tree of n nodes; its depth is the logarithm. */
static PyObject *
make_tree(size_t n)
{
    struct pair *node;
    size_t left = (n - 1) / 2, right = n - 1 - left;

    node = pair_new();
    if (left > 0)
        node->left = make_tree(left);
    if (right > 0)
        node->right = make_tree(right);
    return (PyObject *)node;
}

static double
tree(size_t size)
{
    PyObject *root;
    double start;

    PyGC_Disable();
    root = make_tree(size);
    PyGC_Enable();
    start = bench_now();
    Py_DECREF(root);
    return (bench_now() - start) / (double)size;
}

/* Nodes that refer to three older ones at random; so there are no cycles. */
static struct triple **
make_graph(size_t n)
{
    struct triple **nodes = bench_array(n, sizeof *nodes);

    PyGC_Disable();
    for (size_t i = 0; i < n; i++) {
        nodes[i] = triple_new();
        for (int k = 0; k < DEGREE && i > 0; k++)
            nodes[i]->to[k] = Py_NewRef(nodes[bench_random(i)]);
    }
    PyGC_Enable();
    return nodes;
}

/* Keeps only the nodes that nothing refers to; returns how many there are. */
static size_t
keep_roots(struct triple **nodes, size_t n)
{
    size_t roots = 0;

    for (size_t i = 0; i < n; i++)
        if (Py_REFCNT(nodes[i]) == 1)
            nodes[roots++] = nodes[i];
        else
            Py_DECREF(nodes[i]);
    return roots;
}

static double
graph(size_t size)
{
    struct triple **nodes = make_graph(size);
    size_t roots = keep_roots(nodes, size);
    double start = bench_now(), end;

    for (size_t i = 0; i < roots; i++)
        Py_DECREF(nodes[i]);
    end = bench_now();
    free(nodes);
    nodes_collect(0); /* nothing is left */
    return (end - start) / (double)size;
}

static const struct bench_row rows[] = {
    {"chain", .round = chain},
    {"tree", .round = tree},
    {"graph", .round = graph},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
