/* mapped.c: malloc's large blocks.  See mapped.h.

   Such a block begins a page, and there is no list of them.  Each pointer in
   an object that may point to one is tried. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "watch/memory/mapped.h"
#include "watch/memory/memory.h"

enum { PAGE = 4096, HEAD = 16 };

static void
note_word(uintptr_t Py_UNUSED(address), const uintptr_t *Py_UNUSED(words),
          size_t Py_UNUSED(n), void *readable)
{
    *(int *)readable = 1;
}

/* Is the presumed block readable up to its last word? */
static int
is_whole(uintptr_t contents, size_t size)
{
    int whole = 0;

    pyb_memory_part(contents + size - sizeof(uintptr_t), contents + size,
                    note_word, &whole);
    return whole;
}

int
pyb_mapped_add(struct pyb_blocks *blocks, uintptr_t contents)
{
    struct pyb_block_span *all;
    size_t size;

    if (contents % PAGE != HEAD ||
        contents - blocks->begin < blocks->end - blocks->begin ||
        pyb_boehm_base((const void *)contents) != NULL)
        return 0;
    size = pyb_blocks_alone(blocks, contents);
    if (size == 0 || !is_whole(contents, size))
        return 0;
    all = realloc(blocks->all, (blocks->n + 1) * sizeof *all);
    if (all == NULL)
        return -1;
    blocks->all = all;
    all[blocks->n++] = pyb_blocks_span(blocks, contents - HEAD,
                                       contents + size - sizeof(uintptr_t), 1);
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
    struct pyb_block_span *mapped;
    size_t n = blocks->n - blocks->heap, kept = 0;

    PYB_ASSERT(blocks->heap <= blocks->n);
    if (n == 0)
        return;
    mapped = &blocks->all[blocks->heap];
    qsort(mapped, n, sizeof *mapped, compare);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || mapped[i].begin >= mapped[kept - 1].end)
            mapped[kept++] = mapped[i];
    blocks->n = blocks->heap + kept;
    PYB_EXPENSIVE(pyb_blocks_check(blocks));
}
