/* alloc.c: blocks of Boehm's heap, and their marks; what Boehm says of itself.
   See boehm.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/hooks.h"
#include "gc/heap/sidetable.h"

#if defined(HAVE_MALLOC_H) && defined(HAVE_MALLOC_USABLE_SIZE)
#include <malloc.h>
#define KNOWS_SIZE 1
#endif

struct pyb_boehm pyb_boehm;

/* Made once: Boehm has room for a few. */
static struct {
    unsigned object, token;
} kinds;

void
pyb_boehm_make_kinds(GC_mark_proc mark_token)
{
    if (kinds.object != 0)
        return;
    /* Scanned conservatively over its length, cleared when handed out. */
    kinds.object = GC_new_kind(GC_new_free_list(), 0 | GC_DS_LENGTH, 1, 1);
    kinds.token =
        GC_new_kind(GC_new_free_list(),
                    GC_MAKE_PROC((GC_word)GC_new_proc(mark_token), 0), 0, 1);
    PYB_ASSERT(kinds.object != kinds.token);
    /* A kind whose blocks are all made by GC_generic_malloc_many has no lists
       for the sweep, and Boehm 8.2 does not clear its free lists then when it
       collects: blocks that were freed stand in them, and their pages are
       given away.  One that is made singly brings the kind to order. */
    GC_FREE(GC_generic_malloc(1, (int)kinds.object));
}

/* PYBOEHM_MALLOC=plain: the blocks are malloc's. */
static int malloc_only;

int
pyb_boehm_malloc_only(void)
{
#ifdef KNOWS_SIZE
    malloc_only = 1;
    return 0;
#else
    return -1;
#endif
}

static size_t
usable_size(const void *block)
{
#ifdef KNOWS_SIZE
    return malloc_usable_size((void *)(uintptr_t)block);
#else
    (void)block;
    return 0;
#endif
}

void *
pyb_boehm_alloc(size_t size)
{
    PYB_ASSERT(kinds.object != 0);
    if (malloc_only)
        return calloc(1, size);
    return GC_generic_malloc(size, (int)kinds.object);
}

void *
pyb_boehm_alloc_more(size_t size)
{
    void *first = NULL;

    PYB_ASSERT(size % PYB_GRANULE_BYTES == 0 && size > 0);
    pyb_hooks_repair();
    GC_generic_malloc_many(size, (int)kinds.object, &first);
    return first;
}

void *
pyb_boehm_alloc_many(size_t size)
{
    void *first = pyb_boehm_alloc_more(size);

    if (first != NULL)
        return first;
    /* That did not ask the host's function for the lack of memory; this does.
     */
    first = pyb_boehm_alloc(size);
    if (first != NULL)
        *(void **)first = NULL;
    return first;
}

void
pyb_boehm_free(void *block)
{
    PYB_ASSERT(block != NULL);
    if (malloc_only)
        free(block);
    else
        GC_FREE(block);
}

size_t
pyb_boehm_size(const void *block)
{
    return malloc_only ? usable_size(block) : GC_size(block);
}

void *
pyb_boehm_base(const void *address)
{
    return GC_base((void *)address);
}

int
pyb_boehm_begins_chunk(const void *block)
{
    return GC_is_heap_ptr(block) && !GC_is_heap_ptr((const char *)block - 1);
}

void
pyb_boehm_push(void **begin, void **end)
{
    PYB_ASSERT(begin <= end);
    GC_push_all_eager(begin, end);
}

void
pyb_boehm_add_roots(void **begin, void **end)
{
    PYB_ASSERT(begin < end);
    GC_add_roots(begin, end);
}

void
pyb_boehm_remove_roots(void **begin, void **end)
{
    PYB_ASSERT(begin < end);
    GC_remove_roots(begin, end);
}

void
pyb_boehm_mark(void *block)
{
    PYB_ASSERT(block != NULL);
    if (!malloc_only)
        GC_set_mark_bit(block);
}

int
pyb_boehm_is_marked(const void *block)
{
    return malloc_only || GC_is_marked(block);
}

/* The first word of a token is Boehm's while it is free. */
enum { TOKEN_WORDS = 2 };

/* Where there is no memory the host may give a block of its own. */
GC_word *
pyb_boehm_new_token(void)
{
    PYB_ASSERT(kinds.token != 0);
    GC_word *block =
        GC_generic_malloc(TOKEN_WORDS * sizeof(GC_word), (int)kinds.token);

    return block != NULL &&
                   GC_get_kind_and_size(block, NULL) == (int)kinds.token
               ? block
               : NULL;
}

/* Our part of Boehm's figure.  It is below 0 for a while where members of a
   set that waits are freed, whose bytes were taken off before; the figure then
   has nothing of ours. */
static ptrdiff_t live;

static void *GC_CALLBACK
add_non_gc_bytes(void *bytes)
{
    ptrdiff_t before = Py_MAX(live, 0), sum;

    live += *(ptrdiff_t *)bytes;
    sum = (ptrdiff_t)GC_get_non_gc_bytes() + Py_MAX(live, 0) - before;
    GC_set_non_gc_bytes(sum > 0 ? (GC_word)sum : 0);
    return NULL;
}

void
pyb_boehm_count_live(ptrdiff_t bytes)
{
    if (malloc_only)
        return;
    /* Boehm changes the figure too, under its lock. */
    GC_call_with_alloc_lock(add_non_gc_bytes, &bytes);
}

ptrdiff_t
pyb_boehm_live(void)
{
    return live;
}

size_t
pyb_boehm_used_bytes(void)
{
    return GC_get_heap_size() - GC_get_free_bytes();
}

size_t
pyb_boehm_heap_bytes(void)
{
    return GC_get_heap_size() + GC_get_unmapped_bytes();
}

int
pyb_boehm_finds_leaks(void)
{
    return GC_get_find_leak();
}

uintptr_t
pyb_boehm_code(void)
{
    return (uintptr_t)GC_gcollect;
}

unsigned long
pyb_boehm_collections(void)
{
    return GC_get_gc_no();
}
