/* live.c: a full collection of objects that are nearly all alive. */

#include "nodes.h"

/* A chain in the order of allocation, owned by its head. */
static void
begin_chain(size_t size)
{
    nodes_chain(size);
}

/* A random graph of out-degree 3: C owns one node, which leads to all. */
static void
begin_random(size_t size)
{
    struct triple **nodes = nodes_graph(size);

    for (size_t i = 1; i < size; i++)
        Py_DECREF(nodes[i]);
    free(nodes);
}

/* The same where C owns all. */
static void
begin_random_held(size_t size)
{
    free(nodes_graph(size));
}

/* As in pyperformance's gc_traversal: the n-th list has n times the one before
   it; so many lists that there are about size items. */
static void
begin_wide(size_t size)
{
    PyObject *last = PyList_New(0);

    for (Py_ssize_t n = 1; (size_t)(n * (n - 1) / 2) < size; n++) {
        PyObject *list = PyList_New(n);
        if (list == NULL || last == NULL)
            bench_fail("no memory");
        for (Py_ssize_t i = 0; i < n; i++)
            PyList_SET_ITEM(list, i, Py_NewRef(last));
        Py_DECREF(last);
        last = list;
    }
}

static double
nothing_dead(size_t size)
{
    return nodes_collect(0) / (double)size;
}

/* A thousand are dead. */
enum { DEAD = 1000 };

static void
drop_few(void)
{
    PyGC_Disable();
    for (int i = 0; i < DEAD; i += 2)
        nodes_tie();
    PyGC_Enable();
}

static double
few_dead(size_t size)
{
    drop_few();
    return nodes_collect(DEAD) / (double)size;
}

static double
own_few_dead(size_t size)
{
    drop_few();
    return nodes_collect_own(DEAD) / (double)size;
}

static const struct bench_row rows[] = {
    {"chain", .begin = begin_chain, .round = nothing_dead},
    {"random", .begin = begin_random, .round = nothing_dead},
    {"random-held", .begin = begin_random_held, .round = nothing_dead},
    {"wide", .begin = begin_wide, .round = nothing_dead},
    {"few-dead", .begin = begin_chain, .round = few_dead},
    {"own-few-dead", .begin = begin_chain, .round = own_few_dead},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
