/* blocks.c: the blocks of malloc's first heap.  See blocks.h.

   A block is a word that belongs to the block before it while that one is in
   use, a word with the block's size and three flag bits, and the contents,
   which end with the first word of the next block.  The lowest flag bit says
   that the block before is in use.  The last block is the unused rest of the
   heap.

   malloc keeps small freed blocks in two kinds of lists, and they look used.
   malloc_trim empties the lists of the first kind; blocks in the other lists
   carry a key in their second word, which is read from a block that is
   allocated and freed for this purpose.  The blocks on pyboehm's own free
   lists are freed first. */

#include "Python.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif
#include <stdlib.h>

#include "gc/base/fatal.h"
#include "runtime/freelist.h"
#include "watch/memory/blocks.h"
#include "watch/memory/memory.h"

enum {
    GRANULE = 16,
    HEAD = 16,
    FLAGS = 7,
    BEFORE_USED = 1,
    MAPPED = 2,                          /* has pages of its own */
    OTHER_HEAP = 4,                      /* in a heap made for threads */
    OTHER_HEAP_BYTES = 64 * 1024 * 1024, /* the most that such a heap has */
    PAGE = 4096
};

static uintptr_t
word_at(uintptr_t address)
{
    uintptr_t word = 0;

    pyb_memory_read(address, &word, 1);
    return word;
}

/* The second word of a freed block of that size; 0 without memory. */
static uintptr_t
freed_word(size_t size)
{
    void *block = malloc(size);
    uintptr_t address = (uintptr_t)block;

    free(block);
    return block != NULL ? word_at(address + sizeof address) : 0;
}

/* The word that most freed blocks, of several sizes, have in second place; 0
   if no two have the same.  A list may be full, and then a block of its size
   goes elsewhere. */
static uintptr_t
free_key(void)
{
    enum { SIZES = 8, FIRST = 24, STEP = 64 };
    uintptr_t words[SIZES], key = 0;
    int most = 1;

    for (size_t i = 0; i < SIZES; i++)
        words[i] = freed_word(FIRST + i * STEP);
    for (size_t i = 0; i < SIZES; i++) {
        int n = 0;

        for (size_t j = 0; j < SIZES; j++)
            n += words[j] == words[i];
        if (n > most) {
            most = n;
            key = words[i];
        }
    }
    return key;
}

/* ------------------------------------------------------------------ */
/* glibc's malloc; with another, malloc_trim is missing, and no heap is read */

#ifdef HAVE_MALLOC_TRIM

static void
empty_lists(void)
{
    malloc_trim(0);
}

static uintptr_t
heap_end(void)
{
    return (uintptr_t)sbrk(0);
}

#else

static void
empty_lists(void)
{
}

static uintptr_t
heap_end(void)
{
    return 0;
}

#endif

/* ------------------------------------------------------------------ */
/* Reading the heap                                                    */

struct reading {
    struct pyb_blocks *blocks;
    size_t room;    /* for blocks; 0: they are only counted */
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

    PYB_ASSERT(size > 0 && size <= blocks->end - begin);
    if (blocks->n < r->room)
        blocks->all[blocks->n] =
            pyb_blocks_span(blocks, begin, begin + size, !keyed);
    blocks->n++;
}

void
pyb_blocks_check(const struct pyb_blocks *blocks)
{
    uintptr_t end = 0;

    PYB_ALWAYS(blocks->heap <= blocks->n, NULL,
               "there are fewer blocks than in the heap");
    for (size_t i = 0; i < blocks->n; i++) {
        const struct pyb_block_span *span = &blocks->all[i];

        PYB_ALWAYS(span->begin < span->end, NULL,
                   "a block ends before it begins");
        PYB_ALWAYS(i >= blocks->heap || span->begin == end, NULL,
                   "a block of the heap does not follow the one before");
        PYB_ALWAYS(span->begin >= end, NULL, "a block is within another one");
        end = span->end;
    }
    PYB_ALWAYS(blocks->heap == 0 ||
                   blocks->all[blocks->heap - 1].end ==
                       (blocks->end - blocks->begin) / GRANULE,
               NULL, "the last block does not end where the heap does");
}

/* Reads the head of a block.  One bit of the size word is about the block
   before. */
static void
read_head(struct reading *r, const uintptr_t head[4])
{
    struct pyb_blocks *blocks = r->blocks;
    uintptr_t size = head[1] & ~(uintptr_t)FLAGS;

    PYB_ASSERT(r->next >= blocks->begin && r->next < blocks->end);
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

/* Reads the heads that begin in these words.  A head may reach into the next
   call's words; its rest is read from memory. */
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

/* Reads the heap up to its present end; returns 1 if it consists of blocks up
   to there. */
static int
read_heap(struct pyb_blocks *blocks, size_t room, uintptr_t key)
{
    struct reading r = {blocks, room, blocks->begin, key, 0};

    blocks->end = heap_end();
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
    pyb_freelist_empty();
    empty_lists();
    blocks->begin = pyb_memory_heap();
    if (blocks->begin == 0 || !read_heap(blocks, 0, key)) {
        blocks->n = 0;
        return 0;
    }
    /* The table itself may add a block or two to the heap. */
    room = blocks->n + 16;
    blocks->all = calloc(room, sizeof *blocks->all);
    if (blocks->all == NULL)
        return -1;
    if (!read_heap(blocks, room, key) || blocks->n > room)
        pyb_blocks_end(blocks);
    blocks->heap = blocks->n;
    PYB_EXPENSIVE(pyb_blocks_check(blocks));
    return 0;
}

void
pyb_blocks_end(struct pyb_blocks *blocks)
{
    free(blocks->all);
    blocks->all = NULL;
    blocks->n = blocks->heap = 0;
}

/* Does the heap's block of that number begin at or before a granule, and the
   next one after it? */
static int
is_at(const struct pyb_blocks *blocks, size_t i, uintptr_t granule)
{
    return i + 1 < blocks->heap && blocks->all[i].begin <= granule &&
           blocks->all[i + 1].begin > granule;
}

/* The last block from low up to high that begins at or before a granule. */
static size_t
search(const struct pyb_blocks *blocks, size_t low, size_t high,
       uintptr_t granule)
{
    PYB_ASSERT(low < high && high <= blocks->n);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (blocks->all[middle].begin <= granule)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where something was found last: what is asked next often lies beside. */
static size_t near;

/* The last word of a block's contents lies in the next block's head.  The
   words before it begin HEAD bytes behind the block's own beginning. */
ptrdiff_t
pyb_blocks_find(const struct pyb_blocks *blocks, uintptr_t address)
{
    uintptr_t offset = address - HEAD - blocks->begin;
    int mapped = offset >= blocks->end - blocks->begin;
    size_t low = mapped ? blocks->heap : 0;
    size_t high = mapped ? blocks->n : blocks->heap;

    PYB_ASSERT(blocks->heap <= blocks->n);
    if (low == high || offset / GRANULE < blocks->all[low].begin)
        return -1;
    if (!mapped && is_at(blocks, near, offset / GRANULE))
        low = near;
    else if (!mapped && is_at(blocks, near + 1, offset / GRANULE))
        low = near + 1;
    else
        low = search(blocks, low, high, offset / GRANULE);
    near = mapped ? near : low;
    PYB_ASSERT(blocks->all[low].begin <= offset / GRANULE);
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
    PYB_ASSERT(i < blocks->n);
    return blocks->begin + blocks->all[i].begin * GRANULE + HEAD;
}

uintptr_t
pyb_blocks_end_of(const struct pyb_blocks *blocks, size_t i)
{
    PYB_ASSERT(i < blocks->n);
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
    /* The word before a static object may be a pointer that looks like a
       size. */
    return head & OTHER_HEAP && size < OTHER_HEAP_BYTES
               ? size - HEAD + sizeof head
               : 0;
}
