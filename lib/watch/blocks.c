/* blocks.c: the blocks of malloc's first heap.  See blocks.h.

   A block is a word that the one before it may use, a word with its size and
   three bits, and its contents; up to and with the first word of the next one.
   The lowest bit says that the one before is in use.  The last block is what
   is left of the heap.

   Small blocks that were freed lie in two kinds of lists, and look used.
   malloc_trim empties the one; those of the other carry a key in their second
   word, which a block of our own that we have freed shows us.  Those that wait
   for our own next use are freed first. */

#include "Python.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "object/spare.h"
#include "watch/blocks.h"
#include "watch/memory.h"

enum {
    GRANULE = 16,
    HEAD = 16,
    FLAGS = 7,
    BEFORE_USED = 1,
    MAPPED = 2,                          /* has pages of its own */
    OTHER_HEAP = 4,                      /* is in a heap made for threads */
    OTHER_HEAP_BYTES = 64 * 1024 * 1024, /* of such a heap, at most */
    PAGE = 4096
};

static uintptr_t
word_at(uintptr_t address)
{
    uintptr_t word = 0;

    pyb_memory_read(address, &word, 1);
    return word;
}

/* What freed blocks of some sizes have in their second word, if all have the
   same; or 0. */
static uintptr_t
free_key(void)
{
    uintptr_t key = 0;

    for (size_t size = 24; size < 200; size += 64) {
        void *block = malloc(size);
        uintptr_t address = (uintptr_t)block, found;

        free(block);
        found = word_at(address + sizeof(uintptr_t));
        if (block == NULL || (key != 0 && found != key))
            return 0;
        key = found;
    }
    return key;
}

/* ------------------------------------------------------------------ */
/* Reading the heap                                                    */

struct reading {
    struct pyb_blocks *blocks;
    size_t room;    /* for blocks; of 0, they are counted only */
    uintptr_t next; /* where the next block begins */
    uintptr_t key;
    int bad;
};

struct pyb_block_span
pyb_blocks_span(const struct pyb_blocks *blocks, uintptr_t begin,
                uintptr_t end, int used)
{
    return (struct pyb_block_span){(begin - blocks->begin) / GRANULE,
                                   (end - blocks->begin) / GRANULE, used};
}

static void
enter(struct reading *r, uintptr_t begin, uintptr_t size, int keyed)
{
    struct pyb_blocks *blocks = r->blocks;

    if (blocks->n < r->room)
        blocks->all[blocks->n] =
            pyb_blocks_span(blocks, begin, begin + size, !keyed);
    blocks->n++;
}

/* The head of a block: its size, of which one bit is about the one before. */
static void
read_head(struct reading *r, const uintptr_t head[4])
{
    struct pyb_blocks *blocks = r->blocks;
    uintptr_t size = head[1] & ~(uintptr_t)FLAGS;

    if (size < 2 * GRANULE || size % GRANULE != 0 ||
        size > blocks->end - r->next) {
        r->bad = 1;
        return;
    }
    if (blocks->n > 0 && blocks->n <= r->room && !(head[1] & BEFORE_USED))
        blocks->all[blocks->n - 1].used = 0;
    enter(r, r->next, size,
          (r->key != 0 && head[3] == r->key) || r->next + size == blocks->end);
    r->next += size;
}

/* A head is read where all of it is there; it may lie across two rounds. */
static void
read_heads(uintptr_t address, const uintptr_t *words, size_t n, void *arg)
{
    struct reading *r = arg;
    uintptr_t end = address + n * sizeof *words;

    r->bad |= r->next < address; /* a part could not be read */
    while (!r->bad && r->next < r->blocks->end && r->next < end) {
        uintptr_t head[4] = {0, 0, 0, 0};

        for (size_t i = 0; i < 4; i++) {
            uintptr_t at = r->next + i * sizeof *words;

            head[i] =
                at < end ? words[(at - address) / sizeof *words] : word_at(at);
        }
        read_head(r, head);
    }
}

/* Goes over the heap, which ends where it ends now; 1 if it is all blocks up
   to there. */
static int
read_heap(struct pyb_blocks *blocks, size_t room, uintptr_t key)
{
    struct reading r = {blocks, room, blocks->begin, key, 0};

    blocks->end = (uintptr_t)sbrk(0);
    blocks->n = 0;
    pyb_memory_part(blocks->begin, blocks->end, read_heads, &r);
    return !r.bad && r.next == blocks->end && blocks->n > 0;
}

/* ------------------------------------------------------------------ */

int
pyb_blocks_take(struct pyb_blocks *blocks)
{
    uintptr_t key = free_key();
    size_t room;

    *blocks = (struct pyb_blocks){0, 0, NULL, 0, 0};
    pyb_spare_empty();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    blocks->begin = pyb_memory_heap();
    if (blocks->begin == 0 || !read_heap(blocks, 0, key)) {
        blocks->n = 0;
        return 0;
    }
    /* The table itself may become a block or two. */
    room = blocks->n + 16;
    blocks->all = calloc(room, sizeof *blocks->all);
    if (blocks->all == NULL)
        return -1;
    if (!read_heap(blocks, room, key) || blocks->n > room)
        pyb_blocks_end(blocks);
    blocks->heap = blocks->n;
    return 0;
}

void
pyb_blocks_end(struct pyb_blocks *blocks)
{
    free(blocks->all);
    blocks->all = NULL;
    blocks->n = blocks->heap = 0;
}

/* All of a block's contents but their last word lie a head behind its
   granules; that word lies where the next one's head begins. */
ptrdiff_t
pyb_blocks_find(const struct pyb_blocks *blocks, uintptr_t address)
{
    uintptr_t offset = address - HEAD - blocks->begin;
    int mapped = offset >= blocks->end - blocks->begin;
    size_t low = mapped ? blocks->heap : 0;
    size_t high = mapped ? blocks->n : blocks->heap;

    if (low == high || offset / GRANULE < blocks->all[low].begin)
        return -1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (blocks->all[middle].begin <= offset / GRANULE)
            low = middle;
        else
            high = middle;
    }
    return address - pyb_blocks_begin(blocks, low) <
                   pyb_blocks_end_of(blocks, low) + sizeof(uintptr_t) -
                       pyb_blocks_begin(blocks, low)
               ? (ptrdiff_t)low
               : -1;
}

ptrdiff_t
pyb_blocks_target(const struct pyb_blocks *blocks, uintptr_t pointer)
{
    ptrdiff_t block = pyb_blocks_find(blocks, pointer);

    return block >= 0 && pointer == pyb_blocks_end_of(blocks, (size_t)block)
               ? -1
               : block;
}

uintptr_t
pyb_blocks_begin(const struct pyb_blocks *blocks, size_t i)
{
    return blocks->begin + blocks->all[i].begin * GRANULE + HEAD;
}

uintptr_t
pyb_blocks_end_of(const struct pyb_blocks *blocks, size_t i)
{
    return blocks->begin + blocks->all[i].end * GRANULE;
}

size_t
pyb_blocks_alone(const struct pyb_blocks *blocks, uintptr_t address)
{
    uintptr_t head;
    size_t size;

    if (blocks->n == 0 || address % GRANULE != 0)
        return 0;
    head = word_at(address - sizeof head);
    size = head & ~(uintptr_t)FLAGS;
    if (size < 2 * GRANULE || size % GRANULE != 0)
        return 0;
    if (head & MAPPED)
        return size % PAGE == 0 && address % PAGE == HEAD ? size - HEAD : 0;
    /* A pointer that stands before static data may look like a size. */
    return head & OTHER_HEAP && size < OTHER_HEAP_BYTES
               ? size - HEAD + sizeof head
               : 0;
}
