/* heap.c: memory for containers.  See heap.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/check/inspect.h"
#include "gc/control.h"
#include "gc/heap/heap.h"

enum { ATTEMPTS = 8 }; /* to get a block that begins no chunk */

/* Makes the page of a block ours, with all the blocks in it of one size.  NULL
   if there is no memory for its region.  Boehm's hook reads the bounds only
   with the page's blocks, which are held later. */
static struct pyb_region *
own_page(void *block, size_t granules)
{
    struct pyb_region *region = pyb_sidetable_cover(block);

    if (region == NULL)
        return NULL;
    unsigned char *page = pyb_region_page(region, block);
    PYB_ASSERT(granules >= PYB_GRANULES_MIN && granules <= PYB_LARGE);
    PYB_ALWAYS(*page == 0 || *page == granules, NULL,
               "two sizes of blocks in one page");
    *page = (unsigned char)granules;
    pyb_region_widen(region, (size_t)(page - region->pages));
    return region;
}

/* Makes a block of such a page ours. */
static inline void
own(struct pyb_region *region, void *block, struct pyb_size *s)
{
    struct pyb_line *line = pyb_region_line(region, block);

    PYB_ASSERT(((uintptr_t)block & (PYB_GRANULE_BYTES - 1)) == 0);
    PYB_ASSERT(!pyb_sidetable_holds(block));
    PYB_ASSERT(AO_load(&line->held) == 0 || line->size == s);
    line->size = s;
    pyb_fact_set(&line->held, pyb_bit_of(block));
}

/* Boehm keeps the address where its last chunk ends in a variable that it
   scans; the chunk that begins there is the one that was mapped before.  An
   adopted object in that place would never die.  When the one below is mapped
   that cannot be seen any more: it is noted. */
static int
begins_chunk(const void *block)
{
    size_t page = ((uintptr_t)block >> PYB_PAGE_SHIFT) % PYB_REGION_PAGES;
    uint64_t bit = (uint64_t)1 << page % 64;
    struct pyb_region *region = pyb_sidetable_cover(block);

    if (region == NULL || pyb_boehm_finds_leaks())
        return 0;
    if (pyb_boehm_begins_chunk(block))
        region->chunks[page / 64] |= bit;
    return (region->chunks[page / 64] & bit) != 0;
}

static inline int
begins_page(const void *block)
{
    return ((uintptr_t)block & ((1 << PYB_PAGE_SHIFT) - 1)) == 0;
}

/* Takes a chain of blocks from Boehm, page after page.  It comes with the
   highest address first; the list is built to hand out the lowest first.  The
   chain's rest is kept alive by the variable that leads it, the part done by
   its bits.  What begins a chunk is left out; all: it is not. */
static void
own_chain(void *chain, size_t granules, int all)
{
    struct pyb_size *s = &pyb_heap.sizes[granules];
    struct pyb_region *region = NULL;
    uintptr_t page = 0;
    size_t count = 0;

    PYB_ASSERT(granules >= PYB_GRANULES_MIN && granules < PYB_SIZES);
    PYB_ASSERT(s->granules == 0 || s->granules == granules);
    s->granules = granules;
    while (chain != NULL) {
        struct pyb_block *block = chain;
        void *next = *(void **)chain;

        if (_PyB_UNLIKELY(begins_page(block)) && !all && begins_chunk(block)) {
            chain = next; /* it is Boehm's again, and so may be the page */
            continue;
        }
        if ((uintptr_t)block >> PYB_PAGE_SHIFT != page) {
            region = own_page(block, granules);
            page = (uintptr_t)block >> PYB_PAGE_SHIFT;
        }
        if (region == NULL)
            break; /* what is left of the chain is Boehm's again */
        chain = next;
        own(region, block, s);
        block->refcnt = PYB_DEAD_REFCNT;
        block->next = s->free;
        s->free = block;
        count++;
    }
    s->nfree += count;
    s->nheld += count;

    size_t bytes = count * granules * PYB_GRANULE_BYTES;
    pyb_heap.held_bytes += bytes;
    pyb_boehm_count_live((ptrdiff_t)bytes);
}

static void *
own_large(void *block)
{
    struct pyb_region *region =
        block != NULL ? own_page(block, PYB_LARGE) : NULL;

    if (region == NULL) { /* it is Boehm's again, or malloc's */
        if (block != NULL && pyb_control.malloc_only)
            pyb_boehm_free(block);
        return NULL;
    }
    own(region, block, &pyb_heap.large);

    size_t size = pyb_boehm_size(block);
    PYB_ASSERT(pyb_control.malloc_only || size > PYB_BLOCK_MAX);
    PYB_ASSERT(pyb_control.malloc_only ||
               ((uintptr_t)block & ((1 << PYB_PAGE_SHIFT) - 1)) == 0);
    pyb_heap.large_bytes += size;
    pyb_heap.held_bytes += size;
    pyb_boehm_count_live((ptrdiff_t)size);
    return block;
}

/* Room that is only forgotten serves before there is none. */
static void *
alloc_large(size_t size)
{
    void *block;

    while ((block = pyb_boehm_alloc(size)) == NULL && pyb_heap_reclaim())
        continue;
    return block;
}

static void *
alloc_chain(size_t size)
{
    void *chain;

    while ((chain = pyb_boehm_alloc_many(size)) == NULL && pyb_heap_reclaim())
        continue;
    return chain;
}

/* What begins a chunk is taken if Boehm has nothing else at hand.  It is on
   the stack until then, lest Boehm gives it out again. */
static void *
refill_small(size_t granules)
{
    size_t size = granules * PYB_GRANULE_BYTES;
    void *chain = alloc_chain(size), *volatile beginning = NULL;

    for (int i = 0; i < ATTEMPTS && chain != NULL; i++) {
        /* The last resort is one block, which may be larger than asked. */
        granules = pyb_boehm_size(chain) >> PYB_GRANULE_SHIFT;
        if (granules >= PYB_SIZES)
            return own_large(chain);
        beginning = chain;
        own_chain(chain, granules, 0);
        if (pyb_heap.sizes[granules].free != NULL)
            return pyb_heap_pop(granules * PYB_GRANULE_BYTES);
        chain = pyb_boehm_alloc_more(size);
    }
    if (beginning == NULL)
        return NULL;
    *(void **)beginning = NULL;
    own_chain(beginning, granules, 1);
    return pyb_heap_pop(granules * PYB_GRANULE_BYTES);
}

void *
pyb_heap_refill(size_t size)
{
    size_t granules = (size + PYB_GRANULE_BYTES - 1) >> PYB_GRANULE_SHIFT;

    if (granules < PYB_GRANULES_MIN)
        return pyb_heap_alloc(PYB_GRANULES_MIN * PYB_GRANULE_BYTES);
    pyb_control_require("PyObject_GC_New");
    pyb_gil_run_deferred();
    pyb_heap_release(0);
    if (pyb_adoption.n > 0)
        pyb_boehm_reserve();
    if (size > PYB_BLOCK_MAX || pyb_control.malloc_only)
        return own_large(alloc_large(size));

    return refill_small(granules);
}

/* Large blocks go back at once: they are few, and their pages are worth it. */
static void
free_large(void *block)
{
    struct pyb_region *region = pyb_region_of(block);
    size_t size = pyb_boehm_size(block);

    PYB_ASSERT(pyb_sidetable_holds(block));
    PYB_ASSERT(*pyb_region_page(region, block) == PYB_LARGE);
    PYB_ASSERT(size <= pyb_heap.large_bytes);
    if (pyb_inspect_checking())
        pyb_line_forget(pyb_line_of(block), pyb_bit_of(block));
    pyb_fact_clear(&pyb_region_line(region, block)->held, pyb_bit_of(block));
    if (!pyb_control.malloc_only) /* others may be in the page */
        *pyb_region_page(region, block) = 0;
    pyb_heap.large_bytes -= size;
    pyb_heap.held_bytes -= size;
    pyb_boehm_count_live(-(ptrdiff_t)size);
    pyb_boehm_free(block);
}

void
pyb_heap_free_other(struct pyb_size *s, void *block)
{
    PYB_ASSERT(s == &pyb_heap.large || s == &pyb_heap.sizes[s->granules]);
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
    size_t granules = pyb_line_of(block)->size->granules;

    PYB_ASSERT(pyb_sidetable_holds(block));
    return granules == 0 ? pyb_boehm_size(block)
                         : granules * PYB_GRANULE_BYTES;
}

/* ------------------------------------------------------------------ */
/* Boehm's view                                                        */

/* A large heap that is pushed block by block makes Boehm's mark stack overflow
   again and again.  So all blocks are marked first; what their bodies refer to
   and is not marked then, for the most part the host's, is all that is pushed.
   That is done as for stacks, so that pointers into the middle of blocks count
   even in a host that has switched this off: more is kept, never less.

   All of it runs with the world stopped, this thread perhaps in the middle of
   any line above: it reads held, pages and their bounds, and weak only; what
   makes a block weak does not change while some are. */

static AO_t weak = PYB_STATE_NONE;

void
pyb_heap_weaken(enum pyb_state state)
{
    PYB_ASSERT(state != PYB_STATE_APART);
    PYB_ASSERT(state == PYB_STATE_NONE || AO_load(&weak) == PYB_STATE_NONE);
    AO_store_full(&weak, (AO_t)state);
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
        pyb_boehm_mark(pyb_block_at(base, bits));
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
        char *block = (char *)pyb_block_at(base, bits);

        if (block != run->end)
            begin_run(run, block);
        run->end += granules != PYB_LARGE ? granules * PYB_GRANULE_BYTES
                                          : pyb_boehm_size(block);
    }
}

/* Does it to what is strong in a region, a line at a time. */
static void
strong_blocks(struct pyb_region *region,
              void (*act)(char *base, uint64_t bits, size_t granules,
                          struct run *run),
              struct run *run)
{
    enum pyb_state state =
        pyb_boehm_keeps() ? (enum pyb_state)AO_load(&weak) : PYB_STATE_NONE;

    for (size_t page = region->pages_begin; page < region->pages_end; page++) {
        if (region->pages[page] == 0)
            continue;
        struct pyb_line *line = &region->lines[page * PYB_PAGE_LINES];
        for (int i = 0; i < PYB_PAGE_LINES; i++, line++) {
            uint64_t left_out =
                state != PYB_STATE_NONE ? pyb_line_members(line, state) : 0;

            act(pyb_line_base(line), AO_load(&line->held) & ~left_out,
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
