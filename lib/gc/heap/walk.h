/* walk.h: going over objects.

   What a collection looks at, all that is tracked, or the members of a set:
   the passes of the collector are the same over each of them.

       PYB_FOR_EACH (op, i, pyb_walk_tracked())
           if (PyObject_GC_IsTracked(op)) ...

   While a walk over living objects is under way nothing may be tracked; the
   caller sees to it.  During one over the members of a set anything may
   happen: code that is called for one member may end another's life, and the
   block may have another object by then.  PYB_FOR_EACH_MEMBER looks again
   whether the next one still is a member.

   A walk goes a line at a time.  A pass that must look at the line before its
   objects uses pyb_walk_next and pyb_batch_take. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_WALK_H
#define PYB_GC_HEAP_WALK_H

#include "gc/heap/sidetable.h"

/* Through all lines, or those on the list of recent ones, or all lines for
   what is alive, tracked or not, or the lines of an array. */
enum pyb_walk_kind {
    PYB_WALK_ALL,
    PYB_WALK_RECENT,
    PYB_WALK_BLOCKS,
    PYB_WALK_LISTED
};

/* Over which objects in them. */
enum pyb_walk_over {
    PYB_WALK_CANDIDATES, /* neither condemned nor frozen */
    PYB_WALK_TRACKED,
    PYB_WALK_CONDEMNED,
    PYB_WALK_MEMBERS /* of the set in the state */
};

struct pyb_walk {
    enum pyb_walk_kind kind;
    enum pyb_walk_over over;
    enum pyb_state state;
    /* ALL, BLOCKS */
    struct pyb_region *region;
    size_t line_number, line_end; /* in this region */
    /* RECENT */
    int middle;            /* generation 1 too */
    struct pyb_line *line; /* NULL: nothing is left */
    /* LISTED */
    struct pyb_line *const *listed, *const *listed_end;
};

/* Objects of one line. */
struct pyb_batch {
    struct pyb_line *line;
    uint64_t bits;    /* those that have not been taken */
    char *base;       /* the line's first address */
    uint32_t *gcrefs; /* its gcrefs */
};

/* The start of a walk over what a collection of a generation looks at, which
   is it and the younger ones; condemned objects are in none. */
struct pyb_walk pyb_walk_generation(enum pyb_generation oldest);

/* The start of a walk over the members that have the state of a set that was
   found in a collection of that generation: from then on until the next
   collection, and of generation 2 as long as the set lasts. */
struct pyb_walk pyb_walk_members(enum pyb_generation oldest,
                                 enum pyb_state state);

/* The same over the members of all sets, and what has left one. */
struct pyb_walk pyb_walk_condemned(enum pyb_generation oldest);

/* The start of a walk over all tracked objects, condemned and frozen ones
   too. */
struct pyb_walk pyb_walk_tracked(void);

/* The start of a walk over all containers that are alive, tracked or not. */
struct pyb_walk pyb_walk_live(void);

/* pyb_walk_listed: of a walk over all lines, that has just begun, those of an
   array, which has them in the order of a walk. */
struct pyb_walk pyb_walk_listed(struct pyb_walk walk,
                                struct pyb_line *const *lines, size_t n);

/* pyb_walk_next: the next objects; 0 at the end. */
int pyb_walk_next(struct pyb_walk *walk, struct pyb_batch *batch);

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

/* The gcref of an object of a batch. */
static inline uint32_t *
pyb_batch_gcref(const struct pyb_batch *batch, const PyObject *op)
{
    PYB_ASSERT(pyb_line_of(op) == batch->line);
    return &batch->gcrefs[((uintptr_t)op >> PYB_GCREF_SHIFT) &
                          (PYB_LINE_GCREFS - 1)];
}

/* A walk that takes its objects one by one. */
struct pyb_iter {
    struct pyb_walk walk;
    struct pyb_batch batch; /* op's line is batch.line */
};

/* pyb_iter_next: the next object; NULL at the end. */
static inline PyObject *
pyb_iter_next(struct pyb_iter *iter)
{
    struct pyb_batch *batch = &iter->batch;

    if (batch->bits == 0 && !pyb_walk_next(&iter->walk, batch))
        return NULL;
    return pyb_batch_take(batch);
}

/* pyb_iter_next_member: the same, of what is still a member. */
static inline PyObject *
pyb_iter_next_member(struct pyb_iter *iter)
{
    PYB_ASSERT(iter->walk.over == PYB_WALK_MEMBERS);
    if (iter->batch.bits != 0)
        iter->batch.bits &=
            pyb_line_members(iter->batch.line, iter->walk.state);
    return pyb_iter_next(iter);
}

/* PYB_FOR_EACH: what follows is done for each object op of a walk.
   PYB_FOR_EACH_MEMBER: for each that still is a member when its turn comes, of
   a walk over a set. */
#define PYB_FOR_EACH(op, iter, start)                                         \
    PYB_FOR_EACH_BY(pyb_iter_next, op, iter, start)
#define PYB_FOR_EACH_MEMBER(op, iter, start)                                  \
    PYB_FOR_EACH_BY(pyb_iter_next_member, op, iter, start)

/* The outer loop, whose body is run once, declares the iterator. */
#define PYB_FOR_EACH_BY(next, op, iter, start)                                \
    for (struct pyb_iter iter = {.walk = (start)}, *op##_once = &iter;        \
         op##_once != NULL; op##_once = NULL)                                 \
        for (PyObject * op; (op = next(&iter)) != NULL;)

#endif /* PYB_GC_HEAP_WALK_H */
