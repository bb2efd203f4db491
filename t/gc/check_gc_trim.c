/* check_gc_trim.c: behind the API: when blocks that are free go back to
   Boehm, and when Boehm collects for that.  In builds with and without checks;
   nothing here is an object. */

#include "../support/host.h"
#include "../support/suite.h"

#include <gc/gc.h>

#include "gc/boehm/boehm.h"
#include "gc/heap/heap.h"

/* A size of which nothing else here has blocks. */
enum {
    GRANULES = 23,
    BYTES = GRANULES * PYB_GRANULE_BYTES,
    PAGE = 1 << PYB_PAGE_SHIFT,
    IN_PAGE = PAGE / BYTES,
    LIES = 256 * 1024 / BYTES, /* free blocks that may just lie */
    MOST = 8 * LIES
};

static struct pyb_size *const size = &pyb_heap.sizes[GRANULES];
static char *blocks[MOST];
static int n_blocks;

static int
compare(const void *a, const void *b)
{
    char *const *left = a, *const *right = b;

    return (*left > *right) - (*left < *right);
}

/* Where Boehm's chunks begin the first block of the page is not ours, see
   heap.c: such a page is left to Boehm. */
static struct pyb_block *
take_one(void)
{
    for (;;) {
        int new_page = size->nfree == 0;
        struct pyb_block *block = suite_require(pyb_heap_alloc(BYTES));

        if (!new_page || (uintptr_t)block % PAGE == 0)
            return block;
        pyb_heap_free(pyb_line_of(block), block);
        pyb_heap_empty();
    }
}

/* Takes n blocks, and those that came with them; all that are held are in
   blocks[] then, by address. */
static void
take(int n)
{
    ck_assert_uint_eq(size->nheld, 0);
    /* Short of memory, Boehm would give one block, which may be larger. */
    ck_assert_int_ne(GC_expand_hp(MOST * BYTES), 0);
    for (n_blocks = 0; n_blocks < n || size->nfree > 0; n_blocks++) {
        ck_assert_int_lt(n_blocks, MOST);
        struct pyb_block *block = take_one();
        block->refcnt = 1; /* an object has begun */
        blocks[n_blocks] = (char *)block;
        ck_assert_uint_eq(pyb_heap_block_size(blocks[n_blocks]), BYTES);
    }
    ck_assert_uint_eq(size->nheld, n_blocks);
    qsort(blocks, (size_t)n_blocks, sizeof blocks[0], compare);
    for (int i = 0; i < n_blocks; i++) /* whole pages, one after another */
        ck_assert_uint_eq((uintptr_t)blocks[i] % PAGE,
                          (uintptr_t)(i % IN_PAGE) * BYTES);
}

/* Frees the blocks from first on, before end. */
static void
give(int first, int end)
{
    for (; first < end; first++)
        pyb_heap_free(pyb_line_of(blocks[first]), blocks[first]);
}

START_TEST(little_may_lie)
{
    take(LIES + IN_PAGE);
    ck_assert_uint_eq(size->trim_at, LIES);
    give(0, LIES);
    ck_assert_uint_eq(size->trim_at, LIES); /* not looked at yet */
    pyb_heap_trim();
    ck_assert_uint_eq(size->nheld, n_blocks);
    ck_assert_uint_eq(size->nfree, LIES);
    give(LIES, n_blocks);
}

/* One more, and the pages that are free as a whole go. */
START_TEST(whole_pages_go)
{
    enum { GONE = (LIES + 1) / IN_PAGE * IN_PAGE };
    take(LIES + 2 * IN_PAGE);
    size_t held = pyb_heap.held_bytes, before = pyb_heap.forgotten_bytes;
    give(0, LIES + 1);
    ck_assert_uint_eq(size->nheld, n_blocks - GONE);
    ck_assert_uint_eq(size->nfree, LIES + 1 - GONE);
    ck_assert_ptr_eq(size->free, blocks[GONE]);
    ck_assert_uint_eq(pyb_heap.held_bytes, held - GONE * BYTES);
    ck_assert_uint_eq(pyb_heap.forgotten_bytes, before + GONE * BYTES);
    for (int i = 0; i < GONE; i++) {
        struct pyb_block *block = (struct pyb_block *)blocks[i];

        ck_assert(!pyb_sidetable_holds(block));
        ck_assert_int_eq(block->refcnt, 0);
        ck_assert_ptr_null(block->next);
    }
    give(LIES + 1, n_blocks);
}

/* Where half of what is held is in use, what is free stays. */
START_TEST(half_may_lie)
{
    take(4 * LIES);
    int half = n_blocks / 2;
    give(0, half);
    pyb_heap_trim();
    ck_assert_uint_eq(size->nheld, n_blocks);
    give(half, half + 1);
    pyb_heap_trim();
    ck_assert_uint_eq(size->nheld, n_blocks - (half + 1) / IN_PAGE * IN_PAGE);
    give(half + 1, n_blocks);
}

/* After a look in vain, the next one comes when the list is twice as long, or
   half of all there are; never before it may just lie. */
START_TEST(next_look_is_put_off)
{
    take(3 * LIES);
    give(0, LIES + 1);
    ck_assert_uint_eq(size->nheld, n_blocks);
    ck_assert_uint_eq(size->trim_at, 2 * (LIES + 1));
    give(LIES + 1, n_blocks);
    ck_assert_uint_le(size->nheld, LIES);
    pyb_heap_trim();
    ck_assert_uint_ge(size->trim_at, LIES);
}

START_TEST(next_look_is_put_off_to_the_half)
{
    take(6 * LIES);
    give(0, LIES + 1);
    ck_assert_uint_eq(size->trim_at, n_blocks / 2);
    give(LIES + 1, n_blocks);
}

START_TEST(next_look_is_not_early)
{
    take(IN_PAGE);
    size->trim_at = 0;
    pyb_heap_trim();
    ck_assert_uint_eq(size->trim_at, LIES);
    give(0, n_blocks);
}

/* ------------------------------------------------------------------ */
/* Boehm's part                                                        */

/* How often Boehm collects to settle for so many bytes. */
static GC_word
collections(size_t forgotten, int give_back)
{
    GC_word before = GC_get_gc_no();

    pyb_heap.forgotten_bytes = forgotten;
    pyb_heap_release(give_back);
    GC_word n = GC_get_gc_no() - before;
    ck_assert_uint_eq(pyb_heap.forgotten_bytes, n > 0 ? 0 : forgotten);
    return n;
}

START_TEST(boehm_collects_for_half_of_its_heap)
{
    void *volatile host = GC_MALLOC_ATOMIC(4000000);

    ck_assert_ptr_nonnull(host);
    GC_gcollect();
    GC_disable(); /* what is used stays the same */
    size_t used = pyb_boehm_used_bytes();
    GC_enable();
    ck_assert_uint_eq(used, GC_get_heap_size() - GC_get_free_bytes());
    ck_assert_uint_gt(used, 4000000);
    ck_assert_uint_eq(collections(used / 2, 0), 0);
    ck_assert_uint_eq(collections(used / 2 + 1, 0), 1);
    ck_assert_int_eq(*(char *)host, 0);
}

/* The system gets what Boehm has found free several times. */
START_TEST(system_gets_what_little_else_is_ours)
{
    size_t held = pyb_heap.held_bytes;
    /* Much more than Boehm has. */
    static const size_t much = (size_t)1 << 40;

    ck_assert_uint_eq(collections(much, 0), 1);
    ck_assert_uint_eq(collections(much, 1), 3);
    pyb_heap.held_bytes = much;
    ck_assert_uint_eq(collections(4 * much, 1), 1);
    ck_assert_uint_eq(collections(4 * much + 4, 1), 3);
    ck_assert_uint_eq(collections(4 * much + 4, 0), 1);
    pyb_heap.held_bytes = held;
}

/* Pages of the host's that nothing refers to. */
__attribute__((noinline)) static void
make_pages_of_garbage(size_t bytes)
{
    GC_disable();
    for (size_t i = 0; i < bytes / 1024; i++)
        ck_assert_ptr_nonnull(GC_MALLOC_ATOMIC(1024));
    GC_enable();
}

/* A few may be held by stale words. */
START_TEST(system_has_it_when_all_is_settled)
{
    static const size_t much = (size_t)1 << 40, made = 8 << 20;
    size_t unmapped;

    if (!host_unmaps())
        return;
    unmapped = GC_get_unmapped_bytes();
    make_pages_of_garbage(made);
    collections(much, 1);
    ck_assert_uint_ge(GC_get_unmapped_bytes() - unmapped, made / 4 * 3);
}

START_TEST(little_is_not_worth_a_collection)
{
    ck_assert_uint_eq(collections(1024 * 1024, 0), 0);
}

int
main(void)
{
    return suite_run_unquarantined("gc: giving memory back");
}
