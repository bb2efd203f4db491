/* trim.c: memory for containers that is not needed goes back to Boehm. See
   heap.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/check/inspect.h"
#include "gc/heap/heap.h"

/* Once SETTLE_BYTES have been forgotten, Boehm is to collect. */
enum {
    TRIM_BYTES = 256 * 1024, /* free memory of one size that may just lie */
    SETTLE_BYTES = 1024 * 1024
};

/* Is enough of a size free that whole pages may be, and was not so at the
   last look? */
static int
worth_trimming(const struct pyb_size *s, size_t granules)
{
    return s->nfree * granules * PYB_GRANULE_BYTES > TRIM_BYTES &&
           s->nfree > s->nheld / 2 && s->nfree != s->nleft;
}

/* Those of a line's blocks that are free.  No bit says so, and the list
   that runs through them is not walked, for it jumps through memory that has
   left the caches. */
static uint64_t
free_bits(const struct pyb_line *line)
{
    uint64_t bits =
        AO_load(&line->held) & ~(line->tracked | AO_load(&line->condemned));
    char *base = pyb_line_base(line);
    uint64_t found = 0;

    for (; bits != 0; bits &= bits - 1)
        if (pyb_block_is_free(pyb_block_at(base, bits)))
            found |= bits & -bits;
    PYB_ASSERT((found & ~AO_load(&line->held)) == 0);
    return found;
}

/* Has a line's free blocks begin anew, as Boehm's.  A host that looks for
   leaks would be told of what is only forgotten. */
static void
clear_blocks(struct pyb_line *line, uint64_t bits, int free_them)
{
    char *base = pyb_line_base(line);

    PYB_ASSERT((bits & ~AO_load(&line->held)) == 0);
    for (; bits != 0; bits &= bits - 1) {
        *pyb_block_at(base, bits) = (struct pyb_block){0, NULL};
        if (free_them)
            pyb_boehm_free(pyb_block_at(base, bits));
    }
}

/* Forgets free blocks in a line.  Their heads go first: as soon as a block is
   not held, Boehm may have use for it. */
static void
forget_blocks(struct pyb_line *line, uint64_t bits, size_t granules)
{
    size_t count = (size_t)__builtin_popcountll(bits);
    size_t bytes = count * granules * PYB_GRANULE_BYTES;

    PYB_ASSERT((bits & (line->tracked | line->finalized |
                        AO_load(&line->condemned))) == 0);
    PYB_ASSERT(bits == 0 || line->size == &pyb_heap.sizes[granules]);
    PYB_ASSERT(count <= pyb_heap.sizes[granules].nheld);
    PYB_ASSERT(bytes <= pyb_heap.held_bytes);
    clear_blocks(line, bits, pyb_boehm_finds_leaks());
    if (pyb_inspect_checking())
        pyb_line_forget(line, bits);
    pyb_fact_clear(&line->held, bits);
    pyb_heap.sizes[granules].nheld -= count;
    pyb_heap.held_bytes -= bytes;
    pyb_heap.forgotten_bytes += bytes;
}

/* Forgets a page whose blocks are all free. */
static void
forget_page(struct pyb_line *lines, size_t granules)
{
    PYB_ASSERT(*pyb_region_page(pyb_line_region(lines),
                                pyb_line_base(lines)) == granules);
    for (int i = 0; i < PYB_PAGE_LINES; i++)
        forget_blocks(&lines[i], AO_load(&lines[i].held), granules);
    *pyb_region_page(pyb_line_region(lines), pyb_line_base(lines)) = 0;
}

/* Appends a page's free blocks to the list that ends at *tail. */
static struct pyb_block **
append_page(struct pyb_line *lines, const uint64_t found[PYB_PAGE_LINES],
            struct pyb_block **tail, size_t *nfree)
{
    for (int i = 0; i < PYB_PAGE_LINES; i++) {
        char *base = pyb_line_base(&lines[i]);

        *nfree += (size_t)__builtin_popcountll(found[i]);
        for (uint64_t bits = found[i]; bits != 0; bits &= bits - 1) {
            *tail = pyb_block_at(base, bits);
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
trim_page(struct trim *trim, struct pyb_line *lines, size_t granules)
{
    uint64_t found[PYB_PAGE_LINES];
    int all = 1;

    PYB_ASSERT(trim->wanted[granules] && trim->tails[granules] != NULL);
    for (int i = 0; i < PYB_PAGE_LINES; i++) {
        found[i] = free_bits(&lines[i]);
        all &= found[i] == AO_load(&lines[i].held);
    }
    if (all)
        forget_page(lines, granules);
    else
        trim->tails[granules] =
            append_page(lines, found, trim->tails[granules],
                        &pyb_heap.sizes[granules].nfree);
}

static void
trim_region(struct trim *trim, struct pyb_region *region)
{
    for (size_t page = region->pages_begin; page < region->pages_end; page++) {
        size_t granules = region->pages[page];

        PYB_ASSERT(granules < PYB_SIZES || granules == PYB_LARGE);
        if (granules != 0 && granules != PYB_LARGE && trim->wanted[granules])
            trim_page(trim, &region->lines[page * PYB_PAGE_LINES], granules);
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

        PYB_ASSERT(s->nfree <= s->nheld);
        s->trim_at = Py_MAX(least, Py_MAX(2 * s->nfree, s->nheld / 2));
        s->nleft = s->nfree;
    }
}

void
pyb_heap_trim(void)
{
    size_t before = pyb_heap.held_bytes;
    struct trim trim; /* tails only of the sizes that are wanted */

    /* Objects may die after Py_Finalize, in any thread. */
    PYB_ASSERT(!pyb_control.initialized || pyb_gil_is_held());
    if (begin_trim(&trim)) {
        for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
             region = region->next)
            trim_region(&trim, region);
        end_trim(&trim);
        PYB_ASSERT(pyb_heap.held_bytes <= before);
        pyb_boehm_count_live(-(ptrdiff_t)(before - pyb_heap.held_bytes));
    }
    set_trim_marks();
}

/* Forgets what is free in a page; all of it if that is all there is. */
static void
empty_page(struct pyb_line *lines, unsigned char *page)
{
    uint64_t held = 0;

    for (int i = 0; i < PYB_PAGE_LINES; i++) {
        forget_blocks(&lines[i], free_bits(&lines[i]), *page);
        held |= AO_load(&lines[i].held);
    }
    if (held == 0)
        *page = 0;
}

static void
empty_region(struct pyb_region *region)
{
    for (size_t page = region->pages_begin; page < region->pages_end; page++)
        if (region->pages[page] != 0 && region->pages[page] != PYB_LARGE)
            empty_page(&region->lines[page * PYB_PAGE_LINES],
                       &region->pages[page]);
}

void
pyb_heap_empty(void)
{
    size_t before = pyb_heap.held_bytes;

    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        empty_region(region);
    for (size_t i = 0; i < PYB_SIZES; i++) {
        pyb_heap.sizes[i].free = NULL;
        pyb_heap.sizes[i].nfree = 0;
    }
    pyb_boehm_count_live(-(ptrdiff_t)(before - pyb_heap.held_bytes));
    set_trim_marks();
}

void
pyb_heap_release(int give_back)
{
    size_t forgotten = pyb_heap.forgotten_bytes;

    if (forgotten > SETTLE_BYTES && forgotten > pyb_boehm_used_bytes() / 2) {
        pyb_heap.forgotten_bytes = 0;
        pyb_boehm_collect(give_back && pyb_heap.held_bytes < forgotten / 4);
    }
}

int
pyb_heap_reclaim(void)
{
    if (pyb_heap.forgotten_bytes == 0)
        return 0;
    pyb_heap.forgotten_bytes = 0;
    pyb_boehm_collect(0);
    return 1;
}
