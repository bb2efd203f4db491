/* sidetable.h: facts about objects, kept outside the objects.

   Heap addresses are divided three times:

     region   8 MiB of address space, found through a table by the address's
              high bits; made when the first block in it becomes ours.  The
              table begins at the lowest region and ends behind the highest.
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
     the cycle pass finds it dead         H T 1 2 C in the current set
     the set is left to Boehm             H T 2 C   in the waiting set
     tp_del keeps it from being cleared   H T 1 C   until the set is done
     its finalizer is called              H T . C F
     a set gives it back                  H T 2 F   1 after a young collection
     PyBoehm_GC_Freeze                    H T 1 2   until PyBoehm_GC_Unfreeze
     PyObject_GC_UnTrack                  - T 1 2
     PyObject_GC_Del                      H         on a free list
     heap forgets the block               nothing   Boehm's next sweep has it

   1 and 2 imply T; each of T, F, C implies H.  What is C without 1 and 2 was
   untracked: it has left its set, tracked again or not, and C goes when some
   set is done.  pyb_card_check says the same in code.

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
    PYB_PAGE_SHIFT = 12,   /* Boehm's: all blocks in a page have one size */
    PYB_CELL_SHIFT = 5,    /* no object is smaller than a cell */
    PYB_REGION_SHIFT = 23, /* small, or a process whose memory is limited
                              could not pay for what it does not use */
    PYB_ADDRESS_BITS = 48,

    PYB_GRANULE_BYTES = 1 << PYB_GRANULE_SHIFT,
    PYB_CARD_BYTES = 1 << PYB_CARD_SHIFT,
    PYB_CARD_GRANULES = PYB_CARD_BYTES / PYB_GRANULE_BYTES,
    PYB_PAGE_CARDS = 1 << (PYB_PAGE_SHIFT - PYB_CARD_SHIFT),
    PYB_REGION_PAGES = 1 << (PYB_REGION_SHIFT - PYB_PAGE_SHIFT),
    PYB_REGION_CARDS = 1 << (PYB_REGION_SHIFT - PYB_CARD_SHIFT),
    PYB_REGION_CELLS = 1 << (PYB_REGION_SHIFT - PYB_CELL_SHIFT),
    PYB_REGIONS_MAX = 1 << (PYB_ADDRESS_BITS - PYB_REGION_SHIFT),
    PYB_CARD_CELLS = 1 << (PYB_CARD_SHIFT - PYB_CELL_SHIFT),

    PYB_MARKERS = 2,           /* threads that a collection uses at most */
    PYB_SYSTEM_PAGE = 1 << 16, /* no page of the system's is larger */

    PYB_LARGE = 255 /* in pages[]: one block begins here and is larger */
};

_Static_assert(sizeof(void *) == 8, "pyboehm needs a 64-bit machine");
_Static_assert(PYB_CARD_GRANULES == 64, "a fact about a card is one word");

/* The generations: 0, 1 and 2 are collected, each with the younger ones. */
enum pyb_generation { PYB_YOUNG, PYB_MIDDLE, PYB_OLD, PYB_FROZEN };
enum { PYB_GENERATIONS = PYB_FROZEN };

/* Of a condemned object the generation's number says which set it is in. */
enum pyb_mark {
    PYB_MARK_LEFT = PYB_YOUNG,     /* untracked since: in none */
    PYB_MARK_APART = PYB_MIDDLE,   /* set apart, see teardown.c */
    PYB_MARK_WAITING = PYB_OLD,    /* the set that is left to Boehm */
    PYB_MARK_CURRENT = PYB_FROZEN, /* what a collection has just found */
};

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
    /* For each card the objects in it that are adopted. */
    uint64_t adopted[PYB_REGION_CARDS];
    /* For each card the members in it of a set that Boehm has been asked about
       which it saw; of cards without members it says nothing. */
    uint64_t seen[PYB_REGION_CARDS];
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
    /* During a collection, for every object: see cell.h.  Zero outside.  Those
       of the second marker are not there where memory is limited. */
    uint32_t cells[PYB_MARKERS][PYB_REGION_CELLS]
        __attribute__((aligned(PYB_SYSTEM_PAGE)));
};

/* Regions are aligned to this, so that a card leads to its region. */
#define PYB_REGION_ALIGN ((uintptr_t)1 << 22)
_Static_assert(sizeof(struct pyb_region) <= (1 << 22), "region alignment");
_Static_assert(offsetof(struct pyb_region, pages) % PYB_SYSTEM_PAGE == 0,
               "facts end with a page of the system's");

struct pyb_sidetable {
    uintptr_t lowest; /* the number of the region that the table begins with */
    uintptr_t limit;  /* entries of the table; 0 while there is none */
    uintptr_t quick;  /* the same for the quick paths: 0 with checks */
    struct pyb_region **regions;
    int checked; /* the quick paths are not to be taken */
    int markers; /* for which all regions have cells */
    struct pyb_region *first;
    /* The cards with objects of generations 0 and 1, and perhaps some without;
       the last one's next_recent is itself. */
    struct pyb_card *recent;
};
extern struct pyb_sidetable pyb_sidetable;

/* pyb_sidetable_check: says whether the quick paths are to be taken. */
void pyb_sidetable_check(int checked);

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

/* The place in the table of an address's region, if it has one. */
static inline uintptr_t
pyb_region_place(const void *address)
{
    return ((uintptr_t)address >> PYB_REGION_SHIFT) - pyb_sidetable.lowest;
}

static inline struct pyb_region *
pyb_region_of(const void *address)
{
    uintptr_t place = pyb_region_place(address);

    if (_PyB_UNLIKELY(place >= pyb_sidetable.limit))
        return NULL;
    return pyb_sidetable.regions[place];
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
    return pyb_region_card(pyb_sidetable.regions[pyb_region_place(block)],
                           block);
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

/* The members in a card of the set that has the mark. */
static inline uint64_t
pyb_card_members(const struct pyb_card *card, enum pyb_mark mark)
{
    uint64_t age1 = mark & 1 ? card->age1 : ~card->age1;
    uint64_t age2 = mark & 2 ? card->age2 : ~card->age2;

    return AO_load(&card->condemned) & age1 & age2;
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

/* The word of a fact about a card that its region keeps beside the cards. */
static inline uint64_t *
pyb_card_word(const struct pyb_card *card, uint64_t words[PYB_REGION_CARDS])
{
    return &words[card - pyb_card_region(card)->cards];
}

/* The same as pyb_card_of for the quick paths, which checks keep out of: NULL
   sends them the slow way. */
static inline struct pyb_card *
pyb_card_quick(const void *address)
{
    uintptr_t place = pyb_region_place(address);

    if (_PyB_UNLIKELY(place >= pyb_sidetable.quick))
        return NULL;
    struct pyb_region *region = pyb_sidetable.regions[place];
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
