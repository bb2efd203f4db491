/* like_finalizers.c: finalizers of all orders, short and long weak links, on
   demand and by themselves. */

#include "like.h"

#include <gc/javaxfc.h>

enum { MANY = 100 };

struct block {
    struct block *next, *self;
    int number;
};

static struct {
    int count;
    int last;  /* the number of the block finalized last */
    int mixed; /* how often one was not the one after the last */
    struct block *kept;
} done;

static void GC_CALLBACK
finalize(void *object, void *data)
{
    struct block *block = object;

    (void)data;
    like_need(block->next == NULL || block->next->number > 0);
    done.count++;
    done.mixed += block->number != done.last + 1;
    done.last = block->number;
    free(malloc(100));
    like_block(64);
}

static void GC_CALLBACK
keep(void *object, void *data)
{
    finalize(object, data);
    done.kept = object;
}

/* How many were finalized until no more are; it may take a collection that
   finds nothing to have the next one find more. */
PART int
finalized(void)
{
    int before, first = done.count;

    do {
        before = done.count;
        like_collect();
        like_collect();
    } while (done.count != before);
    return done.count - first;
}

static void
begin(void)
{
    memset(&done, 0, sizeof done);
}

/* Blocks that refer each to the next. */
static struct block *
chain(int n)
{
    struct block *block = NULL;

    while (n > 0) {
        struct block *first = like_block(sizeof *first);

        *first = (struct block){block, NULL, n--};
        block = first;
    }
    return block;
}

static struct block *volatile root;

/* Boehm says so of each ring with ordered finalizers, at each collection. */
static int warned;

#if GC_VERSION_MAJOR > 8 || GC_VERSION_MINOR >= 3
typedef const char *warning_text;
#else
typedef char *warning_text;
#endif

static void GC_CALLBACK
count_warning(warning_text message, GC_word argument)
{
    (void)argument;
    warned += strstr(message, "cycle") != NULL;
}

/* ------------------------------------------------------------------ */
/* Orders                                                              */

static APART void
make_ordered(int cyclic)
{
    struct block *block = root = chain(MANY);

    for (; block != NULL; block = block->next) {
        GC_REGISTER_FINALIZER(block, finalize, NULL, NULL, NULL);
        if (cyclic && block->next == NULL) {
            block->next = root;
            break;
        }
    }
}

static APART void
make_unordered(void)
{
    struct block *block = root = chain(MANY);

    for (;; block = block->next) {
        GC_REGISTER_FINALIZER_NO_ORDER(block, finalize, NULL, NULL, NULL);
        if (block->next == NULL)
            break;
    }
    block->next = root;
}

static struct block **selves;

static APART void
make_selves(void)
{
    selves = like_block(MANY * sizeof *selves);
    for (int i = 0; i < MANY; i++) {
        struct block *block = selves[i] = chain(1);

        if (i % 2) {
            block->self = block;
            GC_REGISTER_FINALIZER_IGNORE_SELF(block, finalize, NULL, NULL,
                                              NULL);
        } else {
            GC_REGISTER_FINALIZER_UNREACHABLE(block, finalize, NULL, NULL,
                                              NULL);
        }
    }
}

static void
test_orders(void)
{
    begin();
    make_ordered(0);
    int early = finalized();
    root = NULL;
    printf("ordered: %d, %d", early, finalized());
    printf(", %d mixed up\n", done.mixed);

    make_ordered(1);
    root = NULL;
    warned = 0;
    printf("ordered, a ring: %d", finalized());
    printf(", %s\n", warned > 0 ? "warned" : "silent");
    make_unordered();
    root = NULL;
    printf("no order, a ring: %d\n", finalized());
    make_selves();
    early = finalized();
    selves = NULL;
    printf("self ignored, unreachable: %d, %d\n", early, finalized());
}

/* ------------------------------------------------------------------ */
/* Second thoughts                                                     */

static APART void
make_kept(void)
{
    struct block *block = root = chain(2);
    GC_finalization_proc old;
    void *data;

    GC_REGISTER_FINALIZER(block, finalize, &done, NULL, NULL);
    GC_REGISTER_FINALIZER(block, keep, NULL, &old, &data);
    like_need(old == finalize && data == &done);
    GC_REGISTER_FINALIZER(block->next, finalize, NULL, NULL, NULL);
    GC_REGISTER_FINALIZER(block->next, NULL, NULL, &old, &data);
    like_need(old == finalize && data == NULL);
}

static APART void
once_more(void)
{
    GC_REGISTER_FINALIZER(done.kept, finalize, NULL, NULL, NULL);
    done.kept = NULL;
}

static void
test_kept(void)
{
    begin();
    make_kept();
    root = NULL;
    int first = finalized();
    like_need(done.kept != NULL && done.kept->next->number == 2);
    int second = finalized();
    once_more();
    printf("kept: %d, %d, %d\n", first, second, finalized());
}

/* ------------------------------------------------------------------ */
/* Links                                                               */

/* Short ones are cleared before the finalizer, long ones when the block goes.
   They stand where Boehm does not look. */
static struct links {
    void *in_short, *in_long, *early, *moved;
} * links;

static void GC_CALLBACK
look(void *object, void *data)
{
    (void)data;
    like_need(links->in_short == NULL && links->in_long == object);
    done.count++;
    done.kept = object;
}

static APART void
make_links(void)
{
    struct block *block = root = chain(1);

    links = GC_MALLOC_ATOMIC(sizeof *links);
    like_need(links != NULL);
    *links = (struct links){block, block, block, block};
    like_need(!GC_general_register_disappearing_link(&links->in_short, block));
    like_need(!GC_general_register_disappearing_link(&links->early, block));
    like_need(!GC_register_long_link(&links->in_long, block));
    like_need(GC_move_disappearing_link(&links->early, &links->moved) ==
              GC_SUCCESS);
    like_need(!GC_unregister_disappearing_link(&links->early));
    like_need(GC_unregister_disappearing_link(&links->moved));
    GC_REGISTER_FINALIZER(block, look, NULL, NULL, NULL);
}

/* Does the long link last as long as the block? */
static APART int
long_link_is(const void *block)
{
    return links->in_long == block;
}

static void
test_links(void)
{
    begin();
    make_links();
    like_need(finalized() == 0 && links->in_short == root);
    root = NULL;
    int first = finalized();
    int after = long_link_is(done.kept) && links->in_short == NULL;
    done.kept = NULL;
    finalized();
    printf("links: %d, %d, %d, %d\n", first, after, long_link_is(NULL),
           links->moved != NULL);
}

/* ------------------------------------------------------------------ */

static int notified;

static void GC_CALLBACK
notify(void)
{
    notified++;
}

static void
test_on_demand(void)
{
    GC_finalizer_notifier_proc before = GC_get_finalizer_notifier();

    begin();
    GC_set_finalize_on_demand(1);
    GC_set_finalizer_notifier(notify);
    make_unordered();
    root = NULL;
    like_wipe();
    GC_gcollect();
    int early = done.count, ready = GC_should_invoke_finalizers() != 0;
    int all = finalized();
    GC_set_finalizer_notifier(before);
    GC_set_finalize_on_demand(0);
    printf("on demand: %d, %s, %s, %d\n", early, ready ? "ready" : "nothing",
           notified > 0 ? "notified" : "silent", all);
}

int
main(void)
{
    GC_INIT();
    GC_set_warn_proc(count_warning);
    like_test(test_orders);
    like_test(test_kept);
    like_test(test_links);
    like_test(test_on_demand);
    like_test(test_orders);
    return 0;
}
