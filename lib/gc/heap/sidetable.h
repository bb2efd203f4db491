/* sidetable.h: facts about objects, kept outside the objects.
   internals: side-table

   Heap addresses are divided three times:

     region   8 MiB of address space, found through a table by the address's
              high bits; made when the first block in it becomes ours.  The
              table begins at the lowest region and ends behind the highest.
     line     1 KiB: one cache line holds every fact about the blocks in it
     granule  16 bytes, Boehm's unit: one bit of each fact

   Looking up a fact is two loads and a bit test, for any address at all: what
   is not ours has no region, or zero bits in it.  A block's facts are those
   of its first granule, which is the object's address.

   Everything here lies in memory of our own mapping, so Boehm neither scans
   it nor depends on the host's data segment being scanned.

   The life of a block (H held, T tracked, 1 and 2 the bits of its generation's
   number, F finalized, C condemned; . whichever of 1 and 2 there were, - those
   that are cleared):

     heap takes a block from Boehm        H
     PyObject_GC_Track                    H T       generation 0, young
     it survives a young collection       H T 1     generation 1, middle
     it survives a larger one             H T 2     generation 2, old
     the cycle pass finds it dead         H T 1 2 C in the current set, which
                                                    is not left to Boehm, or
                                                    not yet
     the set is left to Boehm             H T 2 C   in the waiting set
     tp_del keeps it from being cleared   H T 1 C   until the set is done
     its finalizer is called              H T . C F
     a set gives it back                  H T 2 F   1 after a young collection
     a member is untracked                H C       in no set
     and tracked again                    H T C     generation 0, in no set
     PyBoehm_GC_Freeze                    H T 1 2   until PyBoehm_GC_Unfreeze
     PyObject_GC_UnTrack                  - T 1 2
     PyObject_GC_Del                      H         on a free list
     heap forgets the block               nothing   Boehm's next sweep has it

   1 and 2 imply T; each of T, F, C implies H.  Of what is C, 1 and 2 name a
   set that there is: pyb_sidetable.states has its state.  So 1 2 C, frozen and
   condemned, is seen from the verdict until the current set is done or left
   to Boehm, and frozen objects, which no collection looks at, never are C.
   What is C without 1 and 2 has left its set, and C goes when some set is
   done.  pyb_line_check says the same in code.

   So tracking sets one bit and untracking clears three, without a question. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_SIDETABLE_H
#define PYB_GC_HEAP_SIDETABLE_H

#include <atomic_ops.h>
#include <stddef.h>
#include <stdint.h>

#include "gc/base/fatal.h"
#include "object.h"

enum {
    PYB_GRANULE_SHIFT = 4,
    PYB_LINE_SHIFT = 10,
    PYB_PAGE_SHIFT = 12,   /* Boehm's: all blocks in a page have one size */
    PYB_GCREF_SHIFT = 5,   /* no object is smaller than a gcref */
    PYB_REGION_SHIFT = 23, /* small, or a process whose memory is limited
                              could not pay for what it does not use */
    PYB_ADDRESS_BITS = 48,

    PYB_GRANULE_BYTES = 1 << PYB_GRANULE_SHIFT,
    PYB_LINE_BYTES = 1 << PYB_LINE_SHIFT,
    PYB_LINE_GRANULES = PYB_LINE_BYTES / PYB_GRANULE_BYTES,
    PYB_PAGE_LINES = 1 << (PYB_PAGE_SHIFT - PYB_LINE_SHIFT),
    PYB_REGION_PAGES = 1 << (PYB_REGION_SHIFT - PYB_PAGE_SHIFT),
    PYB_REGION_LINES = 1 << (PYB_REGION_SHIFT - PYB_LINE_SHIFT),
    PYB_REGION_GCREFS = 1 << (PYB_REGION_SHIFT - PYB_GCREF_SHIFT),
    PYB_REGIONS_MAX = 1 << (PYB_ADDRESS_BITS - PYB_REGION_SHIFT),
    PYB_LINE_GCREFS = 1 << (PYB_LINE_SHIFT - PYB_GCREF_SHIFT),

    PYB_SYSTEM_PAGE = 1 << 16, /* no page of the system's is larger */

    PYB_LARGE = 255 /* in pages[]: blocks that have no size in common: a large
                       one, or what malloc gave */
};

_Static_assert(sizeof(void *) == 8, "pyboehm needs a 64-bit machine");
_Static_assert(PYB_LINE_GRANULES == 64, "a fact about a line is one word");

/* The generations: 0, 1 and 2 are collected, each with the younger ones. */
enum pyb_generation { PYB_YOUNG, PYB_MIDDLE, PYB_OLD, PYB_FROZEN };
enum { PYB_GENERATIONS = PYB_FROZEN };

/* Of a condemned object the generation's number says which set it is in. */
enum pyb_state {
    PYB_STATE_NONE = PYB_YOUNG,     /* untracked since: in none */
    PYB_STATE_APART = PYB_MIDDLE,   /* set apart, see teardown.c */
    PYB_STATE_WAITING = PYB_OLD,    /* the set that is left to Boehm */
    PYB_STATE_CURRENT = PYB_FROZEN, /* what a collection has just found */
};

#define PYB_STATE_BIT(state) (1u << (unsigned)(state))

struct pyb_size; /* heap.h */

/* The words that Boehm's hooks read, with this thread stopped anywhere, are
   written through pyb_fact_set and pyb_fact_clear only. */
struct pyb_line {
    /* Words that change together do not stand together: compilers would join
       the two stores into one, and the next load would have to wait for it. */
    AO_t held; /* ours; read by Boehm's hook */
    uint64_t tracked;
    AO_t condemned;     /* member of a condemned set; read by Boehm's hook */
    uint64_t age1;      /* of the generation's number: what counts 1 */
    uint64_t finalized; /* its finalizer has been called */
    uint64_t age2;      /* what counts 2 */
    struct pyb_size *size;        /* of the blocks in it, once one is held */
    struct pyb_line *next_recent; /* NULL: not on the list of recent lines */
};

_Static_assert(sizeof(struct pyb_line) == 64, "a line is one cache line");

struct pyb_region {
    struct pyb_line lines[PYB_REGION_LINES];
    /* For each line the objects in it that are adopted. */
    uint64_t adopted[PYB_REGION_LINES];
    /* For each line the members in it of a set that Boehm has been asked about
       which it saw; of lines without members it says nothing. */
    uint64_t seen[PYB_REGION_LINES];
    /* Where blocks are inspected, for each line: inspect.h says what. */
    uint64_t freed[PYB_REGION_LINES];
    uint64_t redzoned[PYB_REGION_LINES];
    /* For each page the size in granules of its blocks, PYB_LARGE, or 0 while
       nothing in it is ours. */
    unsigned char pages[PYB_REGION_PAGES];
    /* The pages in which one of Boehm's chunks was seen to begin. */
    uint64_t chunks[PYB_REGION_PAGES / 64];
    /* Nothing was ever ours in the pages before these and behind them: a small
       heap does not pay for a large region. */
    size_t pages_begin, pages_end;
    uintptr_t base;          /* the address that it begins at */
    struct pyb_region *next; /* all regions, in no order */
    size_t number;           /* in that list, when the last snapshot began */
    /* During a collection, for every object: see gcref.h.  Zero outside, but
       for a census. */
    uint32_t gcrefs[PYB_REGION_GCREFS]
        __attribute__((aligned(PYB_SYSTEM_PAGE)));
};

/* Regions are aligned to this, so that a line leads to its region. */
#define PYB_REGION_ALIGN ((uintptr_t)1 << 21)
_Static_assert(sizeof(struct pyb_region) <= PYB_REGION_ALIGN,
               "region alignment");
_Static_assert(offsetof(struct pyb_region, pages) % PYB_SYSTEM_PAGE == 0,
               "facts end with a page of the system's");

struct pyb_sidetable {
    uintptr_t lowest; /* the number of the region that the table begins with */
    uintptr_t limit;  /* entries of the table; 0 while there is none */
    uintptr_t fast_limit; /* the same for the fast paths: 0 with checks */
    struct pyb_region **regions;
    int checked; /* the fast paths are not to be taken */
    struct pyb_region *first;
    /* The lines with objects of generations 0 and 1, and perhaps some without;
       the last one's next_recent is itself. */
    struct pyb_line *recent;
    unsigned states; /* PYB_STATE_BIT of those that members can have now */
};
extern struct pyb_sidetable pyb_sidetable;

/* pyb_sidetable_check: says whether the fast paths are to be taken. */
void pyb_sidetable_check(int checked);

/* pyb_sidetable_cover: makes sure that the address has a region, which it
   returns; NULL if there is no memory for it. */
struct pyb_region *pyb_sidetable_cover(const void *address);

/* pyb_is_condemned: is op a member of a set, or has it left one, that is not
   done? */
int pyb_is_condemned(PyObject *op);

/* pyb_line_forget: with checks: blocks of a line are not ours any more. */
void pyb_line_forget(struct pyb_line *line, uint64_t bits);

/* pyb_sidetable_drop_gcrefs: gives the memory of all gcrefs back to the
   system; they read as zero afterwards. */
void pyb_sidetable_drop_gcrefs(void);

/* pyb_sidetable_shrink: the same for the gcrefs and for all facts of regions
   in which nothing is held.  None of their lines is on the list of recent
   ones, and Boehm's hook does not look. */
void pyb_sidetable_shrink(void);

/* pyb_line_check: fatal if the facts of a line contradict each other, at any
   time. */
void pyb_line_check(const struct pyb_line *line);

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

/* Lines are as many bytes long as a line has granules: the bits of the address
   that number the line, shifted, are its place. */
static inline struct pyb_line *
pyb_region_line(struct pyb_region *region, const void *address)
{
    uintptr_t place = ((uintptr_t)address >> PYB_GRANULE_SHIFT) &
                      ((PYB_REGION_LINES - 1) * sizeof(struct pyb_line));

    PYB_ASSERT(region != NULL);
    return (struct pyb_line *)(void *)((char *)region->lines + place);
}

/* The gcref of an address. */
static inline uint32_t *
pyb_region_gcref(struct pyb_region *region, const void *address)
{
    PYB_ASSERT(region != NULL);
    return &region->gcrefs[((uintptr_t)address >> PYB_GCREF_SHIFT) &
                           (PYB_REGION_GCREFS - 1)];
}

/* The word of a fact that a region keeps beside its lines. */
static inline uint64_t *
pyb_region_word(uint64_t words[PYB_REGION_LINES], const void *address)
{
    return &words[((uintptr_t)address >> PYB_LINE_SHIFT) &
                  (PYB_REGION_LINES - 1)];
}

static inline unsigned char *
pyb_region_page(struct pyb_region *region, const void *address)
{
    PYB_ASSERT(region != NULL);
    return &region->pages[((uintptr_t)address >> PYB_PAGE_SHIFT) &
                          (PYB_REGION_PAGES - 1)];
}

/* Makes a page one of those that are looked at. */
static inline void
pyb_region_widen(struct pyb_region *region, size_t page)
{
    PYB_ASSERT(page < PYB_REGION_PAGES);
    if (region->pages_end == 0 || page < region->pages_begin)
        region->pages_begin = page;
    if (page >= region->pages_end)
        region->pages_end = page + 1;
}

/* The line of an address, or NULL if nothing there was ever ours. */
static inline struct pyb_line *
pyb_line_of(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    return region != NULL ? pyb_region_line(region, address) : NULL;
}

/* The same for the address of a block that is ours. */
static inline struct pyb_line *
pyb_line_held(const void *block)
{
    PYB_ASSERT(pyb_region_of(block) != NULL);
    return pyb_region_line(pyb_sidetable.regions[pyb_region_place(block)],
                           block);
}

/* The bit of an address in each word of its line; its number, of which the low
   six bits count, as they do for the machine's shifts and bit tests. */
static inline uintptr_t
pyb_bit_number(const void *address)
{
    return (uintptr_t)address >> PYB_GRANULE_SHIFT;
}

static inline uint64_t
pyb_bit_of(const void *address)
{
    return (uint64_t)1 << (pyb_bit_number(address) & (PYB_LINE_GRANULES - 1));
}

/* Is the bit of that number set? */
static inline int
pyb_has_bit(uint64_t word, uintptr_t number)
{
    return (word >> (number & (PYB_LINE_GRANULES - 1))) & 1;
}

/* The generations of the objects in a line, each among those tracked. */
static inline uint64_t
pyb_line_young(const struct pyb_line *line)
{
    return line->tracked & ~(line->age1 | line->age2);
}

static inline uint64_t
pyb_line_middle(const struct pyb_line *line)
{
    return line->age1 & ~line->age2;
}

static inline uint64_t
pyb_line_frozen(const struct pyb_line *line)
{
    return line->age1 & line->age2;
}

/* The members in a line of the set in the state. */
static inline uint64_t
pyb_line_members(const struct pyb_line *line, enum pyb_state state)
{
    uint64_t age1 = state & 1 ? line->age1 : ~line->age1;
    uint64_t age2 = state & 2 ? line->age2 : ~line->age2;

    return AO_load(&line->condemned) & age1 & age2;
}

/* Gives a generation to those of a line's objects that have the bits. */
static inline void
pyb_line_set_age(struct pyb_line *line, uint64_t bits,
                 enum pyb_generation generation)
{
    PYB_ASSERT(generation <= PYB_FROZEN);
    PYB_ASSERT((bits & ~line->tracked) == 0);
    line->age1 = generation & 1 ? line->age1 | bits : line->age1 & ~bits;
    line->age2 = generation & 2 ? line->age2 | bits : line->age2 & ~bits;
}

/* Ends the tracking of those objects; one that is not tracked has no age. */
static inline void
pyb_line_untrack(struct pyb_line *line, uint64_t bits)
{
    line->tracked &= ~bits;
    line->age1 &= ~bits;
    line->age2 &= ~bits;
}

static inline struct pyb_region *
pyb_line_region(const struct pyb_line *line)
{
    return (struct pyb_region *)((uintptr_t)line & ~(PYB_REGION_ALIGN - 1));
}

/* The word of a fact about a line that its region keeps beside the lines. */
static inline uint64_t *
pyb_line_word(const struct pyb_line *line, uint64_t words[PYB_REGION_LINES])
{
    PYB_ASSERT(line - pyb_line_region(line)->lines < PYB_REGION_LINES);
    return &words[line - pyb_line_region(line)->lines];
}

/* The same as pyb_line_of for the fast paths, which checks keep out of: NULL
   sends them the slow way. */
static inline struct pyb_line *
pyb_line_fast(const void *address)
{
    uintptr_t place = pyb_region_place(address);

    if (_PyB_UNLIKELY(place >= pyb_sidetable.fast_limit))
        return NULL;
    struct pyb_region *region = pyb_sidetable.regions[place];
    return _PyB_LIKELY(region != NULL) ? pyb_region_line(region, address)
                                       : NULL;
}

/* The address of a line's first granule. */
static inline char *
pyb_line_base(const struct pyb_line *line)
{
    struct pyb_region *region = pyb_line_region(line);

    PYB_ASSERT(line - region->lines < PYB_REGION_LINES);
    return (char *)region->base +
           ((uintptr_t)(line - region->lines) << PYB_LINE_SHIFT);
}

/* The gcrefs of a line. */
static inline uint32_t *
pyb_line_gcrefs(const struct pyb_line *line)
{
    struct pyb_region *region = pyb_line_region(line);

    PYB_ASSERT(line - region->lines < PYB_REGION_LINES);
    return &region->gcrefs[(size_t)(line - region->lines) * PYB_LINE_GCREFS];
}

/* Enters a line with young or middle objects into the list of these. */
static inline void
pyb_line_enter_recent(struct pyb_line *line)
{
    if (line->next_recent != NULL)
        return;
    PYB_ASSERT(pyb_sidetable.recent != line);
    line->next_recent =
        pyb_sidetable.recent != NULL ? pyb_sidetable.recent : line;
    pyb_sidetable.recent = line;
}

/* The line that follows in that list, which this one is in; NULL at the end.
 */
static inline struct pyb_line *
pyb_line_after(const struct pyb_line *line)
{
    PYB_ASSERT(line->next_recent != NULL);
    return line->next_recent == line ? NULL : line->next_recent;
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
    struct pyb_line *line = pyb_line_of(address);

    return line != NULL && ((uintptr_t)address & 15) == 0 &&
           (AO_load(&line->held) & pyb_bit_of(address)) != 0;
}

#endif /* PYB_GC_HEAP_SIDETABLE_H */
