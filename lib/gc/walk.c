/* walk.c: going over objects, a card at a time.  See walk.h. */

#include "Python.h"

#include "gc/walk.h"

struct pyb_walk
pyb_walk_generation(enum pyb_generation oldest)
{
    if (oldest >= PYB_OLD)
        return (struct pyb_walk){.kind = PYB_WALK_ALL,
                                 .region = pyb_sidetable.first};
    return (struct pyb_walk){.kind = PYB_WALK_RECENT,
                             .middle = oldest == PYB_MIDDLE,
                             .card = pyb_sidetable.recent};
}

struct pyb_walk
pyb_walk_tracked(void)
{
    return (struct pyb_walk){
        .kind = PYB_WALK_ALL, .tracked = 1, .region = pyb_sidetable.first};
}

struct pyb_walk
pyb_walk_set(PyObject **members, size_t n)
{
    return (struct pyb_walk){
        .kind = PYB_WALK_SET, .member = members, .end = members + n};
}

/* Moves on to the next card of a region that can have objects; pages that are
   not ours are passed by eight at a time. */
static struct pyb_card *
next_card(struct pyb_walk *walk)
{
    while (walk->region != NULL) {
        const unsigned char *pages = walk->region->pages;

        while (walk->card_number < PYB_REGION_CARDS) {
            size_t page = walk->card_number / PYB_PAGE_CARDS;
            uint64_t eight;

            if (pages[page] != 0)
                return &walk->region->cards[walk->card_number++];
            memcpy(&eight, pages + (page & ~(size_t)7), sizeof eight);
            page = eight == 0 ? (page | 7) + 1 : page + 1;
            walk->card_number = page * PYB_PAGE_CARDS;
        }
        walk->region = walk->region->next;
        walk->card_number = 0;
    }
    return NULL;
}

/* Puts the objects that a card's bits name into batch. */
static inline size_t
unpack(const struct pyb_card *card, uint64_t bits, PyObject **batch)
{
    char *base = pyb_card_base(card);
    size_t n = 0;

    for (; bits != 0; bits &= bits - 1)
        batch[n++] = (PyObject *)(void *)(base + __builtin_ctzll(bits) *
                                                     PYB_GRANULE_BYTES);
    return n;
}

static size_t
next_of_all(struct pyb_walk *walk, PyObject **batch)
{
    struct pyb_card *card;

    while ((card = next_card(walk)) != NULL) {
        uint64_t bits = card->tracked;

        if (!walk->tracked)
            bits &= ~AO_load(&card->condemned) & ~pyb_card_frozen(card);
        if (bits != 0)
            return unpack(card, bits, batch);
    }
    return 0;
}

static size_t
next_recent(struct pyb_walk *walk, PyObject **batch)
{
    while (walk->card != NULL) {
        struct pyb_card *card = walk->card;
        uint64_t bits = pyb_card_young(card) & ~AO_load(&card->condemned);

        if (walk->middle)
            bits |= pyb_card_middle(card);
        walk->card = card->next_recent == card ? NULL : card->next_recent;
        if (bits != 0)
            return unpack(card, bits, batch);
    }
    return 0;
}

static size_t
next_of_set(struct pyb_walk *walk, PyObject **batch)
{
    size_t n = 0;

    while (walk->member < walk->end && n < PYB_WALK_BATCH) {
        if (*walk->member != NULL)
            batch[n++] = *walk->member;
        walk->member++;
    }
    return n;
}

size_t
pyb_walk_next(struct pyb_walk *walk, PyObject *batch[PYB_WALK_BATCH])
{
    switch (walk->kind) {
    case PYB_WALK_ALL:
        return next_of_all(walk, batch);
    case PYB_WALK_RECENT:
        return next_recent(walk, batch);
    case PYB_WALK_SET:
        return next_of_set(walk, batch);
    }
    Py_UNREACHABLE();
}
