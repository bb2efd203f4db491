/* heap.c: memory for containers.  See heap.h. */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/inspect.h"

enum {
    TRIM_BYTES = 256 * 1024, /* free memory of one size that may just lie */
    SETTLE_BYTES = 1024 * 1024,
    FEW_GRANULES = 16 /* that clearing does one by one */
};

struct pyb_heap pyb_heap;

/* Makes a block ours, which is in a page of such blocks.  A small one joins a
   free list afterwards. */
static int
hold(void *block, size_t granules, struct pyb_size *s)
{
    struct pyb_region *region = pyb_sidetable_cover(block);

    if (region == NULL)
        return -1;
    unsigned char *page = pyb_region_page(region, block);
    PYB_ALWAYS(*page == 0 || *page == granules, NULL,
               "two sizes of blocks in one page");
    *page = (unsigned char)granules;

    struct pyb_card *card = pyb_region_card(region, block);
    card->size = s;
    pyb_fact_set(&card->held, pyb_bit_of(block));
    return 0;
}

/* Takes a chain of blocks from Boehm.  It comes with the highest address
   first; the list is built to hand out the lowest first.  The chain's rest is
   kept alive by the variable that leads it, the part done by its bits. */
static void
hold_chain(void *chain, size_t granules)
{
    struct pyb_size *s = &pyb_heap.sizes[granules];
    size_t count = 0;

    s->granules = granules;
    while (chain != NULL) {
        struct pyb_block *block = chain;
        void *next = *(void **)chain;

        if (hold(block, granules, s) < 0)
            break; /* what is left of the chain is Boehm's again */
        block->refcnt = PYB_DEAD_REFCNT;
        block->next = s->free;
        s->free = block;
        chain = next;
        count++;
    }
    s->nfree += count;
    s->nheld += count;

    size_t bytes = count * granules * PYB_GRANULE_BYTES;
    pyb_heap.held_bytes += bytes;
    pyb_boehm_count_live((ptrdiff_t)bytes);
}

static void *
hold_large(void *block)
{
    if (block == NULL || hold(block, PYB_LARGE, &pyb_heap.large) < 0)
        return NULL;

    size_t size = pyb_boehm_size(block);
    pyb_heap.large_bytes += size;
    pyb_heap.held_bytes += size;
    pyb_boehm_count_live((ptrdiff_t)size);
    return block;
}

void *
pyb_heap_refill(size_t size)
{
    size_t granules = (size + PYB_GRANULE_BYTES - 1) >> PYB_GRANULE_SHIFT;

    if (granules < PYB_GRANULES_MIN)
        return pyb_heap_alloc(PYB_GRANULES_MIN * PYB_GRANULE_BYTES);
    pyb_control_require("PyObject_GC_New");
    pyb_heap_settle(0);
    if (size > PYB_BLOCK_MAX)
        return hold_large(pyb_boehm_alloc(size));

    void *chain = pyb_boehm_alloc_many(granules * PYB_GRANULE_BYTES);
    if (chain == NULL)
        return NULL;
    /* The last resort is one block, which may be larger than asked. */
    granules = pyb_boehm_size(chain) >> PYB_GRANULE_SHIFT;
    if (granules >= PYB_SIZES)
        return hold_large(chain);
    hold_chain(chain, granules);

    return pyb_heap_pop(granules * PYB_GRANULE_BYTES);
}

/* Large blocks go back at once: they are few, and their pages are worth it. */
static void
free_large(void *block)
{
    struct pyb_region *region = pyb_region_of(block);
    size_t size = pyb_boehm_size(block);

    if (pyb_checks)
        pyb_inspect_forget(pyb_card_of(block), pyb_bit_of(block));
    pyb_fact_clear(&pyb_region_card(region, block)->held, pyb_bit_of(block));
    *pyb_region_page(region, block) = 0;
    pyb_heap.large_bytes -= size;
    pyb_heap.held_bytes -= size;
    pyb_boehm_count_live(-(ptrdiff_t)size);
    pyb_boehm_free(block);
}

/* A few stores, where a call of memset would be the larger part of the work.
 */
void
pyb_heap_clear(const struct pyb_size *s, void *block)
{
    size_t granules = s->granules != 0
                          ? s->granules
                          : pyb_boehm_size(block) / PYB_GRANULE_BYTES;
    uint64_t *word = block;

    if (granules > FEW_GRANULES) {
        memset(word + 2, 0, (granules - 1) * PYB_GRANULE_BYTES);
        return;
    }
    for (uint64_t *end = word + 2 * granules; (word += 2) < end;) {
        word[0] = 0;
        word[1] = 0;
    }
}

void
pyb_heap_free_other(struct pyb_size *s, void *block)
{
    if (s->granules == 0) {
        free_large(block);
        return;
    }
    pyb_heap_clear(s, block);
    pyb_heap_push(s, block);
}

size_t
pyb_heap_block_size(const void *block)
{
    size_t granules = pyb_card_of(block)->size->granules;

    return granules == 0 ? pyb_boehm_size(block)
                         : granules * PYB_GRANULE_BYTES;
}

PyObject **
pyb_heap_managed_dict(PyObject *op)
{
    return (PyObject **)((char *)op + pyb_heap_block_size(op)) - 1;
}

PyObject **
pyb_heap_managed_weaklist(PyObject *op)
{
    return (PyObject **)((char *)op + pyb_heap_block_size(op)) - 2;
}

/* ------------------------------------------------------------------ */
/* Giving memory back                                                  */

/* Is enough of a size free that whole pages may be? */
static int
worth_trimming(const struct pyb_size *s, size_t granules)
{
    return s->nfree * granules * PYB_GRANULE_BYTES > TRIM_BYTES &&
           s->nfree > s->nheld / 2;
}

/* The bits of a card's blocks that are on a free list. */
static inline uint64_t *
free_bits(struct pyb_card *card)
{
    struct pyb_region *region = pyb_card_region(card);

    return &region->free[card - region->cards];
}

/* Moves the free lists that are worth it into the free bits of the cards;
   marks their sizes in wanted[].  1 if there is any. */
static int
spread_lists(char wanted[PYB_SIZES])
{
    int any = 0;

    for (size_t granules = 1; granules < PYB_SIZES; granules++) {
        struct pyb_size *s = &pyb_heap.sizes[granules];

        if (!worth_trimming(s, granules))
            continue;
        for (struct pyb_block *block = s->free; block != NULL;
             block = block->next)
            *free_bits(pyb_card_of(block)) |= pyb_bit_of(block);
        s->free = NULL;
        s->nfree = 0;
        wanted[granules] = 1;
        any = 1;
    }
    return any;
}

/* The block in a card that the lowest of the bits stands for. */
static inline struct pyb_block *
block_at(char *base, uint64_t bits)
{
    return (struct pyb_block *)(void *)(base + __builtin_ctzll(bits) *
                                                   PYB_GRANULE_BYTES);
}

/* Forgets a page whose blocks are all free.  Their heads go first: as soon as
   a block is not held, Boehm may have use for it. */
static void
forget_page(struct pyb_card *cards, size_t granules)
{
    struct pyb_size *s = &pyb_heap.sizes[granules];
    size_t count = 0;

    for (int i = 0; i < PYB_PAGE_CARDS; i++) {
        char *base = pyb_card_base(&cards[i]);
        uint64_t *listed = free_bits(&cards[i]);

        count += (size_t)__builtin_popcountll(*listed);
        for (uint64_t bits = *listed; bits != 0; bits &= bits - 1)
            *block_at(base, bits) = (struct pyb_block){0, NULL};
        if (pyb_checks)
            pyb_inspect_forget(&cards[i], *listed);
        *listed = 0;
        AO_store_release(&cards[i].held, 0);
    }
    s->nheld -= count;
    *pyb_region_page(pyb_card_region(cards), pyb_card_base(cards)) = 0;

    size_t bytes = count * granules * PYB_GRANULE_BYTES;
    pyb_heap.held_bytes -= bytes;
    pyb_heap.forgotten_bytes += bytes;
}

/* Appends a page's free blocks to the list that ends at *tail. */
static struct pyb_block **
collect_page(struct pyb_card *cards, size_t granules, struct pyb_block **tail)
{
    for (int i = 0; i < PYB_PAGE_CARDS; i++) {
        char *base = pyb_card_base(&cards[i]);
        uint64_t *listed = free_bits(&cards[i]);

        for (uint64_t bits = *listed; bits != 0; bits &= bits - 1) {
            *tail = block_at(base, bits);
            tail = &(*tail)->next;
            pyb_heap.sizes[granules].nfree++;
        }
        *listed = 0;
    }
    return tail;
}

static int
page_is_free(struct pyb_card *cards)
{
    for (int i = 0; i < PYB_PAGE_CARDS; i++)
        if (AO_load(&cards[i].held) != *free_bits(&cards[i]))
            return 0;
    return 1;
}

static void
trim_region(struct pyb_region *region, const char wanted[PYB_SIZES],
            struct pyb_block **tails[PYB_SIZES])
{
    for (size_t page = 0; page < PYB_REGION_PAGES; page++) {
        size_t granules = region->pages[page];
        struct pyb_card *cards = &region->cards[page * PYB_PAGE_CARDS];

        if (granules == 0 || granules == PYB_LARGE || !wanted[granules])
            continue;
        if (page_is_free(cards))
            forget_page(cards, granules);
        else
            tails[granules] = collect_page(cards, granules, tails[granules]);
    }
}

/* When to look again: not before the list has grown by as much as is held
   now, so that the walk costs each freed block a constant. */
static void
set_trim_marks(void)
{
    for (size_t granules = 1; granules < PYB_SIZES; granules++) {
        struct pyb_size *s = &pyb_heap.sizes[granules];
        size_t least = TRIM_BYTES / (granules * PYB_GRANULE_BYTES);

        s->trim_at = Py_MAX(least, Py_MAX(2 * s->nfree, s->nheld / 2));
    }
}

void
pyb_heap_trim(void)
{
    char wanted[PYB_SIZES] = {0};
    struct pyb_block **tails[PYB_SIZES];
    size_t before = pyb_heap.held_bytes;

    if (spread_lists(wanted)) {
        for (size_t i = 0; i < PYB_SIZES; i++)
            tails[i] = &pyb_heap.sizes[i].free;
        for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
             region = region->next)
            trim_region(region, wanted, tails);
        for (size_t i = 0; i < PYB_SIZES; i++)
            if (wanted[i])
                *tails[i] = NULL;
        pyb_boehm_count_live(-(ptrdiff_t)(before - pyb_heap.held_bytes));
    }
    set_trim_marks();
}

void
pyb_heap_settle(int give_back)
{
    size_t forgotten = pyb_heap.forgotten_bytes;

    if (forgotten > SETTLE_BYTES && forgotten > pyb_boehm_used_bytes() / 2) {
        pyb_heap.forgotten_bytes = 0;
        pyb_boehm_collect(give_back && pyb_heap.held_bytes < forgotten / 4);
    }
}

/* ------------------------------------------------------------------ */
/* Boehm's view                                                        */

enum { PUSH_BATCH = 256 };

/* Runs with the world stopped, this thread perhaps in the middle of any line
   above: reads held and condemned only. */
static void
push_region(struct pyb_region *region, void **batch)
{
    size_t n = 0;

    for (size_t page = 0; page < PYB_REGION_PAGES; page++) {
        if (region->pages[page] == 0)
            continue;
        struct pyb_card *card = &region->cards[page * PYB_PAGE_CARDS];
        for (int i = 0; i < PYB_PAGE_CARDS; i++, card++) {
            uint64_t bits = AO_load(&card->held) & ~AO_load(&card->condemned);

            for (; bits != 0; bits &= bits - 1)
                batch[n++] = pyb_card_base(card) +
                             __builtin_ctzll(bits) * PYB_GRANULE_BYTES;
            if (n > PUSH_BATCH - PYB_CARD_GRANULES) {
                pyb_boehm_push(batch, batch + n);
                n = 0;
            }
        }
    }
    pyb_boehm_push(batch, batch + n);
}

void
pyb_heap_push_roots(void)
{
    void *batch[PUSH_BATCH];
    struct pyb_region *region = (struct pyb_region *)AO_load(
        (const volatile AO_t *)&pyb_sidetable.first);

    for (; region != NULL; region = region->next)
        push_region(region, batch);
}
