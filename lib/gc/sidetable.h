/* sidetable.h: facts about objects, kept outside the objects.

   Heap addresses are divided three times:

     region   64 MiB of address space, found through a table by the address's
              high bits; made when the first block in it becomes ours
     card     1 KiB: one cache line holds every fact about the blocks in it
     granule  16 bytes, Boehm's unit: one bit of each fact

   Looking up a fact is two loads and a bit test, for any address at all: what
   is not ours has no region, or zero bits in it.  A block's facts are those
   of its first granule, which is the object's address.

   Everything here lies in memory of our own mapping, so Boehm neither scans
   it nor depends on the host's data segment being scanned.

   The life of a fact (H held, T tracked, 1 and 2 the bits of its generation's
   number, F finalized, C condemned):

     heap takes a block from Boehm        H
     PyObject_GC_Track                    H T       generation 0, young
     it survives a young collection       H T 1     generation 1, middle
     it survives a larger one             H T 2     generation 2, old
     the cycle pass finds it dead         H T 2 C   Boehm may take it now
     its finalizer is called              H T 2 C F
     a set gives it back                  H T 2 F   1 after a young collection
     PyBoehm_GC_Freeze                    H T 1 2   until PyBoehm_GC_Unfreeze
     PyObject_GC_UnTrack                  - T 1 2
     PyObject_GC_Del                      H         on a free list, or, if C,
                                          H C       kept until its set is done
     heap forgets the block               nothing   Boehm's next sweep has it

   1 and 2 imply T; each of T, F, C implies H.  What is C and young was
   untracked and tracked again: it has left its set.  pyb_card_check says the
   same in code.

   So tracking sets one bit and untracking clears three, without a question. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_SIDETABLE_H
#define PYB_GC_SIDETABLE_H

#include <atomic_ops.h>
#include <stddef.h>
#include <stdint.h>

#include "object.h"

enum {
    PYB_GRANULE_SHIFT = 4,
    PYB_CARD_SHIFT = 10,
    PYB_PAGE_SHIFT = 12, /* Boehm's: all blocks in a page have one size */
    PYB_CELL_SHIFT = 5,  /* no object is smaller than a cell */
    PYB_REGION_SHIFT = 26,
    PYB_ADDRESS_BITS = 48,

    PYB_GRANULE_BYTES = 1 << PYB_GRANULE_SHIFT,
    PYB_CARD_BYTES = 1 << PYB_CARD_SHIFT,
    PYB_CARD_GRANULES = PYB_CARD_BYTES / PYB_GRANULE_BYTES,
    PYB_PAGE_CARDS = 1 << (PYB_PAGE_SHIFT - PYB_CARD_SHIFT),
    PYB_REGION_PAGES = 1 << (PYB_REGION_SHIFT - PYB_PAGE_SHIFT),
    PYB_REGION_CARDS = 1 << (PYB_REGION_SHIFT - PYB_CARD_SHIFT),
    PYB_REGION_CELLS = 1 << (PYB_REGION_SHIFT - PYB_CELL_SHIFT),
    PYB_REGIONS = 1 << (PYB_ADDRESS_BITS - PYB_REGION_SHIFT),
    PYB_CARD_CELLS = 1 << (PYB_CARD_SHIFT - PYB_CELL_SHIFT),

    PYB_MARKERS = 2, /* threads that a collection uses at most */

    PYB_LARGE = 255 /* in pages[]: one block begins here and is larger */
};

_Static_assert(sizeof(void *) == 8, "pyboehm needs a 64-bit machine");
_Static_assert(PYB_CARD_GRANULES == 64, "a fact about a card is one word");

/* The generations: 0, 1 and 2 are collected, each with the younger ones. */
enum pyb_generation { PYB_YOUNG, PYB_MIDDLE, PYB_OLD, PYB_FROZEN };
enum { PYB_GENERATIONS = PYB_FROZEN };

struct pyb_size; /* heap.h */

/* The words that Boehm's hooks read, with this thread stopped anywhere, are
   written through pyb_fact_set and pyb_fact_clear only. */
struct pyb_card {
    /* Words that change together do not stand together: compilers would join
       the two stores into one, and the next load would have to wait for it. */
    AO_t held; /* ours; read by Boehm's hook */
    uint64_t tracked;
    AO_t condemned;     /* member of a condemned set; read by Boehm's hook */
    uint64_t age1;      /* of the generation's number: what counts 1 */
    uint64_t finalized; /* its finalizer has been called by the collector */
    uint64_t age2;      /* what counts 2 */
    struct pyb_size *size;        /* of the blocks in it, once one is held */
    struct pyb_card *next_recent; /* NULL: not on the list of recent cards */
};

_Static_assert(sizeof(struct pyb_card) == 64, "a card is one cache line");

struct pyb_region {
    struct pyb_card cards[PYB_REGION_CARDS];
    /* During a collection, for every object: see cell.h.  Zero outside. */
    uint32_t cells[PYB_MARKERS][PYB_REGION_CELLS];
    /* For each card the objects in it that are adopted. */
    uint64_t adopted[PYB_REGION_CARDS];
    /* Where blocks are inspected, for each card: inspect.h says what. */
    uint64_t freed[PYB_REGION_CARDS];
    uint64_t fenced[PYB_REGION_CARDS];
    /* For each page the size in granules of its blocks, PYB_LARGE, or 0 while
       nothing in it is ours. */
    unsigned char pages[PYB_REGION_PAGES];
    /* Nothing was ever ours in the pages before these and behind them: a small
       heap does not pay for a large region. */
    size_t pages_begin, pages_end;
    uintptr_t base;          /* the address that it begins at */
    struct pyb_region *next; /* all regions, in no order */
};

/* Regions are aligned to this, so that a card leads to its region. */
#define PYB_REGION_ALIGN ((uintptr_t)1 << 25)
_Static_assert(sizeof(struct pyb_region) <= (1 << 25), "region alignment");
_Static_assert(offsetof(struct pyb_region, pages) % (1 << 16) == 0,
               "facts end with a page of the system's");

struct pyb_sidetable {
    uintptr_t limit; /* PYB_REGIONS once there is a table, 0 before */
    uintptr_t quick; /* the same for the quick paths: 0 with checks */
    struct pyb_region **regions;
    struct pyb_region *first;
    /* The cards with objects of generations 0 and 1, and perhaps some without;
       the last one's next_recent is itself. */
    struct pyb_card *recent;
};
extern struct pyb_sidetable pyb_sidetable;

/* pyb_sidetable_init: makes the table; 0, or -1 if there is no memory. */
int pyb_sidetable_init(void);

/* pyb_sidetable_cover: makes sure that the address has a region, which it
   returns; NULL if there is no memory for it. */
struct pyb_region *pyb_sidetable_cover(const void *address);

/* pyb_sidetable_drop_cells: gives the memory of all cells back to the system;
   they read as zero afterwards. */
void pyb_sidetable_drop_cells(void);

/* pyb_sidetable_shrink: the same for the cells and for all facts of regions in
   which nothing is held.  None of their cards is on the list of recent ones,
   and Boehm's hook does not look. */
void pyb_sidetable_shrink(void);

/* pyb_card_check: fatal if the facts of a card contradict each other. */
void pyb_card_check(const struct pyb_card *card);

static inline struct pyb_region *
pyb_region_of(const void *address)
{
    uintptr_t number = (uintptr_t)address >> PYB_REGION_SHIFT;

    if (_PyB_UNLIKELY(number >= pyb_sidetable.limit))
        return NULL;
    return pyb_sidetable.regions[number];
}

/* Cards are as many bytes long as a card has granules: the bits of the address
   that number the card, shifted, are its place. */
static inline struct pyb_card *
pyb_region_card(struct pyb_region *region, const void *address)
{
    uintptr_t place = ((uintptr_t)address >> PYB_GRANULE_SHIFT) &
                      ((PYB_REGION_CARDS - 1) * sizeof(struct pyb_card));

    return (struct pyb_card *)(void *)((char *)region->cards + place);
}

/* The cell of an address, the first marker's. */
static inline uint32_t *
pyb_region_cell(struct pyb_region *region, const void *address)
{
    return &region->cells[0][((uintptr_t)address >> PYB_CELL_SHIFT) &
                             (PYB_REGION_CELLS - 1)];
}

/* The word of a fact that a region keeps beside its cards. */
static inline uint64_t *
pyb_region_word(uint64_t words[PYB_REGION_CARDS], const void *address)
{
    return &words[((uintptr_t)address >> PYB_CARD_SHIFT) &
                  (PYB_REGION_CARDS - 1)];
}

static inline unsigned char *
pyb_region_page(struct pyb_region *region, const void *address)
{
    return &region->pages[((uintptr_t)address >> PYB_PAGE_SHIFT) &
                          (PYB_REGION_PAGES - 1)];
}

/* Makes a page one of those that are looked at. */
static inline void
pyb_region_widen(struct pyb_region *region, size_t page)
{
    if (region->pages_end == 0 || page < region->pages_begin)
        region->pages_begin = page;
    if (page >= region->pages_end)
        region->pages_end = page + 1;
}

/* The card of an address, or NULL if nothing there was ever ours. */
static inline struct pyb_card *
pyb_card_of(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    return region != NULL ? pyb_region_card(region, address) : NULL;
}

/* The same for the address of a block that is ours. */
static inline struct pyb_card *
pyb_card_held(const void *block)
{
    return pyb_region_card(
        pyb_sidetable.regions[(uintptr_t)block >> PYB_REGION_SHIFT], block);
}

/* The bit of an address in each word of its card; its number, of which the low
   six bits count, as they do for the machine's shifts and bit tests. */
static inline uintptr_t
pyb_bit_number(const void *address)
{
    return (uintptr_t)address >> PYB_GRANULE_SHIFT;
}

static inline uint64_t
pyb_bit_of(const void *address)
{
    return (uint64_t)1 << (pyb_bit_number(address) & (PYB_CARD_GRANULES - 1));
}

/* Is the bit of that number set? */
static inline int
pyb_has_bit(uint64_t word, uintptr_t number)
{
    return (word >> (number & (PYB_CARD_GRANULES - 1))) & 1;
}

/* The generations of the objects in a card, each among those tracked. */
static inline uint64_t
pyb_card_young(const struct pyb_card *card)
{
    return card->tracked & ~(card->age1 | card->age2);
}

static inline uint64_t
pyb_card_middle(const struct pyb_card *card)
{
    return card->age1 & ~card->age2;
}

static inline uint64_t
pyb_card_frozen(const struct pyb_card *card)
{
    return card->age1 & card->age2;
}

/* Gives a generation to those of a card's objects that have the bits. */
static inline void
pyb_card_set_age(struct pyb_card *card, uint64_t bits,
                 enum pyb_generation generation)
{
    card->age1 = generation & 1 ? card->age1 | bits : card->age1 & ~bits;
    card->age2 = generation & 2 ? card->age2 | bits : card->age2 & ~bits;
}

static inline struct pyb_region *
pyb_card_region(const struct pyb_card *card)
{
    return (struct pyb_region *)((uintptr_t)card & ~(PYB_REGION_ALIGN - 1));
}

/* The same as pyb_card_of for the quick paths, which checks keep out of: NULL
   sends them the slow way. */
static inline struct pyb_card *
pyb_card_quick(const void *address)
{
    uintptr_t number = (uintptr_t)address >> PYB_REGION_SHIFT;

    if (_PyB_UNLIKELY(number >= pyb_sidetable.quick))
        return NULL;
    struct pyb_region *region = pyb_sidetable.regions[number];
    return _PyB_LIKELY(region != NULL) ? pyb_region_card(region, address)
                                       : NULL;
}

/* The address of a card's first granule. */
static inline char *
pyb_card_base(const struct pyb_card *card)
{
    struct pyb_region *region = pyb_card_region(card);

    return (char *)region->base +
           ((uintptr_t)(card - region->cards) << PYB_CARD_SHIFT);
}

/* The cells of a card, the first marker's. */
static inline uint32_t *
pyb_card_cells(const struct pyb_card *card)
{
    struct pyb_region *region = pyb_card_region(card);

    return &region->cells[0][(size_t)(card - region->cards) * PYB_CARD_CELLS];
}

/* Enters a card with young or middle objects into the list of these. */
static inline void
pyb_card_enter_recent(struct pyb_card *card)
{
    if (card->next_recent != NULL)
        return;
    card->next_recent =
        pyb_sidetable.recent != NULL ? pyb_sidetable.recent : card;
    pyb_sidetable.recent = card;
}

/* In the order in which the program says it: the hook runs on this processor,
   or with this thread stopped. */
static inline void
pyb_fact_set(AO_t *word, uint64_t bits)
{
    AO_compiler_barrier();
    AO_store(word, AO_load(word) | bits);
    AO_compiler_barrier();
}

static inline void
pyb_fact_clear(AO_t *word, uint64_t bits)
{
    AO_compiler_barrier();
    AO_store(word, AO_load(word) & ~bits);
    AO_compiler_barrier();
}

/* Is this the address of a block that is ours? */
static inline int
pyb_sidetable_holds(const void *address)
{
    struct pyb_card *card = pyb_card_of(address);

    return card != NULL && ((uintptr_t)address & 15) == 0 &&
           (AO_load(&card->held) & pyb_bit_of(address)) != 0;
}

#endif /* PYB_GC_SIDETABLE_H */
