/* walk.c: going over objects, a card at a time.  See walk.h. */

#include "Python.h"

#include "gc/walk.h"

/* Of a piece: a multiple of a page's. */
enum { PIECE_CARDS = 32 * PYB_PAGE_CARDS };

/* Puts the walk at the beginning of a region.  0 if there is none. */
static int
enter_region(struct pyb_walk *walk, struct pyb_region *region)
{
    walk->region = region;
    if (region == NULL)
        return 0;
    walk->card_number = region->pages_begin * PYB_PAGE_CARDS;
    walk->card_end = region->pages_end * PYB_PAGE_CARDS;
    return 1;
}

static struct pyb_walk
walk_all(enum pyb_walk_over over)
{
    struct pyb_walk walk = {.kind = PYB_WALK_ALL, .over = over};

    enter_region(&walk, pyb_sidetable.first);
    return walk;
}

struct pyb_walk
pyb_walk_generation(enum pyb_generation oldest)
{
    if (oldest >= PYB_OLD)
        return walk_all(PYB_WALK_LIVING);
    return (struct pyb_walk){.kind = PYB_WALK_RECENT,
                             .middle = oldest == PYB_MIDDLE,
                             .card = pyb_sidetable.recent};
}

struct pyb_walk
pyb_walk_members(enum pyb_generation oldest, enum pyb_mark mark)
{
    struct pyb_walk walk = pyb_walk_generation(oldest);

    walk.over = PYB_WALK_MEMBERS;
    walk.mark = mark;
    return walk;
}

struct pyb_walk
pyb_walk_condemned(enum pyb_generation oldest)
{
    struct pyb_walk walk = pyb_walk_generation(oldest);

    walk.over = PYB_WALK_CONDEMNED;
    return walk;
}

struct pyb_walk
pyb_walk_tracked(void)
{
    return walk_all(PYB_WALK_TRACKED);
}

/* Moves on to the next card of a region that can have objects; pages that are
   not ours are passed by eight at a time.  NULL at the end.  A call more would
   be felt where there are few objects. */
static inline __attribute__((always_inline)) struct pyb_card *
next_card(struct pyb_walk *walk)
{
    const unsigned char *pages = walk->region->pages;

    while (walk->card_number < walk->card_end) {
        size_t page = walk->card_number / PYB_PAGE_CARDS;
        uint64_t eight;

        if (pages[page] != 0)
            return &walk->region->cards[walk->card_number++];
        memcpy(&eight, pages + (page & ~(size_t)7), sizeof eight);
        page = eight == 0 ? (page | 7) + 1 : page + 1;
        walk->card_number = page * PYB_PAGE_CARDS;
    }
    return NULL;
}

/* Moves on to the next region.  0 at the end. */
static int
next_region(struct pyb_walk *walk)
{
    return enter_region(
        walk, walk->piece || walk->region == NULL ? NULL : walk->region->next);
}

static inline int
make_group(struct pyb_group *group, struct pyb_card *card, uint64_t bits)
{
    group->card = card;
    group->bits = bits;
    group->base = pyb_card_base(card);
    group->cells = pyb_card_cells(card);
    return 1;
}

/* Those of a card's objects that the walk is over. */
static inline uint64_t
bits_of(const struct pyb_walk *walk, const struct pyb_card *card)
{
    uint64_t condemned = AO_load(&card->condemned), bits;

    switch (walk->over) {
    case PYB_WALK_TRACKED:
        return card->tracked;
    case PYB_WALK_CONDEMNED:
        return condemned;
    case PYB_WALK_MEMBERS:
        return pyb_card_members(card, walk->mark);
    case PYB_WALK_LIVING:
        break;
    }
    if (walk->kind == PYB_WALK_ALL)
        return card->tracked & ~condemned & ~pyb_card_frozen(card);
    bits = pyb_card_young(card) & ~condemned;
    return walk->middle ? bits | (pyb_card_middle(card) & ~condemned) : bits;
}

static int
next_of_all(struct pyb_walk *walk, struct pyb_group *group)
{
    if (walk->region == NULL)
        return 0;
    do {
        struct pyb_card *card;

        while ((card = next_card(walk)) != NULL) {
            uint64_t bits = bits_of(walk, card);

            if (bits != 0)
                return make_group(group, card, bits);
        }
    } while (next_region(walk));
    return 0;
}

static inline struct pyb_card *
card_after(const struct pyb_card *card)
{
    return card->next_recent == card ? NULL : card->next_recent;
}

static int
next_recent(struct pyb_walk *walk, struct pyb_group *group)
{
    while (walk->card != walk->after) {
        struct pyb_card *card = walk->card;
        uint64_t bits = bits_of(walk, card);

        walk->card = card_after(card);
        if (bits != 0)
            return make_group(group, card, bits);
    }
    return 0;
}

int
pyb_walk_next(struct pyb_walk *walk, struct pyb_group *group)
{
    return walk->kind == PYB_WALK_ALL ? next_of_all(walk, group)
                                      : next_recent(walk, group);
}

/* Of the blocks that are held the others are free. */
static uint64_t
live_bits(const struct pyb_card *card)
{
    struct pyb_group held;
    uint64_t live = 0;
    PyObject *op;

    make_group(&held, (struct pyb_card *)(uintptr_t)card,
               AO_load(&card->held));
    while ((op = pyb_group_take(&held)) != NULL)
        if (op->ob_refcnt > 0)
            live |= pyb_bit_of(op);
    return live;
}

/* As next_of_all, which every collection goes through: it is not for both. */
int
pyb_walk_next_live(struct pyb_walk *walk, struct pyb_group *group)
{
    if (walk->region == NULL)
        return 0;
    do {
        struct pyb_card *card;

        while ((card = next_card(walk)) != NULL) {
            uint64_t bits = live_bits(card);

            if (bits != 0)
                return make_group(group, card, bits);
        }
    } while (next_region(walk));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Pieces                                                              */

static int
split_all(struct pyb_walk *walk, struct pyb_walk *piece)
{
    if (walk->region == NULL ||
        (walk->card_number >= walk->card_end && !next_region(walk)))
        return 0;
    piece->region = walk->region;
    piece->card_number = walk->card_number;
    walk->card_number += PIECE_CARDS;
    piece->card_end = Py_MIN(walk->card_number, walk->card_end);
    piece->piece = 1;
    return 1;
}

static int
split_recent(struct pyb_walk *walk, struct pyb_walk *piece)
{
    if (walk->card == NULL)
        return 0;
    for (int i = 0; i < PIECE_CARDS && walk->card != NULL; i++)
        walk->card = card_after(walk->card);
    piece->after = walk->card;
    return 1;
}

int
pyb_walk_split(struct pyb_walk *walk, struct pyb_walk *piece)
{
    *piece = *walk;
    return walk->kind == PYB_WALK_ALL ? split_all(walk, piece)
                                      : split_recent(walk, piece);
}

size_t
pyb_walk_count(struct pyb_walk walk)
{
    struct pyb_group group;
    size_t n = 0;

    while (pyb_walk_next(&walk, &group))
        n += (size_t)__builtin_popcountll(group.bits);
    return n;
}
