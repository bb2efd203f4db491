/* build.c: objects that stay are made while automatic collection is on: how
   much the collections cost that find nothing.

   In a new process, as a program has it that reads its data: the memory comes
   from the system.  From 3.12 on CPython collects only between bytecodes, so
   that here it does not. */

#include "nodes.h"

static void
print(const char *row, size_t size, double start)
{
    bench_print(row, size, (bench_now() - start) / (double)size, "ns");
}

/* Owned by an array of C's. */
static void
held(size_t size)
{
    struct pair **nodes = bench_array(size, sizeof *nodes);
    double start = bench_now();

    for (size_t i = 0; i < size; i++)
        nodes[i] = pair_new();
    print("held", size, start);
    nodes_collect(0);
}

/* Each owned by the next one, the last one by C. */
static void
chain(size_t size)
{
    struct pair *head = NULL;
    double start = bench_now();

    for (size_t i = 0; i < size; i++) {
        struct pair *node = pair_new();
        node->left = (PyObject *)head;
        head = node;
    }
    print("chain", size, start);
    nodes_collect(0);
}

static const struct bench_row rows[] = {
    {"held", .once = held},
    {"chain", .once = chain},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
