/* keep.c: what lives on after Py_Finalize.  See keep.h. */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/heap.h"
#include "gc/keep.h"
#include "gc/sidetable.h"

static struct {
    void **names, **end; /* NULL: nothing is kept */
} kept;

/* Appends a card's blocks to the array, if there is one.  Returns the number
   of all so far. */
static size_t
name_card(void **array, size_t n, struct pyb_card *card)
{
    char *base = pyb_card_base(card);

    for (uint64_t bits = AO_load(&card->held); bits != 0; bits &= bits - 1) {
        if (array != NULL)
            array[n] = pyb_block_at(base, bits);
        n++;
    }
    return n;
}

/* The same for all there are. */
static size_t
name_blocks(void **array)
{
    size_t n = 0;

    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        for (size_t i = region->pages_begin * PYB_PAGE_CARDS;
             i < region->pages_end * PYB_PAGE_CARDS; i++)
            n = name_card(array, n, &region->cards[i]);
    return n;
}

int
pyb_keep_begin(void)
{
    size_t n = name_blocks(NULL);

    kept.names = n > 0 ? malloc(n * sizeof(void *)) : NULL;
    if (kept.names == NULL)
        return n > 0 ? -1 : 0;
    name_blocks(kept.names);
    kept.end = kept.names + n;
    pyb_boehm_add_roots(kept.names, kept.end);
    return 0;
}

void
pyb_keep_end(void)
{
    if (kept.names == NULL)
        return;
    pyb_boehm_remove_roots(kept.names, kept.end);
    free(kept.names);
    kept.names = NULL;
}
