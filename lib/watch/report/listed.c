/* listed.c: the objects that a report lists one by one.  See listed.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/report/listed.h"

enum {
    BIGGEST = 10000, /* those that retain most, */
    MOST = 1000,     /* but no more of one type, */
    EACH = 20,       /* and of each type some */
    STEPS = 50       /* of the way to one of them */
};

struct choice {
    const struct pyb_snapshot *snapshot;
    const struct pyb_retained *retained;
    struct pyb_listed *listed;
};

/* ------------------------------------------------------------------ */
/* Owners                                                              */

/* The owner on the shortest way to an object, from one; 0: there is none. */
static uint32_t
nearest_owner(const struct pyb_snapshot *snapshot, size_t i)
{
    const struct pyb_flow *flow = &snapshot->flow;
    uint32_t nearest = 0;

    if (i < snapshot->census.n)
        return (uint32_t)snapshot->chains.from[i];
    for (size_t j = flow->turned[i]; j < flow->turned[i + 1]; j++) {
        uint32_t owner = flow->from[j];

        PYB_ASSERT(owner < snapshot->census.n); /* only containers own */
        if (nearest == 0 || snapshot->chains.length[owner] <
                                snapshot->chains.length[nearest - 1])
            nearest = owner + 1;
    }
    return nearest;
}

static void
add_owner(struct pyb_listed_owner *owners, uint32_t owner)
{
    for (size_t i = 0; i < PYB_LISTED_OWNERS; i++) {
        if (owners[i].owner == owner)
            return;
        if (owners[i].owner == 0) {
            owners[i].owner = owner;
            return;
        }
    }
}

static void
choose_owners(const struct choice *choice, size_t place)
{
    const struct pyb_snapshot *snapshot = choice->snapshot;
    const struct pyb_flow *flow = &snapshot->flow;
    size_t i = choice->listed->objects[place];
    struct pyb_listed_owner *owners =
        &choice->listed->owners[place * PYB_LISTED_OWNERS];
    uint32_t nearest = nearest_owner(snapshot, i);

    if (nearest != 0)
        add_owner(owners, nearest);
    for (size_t j = flow->turned[i]; j < flow->turned[i + 1]; j++) {
        if (owners[PYB_LISTED_OWNERS - 1].owner != 0)
            return;
        add_owner(owners, flow->from[j] + 1);
    }
}

/* An owner whose references are gone through for the names of their places. */
struct naming {
    const struct choice *choice;
    uint32_t owner; /* from one */
};

static int
name_place(const struct pyb_edge *edge, void *arg)
{
    const struct naming *naming = arg;
    struct pyb_listed *listed = naming->choice->listed;
    ptrdiff_t child = pyb_snapshot_find(naming->choice->snapshot, edge->child);
    struct pyb_listed_owner *owners;

    if (child < 0 || listed->place[child] == 0)
        return 0;
    PYB_ASSERT_OBJECT(listed->place[child] <= listed->n, edge->child);
    owners = &listed->owners[(listed->place[child] - 1) * PYB_LISTED_OWNERS];
    for (size_t i = 0; i < PYB_LISTED_OWNERS; i++)
        if (owners[i].owner == naming->owner && *owners[i].name == '\0')
            pyb_edge_name(edge, owners[i].name);
    return 0;
}

/* Each owner is gone through once, however many of its objects are listed. */
static int
name_owners(const struct choice *choice)
{
    const struct pyb_listed *listed = choice->listed;
    unsigned char *done = calloc(choice->snapshot->census.n + 1, 1);

    if (done == NULL)
        return -1;
    for (size_t i = 0; i < listed->n * PYB_LISTED_OWNERS; i++) {
        struct naming naming = {choice, listed->owners[i].owner};

        PYB_ASSERT(naming.owner <= choice->snapshot->census.n);
        if (naming.owner == 0 || done[naming.owner])
            continue;
        done[naming.owner] = 1;
        pyb_edges(pyb_snapshot_object(choice->snapshot, naming.owner - 1),
                  name_place, &naming);
    }
    free(done);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Choosing                                                            */

static int
add(struct pyb_listed *listed, size_t i)
{
    if (listed->place[i] != 0 || listed->n == PYB_LISTED_MAX)
        return 0;
    listed->objects[listed->n++] = (uint32_t)i;
    listed->place[i] = (uint32_t)listed->n;
    return 1;
}

/* What a way leads through before an object, from one; 0: nothing. */
static uint32_t
keeper(const struct choice *choice, size_t i)
{
    return choice->retained->dominators.parent[i];
}

static uint32_t
owner(const struct choice *choice, size_t i)
{
    return nearest_owner(choice->snapshot, i);
}

/* Adds what is on the way to an object, as far as a reader may want to follow
   it. */
static void
add_way(const struct choice *choice, size_t i,
        uint32_t (*before)(const struct choice *, size_t))
{
    for (int steps = 0; steps < STEPS; steps++) {
        uint32_t next = before(choice, i);

        if (next == 0 || !add(choice->listed, next - 1))
            return;
        i = next - 1;
    }
}

struct rank {
    size_t retained;
    uint32_t object;
};

static int
compare(const void *one, const void *other)
{
    const struct rank *a = one, *b = other;

    if (a->retained != b->retained)
        return a->retained > b->retained ? -1 : 1;
    return (a->object > b->object) - (a->object < b->object);
}

/* Ranks n objects; which ones they are stands in the ranks. */
static void
rank(const struct choice *choice, struct rank *ranks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ranks[i].retained = choice->retained->bytes[ranks[i].object];
    qsort(ranks, n, sizeof *ranks, compare);
}

/* Is the object one of the biggest, or of those of its type?  Counts it;
   objects come in the order of what they retain. */
static int
is_chosen(const struct pyb_snapshot *snapshot, size_t i, uint32_t *of_row,
          size_t *biggest)
{
    uint32_t seen = of_row[pyb_retained_row(snapshot, i)]++;

    if (snapshot->n <= PYB_LISTED_MAX || seen < EACH)
        return 1;
    if (seen >= MOST || *biggest == BIGGEST)
        return 0;
    ++*biggest;
    return 1;
}

static void
choose(const struct choice *choice, const struct rank *ranks, uint32_t *of_row)
{
    size_t biggest = 0;

    for (size_t i = 0; i < choice->snapshot->n; i++) {
        uint32_t object = ranks[i].object;

        if (!is_chosen(choice->snapshot, object, of_row, &biggest))
            continue;
        add(choice->listed, object);
        add_way(choice, object, owner);
        add_way(choice, object, keeper);
    }
}

/* Puts the list in the order of the ranks. */
static void
sort(const struct choice *choice, struct rank *ranks)
{
    struct pyb_listed *listed = choice->listed;

    PYB_ASSERT(listed->n <= choice->snapshot->n);
    for (size_t i = 0; i < listed->n; i++)
        ranks[i].object = listed->objects[i];
    rank(choice, ranks, listed->n);
    for (size_t i = 0; i < listed->n; i++) {
        listed->objects[i] = ranks[i].object;
        listed->place[ranks[i].object] = (uint32_t)i + 1;
    }
}

static int
choose_all(const struct choice *choice)
{
    const struct pyb_snapshot *snapshot = choice->snapshot;
    struct rank *ranks = calloc(snapshot->n + 1, sizeof *ranks);
    uint32_t *of_row = calloc(2 * snapshot->types.n + 1, sizeof *of_row);
    int result = -1;

    if (ranks != NULL && of_row != NULL) {
        for (size_t i = 0; i < snapshot->n; i++)
            ranks[i].object = (uint32_t)i;
        rank(choice, ranks, snapshot->n);
        choose(choice, ranks, of_row);
        sort(choice, ranks);
        result = 0;
    }
    free(ranks);
    free(of_row);
    return result;
}

/* The owners come first, and no one twice. */
static void
check_owners(const struct pyb_listed_owner *owners, size_t n_containers)
{
    for (size_t i = 0; i < PYB_LISTED_OWNERS; i++) {
        PYB_ALWAYS(owners[i].owner <= n_containers, NULL,
                   "an owner is no container");
        for (size_t j = 0; j < i; j++)
            PYB_ALWAYS(owners[i].owner == 0 ||
                           (owners[j].owner != 0 &&
                            owners[j].owner != owners[i].owner),
                       NULL, "an owner is there twice, or behind none");
    }
}

void
pyb_listed_check(const struct pyb_listed *listed,
                 const struct pyb_snapshot *snapshot,
                 const struct pyb_retained *retained)
{
    size_t n = 0, before = SIZE_MAX;

    for (size_t i = 0; i < snapshot->n; i++)
        n += listed->place[i] != 0;
    PYB_ALWAYS(n == listed->n && n <= PYB_LISTED_MAX, NULL,
               "other objects are listed than have a place");
    for (size_t place = 0; place < n; place++) {
        uint32_t i = listed->objects[place];

        PYB_ALWAYS(i < snapshot->n && listed->place[i] == place + 1, NULL,
                   "a listed object is not in its place");
        PYB_ALWAYS(retained->bytes[i] <= before, NULL,
                   "a listed object retains more than the one before");
        before = retained->bytes[i];
        check_owners(&listed->owners[place * PYB_LISTED_OWNERS],
                     snapshot->census.n);
    }
}

int
pyb_listed_take(struct pyb_listed *listed, const struct pyb_snapshot *snapshot,
                const struct pyb_retained *retained)
{
    struct choice choice = {snapshot, retained, listed};
    size_t room = Py_MIN(snapshot->n, PYB_LISTED_MAX) + 1;

    *listed = (struct pyb_listed){
        .objects = calloc(room, sizeof *listed->objects),
        .place = calloc(snapshot->n + 1, sizeof *listed->place),
        .owners = calloc(room * PYB_LISTED_OWNERS, sizeof *listed->owners),
    };
    if (listed->objects != NULL && listed->place != NULL &&
        listed->owners != NULL && choose_all(&choice) == 0) {
        for (size_t i = 0; i < listed->n; i++)
            choose_owners(&choice, i);
        if (name_owners(&choice) == 0) {
            PYB_EXPENSIVE(pyb_listed_check(listed, snapshot, retained));
            return 0;
        }
    }
    pyb_listed_end(listed);
    return -1;
}

void
pyb_listed_end(struct pyb_listed *listed)
{
    free(listed->objects);
    free(listed->place);
    free(listed->owners);
    *listed = (struct pyb_listed){.n = 0};
}
