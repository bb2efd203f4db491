/* mapped.c: the large blocks of malloc's.  See mapped.h.

   Such a block is at the beginning of a page.  It has the same head as others,
   a zero and its size in pages; of the three bits one says that it is mapped.
   Nobody has a list of them: they are tried where an object points to what may
   be one. */

#include "Python.h"

#include <stdlib.h>

#include "gc/boehm.h"
#include "watch/mapped.h"
#include "watch/memory.h"

enum { PAGE = 4096, HEAD = 16, FLAGS = 7, MAPPED = 2 };

struct head {
    uintptr_t words[2]; /* zero if it cannot be read */
};

static void
take_head(uintptr_t Py_UNUSED(address), const uintptr_t *words, size_t n,
          void *head)
{
    if (n == 2)
        *(struct head *)head = (struct head){{words[0], words[1]}};
}

static void
note_word(uintptr_t Py_UNUSED(address), const uintptr_t *Py_UNUSED(words),
          size_t Py_UNUSED(n), void *readable)
{
    *(int *)readable = 1;
}

/* The size of the block that begins there; 0 if it does not look so. */
static uintptr_t
size_of(uintptr_t begin)
{
    struct head head = {{0, 0}};
    uintptr_t size;
    int whole = 0;

    pyb_memory_part(begin, begin + HEAD, take_head, &head);
    size = head.words[1] & ~(uintptr_t)FLAGS;
    if (head.words[0] != 0 || (head.words[1] & FLAGS) != MAPPED || size == 0 ||
        size % PAGE != 0 || begin + size < begin)
        return 0;
    pyb_memory_part(begin + size - sizeof(uintptr_t), begin + size, note_word,
                    &whole);
    return whole ? size : 0;
}

int
pyb_mapped_add(struct pyb_blocks *blocks, uintptr_t contents)
{
    struct pyb_block_span *all;
    uintptr_t begin = contents - HEAD, size;

    if (blocks->n == 0 || begin % PAGE != 0 || begin == 0 ||
        begin - blocks->begin < blocks->end - blocks->begin ||
        pyb_boehm_base((const void *)contents) != NULL)
        return 0;
    size = size_of(begin);
    if (size == 0)
        return 0;
    all = realloc(blocks->all, (blocks->n + 1) * sizeof *all);
    if (all == NULL)
        return -1;
    blocks->all = all;
    /* Its last granule belongs to it, and has no next block's head. */
    all[blocks->n++] =
        pyb_blocks_span(blocks, begin, begin + size - sizeof(struct head), 1);
    return 0;
}

static int
compare(const void *a, const void *b)
{
    const struct pyb_block_span *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

void
pyb_mapped_settle(struct pyb_blocks *blocks)
{
    struct pyb_block_span *mapped = &blocks->all[blocks->heap];
    size_t n = blocks->n - blocks->heap, kept = 0;

    if (n == 0)
        return;
    qsort(mapped, n, sizeof *mapped, compare);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || mapped[i].begin >= mapped[kept - 1].end)
            mapped[kept++] = mapped[i];
    blocks->n = blocks->heap + kept;
}
