/* boehm_idle.c: a program of Boehm's that never calls us: one side is linked
   with the library, the other is not. */

#include <gc/gc.h>

#include "bench.h"

struct tree {
    struct tree *left, *right;
};

static struct tree *
make_tree(size_t depth)
{
    struct tree *tree = GC_MALLOC(sizeof *tree);

    if (tree == NULL)
        bench_fail("no memory");
    if (depth > 0) {
        tree->left = make_tree(depth - 1);
        tree->right = make_tree(depth - 1);
    }
    return tree;
}

/* Trees of a depth, most of which are garbage at once, and a collection. */
static double
trees(size_t depth)
{
    enum { TREES = 10 };
    static struct tree *kept;
    double start = bench_now();

    for (int i = 0; i < TREES; i++)
        kept = make_tree(depth);
    GC_gcollect();
    if (kept->left->right == NULL)
        bench_fail("the tree has changed");
    return (bench_now() - start) / (double)(TREES * ((size_t)2 << depth));
}

static const struct bench_row rows[] = {
    {"trees", .round = trees},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    GC_INIT();
    return bench_main(argc, argv, rows);
}
