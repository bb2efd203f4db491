/* sidetable.c: facts about objects, kept outside the objects.  See
   sidetable.h. */

#include "Python.h"

#include "gc/fatal.h"
#include "gc/sidetable.h"

#include <sys/mman.h>

struct pyb_sidetable pyb_sidetable;

/* Fresh zeroed memory that costs nothing until it is touched. */
static void *
map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

int
pyb_sidetable_init(void)
{
    void *table = map_memory(PYB_REGIONS * sizeof(struct pyb_region *));

    if (table == NULL)
        return -1;
    pyb_sidetable.regions = table;
    pyb_sidetable.limit = PYB_REGIONS;
    return 0;
}

/* Maps a region at an address that pyb_card_region can find. */
static struct pyb_region *
map_region(void)
{
    char *memory = map_memory(2 * PYB_REGION_ALIGN);
    if (memory == NULL)
        return NULL;

    uintptr_t start = (uintptr_t)memory;
    uintptr_t aligned =
        (start + PYB_REGION_ALIGN - 1) & ~(PYB_REGION_ALIGN - 1);
    if (aligned > start)
        munmap(memory, aligned - start);
    munmap((char *)aligned + PYB_REGION_ALIGN,
           start + PYB_REGION_ALIGN - aligned);
    return (struct pyb_region *)aligned;
}

struct pyb_region *
pyb_sidetable_cover(const void *address)
{
    uintptr_t number = (uintptr_t)address >> PYB_REGION_SHIFT;
    struct pyb_region *region = pyb_region_of(address);

    if (region != NULL || number >= pyb_sidetable.limit)
        return region;
    region = map_region();
    if (region == NULL)
        return NULL;
    region->base = number << PYB_REGION_SHIFT;
    region->next = pyb_sidetable.first;
    /* Boehm's hook walks from first: publish what is complete. */
    AO_store_release((volatile AO_t *)&pyb_sidetable.first, (AO_t)region);
    pyb_sidetable.regions[number] = region;
    return region;
}

void
pyb_sidetable_drop_cells(void)
{
    struct pyb_region *region = pyb_sidetable.first;

    for (; region != NULL; region = region->next)
        if (madvise(region->cells, sizeof region->cells, MADV_DONTNEED) != 0)
            memset(region->cells, 0, sizeof region->cells); /* locked */
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
