/* boehm_alloc.c: allocation: our containers against GC_MALLOC.

   One source for both sides: with BENCH_PLAIN a block of the same size comes
   from GC_MALLOC, and Boehm's collections free it; without, it is a container,
   tracked, and its count frees it. */

#ifdef BENCH_PLAIN

#include <gc/gc.h>

#include "bench.h"

struct block {
    size_t head[2];
    void *left, *right;
};

static void
start(void)
{
    GC_INIT();
}

static inline struct block *
block_new(void)
{
    struct block *block = GC_MALLOC(sizeof *block);

    if (block == NULL)
        bench_fail("no memory");
    return block;
}

static inline void
block_drop(struct block *block)
{
    (void)block;
}

static void
automatic(int on)
{
    (void)on;
}

#else

#include "nodes.h"

#define block pair
#define start nodes_start
#define block_new pair_new
#define block_drop Py_XDECREF

static void
automatic(int on)
{
    if (on)
        PyGC_Enable();
    else
        PyGC_Disable();
}

#endif

enum { OPERATIONS = 1000000 };

/* Blocks that are dropped at once. */
static double
dropped(size_t size)
{
    double begin = bench_now();

    (void)size;
    for (int i = 0; i < OPERATIONS; i++)
        block_drop(block_new());
    return (bench_now() - begin) / OPERATIONS;
}

/* Blocks that stay, in a chain that is dropped in the end. */
static double
collecting(size_t size)
{
    static struct block *head;
    double begin = bench_now(), time;

    for (size_t i = 0; i < size; i++) {
        struct block *next = block_new();
        next->left = (void *)head;
        head = next;
    }
    time = bench_now() - begin;
    block_drop(head);
    head = NULL;
    return time / (double)size;
}

/* The same without our automatic collections; Boehm has its own on both
   sides. */
static double
kept(size_t size)
{
    double time;

    automatic(0);
    time = collecting(size);
    automatic(1);
    return time;
}

static const struct bench_row rows[] = {
    {"dropped", .round = dropped},
    {"kept", .round = kept},
    {"kept-collecting", .round = collecting},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    start();
    return bench_main(argc, argv, rows);
}
