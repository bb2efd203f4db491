/* sidetable.c: facts about objects, kept outside the objects.  See
   sidetable.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/pages.h"
#include "gc/heap/sidetable.h"

struct pyb_sidetable pyb_sidetable;

/* ------------------------------------------------------------------ */
/* The table                                                           */

enum { TABLE_STEP = 512 }; /* it begins and ends at a multiple of this */

void
pyb_sidetable_check(int checked)
{
    pyb_sidetable.checked = checked;
    pyb_sidetable.fast_limit = checked ? 0 : pyb_sidetable.limit;
}

/* Has the table go from one region's number up to another's, with all regions
   in it.  0, or -1 if there is no memory. */
static int
remake_table(uintptr_t lowest, uintptr_t end)
{
    struct pyb_sidetable before = pyb_sidetable;
    size_t n = end - lowest;
    struct pyb_region **table = pyb_pages_map(n * sizeof *table);

    PYB_ASSERT(lowest < end && end <= PYB_REGIONS_MAX + TABLE_STEP);
    if (table == NULL)
        return -1;
    for (struct pyb_region *r = before.first; r != NULL; r = r->next)
        table[(r->base >> PYB_REGION_SHIFT) - lowest] = r;
    pyb_sidetable.lowest = lowest;
    pyb_sidetable.limit = n;
    pyb_sidetable.regions = table;
    pyb_sidetable_check(before.checked);
    pyb_pages_unmap(before.regions, before.limit * sizeof *table);
    return 0;
}

/* Makes sure that there is a place for a region of that number.  0, or -1. */
static int
widen_table(uintptr_t number)
{
    uintptr_t lowest = number / TABLE_STEP * TABLE_STEP;
    uintptr_t end = lowest + TABLE_STEP;

    if (number - pyb_sidetable.lowest < pyb_sidetable.limit)
        return 0;
    if (number >= PYB_REGIONS_MAX)
        return -1;
    if (pyb_sidetable.limit > 0) {
        lowest = Py_MIN(lowest, pyb_sidetable.lowest);
        end = Py_MAX(end, pyb_sidetable.lowest + pyb_sidetable.limit);
    }
    PYB_ASSERT(number >= lowest && number < end);
    return remake_table(lowest, end);
}

/* ------------------------------------------------------------------ */
/* Regions                                                             */

/* Anywhere: cut out of what is large enough to have such an address in it. */
static struct pyb_region *
map_region_anywhere(void)
{
    const size_t size = sizeof(struct pyb_region);
    char *memory = pyb_pages_map(size + PYB_REGION_ALIGN);
    if (memory == NULL)
        return NULL;

    uintptr_t start = (uintptr_t)memory;
    uintptr_t aligned =
        (start + PYB_REGION_ALIGN - 1) & ~(PYB_REGION_ALIGN - 1);
    PYB_ASSERT(aligned >= start && aligned < start + PYB_REGION_ALIGN);
    pyb_pages_unmap(memory, aligned - start);
    pyb_pages_unmap((char *)aligned + size,
                    start + PYB_REGION_ALIGN - aligned);
    return (struct pyb_region *)aligned;
}

/* How far below the heap the first region lies.  Among the heap's own memory a
   region would take addresses that the next one has to cover. */
#define FAR_BELOW ((uintptr_t)1 << 36)

/* Where the next region is best: below the last one. */
static void *
next_place(const void *heap)
{
    if (pyb_sidetable.first != NULL)
        return (char *)pyb_sidetable.first - PYB_REGION_ALIGN;
    return (void *)(((uintptr_t)heap - FAR_BELOW) & ~(PYB_REGION_ALIGN - 1));
}

/* Maps a region at an address that pyb_line_region can find. */
static struct pyb_region *
map_region(const void *heap)
{
    struct pyb_region *region =
        pyb_pages_map_at(next_place(heap), sizeof *region);

    return region != NULL ? region : map_region_anywhere();
}

struct pyb_region *
pyb_sidetable_cover(const void *address)
{
    uintptr_t number = (uintptr_t)address >> PYB_REGION_SHIFT;
    struct pyb_region *region = pyb_region_of(address);

    if (region != NULL)
        return region;
    if (widen_table(number) < 0)
        return NULL;
    region = map_region(address);
    if (region == NULL)
        return NULL;
    PYB_ASSERT(((uintptr_t)region & (PYB_REGION_ALIGN - 1)) == 0);
    PYB_ASSERT(region->pages_end == 0);
    region->base = number << PYB_REGION_SHIFT;
    region->next = pyb_sidetable.first;
    /* Boehm's hook walks from first: publish what is complete. */
    AO_store_release((volatile AO_t *)&pyb_sidetable.first, (AO_t)region);
    pyb_sidetable.regions[pyb_region_place(address)] = region;
    PYB_ASSERT(pyb_region_of(address) == region);
    return region;
}

void
pyb_sidetable_drop_gcrefs(void)
{
    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        pyb_pages_clear(region->gcrefs, sizeof region->gcrefs);
}

static int
is_unused(const struct pyb_region *region)
{
    for (size_t page = region->pages_begin; page < region->pages_end; page++)
        if (region->pages[page] != 0)
            return 0;
    return 1;
}

/* A region stays where it is, for the fields behind the last of these. */
static void
clear_region(struct pyb_region *region)
{
    PYB_ASSERT(is_unused(region));
    pyb_pages_clear(region, offsetof(struct pyb_region, pages));
    region->pages_begin = region->pages_end = 0;
}

void
pyb_sidetable_shrink(void)
{
    pyb_sidetable_drop_gcrefs();
    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        if (is_unused(region))
            clear_region(region);
}

void
pyb_line_check(const struct pyb_line *line)
{
    uint64_t held = AO_load(&line->held);
    uint64_t condemned = AO_load(&line->condemned);
    uint64_t facts = line->tracked | line->finalized | condemned;
    uint64_t ages = line->age1 | line->age2;
    uint64_t recent =
        pyb_line_young(line) | (pyb_line_middle(line) & ~condemned);

    PYB_ALWAYS((ages & ~line->tracked) == 0, NULL,
               "an object has a generation and is not tracked");
    PYB_ALWAYS((facts & ~held) == 0, NULL,
               "the side table knows an object that is not held");
    PYB_ALWAYS(recent == 0 || line->next_recent != NULL, NULL,
               "a line with young objects is not on the list");
    for (enum pyb_state state = PYB_STATE_APART; state <= PYB_STATE_CURRENT;
         state++)
        PYB_ALWAYS((pyb_sidetable.states & PYB_STATE_BIT(state)) ||
                       pyb_line_members(line, state) == 0,
                   NULL, "a condemned object is in a set that there is not");
}

void
pyb_line_forget(struct pyb_line *line, uint64_t bits)
{
    struct pyb_region *region = pyb_line_region(line);

    PYB_ASSERT((bits & ~AO_load(&line->held)) == 0);
    region->freed[line - region->lines] &= ~bits;
}
