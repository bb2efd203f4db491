/* walk.h: going over objects, a line at a time.

   What a collection looks at, all that is tracked, or the members of a set:
   the passes of the collector are the same over each of them.

       struct pyb_batch batch;
       PyObject *op;

       while (pyb_walk_next(&walk, &batch))
           while ((op = pyb_batch_take(&batch)) != NULL)

   While a walk over living objects is under way nothing may be tracked; the
   caller sees to it.  During one over the members of a set anything may
   happen: code that is called for one member may end another's life, and the
   block may have another object by then.  Such a walk takes them by
   pyb_batch_take_member, which looks again whether the next one still is a
   member. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_WALK_H
#define PYB_GC_HEAP_WALK_H

#include "gc/heap/sidetable.h"

/* Through all lines, or those on the list of recent ones. */
enum pyb_walk_kind { PYB_WALK_ALL, PYB_WALK_RECENT };

/* Over which objects in them. */
enum pyb_walk_over {
    PYB_WALK_LIVING, /* neither condemned nor frozen */
    PYB_WALK_TRACKED,
    PYB_WALK_CONDEMNED,
    PYB_WALK_MEMBERS /* of the set that has the mark */
};

struct pyb_walk {
    enum pyb_walk_kind kind;
    enum pyb_walk_over over;
    enum pyb_mark mark;
    /* ALL */
    struct pyb_region *region;
    size_t line_number, line_end; /* in this region */
    int chunk;                    /* the region is the last one */
    /* RECENT */
    int middle;                    /* generation 1 too */
    struct pyb_line *line, *after; /* NULL: nothing is left, no end */
};

/* Objects of one line. */
struct pyb_batch {
    struct pyb_line *line;
    uint64_t bits;    /* those that have not been taken */
    char *base;       /* the line's first address */
    uint32_t *gcrefs; /* its gcrefs, the first marker's */
};

/* The start of a walk over what a collection of a generation looks at, which
   is it and the younger ones; condemned objects are in none. */
struct pyb_walk pyb_walk_generation(enum pyb_generation oldest);

/* The start of a walk over the members that have the mark of a set that was
   found in a collection of that generation: from then on until the next
   collection, and of generation 2 as long as the set lasts. */
struct pyb_walk pyb_walk_members(enum pyb_generation oldest,
                                 enum pyb_mark mark);

/* The same over the members of all sets, and what has left one. */
struct pyb_walk pyb_walk_condemned(enum pyb_generation oldest);

/* The start of a walk over all tracked objects, condemned and frozen ones
   too. */
struct pyb_walk pyb_walk_tracked(void);

/* pyb_walk_next: the next objects; 0 at the end. */
int pyb_walk_next(struct pyb_walk *walk, struct pyb_batch *batch);

/* pyb_walk_next_live: the same on a walk over all tracked objects, which turns
   it into one over all containers that are alive, tracked or not. */
int pyb_walk_next_live(struct pyb_walk *walk, struct pyb_batch *batch);

/* pyb_walk_split: makes chunk a walk over the first few thousand objects that
   are left, and takes them off the walk; 0 at the end. */
int pyb_walk_split(struct pyb_walk *walk, struct pyb_walk *chunk);

/* pyb_walk_count: how many objects are left. */
size_t pyb_walk_count(struct pyb_walk walk);

/* The next object of a batch that is not empty. */
static inline PyObject *
pyb_batch_first(const struct pyb_batch *batch)
{
    PYB_ASSERT(batch->bits != 0);
    return (PyObject *)(void *)(batch->base +
                                (size_t)__builtin_ctzll(batch->bits) *
                                    PYB_GRANULE_BYTES);
}

/* Takes the next object out of a batch, or returns NULL. */
static inline PyObject *
pyb_batch_take(struct pyb_batch *batch)
{
    if (batch->bits == 0)
        return NULL;
    PyObject *op = pyb_batch_first(batch);
    batch->bits &= batch->bits - 1;
    return op;
}

/* The same of what is still a member of the set that has the mark. */
static inline PyObject *
pyb_batch_take_member(struct pyb_batch *batch, enum pyb_mark mark)
{
    PYB_ASSERT(mark != PYB_MARK_LEFT);
    batch->bits &= pyb_line_members(batch->line, mark);
    return pyb_batch_take(batch);
}

/* The gcref of an object of a batch. */
static inline uint32_t *
pyb_batch_gcref(const struct pyb_batch *batch, const PyObject *op)
{
    PYB_ASSERT(pyb_line_of(op) == batch->line);
    return &batch->gcrefs[((uintptr_t)op >> PYB_GCREF_SHIFT) &
                          (PYB_LINE_GCREFS - 1)];
}

#endif /* PYB_GC_HEAP_WALK_H */
