/* trees.c: two programs known from other collectors' benchmarks, on
   containers, with automatic collection on: GCBench (Ellis, Kovac, Boehm) and
   binary-trees (the Benchmarks Game).

   Nothing in them is a cycle: the counts free all, and collections find
   nothing.  The size of a row is the depth of the trees.  The unit is
   milliseconds for the whole program. */

#include "nodes.h"

enum { DEPTH_MIN = 4 };

static size_t
nodes_of(size_t depth)
{
    return ((size_t)1 << (depth + 1)) - 1;
}

/* A tree whose children are made before it. */
static struct pair *
bottom_up(size_t depth)
{
    PyObject *left = depth > 0 ? (PyObject *)bottom_up(depth - 1) : NULL;
    PyObject *right = depth > 0 ? (PyObject *)bottom_up(depth - 1) : NULL;
    struct pair *tree = pair_new();

    tree->left = left;
    tree->right = right;
    return tree;
}

/* Children for a node, and theirs. */
static void
populate(struct pair *tree, size_t depth)
{
    if (depth == 0)
        return;
    struct pair *left = pair_new(), *right = pair_new();
    tree->left = (PyObject *)left;
    tree->right = (PyObject *)right;
    populate(left, depth - 1);
    populate(right, depth - 1);
}

static struct pair *
top_down(size_t depth)
{
    struct pair *tree = pair_new();

    populate(tree, depth);
    return tree;
}

static size_t
count(const struct pair *tree)
{
    if (tree->left == NULL)
        return 1;
    return 1 + count((const struct pair *)tree->left) +
           count((const struct pair *)tree->right);
}

/* Counts a tree's nodes and lets go of it. */
static void
check(struct pair *tree, size_t depth)
{
    if (count(tree) != nodes_of(depth))
        bench_fail("a tree of depth %zu has %zu nodes", depth, count(tree));
    Py_DECREF(tree);
}

static void
print(const char *row, size_t size, double start)
{
    bench_print(row, size, (bench_now() - start) / 1e6, "ms");
}

/* ------------------------------------------------------------------ */

enum { ARRAY_LENGTH = 500000 };

/* As many trees as have twice the nodes of the tree that comes first. */
static void
make_trees(size_t depth, size_t largest)
{
    size_t trees = 2 * nodes_of(largest + 2) / nodes_of(depth);

    for (size_t i = 0; i < trees; i++)
        Py_DECREF(top_down(depth));
    for (size_t i = 0; i < trees; i++)
        Py_DECREF(bottom_up(depth));
}

static void
gcbench(size_t size)
{
    double start = bench_now(), *array;
    struct pair *long_lived;

    Py_DECREF(bottom_up(size + 2));
    long_lived = top_down(size);
    array = PyMem_Malloc(ARRAY_LENGTH * sizeof *array);
    if (array == NULL)
        bench_fail("no memory");
    for (int i = 0; i < ARRAY_LENGTH; i++)
        array[i] = 1.0 / (i + 1);
    for (size_t depth = DEPTH_MIN; depth <= size; depth += 2)
        make_trees(depth, size);
    if (array[1000] != 1.0 / 1001)
        bench_fail("the array has changed");
    PyMem_Free(array);
    check(long_lived, size);
    print("gcbench", size, start);
}

static void
binary_trees(size_t size)
{
    double start = bench_now();
    struct pair *long_lived;

    check(bottom_up(size + 1), size + 1);
    long_lived = bottom_up(size);
    for (size_t depth = DEPTH_MIN; depth <= size; depth += 2)
        for (size_t i = (size_t)1 << (size - depth + DEPTH_MIN); i > 0; i--)
            check(bottom_up(depth), depth);
    check(long_lived, size);
    print("binary-trees", size, start);
}

/* ------------------------------------------------------------------ */
/* The same with tuples, as it is in Python. */

static PyObject *
tuple_tree(size_t depth)
{
    PyObject *tree = depth > 0 ? Py_BuildValue("(NN)", tuple_tree(depth - 1),
                                               tuple_tree(depth - 1))
                               : PyTuple_Pack(2, Py_None, Py_None);

    if (tree == NULL)
        bench_fail("no memory");
    return tree;
}

static size_t
tuple_count(PyObject *tree)
{
    if (PyTuple_GET_ITEM(tree, 0) == Py_None)
        return 1;
    return 1 + tuple_count(PyTuple_GET_ITEM(tree, 0)) +
           tuple_count(PyTuple_GET_ITEM(tree, 1));
}

static void
tuple_check(PyObject *tree, size_t depth)
{
    if (tuple_count(tree) != nodes_of(depth))
        bench_fail("a tree of depth %zu has %zu nodes", depth,
                   tuple_count(tree));
    Py_DECREF(tree);
}

static void
binary_tuples(size_t size)
{
    double start = bench_now();
    PyObject *long_lived;

    tuple_check(tuple_tree(size + 1), size + 1);
    long_lived = tuple_tree(size);
    for (size_t depth = DEPTH_MIN; depth <= size; depth += 2)
        for (size_t i = (size_t)1 << (size - depth + DEPTH_MIN); i > 0; i--)
            tuple_check(tuple_tree(depth), depth);
    tuple_check(long_lived, size);
    print("binary-tuples", size, start);
}

static const struct bench_row rows[] = {
    {"gcbench", .once = gcbench},
    {"binary-trees", .once = binary_trees},
    {"binary-tuples", .once = binary_tuples},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
