/* boehm_collect.c: what our objects cost a host whose own heap Boehm collects.

   GC_gcollect with 10^6 blocks of the host's and as many objects besides as
   the size says: with BENCH_PLAIN these are blocks from GC_MALLOC, of the same
   size and with the same references; without, they are our containers. */

#include <gc/gc.h>

#ifdef BENCH_PLAIN
#include "bench.h"
#else
#include "nodes.h"
#endif

enum { HOST_BLOCKS = 1000000 };

struct block {
    size_t head[2];
    void *left, *right;
};

static struct block *host, *others;

/* A chain in the order of allocation. */
static struct block *
block_chain(size_t n)
{
    struct block *first = NULL, *last = NULL;

    for (size_t i = 0; i < n; i++) {
        struct block *block = GC_MALLOC(sizeof *block);
        if (block == NULL)
            bench_fail("no memory");
        if (last == NULL)
            first = block;
        else
            last->left = block;
        last = block;
    }
    return first;
}

static void
begin_host(void)
{
    host = block_chain(HOST_BLOCKS);
}

static void
end_host(void)
{
    size_t n = 0;

    for (struct block *block = host; block != NULL; block = block->left)
        n++;
    if (n != HOST_BLOCKS)
        bench_fail("the host lost blocks");
}

static void
chain(size_t size)
{
    begin_host();
#ifdef BENCH_PLAIN
    others = block_chain(size);
#else
    others = (struct block *)nodes_chain(size);
#endif
}

static double
collect(size_t size)
{
    double start = bench_now(), end;

    GC_gcollect();
    end = bench_now();
    end_host();
    return (end - start) / (double)(HOST_BLOCKS + size);
}

static const struct bench_row rows[] = {
    {"host", .begin = chain, .round = collect},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
#ifdef BENCH_PLAIN
    GC_INIT();
#else
    nodes_start();
#endif
    return bench_main(argc, argv, rows);
}
