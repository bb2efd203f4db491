/* validate.c: functions that are fatal if a structure of the collector
   contradicts itself.  See validate.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "gc/check/inspect.h"
#include "gc/check/validate.h"
#include "gc/control.h"
#include "gc/heap/walk.h"

enum { LINES_PER_OCCASION = 256 };

int
pyb_validate_is_due(void)
{
    static size_t occasions; /* since the last walk */
    size_t lines = 0;

    for (const struct pyb_region *r = pyb_sidetable.first; r != NULL;
         r = r->next)
        lines += (r->pages_end - r->pages_begin) * PYB_PAGE_LINES;
    if (++occasions * LINES_PER_OCCASION < lines)
        return 0;
    occasions = 0;
    return 1;
}

/* ------------------------------------------------------------------ */
/* Regions                                                             */

/* The blocks in a page that is ours: where they begin, and whose lines say
   what. */
static void
check_blocks(const struct pyb_line *lines, size_t granules)
{
    const struct pyb_size *s =
        granules == PYB_LARGE ? &pyb_heap.large : &pyb_heap.sizes[granules];

    for (size_t i = 0; i < PYB_PAGE_LINES; i++) {
        uint64_t held = AO_load(&lines[i].held);

        PYB_ALWAYS(held == 0 || lines[i].size == s, NULL,
                   "a line's size is not its page's");
        for (; held != 0; held &= held - 1) {
            size_t granule =
                i * PYB_LINE_GRANULES + (size_t)__builtin_ctzll(held);

            PYB_ALWAYS(granules == PYB_LARGE
                           ? granule == 0 || pyb_control.malloc_only
                           : granule % granules == 0,
                       NULL, "a block begins in the middle of another one");
        }
    }
}

/* What a region keeps beside a line. */
static void
check_words(const struct pyb_region *region, const struct pyb_line *line)
{
    size_t i = (size_t)(line - region->lines);
    uint64_t held = AO_load(&line->held);

    PYB_ALWAYS((region->adopted[i] & ~held) == 0, NULL,
               "an adopted object is not held");
    PYB_ALWAYS(!pyb_inspect_checking() || (region->freed[i] & ~held) == 0,
               NULL, "a freed block is not held");
}

static void
check_page(const struct pyb_region *region, size_t page)
{
    const struct pyb_line *lines = &region->lines[page * PYB_PAGE_LINES];
    size_t granules = region->pages[page];

    PYB_ALWAYS(granules == 0 || granules == PYB_LARGE ||
                   (granules >= PYB_GRANULES_MIN && granules < PYB_SIZES),
               NULL, "a page has blocks of no size that there is");
    for (int i = 0; i < PYB_PAGE_LINES; i++) {
        PYB_ALWAYS(granules != 0 || AO_load(&lines[i].held) == 0, NULL,
                   "a block is held in a page that is not ours");
        pyb_line_check(&lines[i]);
        check_words(region, &lines[i]);
    }
    if (granules != 0)
        check_blocks(lines, granules);
}

void
pyb_region_check(const struct pyb_region *region)
{
    PYB_ALWAYS(((uintptr_t)region & (PYB_REGION_ALIGN - 1)) == 0, NULL,
               "lines do not lead to their region");
    PYB_ALWAYS(pyb_region_of((void *)region->base) == region, NULL,
               "a region is not where the table looks for it");
    PYB_ALWAYS(region->pages_begin <= region->pages_end &&
                   region->pages_end <= PYB_REGION_PAGES,
               NULL, "a region's bounds are none");
    for (size_t page = 0; page < PYB_REGION_PAGES; page++)
        if (page >= region->pages_begin && page < region->pages_end)
            check_page(region, page);
        else
            PYB_ALWAYS(region->pages[page] == 0, NULL,
                       "a page is ours outside of the region's bounds");
}

/* ------------------------------------------------------------------ */
/* Sizes                                                               */

static void
check_free_block(const struct pyb_size *s, const struct pyb_block *block)
{
    PYB_ALWAYS(pyb_sidetable_holds(block), NULL,
               "a block on a free list is not held");

    const struct pyb_line *line = pyb_line_of(block);
    uint64_t facts =
        line->tracked | line->finalized | AO_load(&line->condemned);

    PYB_ALWAYS((facts & pyb_bit_of(block)) == 0, NULL,
               "the side table knows an object in a free block");
    PYB_ALWAYS(line->size == s, NULL, "a block is on another size's list");
    PYB_ALWAYS(pyb_block_is_free(block), NULL,
               "a block on a free list holds an object");
}

void
pyb_size_check(const struct pyb_size *s)
{
    size_t n = 0;

    for (const struct pyb_block *b = s->free; b != NULL; b = b->next) {
        check_free_block(s, b);
        PYB_ALWAYS(++n <= s->nfree, NULL, "a free list is too long");
    }
    PYB_ALWAYS(n == s->nfree, NULL, "a free list is too short");
    PYB_ALWAYS(n <= s->nheld, NULL, "more blocks are free than held");
    PYB_ALWAYS(s->granules == 0 || s == &pyb_heap.sizes[s->granules], NULL,
               "a size is not its own");
}

/* ------------------------------------------------------------------ */
/* Recent lines                                                        */

/* How many lines say that they are on the list. */
static size_t
count_recent(void)
{
    size_t n = 0;

    for (const struct pyb_region *r = pyb_sidetable.first; r != NULL;
         r = r->next)
        for (size_t i = r->pages_begin * PYB_PAGE_LINES;
             i < r->pages_end * PYB_PAGE_LINES; i++)
            n += r->lines[i].next_recent != NULL;
    return n;
}

void
pyb_recent_check(void)
{
    const struct pyb_line *line = pyb_sidetable.recent;
    size_t n = 0, expected = count_recent();

    while (line != NULL) {
        const struct pyb_line *next = line->next_recent;

        PYB_ALWAYS(pyb_line_of(pyb_line_base(line)) == line, NULL,
                   "what is on the list of recent lines is no line");
        PYB_ALWAYS(next != NULL, NULL,
                   "a line is on the list of recent ones and does not know");
        PYB_ALWAYS(++n <= expected, NULL,
                   "the list of recent lines does not end");
        line = next == line ? NULL : next;
    }
    PYB_ALWAYS(n == expected, NULL,
               "a line is not on the list of recent ones and does not know");
}

/* ------------------------------------------------------------------ */
/* Gcrefs                                                              */

/* The gcrefs of a page that is ours; in other pages there are none. */
static void
check_gcrefs(const struct pyb_region *region, size_t page)
{
    enum { GCREFS = PYB_LINE_GCREFS * PYB_PAGE_LINES };

    const uint32_t *gcrefs = &region->gcrefs[page * GCREFS];
    uint32_t any = 0;

    for (int i = 0; i < GCREFS; i++)
        any |= gcrefs[i];
    PYB_ALWAYS(any == 0, NULL, "a gcref is left over");
}

void
pyb_gcrefs_check(void)
{
    for (const struct pyb_region *r = pyb_sidetable.first; r != NULL;
         r = r->next)
        for (size_t page = r->pages_begin; page < r->pages_end; page++)
            if (r->pages[page] != 0)
                check_gcrefs(r, page);
}

/* ------------------------------------------------------------------ */
/* Condemned sets                                                      */

static void
check_member(PyObject *op)
{
    PYB_ALWAYS(!pyb_block_is_free(op), NULL,
               "a member of a set is a free block");
    PYB_ALWAYS(PyType_IS_GC(Py_TYPE(op)) && Py_TYPE(op)->tp_traverse != NULL,
               op, "a member of a set is no container");
}

void
pyb_condemned_check(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    PyObject *op;
    size_t n = 0;

    PYB_ALWAYS(set->state == PYB_STATE_CURRENT ||
                   set->state == PYB_STATE_WAITING,
               NULL, "no set is in such a state");
    PYB_ALWAYS(pyb_sidetable.states & PYB_STATE_BIT(set->state), NULL,
               "the side table does not know of a set");
    PYB_ALWAYS(set->generation <= PYB_OLD, NULL,
               "a set was found in no generation");
    while (pyb_walk_next(&walk, &batch)) {
        PYB_ALWAYS((batch.bits & ~batch.line->tracked) == 0, NULL,
                   "a member of a set is not tracked");
        while ((op = pyb_batch_take(&batch)) != NULL) {
            check_member(op);
            n++;
        }
    }
    PYB_ALWAYS(set->rescued <= set->n && n <= set->n - set->rescued, NULL,
               "a set has more members than were condemned");
}

void
pyb_condemned_done_check(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_walk_condemned(PYB_OLD);
    struct pyb_batch batch;

    while (pyb_walk_next(&walk, &batch))
        PYB_ALWAYS((pyb_line_members(batch.line, set->state) |
                    pyb_line_members(batch.line, PYB_STATE_APART)) == 0,
                   NULL, "a set is done and has members");
}

/* ------------------------------------------------------------------ */
/* The heap                                                            */

/* How many blocks of each size are held, by the side table. */
static void
count_held(size_t counts[PYB_SIZES])
{
    memset(counts, 0, PYB_SIZES * sizeof *counts);
    for (const struct pyb_region *r = pyb_sidetable.first; r != NULL;
         r = r->next)
        for (size_t i = r->pages_begin * PYB_PAGE_LINES;
             i < r->pages_end * PYB_PAGE_LINES; i++) {
            size_t granules = r->pages[i / PYB_PAGE_LINES];

            if (granules != 0 && granules != PYB_LARGE)
                counts[granules] +=
                    (size_t)__builtin_popcountll(AO_load(&r->lines[i].held));
        }
}

void
pyb_heap_check(void)
{
    size_t counts[PYB_SIZES], bytes = pyb_heap.large_bytes;

    for (const struct pyb_region *r = pyb_sidetable.first; r != NULL;
         r = r->next)
        pyb_region_check(r);
    count_held(counts);
    for (size_t i = 0; i < PYB_SIZES; i++) {
        pyb_size_check(&pyb_heap.sizes[i]);
        PYB_ALWAYS(counts[i] == pyb_heap.sizes[i].nheld, NULL,
                   "not as many blocks are held as were counted");
        bytes += counts[i] * i * PYB_GRANULE_BYTES;
    }
    PYB_ALWAYS(bytes == pyb_heap.held_bytes, NULL,
               "not as many bytes are held as were counted");
    PYB_ALWAYS(pyb_control.malloc_only ||
                   pyb_boehm_live() ==
                       (ptrdiff_t)bytes - (ptrdiff_t)pyb_heap.waiting_bytes,
               NULL, "Boehm was told of other bytes than are held");
    pyb_recent_check();
}
