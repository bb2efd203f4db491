/* like_blocks.c: sizes, bases, alignment, reallocation, typed and
   uncollectable blocks, hidden pointers, blocks too large to be had. */

#include "like.h"

#include <gc/gc_inline.h>
#include <gc/gc_typed.h>
#include <stdint.h>

static void
test_bases(void)
{
    static char outside;
    char *block = like_block(40);
    int size = (int)GC_size(block);

    like_need(size >= 40 && size % 16 == 0);
    like_need(GC_base(block) == block && GC_base(block + 39) == block);
    like_need(GC_base(&outside) == NULL && GC_base(&block) == NULL);
    like_need(GC_is_heap_ptr(block) && !GC_is_heap_ptr(&outside));
    like_need(GC_same_obj(block + 8, block) == block + 8);
    like_need(GC_is_visible(block) == block);
    like_need(GC_is_valid_displacement(block) == block);
    for (size_t align = 16; align <= 4096; align *= 2)
        like_need((uintptr_t)GC_memalign(align, 17) % align == 0);
    for (int i = 0; i < 1000; i++) {
        GC_FREE(GC_MALLOC(0));
        GC_FREE(GC_MALLOC_ATOMIC(1));
        GC_FREE(GC_MALLOC_IGNORE_OFF_PAGE(2));
    }
    printf("bases: %d %zu\n", size, GC_size(GC_MALLOC(0)));
}

/* The only reference to the old block is the one that is passed. */
static void
test_realloc(void)
{
    unsigned total = 0;
    int **links = NULL;

    for (size_t i = 0; i < 20000; i++) {
        if (i % 100 == 0)
            links = GC_REALLOC(links, (i + 100) * sizeof *links);
        int *number = GC_REALLOC(GC_MALLOC_ATOMIC(sizeof(int)), 24);
        like_need(links != NULL && number != NULL);
        *number = (int)i;
        links[i] = number;
    }
    GC_gcollect();
    for (size_t i = 0; i < 20000; i++)
        total += (unsigned)*links[i] * (unsigned)(i + 1);
    printf("realloc: %u\n", total);
}

/* What a size that is negative in disguise gets. */
static void
test_huge(void)
{
    const volatile size_t sizes[] = {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX - 1024,
                                     SIZE_MAX / 2, SIZE_MAX / 2 - 1024};
    int refused = 0;

    GC_set_warn_proc(GC_ignore_warn_proc);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        refused += GC_MALLOC(sizes[i]) == NULL;
    char *block = GC_MALLOC_IGNORE_OFF_PAGE(5 << 20);
    like_need(block != NULL && block[(5 << 20) - 1] == 0);
    printf("huge: %d refused, %zu\n", refused, GC_size(block) >> 20);
}

/* ------------------------------------------------------------------ */

enum { MANY = 100 };

/* Of a typed block only those words count that its descriptor names: here the
   first of two. */
struct typed {
    void *seen, *unseen;
};
static struct typed *typed, *array;

static APART void
fill_typed(void)
{
    GC_word bitmap[GC_BITMAP_SIZE(struct typed)] = {0};

    GC_set_bit(bitmap, GC_WORD_OFFSET(struct typed, seen));
    GC_descr descr = GC_make_descriptor(bitmap, GC_WORD_LEN(struct typed));
    typed = GC_malloc_explicitly_typed(sizeof *typed, descr);
    array = GC_calloc_explicitly_typed(MANY / 4, sizeof *array, descr);
    like_need(typed != NULL && array != NULL);
    for (int i = 0; i < MANY / 4; i++) {
        array[i].seen = like_block(24);
        array[i].unseen = like_block(24);
        like_watch(2 * i, array[i].seen);
        like_watch(2 * i + 1, array[i].unseen);
    }
    typed->seen = like_block(24);
    typed->unseen = like_block(24);
    like_watch(MANY - 2, typed->seen);
    like_watch(MANY - 1, typed->unseen);
}

static void
test_typed(void)
{
    fill_typed();
    int all = like_living();
    typed = NULL;
    int less = like_living();
    array = NULL;
    printf("typed: %d, %d, %d\n", all, less, like_living());
    like_forget();
}

/* Atomic blocks and hidden words hold nothing; uncollectable blocks hold, and
   stay, until they are freed. */
static void **held, **atomic, **uncollectable;

static APART void
fill_held(void)
{
    held = like_block(MANY * sizeof *held);
    atomic = GC_MALLOC_ATOMIC(MANY * sizeof *atomic);
    uncollectable = GC_MALLOC_UNCOLLECTABLE(MANY * sizeof *uncollectable);
    like_need(atomic != NULL && uncollectable != NULL);
    for (int i = 0; i < MANY; i++) {
        void **where[] = {held, atomic, uncollectable};
        void *block = like_block((size_t)(8 + 8 * i));

        where[i % 3][i] = block;
        like_watch(i, block);
    }
}

static void
test_held(void)
{
    fill_held();
    int all = like_living();
    held = atomic = NULL;
    int fixed = like_living();
    GC_FREE(uncollectable);
    uncollectable = NULL;
    printf("held: %d, %d, %d\n", all, fixed, like_living());
    like_forget();
}

/* What a program leaves as it is stays as it is, whatever else is in its
   process. */
static void
test_switches(void)
{
    printf("switches: %d %d %d %d %d %d %d %d\n",
           GC_get_all_interior_pointers(), GC_get_finalize_on_demand(),
           GC_get_java_finalization(), GC_get_find_leak(),
           GC_is_incremental_mode(), GC_is_disabled(), GC_get_dont_expand(),
           GC_get_dont_precollect());
    printf("numbers: %lu %lu %d %d %d %d\n",
           (unsigned long)GC_get_free_space_divisor(),
           (unsigned long)GC_get_max_retries(), GC_get_full_freq(),
           GC_get_no_dls(), GC_get_force_unmap_on_gcollect(),
           GC_get_pages_executable());
}

/* Pointers into the middle. */
static char **inside;

static APART void
fill_inside(void)
{
    inside = like_block(MANY * sizeof *inside);
    for (int i = 0; i < MANY; i++) {
        char *block = like_block(100);

        like_watch(i, block);
        inside[i] = block + i;
    }
}

static void
test_inside(void)
{
    fill_inside();
    int all = like_living();
    inside = NULL;
    printf("inside: %d, %d\n", all, like_living());
    like_forget();
}

/* A list of many blocks at once; those that are kept are cleared and their
   own. */
static void
test_many(void)
{
    void **last = NULL;
    int n = 0, wrong = 0;

    for (int round = 0; round < 100; round++) {
        void *next = GC_malloc_many(48);
        for (void *block = next; block != NULL; block = next) {
            next = GC_NEXT(block);
            GC_NEXT(block) = last;
            last = block;
        }
        if (round % 50 == 0)
            GC_gcollect();
    }
    for (; last != NULL; last = GC_NEXT(last), n++)
        wrong += last[1] != NULL || last[5] != NULL;
    printf("many: %s, %d wrong\n", n >= 100 ? "enough" : "few", wrong);
}

int
main(void)
{
    GC_INIT();
    like_test(test_bases);
    like_test(test_realloc);
    like_test(test_huge);
    like_test(test_typed);
    like_test(test_held);
    like_test(test_inside);
    like_test(test_many);
    like_test(test_switches);
    return 0;
}
