/* found.c: what a snapshot has found dead.  See found.h.

   The components are found by union-find (Galler and Fischer 1964), with paths
   halved.  An object has the number of its gcref, which tells its region, too.
   Once the dead are known, the child needs no gcrefs: that of a dead object
   then has the number of another one in its component, at last that of the
   root, which has its own; or, in the end, the group of its component. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/validate.h"
#include "gc/snapshot/found.h"
#include "gc/heap/pages.h"

enum {
    NUMBER_SHIFT =
        PYB_REGION_SHIFT - PYB_GCREF_SHIFT, /* the region's number */
    REGIONS_MAX = 1 << (31 - NUMBER_SHIFT), /* else there are no groups */
    GROUP_LONG = 4, /* times as many members as are wanted are too many */
};
#define HAS_GROUP ((uint32_t)1 << 31)
#define NO_GROUP (HAS_GROUP - 1) /* the number of none */

/* The members of a group, in the order of a walk, are a list by numbers. */
struct group {
    size_t n;
    uint32_t first, last;
};

struct found_region {
    struct pyb_region *region;       /* written by the parent */
    uint64_t dead[PYB_REGION_LINES]; /* of each line */
    /* Of a component's first member the number of all of them, before they are
       in a group; then of each member the next one. */
    uint32_t next[PYB_REGION_GCREFS];
};

struct pyb_found {
    AO_t filled;   /* the child's last word: all else has been written */
    size_t size;   /* of the memory */
    size_t wanted; /* members of a group */
    size_t room;   /* that the last group has left */
    size_t candidates, n_groups, n_regions;
    struct group *groups; /* behind the regions */
    struct found_region regions[];
};

/* A group and the next one have more members than are wanted of one. */
static size_t
groups_max(size_t n_regions, size_t wanted)
{
    return 2 * (n_regions * PYB_REGION_GCREFS / wanted + 1);
}

struct pyb_found *
pyb_found_new(size_t wanted)
{
    struct pyb_found *found;
    size_t n = 0, size;

    PYB_ASSERT(wanted > 0);
    wanted = Py_MIN(wanted, PYB_GROUP_MAX / GROUP_LONG);
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next)
        n++;
    size = sizeof *found + n * sizeof(struct found_region) +
           groups_max(n, wanted) * sizeof(struct group);
    found = pyb_pages_map_shared(size);
    if (found == NULL)
        return NULL;
    found->size = size;
    found->wanted = wanted;
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next) {
        r->number = found->n_regions;
        found->regions[found->n_regions++].region = r;
    }
    PYB_ASSERT(found->n_regions == n);
    found->groups = (struct group *)(void *)&found->regions[n];
    return found;
}

void
pyb_found_free(struct pyb_found *found)
{
    if (found != NULL)
        pyb_pages_unmap(found, found->size);
}

int
pyb_found_is_filled(const struct pyb_found *found)
{
    return AO_load_full(&found->filled) != 0;
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

static struct found_region *
found_region_of(struct pyb_found *found, uint32_t number)
{
    PYB_ASSERT(number >> NUMBER_SHIFT < found->n_regions);
    return &found->regions[number >> NUMBER_SHIFT];
}

static uint32_t
number_of(const struct pyb_region *region, const PyObject *op)
{
    return (uint32_t)region->number << NUMBER_SHIFT |
           (((uintptr_t)op >> PYB_GCREF_SHIFT) & (PYB_REGION_GCREFS - 1));
}

static uint32_t *
word_of(struct pyb_found *found, uint32_t number)
{
    return &found_region_of(found, number)
                ->region->gcrefs[number & (PYB_REGION_GCREFS - 1)];
}

static uint32_t *
next_of(struct pyb_found *found, uint32_t number)
{
    return &found_region_of(found, number)
                ->next[number & (PYB_REGION_GCREFS - 1)];
}

static struct pyb_line *
line_of(const struct pyb_found *found, uint32_t number)
{
    size_t gcref = number & (PYB_REGION_GCREFS - 1);

    return &found->regions[number >> NUMBER_SHIFT]
                .region->lines[gcref / PYB_LINE_GCREFS];
}

/* The bits at which the object of a number may begin. */
static uint64_t
bits_of(uint32_t number)
{
    return (uint64_t)3 << 2 * (number % PYB_LINE_GCREFS);
}

/* What is done with each of the dead, in the order of a walk. */
static void
for_each_dead(struct pyb_found *found,
              void (*act)(struct pyb_found *, PyObject *, uint32_t))
{
    for (size_t i = 0; i < found->n_regions; i++) {
        struct found_region *in = &found->regions[i];

        for (size_t j = 0; j < PYB_REGION_LINES; j++) {
            struct pyb_batch batch = {
                .bits = in->dead[j],
                .base = pyb_line_base(&in->region->lines[j])};
            PyObject *op;

            while ((op = pyb_batch_take(&batch)) != NULL)
                act(found, op, number_of(in->region, op));
        }
    }
}

/* ------------------------------------------------------------------ */
/* Components                                                          */

static void
make_set(struct pyb_found *found, PyObject *Py_UNUSED(op), uint32_t number)
{
    *word_of(found, number) = number;
}

/* While groups are entered, a root's word is its group: no number to go on to,
   or to halve a path with. */
static uint32_t
find_root(struct pyb_found *found, uint32_t number)
{
    for (;;) {
        uint32_t *word = word_of(found, number), up = *word, above;

        if (up == number || (up & HAS_GROUP) != 0)
            return number;
        above = *word_of(found, up);
        if ((above & HAS_GROUP) == 0)
            *word = above;
        number = up;
    }
}

/* Those that are connected with an object: the visit's argument. */
struct connecting {
    struct pyb_found *found;
    uint32_t number;
};

/* The lower number is the root's: that of the member that comes first. */
static int
visit_union(PyObject *op, void *arg)
{
    struct connecting *with = arg;
    const struct pyb_region *region = pyb_region_of(op);
    uint32_t a, b;

    PYB_ASSERT(region == NULL || region->number < with->found->n_regions);
    if (region == NULL ||
        (*pyb_region_word(with->found->regions[region->number].dead, op) &
         pyb_bit_of(op)) == 0)
        return 0;
    a = find_root(with->found, with->number);
    b = find_root(with->found, number_of(region, op));
    *word_of(with->found, Py_MAX(a, b)) = Py_MIN(a, b);
    return 0;
}

static void
connect(struct pyb_found *found, PyObject *op, uint32_t number)
{
    struct connecting with = {found, number};

    Py_TYPE(op)->tp_traverse(op, visit_union, &with);
}

/* ------------------------------------------------------------------ */
/* Groups                                                              */

static void
count_member(struct pyb_found *found, PyObject *Py_UNUSED(op), uint32_t number)
{
    ++*next_of(found, find_root(found, number));
}

/* The number of the group for a component with so many members. */
static uint32_t
choose_group(struct pyb_found *found, size_t members)
{
    PYB_ASSERT(members > 0);
    if (members > GROUP_LONG * found->wanted)
        return NO_GROUP;
    if (members > found->room) {
        PYB_ASSERT(found->n_groups <
                   groups_max(found->n_regions, found->wanted));
        found->n_groups++;
        found->room = Py_MAX(found->wanted, members);
    }
    found->room -= members;
    PYB_ASSERT(found->n_groups - 1 < NO_GROUP);
    return (uint32_t)(found->n_groups - 1);
}

/* The first member of a component, which is its root, chooses for all. */
static void
enter_group(struct pyb_found *found, PyObject *Py_UNUSED(op), uint32_t number)
{
    uint32_t root = find_root(found, number);
    uint32_t *word = word_of(found, root);
    struct group *group;

    if (root == number)
        *word = HAS_GROUP | choose_group(found, *next_of(found, root));
    PYB_ASSERT((*word & HAS_GROUP) != 0);
    if (*word == (HAS_GROUP | NO_GROUP))
        return;
    group = &found->groups[*word & ~HAS_GROUP];
    if (group->n++ == 0)
        group->first = number;
    else
        *next_of(found, group->last) = number;
    group->last = number;
}

static void
make_groups(struct pyb_found *found)
{
    for_each_dead(found, make_set);
    for_each_dead(found, connect);
    for_each_dead(found, count_member);
    for_each_dead(found, enter_group);
}

void
pyb_found_fill(struct pyb_found *found)
{
    struct pyb_walk walk = pyb_walk_generation(PYB_OLD);
    struct pyb_batch batch;

    PYB_ASSERT(found->candidates == 0 && found->n_groups == 0);
    found->candidates = pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).candidates;
    while (pyb_walk_next(&walk, &batch)) {
        struct found_region *in =
            &found->regions[pyb_line_region(batch.line)->number];
        uint64_t dead = pyb_cycle_take_dead(batch);

        if (dead != 0)
            *pyb_line_word(batch.line, in->dead) = dead;
    }
    if (found->n_regions <= REGIONS_MAX)
        make_groups(found);
    AO_store_full(&found->filled, 1);
}

/* ------------------------------------------------------------------ */
/* In the program                                                      */

struct pyb_set
pyb_found_condemn(const struct pyb_found *found, size_t *candidates)
{
    struct pyb_set set = {
        .generation = PYB_OLD, .state = PYB_STATE_CURRENT, .foreign = 1};

    PYB_ASSERT(pyb_found_is_filled(found));
    for (size_t i = 0; i < found->n_regions; i++) {
        const struct found_region *in = &found->regions[i];

        for (size_t j = 0; j < PYB_REGION_LINES; j++)
            if (in->dead[j] != 0)
                set.n +=
                    pyb_condemned_claim(&in->region->lines[j], in->dead[j]);
    }
    *candidates = found->candidates;
    PYB_ASSERT(set.n <= found->candidates);
    if (set.n > 0)
        PYB_EXPENSIVE(pyb_condemned_check(&set));
    return set;
}

/* What was used again, and is dead again, may be among them: it is counted, as
   all are. */
static struct pyb_set
take_group(const struct pyb_found *found, const struct group *group,
           struct pyb_line **lines)
{
    struct pyb_set set = {.generation = PYB_OLD,
                          .state = PYB_STATE_CURRENT,
                          .foreign = 1,
                          .part = 1,
                          .lines = lines};
    uint32_t number = group->first;

    PYB_ASSERT(group->n > 0 && group->n <= PYB_GROUP_MAX);
    for (size_t i = 0; i < group->n; i++) {
        const struct found_region *in =
            &found->regions[number >> NUMBER_SHIFT];
        struct pyb_line *line = line_of(found, number);
        uint64_t bits = bits_of(number) & in->dead[line - in->region->lines] &
                        pyb_line_members(line, PYB_STATE_WAITING);

        pyb_line_set_age(line, bits, (enum pyb_generation)PYB_STATE_CURRENT);
        set.n += bits != 0;
        if (bits != 0 && (set.n_lines == 0 || lines[set.n_lines - 1] != line))
            lines[set.n_lines++] = line;
        number = in->next[number & (PYB_REGION_GCREFS - 1)];
    }
    if (set.n > 0)
        pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_CURRENT);
    return set;
}

struct pyb_set
pyb_found_next_group(const struct pyb_found *found, size_t *next,
                     struct pyb_line **lines)
{
    struct pyb_set set = {.n = 0};

    PYB_ASSERT(!(pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_CURRENT)));
    while (set.n == 0 && *next < found->n_groups)
        set = take_group(found, &found->groups[(*next)++], lines);
    return set;
}
