/* generations.c: how old objects are, and how they grow old.

   A generation is a fact in the side table, so to grow old is to move bits, 64
   objects at a time.  The list of recent lines changes its order when a
   collection has aged them, and is only added to while a set is torn down,
   whose members may be found by it.  Manual of Python's library: "gc". */

#include "Python.h"
#include "gc/base/fatal.h"
#include "gc/heap/generations.h"

/* Takes lines off the list that have no young or middle objects, nor, if they
   are wanted, members of the current set. */
static void
prune_recent(int current)
{
    struct pyb_line *line = pyb_sidetable.recent;

    pyb_sidetable.recent = NULL;
    while (line != NULL) {
        struct pyb_line *next = pyb_line_after(line);
        uint64_t wanted = pyb_line_young(line) | pyb_line_middle(line);

        if (current)
            wanted |= pyb_line_members(line, PYB_STATE_CURRENT);
        line->next_recent = NULL;
        if (wanted != 0)
            pyb_line_enter_recent(line);
        line = next;
    }
}

void
pyb_generations_prune_recent(void)
{
    prune_recent(0);
}

void
pyb_generations_promote(enum pyb_generation oldest)
{
    struct pyb_line *line = pyb_sidetable.recent;

    PYB_ASSERT(!(pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_APART)));
    for (; line != NULL; line = pyb_line_after(line)) {
        uint64_t young = pyb_line_young(line) & ~AO_load(&line->condemned);

        if (oldest == PYB_YOUNG)
            pyb_line_set_age(line, young, PYB_MIDDLE);
        else
            pyb_line_set_age(line, young | pyb_line_middle(line), PYB_OLD);
    }
    PYB_ASSERT(oldest <= PYB_OLD);
    prune_recent(oldest != PYB_OLD);
}

enum pyb_generation
pyb_generations_of(const PyObject *op)
{
    const struct pyb_line *line = pyb_line_of(op);
    uint64_t bit = pyb_bit_of(op);

    PYB_ASSERT(line != NULL && (line->tracked & bit) != 0);
    return (enum pyb_generation)(((line->age1 & bit) != 0) +
                                 2 * ((line->age2 & bit) != 0));
}

/* ------------------------------------------------------------------ */
/* All lines                                                           */

/* Calls function for each line of a page with objects. */
static void
for_each_line(void (*function)(struct pyb_line *line, void *arg), void *arg)
{
    struct pyb_region *region = pyb_sidetable.first;

    for (; region != NULL; region = region->next)
        for (size_t i = region->pages_begin * PYB_PAGE_LINES;
             i < region->pages_end * PYB_PAGE_LINES; i++)
            if (region->pages[i / PYB_PAGE_LINES] != 0)
                function(&region->lines[i], arg);
}

static void
count_line(struct pyb_line *line, void *arg)
{
    size_t *counts = arg;
    uint64_t rest = line->tracked & ~AO_load(&line->condemned);

    uint64_t young = pyb_line_young(line),
             middle = pyb_line_middle(line) & rest,
             frozen = pyb_line_frozen(line) & rest;

    PYB_ASSERT((young & middle) == 0 && (middle & frozen) == 0);
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
    for_each_line(count_line, counts);
}

static void
freeze_line(struct pyb_line *line, void *Py_UNUSED(arg))
{
    uint64_t condemned = AO_load(&line->condemned);

    pyb_line_set_age(line, line->tracked & ~condemned, PYB_FROZEN);
}

void
pyb_generations_freeze(void)
{
    for_each_line(freeze_line, NULL);
}

static void
unfreeze_line(struct pyb_line *line, void *Py_UNUSED(arg))
{
    uint64_t condemned = AO_load(&line->condemned);

    pyb_line_set_age(line, pyb_line_frozen(line) & ~condemned, PYB_OLD);
}

void
pyb_generations_unfreeze(void)
{
    for_each_line(unfreeze_line, NULL);
}
