/* generations.c: how old objects are, and how they grow old.

   A generation is a fact in the side table, so to grow old is to move bits, 64
   objects at a time.  The list of recent cards changes its order when a
   collection has aged them, and is only added to while a set is torn down,
   whose members may be found by it.  Manual of Python's library: "gc". */

#include "Python.h"

#include "gc/generations.h"

/* Takes cards off the list that have no young or middle objects, nor, if they
   are wanted, members of the current set. */
static void
weed(int current)
{
    struct pyb_card *card = pyb_sidetable.recent;

    pyb_sidetable.recent = NULL;
    while (card != NULL) {
        struct pyb_card *next = card->next_recent;
        uint64_t wanted = pyb_card_young(card) | pyb_card_middle(card);

        if (current)
            wanted |= pyb_card_members(card, PYB_MARK_CURRENT);
        card->next_recent = NULL;
        if (wanted != 0)
            pyb_card_enter_recent(card);
        card = next == card ? NULL : next;
    }
}

void
pyb_generations_weed(void)
{
    weed(0);
}

static struct pyb_card *
next_recent(struct pyb_card *card)
{
    return card->next_recent == card ? NULL : card->next_recent;
}

void
pyb_generations_age(enum pyb_generation oldest)
{
    struct pyb_card *card = pyb_sidetable.recent;

    for (; card != NULL; card = next_recent(card)) {
        uint64_t young = pyb_card_young(card) & ~AO_load(&card->condemned);

        if (oldest == PYB_YOUNG)
            pyb_card_set_age(card, young, PYB_MIDDLE);
        else
            pyb_card_set_age(card, young | pyb_card_middle(card), PYB_OLD);
    }
    weed(oldest != PYB_OLD);
}

enum pyb_generation
pyb_generations_of(const PyObject *op)
{
    const struct pyb_card *card = pyb_card_of(op);
    uint64_t bit = pyb_bit_of(op);

    return (enum pyb_generation)(((card->age1 & bit) != 0) +
                                 2 * ((card->age2 & bit) != 0));
}

/* ------------------------------------------------------------------ */
/* All cards                                                           */

/* Calls function for each card of a page with objects. */
static void
for_each_card(void (*function)(struct pyb_card *card, void *arg), void *arg)
{
    struct pyb_region *region = pyb_sidetable.first;

    for (; region != NULL; region = region->next)
        for (size_t i = region->pages_begin * PYB_PAGE_CARDS;
             i < region->pages_end * PYB_PAGE_CARDS; i++)
            if (region->pages[i / PYB_PAGE_CARDS] != 0)
                function(&region->cards[i], arg);
}

static void
count_card(struct pyb_card *card, void *arg)
{
    size_t *counts = arg;
    uint64_t rest = card->tracked & ~AO_load(&card->condemned);

    uint64_t young = pyb_card_young(card),
             middle = pyb_card_middle(card) & rest,
             frozen = pyb_card_frozen(card) & rest;

    counts[PYB_YOUNG] += (size_t)__builtin_popcountll(rest & young);
    counts[PYB_MIDDLE] += (size_t)__builtin_popcountll(middle);
    counts[PYB_FROZEN] += (size_t)__builtin_popcountll(frozen);
    rest &= ~(young | middle | frozen);
    counts[PYB_OLD] += (size_t)__builtin_popcountll(rest);
}

void
pyb_generations_count(size_t counts[PYB_GENERATIONS + 1])
{
    memset(counts, 0, (PYB_GENERATIONS + 1) * sizeof *counts);
    for_each_card(count_card, counts);
}

static void
freeze_card(struct pyb_card *card, void *Py_UNUSED(arg))
{
    uint64_t condemned = AO_load(&card->condemned);

    pyb_card_set_age(card, card->tracked & ~condemned, PYB_FROZEN);
}

void
pyb_generations_freeze(void)
{
    for_each_card(freeze_card, NULL);
}

static void
unfreeze_card(struct pyb_card *card, void *Py_UNUSED(arg))
{
    uint64_t condemned = AO_load(&card->condemned);

    pyb_card_set_age(card, pyb_card_frozen(card) & ~condemned, PYB_OLD);
}

void
pyb_generations_unfreeze(void)
{
    for_each_card(unfreeze_card, NULL);
}
