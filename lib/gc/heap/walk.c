/* walk.c: going over objects, a line at a time.  See walk.h. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "gc/check/dead.h"
#include "gc/heap/walk.h"

/* Puts the walk at the beginning of a region.  0 if there is none. */
static int
enter_region(struct pyb_walk *walk, struct pyb_region *region)
{
    walk->region = region;
    if (region == NULL)
        return 0;
    PYB_ASSERT(region->pages_begin <= region->pages_end &&
               region->pages_end <= PYB_REGION_PAGES);
    walk->line_number = region->pages_begin * PYB_PAGE_LINES;
    walk->line_end = region->pages_end * PYB_PAGE_LINES;
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
    PYB_ASSERT(oldest <= PYB_FROZEN);
    if (oldest >= PYB_OLD)
        return walk_all(PYB_WALK_CANDIDATES);
    return (struct pyb_walk){.kind = PYB_WALK_RECENT,
                             .middle = oldest == PYB_MIDDLE,
                             .line = pyb_sidetable.recent};
}

struct pyb_walk
pyb_walk_members(enum pyb_generation oldest, enum pyb_state state)
{
    struct pyb_walk walk = pyb_walk_generation(oldest);

    PYB_ASSERT(state != PYB_STATE_NONE);
    walk.over = PYB_WALK_MEMBERS;
    walk.state = state;
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

struct pyb_walk
pyb_walk_live(void)
{
    struct pyb_walk walk = walk_all(PYB_WALK_TRACKED);

    walk.kind = PYB_WALK_BLOCKS;
    return walk;
}

struct pyb_walk
pyb_walk_listed(struct pyb_walk walk, struct pyb_line *const *lines, size_t n)
{
    PYB_ASSERT(walk.kind == PYB_WALK_ALL);
    walk.kind = PYB_WALK_LISTED;
    walk.listed = lines;
    walk.listed_end = lines + n;
    return walk;
}

/* Moves on to the next line of a region that can have objects; pages that are
   not ours are passed by eight at a time.  NULL at the end.  A call more would
   be felt where there are few objects. */
static inline __attribute__((always_inline)) struct pyb_line *
next_line(struct pyb_walk *walk)
{
    const unsigned char *pages = walk->region->pages;

    PYB_ASSERT(walk->line_end <= PYB_REGION_LINES);
    while (walk->line_number < walk->line_end) {
        size_t page = walk->line_number / PYB_PAGE_LINES;
        uint64_t eight;

        if (pages[page] != 0)
            return &walk->region->lines[walk->line_number++];
        memcpy(&eight, pages + (page & ~(size_t)7), sizeof eight);
        page = eight == 0 ? (page | 7) + 1 : page + 1;
        walk->line_number = page * PYB_PAGE_LINES;
    }
    return NULL;
}

/* Moves on to the next region.  0 at the end. */
static int
next_region(struct pyb_walk *walk)
{
    return enter_region(walk,
                        walk->region == NULL ? NULL : walk->region->next);
}

static inline int
make_batch(struct pyb_batch *batch, struct pyb_line *line, uint64_t bits)
{
    batch->line = line;
    batch->bits = bits;
    batch->base = pyb_line_base(line);
    batch->gcrefs = pyb_line_gcrefs(line);
    return 1;
}

/* Those of a line's objects that the walk is over. */
static inline uint64_t
bits_of(const struct pyb_walk *walk, const struct pyb_line *line)
{
    uint64_t condemned = AO_load(&line->condemned), bits;

    switch (walk->over) {
    case PYB_WALK_TRACKED:
        return line->tracked;
    case PYB_WALK_CONDEMNED:
        return condemned;
    case PYB_WALK_MEMBERS:
        return pyb_line_members(line, walk->state);
    case PYB_WALK_CANDIDATES:
        break;
    }
    PYB_ASSERT(walk->kind != PYB_WALK_LISTED);
    if (walk->kind == PYB_WALK_ALL)
        return line->tracked & ~condemned & ~pyb_line_frozen(line);
    bits = pyb_line_young(line) & ~condemned;
    return walk->middle ? bits | (pyb_line_middle(line) & ~condemned) : bits;
}

static int
next_of_all(struct pyb_walk *walk, struct pyb_batch *batch)
{
    if (walk->region == NULL)
        return 0;
    do {
        struct pyb_line *line;

        while ((line = next_line(walk)) != NULL) {
            uint64_t bits = bits_of(walk, line);

            if (bits != 0)
                return make_batch(batch, line, bits);
        }
    } while (next_region(walk));
    return 0;
}

static int
next_recent(struct pyb_walk *walk, struct pyb_batch *batch)
{
    while (walk->line != NULL) {
        struct pyb_line *line = walk->line;
        uint64_t bits = bits_of(walk, line);

        PYB_ASSERT(line->next_recent != NULL); /* it is in the list */
        walk->line = pyb_line_after(line);
        if (bits != 0)
            return make_batch(batch, line, bits);
    }
    return 0;
}

static int
next_listed(struct pyb_walk *walk, struct pyb_batch *batch)
{
    while (walk->listed < walk->listed_end) {
        struct pyb_line *line = *walk->listed++;
        uint64_t bits = bits_of(walk, line);

        if (bits != 0)
            return make_batch(batch, line, bits);
    }
    return 0;
}

/* Of the blocks that are held the others are free. */
static uint64_t
live_bits(const struct pyb_line *line)
{
    struct pyb_batch held;
    uint64_t live = 0;
    PyObject *op;

    make_batch(&held, (struct pyb_line *)(uintptr_t)line,
               AO_load(&line->held));
    while ((op = pyb_batch_take(&held)) != NULL)
        if (op->ob_refcnt > 0 && !pyb_is_dead(op))
            live |= pyb_bit_of(op);
    return live;
}

/* As next_of_all, over other bits.  Every collection goes through that one, so
   the two are not made one. */
static int
next_live(struct pyb_walk *walk, struct pyb_batch *batch)
{
    if (walk->region == NULL)
        return 0;
    do {
        struct pyb_line *line;

        while ((line = next_line(walk)) != NULL) {
            uint64_t bits = live_bits(line);

            if (bits != 0)
                return make_batch(batch, line, bits);
        }
    } while (next_region(walk));
    return 0;
}

int
pyb_walk_next(struct pyb_walk *walk, struct pyb_batch *batch)
{
    if (walk->kind == PYB_WALK_ALL)
        return next_of_all(walk, batch);
    if (walk->kind == PYB_WALK_RECENT)
        return next_recent(walk, batch);
    return walk->kind == PYB_WALK_LISTED ? next_listed(walk, batch)
                                         : next_live(walk, batch);
}

size_t
pyb_walk_count(struct pyb_walk walk)
{
    struct pyb_batch batch;
    size_t n = 0;

    while (pyb_walk_next(&walk, &batch))
        n += (size_t)__builtin_popcountll(batch.bits);
    return n;
}
