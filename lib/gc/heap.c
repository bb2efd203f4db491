/* heap.c: memory for containers.  See heap.h. */

#include "Python.h"

#include "gc/attach.h"
#include "gc/boehm.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/inspect.h"

enum {
    TRIM_BYTES = 256 * 1024, /* free memory of one size that may just lie */
    SETTLE_BYTES = 1024 * 1024
};

struct pyb_heap pyb_heap;

/* Makes the page of a block ours, with all the blocks in it of one size.  NULL
   if there is no memory for its region.  Boehm's hook reads the bounds only
   with the page's blocks, which are held later. */
static struct pyb_region *
hold_page(void *block, size_t granules)
{
    struct pyb_region *region = pyb_sidetable_cover(block);

    if (region == NULL)
        return NULL;
    unsigned char *page = pyb_region_page(region, block);
    PYB_ALWAYS(*page == 0 || *page == granules, NULL,
               "two sizes of blocks in one page");
    *page = (unsigned char)granules;
    pyb_region_widen(region, (size_t)(page - region->pages));
    return region;
}

/* Makes a block of such a page ours. */
static inline void
hold(struct pyb_region *region, void *block, struct pyb_size *s)
{
    struct pyb_card *card = pyb_region_card(region, block);

    card->size = s;
    pyb_fact_set(&card->held, pyb_bit_of(block));
}

/* Takes a chain of blocks from Boehm, page after page.  It comes with the
   highest address first; the list is built to hand out the lowest first.  The
   chain's rest is kept alive by the variable that leads it, the part done by
   its bits. */
static void
hold_chain(void *chain, size_t granules)
{
    struct pyb_size *s = &pyb_heap.sizes[granules];
    struct pyb_region *region = NULL;
    uintptr_t page = 0;
    size_t count = 0;

    s->granules = granules;
    while (chain != NULL) {
        struct pyb_block *block = chain;
        void *next = *(void **)chain;

        if ((uintptr_t)block >> PYB_PAGE_SHIFT != page) {
            region = hold_page(block, granules);
            page = (uintptr_t)block >> PYB_PAGE_SHIFT;
        }
        if (region == NULL)
            break; /* what is left of the chain is Boehm's again */
        hold(region, block, s);
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
    struct pyb_region *region =
        block != NULL ? hold_page(block, PYB_LARGE) : NULL;

    if (region == NULL)
        return NULL;
    hold(region, block, &pyb_heap.large);

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
    pyb_attach_run_errands();
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

void
pyb_heap_free_other(struct pyb_size *s, void *block)
{
    if (s->granules == 0) {
        free_large(block);
        return;
    }
    pyb_heap_clear(block, s->granules);
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

/* Is enough of a size free that whole pages may be, and was not when somebody
   last looked? */
static int
worth_trimming(const struct pyb_size *s, size_t granules)
{
    return s->nfree * granules * PYB_GRANULE_BYTES > TRIM_BYTES &&
           s->nfree > s->nheld / 2 && s->nfree != s->nleft;
}

/* Does a block of ours that is neither tracked nor condemned wait on a free
   list?  Its head says so. */
static inline int
is_free(const struct pyb_block *block)
{
    return (size_t)(block->refcnt - PYB_DEAD_REFCNT + PYB_DEAD_SLACK) <
           2 * (size_t)PYB_DEAD_SLACK;
}

/* The block in a card that the lowest of the bits stands for. */
static inline struct pyb_block *
block_at(char *base, uint64_t bits)
{
    return (struct pyb_block *)(void *)(base + (size_t)__builtin_ctzll(bits) *
                                                   PYB_GRANULE_BYTES);
}

/* Those of a card's blocks that are free.  Nobody has noted that, and the list
   that runs through them is not walked, for it jumps through memory that has
   left the caches. */
static uint64_t
free_bits(const struct pyb_card *card)
{
    uint64_t bits =
        AO_load(&card->held) & ~(card->tracked | AO_load(&card->condemned));
    char *base = pyb_card_base(card);
    uint64_t found = 0;

    for (; bits != 0; bits &= bits - 1)
        if (is_free(block_at(base, bits)))
            found |= bits & -bits;
    return found;
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
        uint64_t held = AO_load(&cards[i].held);

        count += (size_t)__builtin_popcountll(held);
        for (uint64_t bits = held; bits != 0; bits &= bits - 1)
            *block_at(base, bits) = (struct pyb_block){0, NULL};
        if (pyb_checks)
            pyb_inspect_forget(&cards[i], held);
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
collect_page(struct pyb_card *cards, const uint64_t found[PYB_PAGE_CARDS],
             struct pyb_block **tail, size_t *nfree)
{
    for (int i = 0; i < PYB_PAGE_CARDS; i++) {
        char *base = pyb_card_base(&cards[i]);

        *nfree += (size_t)__builtin_popcountll(found[i]);
        for (uint64_t bits = found[i]; bits != 0; bits &= bits - 1) {
            *tail = block_at(base, bits);
            tail = &(*tail)->next;
        }
    }
    return tail;
}

/* The lists that are being made anew. */
struct trim {
    char wanted[PYB_SIZES]; /* sizes */
    struct pyb_block **tails[PYB_SIZES];
};

static void
trim_page(struct trim *trim, struct pyb_card *cards, size_t granules)
{
    uint64_t found[PYB_PAGE_CARDS];
    int all = 1;

    for (int i = 0; i < PYB_PAGE_CARDS; i++) {
        found[i] = free_bits(&cards[i]);
        all &= found[i] == AO_load(&cards[i].held);
    }
    if (all)
        forget_page(cards, granules);
    else
        trim->tails[granules] =
            collect_page(cards, found, trim->tails[granules],
                         &pyb_heap.sizes[granules].nfree);
}

static void
trim_region(struct trim *trim, struct pyb_region *region)
{
    for (size_t page = region->pages_begin; page < region->pages_end; page++) {
        size_t granules = region->pages[page];

        if (granules != 0 && granules != PYB_LARGE && trim->wanted[granules])
            trim_page(trim, &region->cards[page * PYB_PAGE_CARDS], granules);
    }
}

/* Empties the lists that are worth it.  0 if none is. */
static int
begin_trim(struct trim *trim)
{
    int any = 0;

    for (size_t i = 0; i < PYB_SIZES; i++) {
        struct pyb_size *s = &pyb_heap.sizes[i];

        trim->wanted[i] = (char)worth_trimming(s, i);
        if (!trim->wanted[i])
            continue;
        trim->tails[i] = &s->free;
        s->nfree = 0;
        any = 1;
    }
    return any;
}

static void
end_trim(struct trim *trim)
{
    for (size_t i = 0; i < PYB_SIZES; i++)
        if (trim->wanted[i])
            *trim->tails[i] = NULL;
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
        s->nleft = s->nfree;
    }
}

void
pyb_heap_trim(void)
{
    size_t before = pyb_heap.held_bytes;
    struct trim trim;

    if (begin_trim(&trim)) {
        for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
             region = region->next)
            trim_region(&trim, region);
        end_trim(&trim);
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

/* A large heap that is pushed block by block makes Boehm's mark stack overflow
   again and again.  So all blocks are marked first; what their bodies refer to
   and is not marked then, for the most part the host's, is all that is pushed.
   That is done as for stacks, so that pointers into the middle of blocks count
   even in a host that has switched this off: more is kept, never less.

   All of it runs with the world stopped, this thread perhaps in the middle of
   any line above: it reads held, condemned, pages and their bounds, and
   condemned_held only. */

/* Condemned blocks are pushed like others: no set has them yet. */
static AO_t condemned_held;

void
pyb_heap_hold_condemned(int hold)
{
    AO_store_full(&condemned_held, (AO_t)hold);
}

/* Blocks, each next to the one before. */
struct run {
    char *begin, *end;
};

static void
mark_blocks(char *base, uint64_t bits, size_t Py_UNUSED(granules),
            struct run *Py_UNUSED(run))
{
    for (; bits != 0; bits &= bits - 1)
        pyb_boehm_mark(block_at(base, bits));
}

/* Pushes what one run refers to, and begins another one. */
static void
begin_run(struct run *run, char *block)
{
    pyb_boehm_push((void **)(void *)run->begin, (void **)(void *)run->end);
    run->begin = run->end = block;
}

static void
push_bodies(char *base, uint64_t bits, size_t granules, struct run *run)
{
    for (; bits != 0; bits &= bits - 1) {
        char *block = (char *)block_at(base, bits);

        if (block != run->end)
            begin_run(run, block);
        run->end += granules != PYB_LARGE ? granules * PYB_GRANULE_BYTES
                                          : pyb_boehm_size(block);
    }
}

/* Does it to what is strong in a region, a card at a time. */
static void
strong_blocks(struct pyb_region *region,
              void (*act)(char *base, uint64_t bits, size_t granules,
                          struct run *run),
              struct run *run)
{
    int hold = AO_load(&condemned_held) != 0;

    for (size_t page = region->pages_begin; page < region->pages_end; page++) {
        if (region->pages[page] == 0)
            continue;
        struct pyb_card *card = &region->cards[page * PYB_PAGE_CARDS];
        for (int i = 0; i < PYB_PAGE_CARDS; i++, card++) {
            uint64_t weak = hold ? 0 : AO_load(&card->condemned);

            act(pyb_card_base(card), AO_load(&card->held) & ~weak,
                region->pages[page], run);
        }
    }
}

void
pyb_heap_push_roots(void)
{
    struct run run = {NULL, NULL};
    struct pyb_region *first = (struct pyb_region *)AO_load(
        (const volatile AO_t *)&pyb_sidetable.first);

    for (struct pyb_region *region = first; region != NULL;
         region = region->next)
        strong_blocks(region, mark_blocks, &run);
    for (struct pyb_region *region = first; region != NULL;
         region = region->next)
        strong_blocks(region, push_bodies, &run);
    begin_run(&run, NULL);
}
