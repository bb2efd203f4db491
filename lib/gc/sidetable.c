/* sidetable.c: facts about objects, kept outside the objects.  See
   sidetable.h. */

#include "Python.h"

#include "gc/fatal.h"
#include "gc/sidetable.h"

#include <sys/mman.h>
#include <sys/resource.h>

struct pyb_sidetable pyb_sidetable = {.markers = PYB_MARKERS};

/* Fresh zeroed memory that costs nothing until it is touched. */
static void *
map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void
unmap_memory(void *memory, size_t size)
{
    if (size > 0)
        munmap(memory, size);
}

/* ------------------------------------------------------------------ */
/* The table                                                           */

enum { TABLE_STEP = 512 }; /* it begins and ends at a multiple of this */

void
pyb_sidetable_check(int checked)
{
    pyb_sidetable.checked = checked;
    pyb_sidetable.quick = checked ? 0 : pyb_sidetable.limit;
}

/* Has the table go from one region's number up to another's, with all regions
   in it.  0, or -1 if there is no memory. */
static int
remake_table(uintptr_t lowest, uintptr_t end)
{
    struct pyb_sidetable before = pyb_sidetable;
    size_t n = end - lowest;
    struct pyb_region **table = map_memory(n * sizeof *table);

    if (table == NULL)
        return -1;
    for (struct pyb_region *r = before.first; r != NULL; r = r->next)
        table[(r->base >> PYB_REGION_SHIFT) - lowest] = r;
    pyb_sidetable.lowest = lowest;
    pyb_sidetable.limit = n;
    pyb_sidetable.regions = table;
    pyb_sidetable_check(before.checked);
    unmap_memory(before.regions, before.limit * sizeof *table);
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
    return remake_table(lowest, end);
}

/* ------------------------------------------------------------------ */
/* Regions                                                             */

/* How many bytes of one are mapped. */
static size_t
region_size(int markers)
{
    return offsetof(struct pyb_region, cells) +
           (size_t)markers * sizeof pyb_sidetable.first->cells[0];
}

/* Where addresses are few one marker has to do. */
static int
affordable_markers(void)
{
    const rlim_t plenty = (rlim_t)4 << 30;
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < plenty
               ? 1
               : PYB_MARKERS;
}

/* At the address, or nowhere. */
static struct pyb_region *
map_region_at(uintptr_t address, size_t size)
{
#ifdef MAP_FIXED_NOREPLACE
    const int flags =
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *wanted = (void *)address;
    void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE, flags, -1, 0);

    if (memory == wanted)
        return memory;
    if (memory != MAP_FAILED) /* an old system takes it for a hint */
        munmap(memory, size);
#else
    (void)address;
    (void)size;
#endif
    return NULL;
}

/* Anywhere: cut out of what is large enough to have such an address in it. */
static struct pyb_region *
map_region_anywhere(size_t size)
{
    char *memory = map_memory(size + PYB_REGION_ALIGN);
    if (memory == NULL)
        return NULL;

    uintptr_t start = (uintptr_t)memory;
    uintptr_t aligned =
        (start + PYB_REGION_ALIGN - 1) & ~(PYB_REGION_ALIGN - 1);
    unmap_memory(memory, aligned - start);
    unmap_memory((char *)aligned + size, start + PYB_REGION_ALIGN - aligned);
    return (struct pyb_region *)aligned;
}

/* How far below the heap the first region lies.  Among the heap's own memory a
   region would take addresses that the next one has to cover. */
#define FAR_BELOW ((uintptr_t)1 << 36)

/* Where the next region is best: below the last one. */
static uintptr_t
next_place(const void *heap)
{
    if (pyb_sidetable.first != NULL)
        return (uintptr_t)pyb_sidetable.first - PYB_REGION_ALIGN;
    return ((uintptr_t)heap - FAR_BELOW) & ~(PYB_REGION_ALIGN - 1);
}

/* Maps a region at an address that pyb_card_region can find. */
static struct pyb_region *
map_region(const void *heap)
{
    int markers = affordable_markers();
    size_t size = region_size(markers);
    struct pyb_region *region = map_region_at(next_place(heap), size);

    if (region == NULL)
        region = map_region_anywhere(size);
    if (region != NULL && markers < pyb_sidetable.markers)
        pyb_sidetable.markers = markers;
    return region;
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
    region->base = number << PYB_REGION_SHIFT;
    region->next = pyb_sidetable.first;
    /* Boehm's hook walks from first: publish what is complete. */
    AO_store_release((volatile AO_t *)&pyb_sidetable.first, (AO_t)region);
    pyb_sidetable.regions[pyb_region_place(address)] = region;
    return region;
}

void
pyb_sidetable_drop_cells(void)
{
    struct pyb_region *region = pyb_sidetable.first;
    size_t size = (size_t)pyb_sidetable.markers * sizeof region->cells[0];

    for (; region != NULL; region = region->next)
        if (madvise(region->cells, size, MADV_DONTNEED) != 0)
            memset(region->cells, 0, size); /* locked */
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
wipe_region(struct pyb_region *region)
{
    size_t size = offsetof(struct pyb_region, pages);

    if (madvise(region, size, MADV_DONTNEED) != 0)
        memset(region, 0, size); /* locked */
    region->pages_begin = region->pages_end = 0;
}

void
pyb_sidetable_shrink(void)
{
    pyb_sidetable_drop_cells();
    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        if (is_unused(region))
            wipe_region(region);
}

void
pyb_card_check(const struct pyb_card *card)
{
    uint64_t held = AO_load(&card->held);
    uint64_t condemned = AO_load(&card->condemned);
    uint64_t facts = card->tracked | card->finalized | condemned;
    uint64_t ages = card->age1 | card->age2;
    uint64_t recent = pyb_card_young(card) | pyb_card_middle(card);
    uint64_t old = card->age2 & ~card->age1;

    PYB_ALWAYS((ages & ~card->tracked) == 0, NULL,
               "an object has a generation and is not tracked");
    PYB_ALWAYS((ages & ~old & condemned) == 0, NULL,
               "a condemned object has a generation");
    PYB_ALWAYS((facts & ~held) == 0, NULL,
               "the side table knows an object that is not held");
    PYB_ALWAYS(recent == 0 || card->next_recent != NULL, NULL,
               "a card with young objects is not on the list");
}
