/* walk.h: going over objects, a card at a time.

   All, those of generation 0 or of 0 and 1, or the members of a set: the
   passes of the collector are the same over each of them.  While a walk is
   under way nothing may be tracked; the caller sees to it.

       struct pyb_group group;
       PyObject *op;

       while (pyb_walk_next(&walk, &group))
           while ((op = pyb_group_take(&group)) != NULL) */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WALK_H
#define PYB_GC_WALK_H

#include "gc/sidetable.h"

enum pyb_walk_kind { PYB_WALK_ALL, PYB_WALK_RECENT, PYB_WALK_SET };

struct pyb_walk {
    enum pyb_walk_kind kind;
    int sentenced; /* in place of the living: see pyb_walk_sentenced */
    /* ALL */
    int tracked; /* all that is: condemned and frozen ones too */
    struct pyb_region *region;
    size_t card_number, card_end; /* in this region */
    int piece;                    /* the region is the last one */
    /* RECENT */
    int middle;                    /* generation 1 too */
    struct pyb_card *card, *after; /* NULL: nothing is left, no end */
    /* SET: members may be NULL */
    PyObject **member, **end;
};

/* Objects of one card. */
struct pyb_group {
    struct pyb_card *card;
    uint64_t bits;   /* those that have not been taken */
    char *base;      /* the card's first address */
    uint32_t *cells; /* its cells, the first marker's */
};

/* The start of a walk over what a collection of a generation looks at, which
   is it and the younger ones; condemned objects are in none. */
struct pyb_walk pyb_walk_generation(enum pyb_generation oldest);

/* The same over those of them that have just been condemned, and have no set
   yet: their age is that of the frozen. */
struct pyb_walk pyb_walk_sentenced(enum pyb_generation oldest);

/* The start of a walk over all tracked objects, condemned and frozen ones too;
   over the members of a set. */
struct pyb_walk pyb_walk_tracked(void);
struct pyb_walk pyb_walk_set(PyObject **members, size_t n);

/* pyb_walk_next: the next objects; 0 at the end. */
int pyb_walk_next(struct pyb_walk *walk, struct pyb_group *group);

/* pyb_walk_next_live: the same on a walk over all tracked objects, which turns
   it into one over all containers that are alive, tracked or not. */
int pyb_walk_next_live(struct pyb_walk *walk, struct pyb_group *group);

/* pyb_walk_split: makes piece a walk over the first few thousand objects that
   are left, and takes them off the walk; 0 at the end. */
int pyb_walk_split(struct pyb_walk *walk, struct pyb_walk *piece);

/* pyb_walk_count: how many objects are left; of a set, at most. */
size_t pyb_walk_count(struct pyb_walk walk);

/* The next object of a group that is not empty. */
static inline PyObject *
pyb_group_first(const struct pyb_group *group)
{
    return (PyObject *)(void *)(group->base +
                                (size_t)__builtin_ctzll(group->bits) *
                                    PYB_GRANULE_BYTES);
}

/* Takes the next object out of a group, or returns NULL. */
static inline PyObject *
pyb_group_take(struct pyb_group *group)
{
    if (group->bits == 0)
        return NULL;
    PyObject *op = pyb_group_first(group);
    group->bits &= group->bits - 1;
    return op;
}

/* The cell of an object of a group. */
static inline uint32_t *
pyb_group_cell(const struct pyb_group *group, const PyObject *op)
{
    return &group->cells[((uintptr_t)op >> PYB_CELL_SHIFT) &
                         (PYB_CARD_CELLS - 1)];
}

#endif /* PYB_GC_WALK_H */
