/* like_kinds.c: blocks of kinds that a program adds to Boehm: with a mark
   procedure, with a procedure that disclaims them, in a weak map that shares
   equal ones, and those that gcj had. */

#include "like.h"

#include <gc/gc_disclaim.h>
#include <gc/gc_gcj.h>
#include <gc/gc_mark.h>

enum { MANY = 500 };

/* ------------------------------------------------------------------ */
/* Finalized at the sweep                                              */

struct pair {
    struct pair *left, *right;
    unsigned check;
};

static int buried, broken;

static unsigned
check_of(const struct pair *pair)
{
    return 77 + (pair->left != NULL ? pair->left->check : 0) +
           3 * (pair->right != NULL ? pair->right->check : 0);
}

/* What it refers to is intact. */
static void GC_CALLBACK
bury(void *object, void *data)
{
    struct pair *pair = object;

    buried++;
    broken += data != &buried || pair->check != check_of(pair);
    pair->check++;
}

static const struct GC_finalizer_closure closure = {bury, &buried};

static struct pair *
new_pair(struct pair *left, struct pair *right)
{
    struct pair *pair = GC_finalized_malloc(sizeof *pair, &closure);

    like_need(pair != NULL);
    *pair = (struct pair){left, right, 0};
    pair->check = check_of(pair);
    return pair;
}

static APART void
make_pairs(int n)
{
    static struct pair *some[10];

    while (n-- > 0)
        some[like_random(10)] =
            new_pair(some[like_random(10)], some[like_random(10)]);
    memset(some, 0, sizeof some);
}

/* Boehm sweeps where it needs blocks. */
static void
test_disclaim(void)
{
    enum { PAIRS = 10000 };

    make_pairs(PAIRS);
    for (int i = 0; buried < PAIRS && i < 10000; i++) {
        like_collect();
        for (int j = 0; j < 1000; j++)
            new_pair(NULL, NULL);
    }
    printf("disclaimed: %s, %d broken\n", buried >= PAIRS ? "all" : "some",
           broken);
}

/* ------------------------------------------------------------------ */
/* A mark procedure                                                    */

/* Hidden words that a procedure reveals to Boehm. */
struct hidden {
    size_t n;
    GC_hidden_pointer words[MANY];
};
static struct hidden *hidden;

static struct GC_ms_entry *
mark_hidden(GC_word *address, struct GC_ms_entry *top,
            struct GC_ms_entry *limit, GC_word env)
{
    struct hidden *block = (struct hidden *)address;

    (void)env;
    /* On Boehm's free list it has a link in place of n. */
    for (size_t i = 0; block->n <= MANY && i < block->n; i++)
        if (block->words[i] != 0)
            top = GC_MARK_AND_PUSH(GC_REVEAL_POINTER(block->words[i]), top,
                                   limit, NULL);
    return top;
}

static APART void
make_hidden(unsigned kind)
{
    hidden = GC_generic_malloc(sizeof *hidden, (int)kind);
    like_need(hidden != NULL && hidden->n == 0);
    for (int i = 0; i < MANY; i++) {
        struct pair *pair = like_block(sizeof *pair);

        pair->left = like_block(sizeof *pair);
        like_watch(i, pair);
        like_watch(MANY + i, pair->left);
        hidden->words[hidden->n++] = GC_HIDE_POINTER(pair);
    }
}

static void
test_mark_procedure(void)
{
    unsigned proc = GC_new_proc(mark_hidden);
    unsigned kind =
        GC_new_kind(GC_new_free_list(), GC_MAKE_PROC(proc, 0), 0, 1);

    make_hidden(kind);
    int all = like_living();
    hidden->n = MANY / 2;
    int half = like_living();
    hidden = NULL;
    printf("mark procedure: %d, %d, %d\n", all, half, like_living());
    like_forget();
}

/* ------------------------------------------------------------------ */
/* A weak map                                                          */

/* Equal numbers share a block, which leaves the map when it dies.  The map
   holds them hidden; the disclaim procedure runs under Boehm's lock. */
struct shared {
    size_t number; /* odd: Boehm's links on free lists are even */
};
static GC_hidden_pointer map[MANY];
static unsigned map_kind;
static int left;

static int GC_CALLBACK
leave(void *object)
{
    struct shared *shared = object;

    if ((shared->number & 1) && map[shared->number / 2] != 0) {
        map[shared->number / 2] = 0;
        left++;
    }
    return 0;
}

static void *GC_CALLBACK
reveal(void *word)
{
    GC_hidden_pointer hidden_word = *(GC_hidden_pointer *)word;

    if (hidden_word == 0 || !GC_is_marked(GC_REVEAL_POINTER(hidden_word)))
        return NULL; /* dead, and not swept yet */
    return GC_REVEAL_POINTER(hidden_word);
}

static struct shared *
share(int number)
{
    struct shared *shared = GC_call_with_alloc_lock(reveal, &map[number]);

    if (shared != NULL)
        return shared;
    shared = GC_generic_malloc(sizeof *shared, (int)map_kind);
    like_need(shared != NULL);
    shared->number = 2 * (size_t)number + 1;
    map[number] = GC_HIDE_POINTER(shared);
    return shared;
}

static struct shared **holders;

static APART void
fill_map(int step)
{
    for (int i = 0; i < MANY; i += step)
        holders[i] = share(i);
}

static APART int
same_in_map(int step)
{
    int same = 0;

    for (int i = 0; i < MANY; i += step)
        same += share(i) == holders[i] && holders[i]->number / 2 == (size_t)i;
    return same;
}

/* How many left the map, when Boehm has swept; it does so where it needs
   blocks. */
PART int
left_map(void)
{
    like_collect();
    for (int i = 0; i < 100 * MANY; i++)
        like_need(GC_generic_malloc(sizeof(struct shared), (int)map_kind));
    return left;
}

static void
test_map(void)
{
    map_kind = GC_new_kind(GC_new_free_list(), GC_DS_LENGTH, 1, 1);
    GC_register_disclaim_proc((int)map_kind, leave, 0);
    holders = like_block(MANY * sizeof *holders);
    fill_map(1);
    like_collect();
    int all = same_in_map(1);
    for (int i = 0; i < MANY; i++)
        if (i % 5)
            holders[i] = NULL;
    int first = left_map(), some = same_in_map(5);
    holders = NULL;
    printf("map: %d, %d, %d left, %d left\n", all, some, first, left_map());
}

/* ------------------------------------------------------------------ */
/* Blocks whose first word leads to their descriptor                   */

struct table {
    GC_word unused, descriptor;
};
static struct table first_only = {0, 2 * sizeof(void *)};

struct object {
    struct table *table;
    void *seen, *unseen;
};
static struct object *object;

static APART void
make_object(void)
{
    object = GC_GCJ_MALLOC(sizeof *object, &first_only);
    like_need(object != NULL && object->table == &first_only);
    object->seen = like_block(100);
    object->unseen = like_block(100);
    like_watch(0, object->seen);
    like_watch(1, object->unseen);
}

static struct GC_ms_entry *
mark_none(GC_word *address, struct GC_ms_entry *top, struct GC_ms_entry *limit,
          GC_word env)
{
    (void)address;
    (void)limit;
    (void)env;
    return top;
}

static void
test_tables(void)
{
#if GC_VERSION_MAJOR > 8 || GC_VERSION_MINOR >= 3
    GC_init_gcj_malloc_mp(5, mark_none, GC_GCJ_MARK_DESCR_OFFSET);
#else
    GC_init_gcj_malloc(5, (void *)(GC_word)mark_none);
#endif
    make_object();
    int all = like_living();
    object = NULL;
    printf("tables: %d, %d\n", all, like_living());
    like_forget();
}

int
main(void)
{
    GC_INIT();
    GC_init_finalized_malloc();
    like_test(test_disclaim);
    like_test(test_mark_procedure);
    like_test(test_map);
    like_test(test_tables);
    return 0;
}
