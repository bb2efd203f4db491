/* like_lists.c: lists that are reversed again and again, held in all the ways
   in which memory may be held, and trees that lose branches: whatever Boehm
   collects in between, what is held is intact. */

#include "like.h"

/* ------------------------------------------------------------------ */
/* Lists                                                               */

/* low, low + 1 ... high. */
static struct like_cell *
numbers(int low, int high)
{
    struct like_cell *list = NULL;

    while (high >= low)
        list = like_cons(high--, list);
    return list;
}

/* Lists are held by a static variable, a static array in the middle of which
   Boehm is told of nothing, a block that is reallocated, uncollectable blocks,
   and the stack. */
enum { MANY = 50, LONG = 200 };
static struct like_cell *one, *some[MANY];

static void
check_all(struct like_cell *const *blocks, struct like_cell *const *fixed)
{
    for (int i = 0; i < MANY; i++) {
        like_need(like_sum(some[i]) == like_sum(fixed[i]));
        like_need(like_sum(blocks[i]) == like_sum(fixed[i]));
    }
}

static void
test_lists(void)
{
    struct like_cell *mine = numbers(1, LONG);
    struct like_cell **blocks = like_block(sizeof *blocks);
    struct like_cell **fixed = GC_MALLOC_UNCOLLECTABLE(MANY * sizeof *fixed);

    like_need(fixed != NULL);
    one = numbers(1, LONG);
    for (int i = 0; i < MANY; i++) {
        blocks = GC_REALLOC(blocks, (size_t)(i + 1) * sizeof *blocks);
        like_need(blocks != NULL);
        some[i] = numbers(-i, i);
        blocks[i] = like_reversed(like_reversed(some[i]));
        fixed[i] = numbers(-i, i);
    }
    for (int round = 0; round < 100; round++) {
        one = like_reversed(like_reversed(one));
        some[round % MANY] = like_reversed(like_reversed(some[round % MANY]));
        if (round % 25 == 0)
            GC_gcollect();
    }
    check_all(blocks, fixed);
    printf("lists: %ld %ld %ld %ld\n", like_sum(one),
           like_sum(like_reversed(one)), like_sum(mine),
           like_sum(fixed[MANY - 1]));
    GC_FREE(fixed);
}

/* ------------------------------------------------------------------ */
/* Trees                                                               */

struct tree {
    struct tree *left, *right;
    int depth;
};

static struct tree *
grow(int depth)
{
    struct tree *tree = like_block(sizeof *tree);

    tree->depth = depth;
    if (depth > 0) {
        tree->left = grow(depth - 1);
        tree->right = grow(depth - 1);
    }
    return tree;
}

static int
nodes(const struct tree *tree)
{
    if (tree == NULL)
        return 0;
    like_need(tree->left == NULL || tree->left->depth == tree->depth - 1);
    like_need(tree->right == NULL || tree->right->depth == tree->depth - 1);
    return 1 + nodes(tree->left) + nodes(tree->right);
}

/* Replaces a branch somewhere, or exchanges two. */
static void
disturb(struct tree *tree)
{
    while (tree->depth > 1) {
        struct tree *left = tree->left;

        tree->left = tree->right;
        tree->right = left;
        if (like_random(4) == 0) {
            tree->right = grow(tree->depth - 1);
            return;
        }
        tree = like_random(2) ? tree->left : tree->right;
    }
}

static void
test_trees(void)
{
    static struct tree *root;

    root = grow(12);
    for (int i = 0; i < 60; i++) {
        disturb(root);
        if (i % 15 == 0)
            GC_gcollect();
    }
    printf("trees: %d\n", nodes(root));
    root = NULL;
}

int
main(void)
{
    GC_INIT();
    like_test(test_lists);
    like_test(test_trees);
    like_test(test_lists);
    printf("collections: %s\n", GC_get_gc_no() >= 12 ? "counted" : "lost");
    return 0;
}
