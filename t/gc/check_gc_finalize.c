/* check_gc_finalize.c: finalizers, tp_clear and tp_dealloc, when they behave
   and when they do not. */

#include "../support/node.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <pyboehm.h>

static PyObject *kept[8];
static int n_kept;

static void
keep(struct node *self)
{
    kept[n_kept++] = Py_NewRef(self);
}

static void
drop_kept(void)
{
    while (n_kept > 0)
        Py_DECREF(kept[--n_kept]);
}

START_TEST(each_finalizer_is_called_once)
{
    node_reset();
    node_drop_ring(&node_final_type, 5);
    ck_assert_int_eq(PyGC_Collect(), 5);
    ck_assert_int_eq(node_log.finalized, 5);
    ck_assert_int_eq(node_log.cleared, 1); /* the counts do the rest */
    ck_assert_int_eq(node_log.freed, 5);
}

/* Every finalizer of the set has run before the first tp_clear. */
static void
no_clear_before_me(struct node *self)
{
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_ptr_nonnull(self->left);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)self), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)self), 1);
}

START_TEST(finalizers_come_before_clearing)
{
    node_reset();
    node_log.on_finalize = no_clear_before_me;
    node_drop_ring(&node_final_type, 100);
    ck_assert_int_eq(PyGC_Collect(), 100);
    ck_assert_int_eq(node_log.finalized, 100);
}

static void
not_finalized_yet(struct node *self)
{
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)self), 0);
    ck_assert_int_eq(Py_REFCNT(self), 1);
}

START_TEST(finalizer_from_dealloc)
{
    node_reset();
    node_log.on_finalize = not_finalized_yet;
    Py_DECREF(node_new(&node_final_type));
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 1);
}

START_TEST(resurrection_from_dealloc)
{
    node_reset();
    node_log.on_finalize = keep;
    struct node *node = node_new(&node_final_type);
    Py_DECREF(node);
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_REFCNT(node), 1);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)node), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)node), 1);
    drop_kept();
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 1);
}

static void
keep_the_first(struct node *self)
{
    if (self->label == 0)
        keep(self);
}

/* One member comes back, and with it the ring that it holds. */
START_TEST(one_member_resurrects)
{
    node_reset();
    node_log.on_finalize = keep_the_first;
    node_drop_ring(&node_final_type, 10);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.finalized, 10);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_REFCNT(kept[0]), 2);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.finalized, 10); /* not called twice */
    ck_assert_int_eq(node_log.freed, 10);
}

START_TEST(all_members_resurrect)
{
    node_reset();
    node_log.on_finalize = keep;
    node_drop_ring(&node_final_type, 8);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(n_kept, 8);
    ck_assert_int_eq(PyGC_Collect(), 0);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 8);
    ck_assert_int_eq(node_log.finalized, 8);
    ck_assert_int_eq(node_log.freed, 8);
}

/* What hangs on a resurrected member lives; what only holds it dies. */
START_TEST(resurrection_divides_the_set)
{
    node_reset();
    struct node *first = node_new(&node_final_type); /* label 0: comes back */
    struct node *held = node_new(&node_type);
    struct node *holder = node_ring(&node_type, 3);

    node_link(first, held, first);
    node_link(holder, holder->left, first);
    suite_drop(held, holder, first);
    node_log.on_finalize = keep_the_first;
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_eq(((struct node *)kept[0])->left, held);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 5);
}

/* ------------------------------------------------------------------ */

static void
raise_error(struct node *Py_UNUSED(self))
{
    PyErr_SetString(PyExc_ValueError, "from a slot");
}

static int unraisable;

static void
count_unraisable(PyObject *exception, const char *message,
                 PyObject *Py_UNUSED(object), void *Py_UNUSED(arg))
{
    ck_assert(PyErr_GivenExceptionMatches(exception, PyExc_ValueError));
    ck_assert_ptr_nonnull(message);
    unraisable++;
}

START_TEST(clear_that_raises)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_clear = raise_error;
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(unraisable, 1);
    ck_assert_ptr_null(PyErr_Occurred());
    PyBoehm_SetUnraisableHook(NULL, NULL);
}

START_TEST(finalizer_that_raises)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_finalize = raise_error;
    node_drop_ring(&node_final_type, 4);
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(unraisable, 4);
    ck_assert_ptr_null(PyErr_Occurred());
    PyBoehm_SetUnraisableHook(NULL, NULL);
}

START_TEST(pending_exception_survives)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_clear = raise_error;
    PyErr_SetString(PyExc_KeyError, "mine");
    node_drop_ring(&node_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_exception(PyExc_KeyError, "'mine'");
    PyBoehm_SetUnraisableHook(NULL, NULL);
}

/* ------------------------------------------------------------------ */

static void
allocate_some(struct node *Py_UNUSED(self))
{
    PyObject *list = PyList_New(0);

    for (int i = 0; i < 50; i++) {
        PyObject *item = PyDict_New();
        ck_assert_int_eq(PyList_Append(list, item), 0);
        Py_DECREF(item);
    }
    Py_DECREF(list);
}

START_TEST(dealloc_that_allocates)
{
    enum { N = 10000 };
    node_reset();
    node_log.on_dealloc = allocate_some;
    node_drop_ring(&node_type, N);
    ck_assert_int_eq(PyGC_Collect(), N);
    ck_assert_int_eq(node_log.freed, N);
    node_reset();
    node_log.on_dealloc = allocate_some;
    for (int i = 0; i < N; i++)
        Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(node_log.freed, N);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

static void
collect_again(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(collection_inside_a_finalizer)
{
    node_reset();
    node_log.on_finalize = collect_again;
    node_log.on_clear = collect_again;
    node_log.on_dealloc = collect_again;
    node_drop_ring(&node_final_type, 20);
    ck_assert_int_eq(PyGC_Collect(), 20);
    ck_assert_int_eq(node_log.finalized, 20);
    ck_assert_int_eq(node_log.freed, 20);
}

/* From a dealloc outside a collection it is a collection like any other. */
static void
collect_a_ring(struct node *self)
{
    if (self->label == 0) {
        node_drop_ring(&node_type, 7);
        ck_assert_int_eq(PyGC_Collect(), 7);
    }
}

START_TEST(collection_inside_a_dealloc)
{
    node_reset();
    node_log.on_dealloc = collect_a_ring;
    Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(node_log.freed, 8);
}

/* A finalizer that breaks the set apart by hand. */
static void
unlink_me(struct node *self)
{
    node_link(self, NULL, NULL);
}

START_TEST(finalizer_that_frees_other_members)
{
    node_reset();
    node_log.on_finalize = unlink_me;
    node_drop_ring(&node_final_type, 50);
    ck_assert_int_ge(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 50);
    ck_assert_int_eq(node_log.finalized, 50);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* New garbage made by finalizers waits for the next collection. */
static void
make_garbage(struct node *Py_UNUSED(self))
{
    node_drop_ring(&node_type, 3);
}

START_TEST(finalizer_that_makes_garbage)
{
    node_reset();
    node_log.on_finalize = make_garbage;
    node_drop_ring(&node_final_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 6);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 8);
}

/* ------------------------------------------------------------------ */
/* Members that leave the set before their turn                        */

/* A ring that stands apart, torn down by a collection inside a tp_dealloc.
   The first finalizer breaks the ring open.  Its nodes go one inside the
   other, as deep as deallocations nest, and the next one has to wait. */
static struct {
    int collecting;
    int keep;     /* one that waits and one that does not come back */
    long first;   /* the label of the first member finalized */
    long waiting; /* and of the one that waits */
} chain;

enum { RING = 200 };

/* The label n places behind another one in the ring of labels 1 to RING. */
static long
label_behind(long label, long n)
{
    return (label - 1 + n) % RING + 1;
}

static void
break_open(struct node *self)
{
    if (chain.first == 0) {
        long freed = node_log.freed;
        chain.first = self->label;
        Py_CLEAR(self->left);
        freed = node_log.freed - freed;
        ck_assert_int_gt(freed, 0);
        ck_assert_int_lt(freed, RING / 2);
        chain.waiting = label_behind(self->label, freed + 1);
    } else if (chain.waiting != 0 && self->label == chain.waiting) {
        ck_assert_int_eq(chain.collecting, 0);
        ck_assert_int_eq(Py_REFCNT(self), 1); /* its deallocation lends it */
        if (chain.keep)
            keep(self);
    } else if (chain.waiting != 0 && chain.keep &&
               self->label == label_behind(chain.waiting, 10)) {
        ck_assert_int_eq(chain.collecting, 1);
        keep(self);
    }
}

static void
collect_the_ring(struct node *self)
{
    if (self->label != 0)
        return;
    chain.collecting = 1;
    ck_assert_int_eq(PyGC_Collect(), 0); /* what waits holds the others */
    chain.collecting = 0;
}

static void
break_a_ring_inside_a_dealloc(void)
{
    node_reset();
    struct node *outer = node_new(&node_type); /* label 0 */
    node_drop_ring(&node_final_type, RING);
    node_log.on_finalize = break_open;
    node_log.on_dealloc = collect_the_ring;
    Py_DECREF(outer);
    ck_assert_int_eq(node_log.finalized, RING);
    ck_assert_int_eq(node_log.cleared, 0);
}

START_TEST(no_finalizer_for_what_waits_for_its_deallocation)
{
    break_a_ring_inside_a_dealloc();
    ck_assert_int_eq(node_log.freed, 1 + RING);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(what_waits_for_its_deallocation_resurrects)
{
    chain.keep = 1;
    break_a_ring_inside_a_dealloc();
    ck_assert_int_eq(n_kept, 2);
    struct node *inner = (struct node *)kept[0];
    struct node *node = (struct node *)kept[1];
    ck_assert_int_eq(node->label, chain.waiting);
    ck_assert_int_eq(Py_REFCNT(inner), 2);
    ck_assert_int_eq(Py_REFCNT(node), 1);
    ck_assert_int_eq(PyGC_Collect(), 0);

    /* The ring up to the member that broke it. */
    long n = 1;
    for (; node->left != NULL; node = (struct node *)node->left, n++) {
        ck_assert_ptr_eq(Py_TYPE(node->left), &node_final_type);
        ck_assert_int_eq(((struct node *)node->left)->label,
                         label_behind(node->label, 1));
    }
    ck_assert_int_eq(node->label, chain.first);
    ck_assert_int_eq(node_log.freed, 1 + RING - n);
    drop_kept();
    ck_assert_int_eq(node_log.freed, 1 + RING);
    ck_assert_int_eq(node_log.finalized, RING);
}

/* Once, at the place in a chain of deallocations where the next node is put
   off.  The ring's members are put off in their turn. */
static struct node *hung_on; /* what waits holds it */
static int collections;

static void
collect_where_the_next_one_waits(struct node *self)
{
    long freed = node_log.freed;

    if (self->left == NULL || collections > 0)
        return;
    Py_CLEAR(self->left);
    if (node_log.freed != freed || collections > 0)
        return;
    collections++;

    struct node *ring = node_ring(&node_type, 7);
    struct node *tail = node_new(&node_type);
    node_link(ring, ring->left, tail);
    node_link(tail, node_new(&node_type), NULL);
    suite_drop(tail->left, tail, ring);
    freed = node_log.freed;
    ck_assert_int_eq(PyGC_Collect(), 9);
    ck_assert_int_eq(node_log.freed, freed);
    long cleared = node_log.cleared;
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, cleared);
    ck_assert_int_eq(Py_REFCNT(hung_on), 2);
    ck_assert_ptr_nonnull(hung_on->left);
}

START_TEST(collection_while_deallocations_wait)
{
    enum { N = 100, HUNG = 3 };
    node_reset();
    hung_on = node_ring(&node_type, HUNG);
    struct node *head = node_new(&node_type);
    node_link(head, NULL, hung_on);
    Py_DECREF(hung_on);
    for (int i = 1; i < N; i++) {
        struct node *next = node_new(&node_type);
        node_link(next, head, NULL);
        Py_DECREF(head);
        head = next;
    }
    node_log.on_dealloc = collect_where_the_next_one_waits;
    Py_DECREF(head);
    ck_assert_int_eq(collections, 1);
    ck_assert_int_eq(node_log.freed, N + 9);
    ck_assert_int_eq(PyGC_Collect(), HUNG);
    ck_assert_int_eq(node_log.freed, N + 9 + HUNG);
}

/* A type that keeps its freed objects, as many extensions do. */
static PyObject *free_nodes[8];
static int n_free;
static struct node *reborn;

static void
recycling_dealloc(PyObject *op)
{
    struct node *self = (struct node *)op;

    PyObject_GC_UnTrack(op);
    node_log.freed++;
    Py_CLEAR(self->left);
    Py_CLEAR(self->right);
    free_nodes[n_free++] = op;
}

static PyTypeObject recycled_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.RecycledNode",
    .tp_base = &node_type,
    .tp_dealloc = recycling_dealloc,
};

static void
take_a_free_node(struct node *Py_UNUSED(self))
{
    if (n_free == 0 || reborn != NULL)
        return;
    PyObject *op = PyObject_Init(free_nodes[0], &recycled_type); /* the leaf */
    free_nodes[0] = free_nodes[--n_free];
    reborn = (struct node *)op;
    PyObject_GC_Track(op);
    reborn->left = (PyObject *)node_new(&node_type);
    reborn->right = Py_NewRef(op);
}

START_TEST(member_reused_through_a_free_list_is_not_cleared)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&recycled_type), 0);
    /* One's tp_clear frees the leaf, two's takes its memory, and the collector
       goes by address: the leaf was made last. */
    struct node *one = node_new(&recycled_type);
    struct node *two = node_new(&recycled_type);
    struct node *leaf = node_new(&recycled_type);
    node_link(one, leaf, one);
    node_link(two, two, NULL);
    suite_drop(leaf, one, two);
    node_log.on_clear = take_a_free_node;
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_ptr_eq(reborn, leaf);
    ck_assert_int_eq(node_log.cleared, 2);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_nonnull(reborn->left);
    ck_assert_ptr_eq(reborn->right, reborn);
    ck_assert_int_eq(Py_REFCNT(reborn), 2);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)reborn), 1);

    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(reborn);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.cleared, 3);
    ck_assert_int_eq(node_log.freed, 5);
    ck_assert_int_eq(n_free, 3);
    while (n_free > 0)
        PyObject_GC_Del(free_nodes[--n_free]);
}

static PyObject *sibling;

static void
untrack_the_next_one(struct node *self)
{
    if (sibling == NULL) {
        sibling = self->left;
        PyObject_GC_UnTrack(sibling);
    }
}

static void
one_leaves(int generation)
{
    node_reset();
    sibling = NULL;
    node_log.on_finalize = untrack_the_next_one;
    node_drop_ring(&node_final_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(generation), 0);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(PyObject_GC_IsFinalized(sibling), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(sibling), 0);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    PyObject_GC_Track(sibling);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(node_log.freed, 3);
}

/* It may own anything for all the collector knows, so the others live. */
START_TEST(member_untracked_by_a_finalizer_is_left_alone)
{
    for (int generation = 0; generation < 3; generation++)
        one_leaves(generation);
}

static void
track_the_next_one_anew(struct node *self)
{
    if (sibling == NULL) {
        sibling = self->left;
        PyObject_GC_UnTrack(sibling);
        PyObject_GC_Track(sibling);
    }
}

/* Tracked anew it belongs to the next collection. */
START_TEST(member_tracked_anew_by_a_finalizer_is_left_alone)
{
    node_reset();
    node_log.on_finalize = track_the_next_one_anew;
    node_drop_ring(&node_final_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(node_log.freed, 3);
}

/* ------------------------------------------------------------------ */

static void
legacy_del(PyObject *Py_UNUSED(op))
{
    ck_abort_msg("tp_del is not called by the collector");
}

START_TEST(legacy_del_is_uncollectable)
{
    static PyTypeObject legacy_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Legacy",
        .tp_base = &node_type,
        .tp_del = legacy_del,
    };

    node_reset();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_new(&legacy_type);
    struct node *held = node_new(&node_type);
    struct node *holder = node_ring(&node_type, 2);

    node_link(legacy, legacy, held);
    node_link(holder, holder->left, legacy);
    suite_drop(held, holder, legacy);
    /* legacy and held cannot be collected, the holders can. */
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(node_log.freed, 2);
    ck_assert_int_eq(node_log.cleared, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_ptr_eq(legacy->right, held);
    node_link(legacy, NULL, NULL);
}

/* ------------------------------------------------------------------ */

static void
finalizer_of_the_living(void)
{
    struct node *node = node_new(&node_final_type);
    PyObject_CallFinalizerFromDealloc((PyObject *)node);
}

START_TEST(finalizer_from_dealloc_of_the_living)
{
    node_reset();
    SUITE_FATAL(finalizer_of_the_living(),
                "PyObject_CallFinalizerFromDealloc called on object with a "
                "non-zero refcount",
                "t.FinalNode");
}

/* An object whose deallocation is put off bears a few references too many, or
   too few; it waits on a list that runs through the counts. */
static int unbalanced;

static void
drop_unbalanced(PyObject *child)
{
    Py_XDECREF(child);
    if (child != NULL && PyObject_GC_IsTracked(child)) /* it waits */
        child->ob_refcnt += unbalanced;
}

static void
unbalance(struct node *self)
{
    PyObject *left = self->left, *right = self->right;

    self->left = self->right = NULL;
    drop_unbalanced(left);
    drop_unbalanced(right);
}

START_TEST(counts_of_what_waits_may_be_a_little_off)
{
    enum { LENGTH = 500 };

    for (unbalanced = -7; unbalanced <= 7; unbalanced++) {
        struct node *head = NULL;

        node_reset();
        node_log.on_dealloc = unbalance;
        for (int i = 0; i < LENGTH; i++) {
            struct node *next = node_new(&node_type);
            next->left = (PyObject *)head;
            next->right = (PyObject *)node_new(&node_type);
            head = next;
        }
        Py_DECREF(head);
        ck_assert_int_eq(node_log.freed, 2 * LENGTH);
    }
}

static void
expect_whole(struct node *self)
{
    ck_assert_ptr_nonnull(self->left);
    ck_assert_int_eq(node_log.cleared, 0);
}

/* Of a ring the node with the lowest or the highest address. */
static struct node *
at_the_end(struct node *ring, int high)
{
    struct node *end = ring;

    for (struct node *node = (struct node *)ring->left; node != ring;
         node = (struct node *)node->left)
        end = high ? Py_MAX(end, node) : Py_MIN(end, node);
    return end;
}

/* Also where that member comes after two of another type. */
START_TEST(finalizer_of_one_member)
{
    for (int high = 0; high < 2; high++) {
        node_reset();
        struct node *ring = node_ring(&node_type, 3);
        Py_SET_TYPE(at_the_end(ring, high), &node_final_type);
        node_log.on_finalize = expect_whole;
        Py_DECREF(ring);
        ck_assert_int_eq(PyGC_Collect(), 3);
        ck_assert_int_eq(node_log.finalized, 1);
        ck_assert_int_eq(node_log.freed, 3);
    }
}

enum { WAVES = 5, RINGS = 300 };

static int wave = WAVES;

static void
drop_ring_of_wave(int number)
{
    struct node *ring = node_ring(&node_final_type, 2);

    ring->label = number;
    Py_DECREF(ring);
}

/* The first one of a wave enables the collector and makes the next wave, some
   of which waits for the host then. */
static void
make_wave(struct node *self)
{
    static const int soon[PyBoehm_GC_GENERATIONS] = {50, 2, 2};

    if (wave == 0 || self->label != wave)
        return;
    wave--;
    PyGC_Enable();
    PyBoehm_GC_SetThreshold(soon);
    for (int i = 0; i < RINGS; i++)
        drop_ring_of_wave(wave);
}

START_TEST(what_finalizers_make_at_the_end_dies_there)
{
    int before = GC_get_finalize_on_demand();
    long made, finalized;

    node_reset();
    PyGC_Disable();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = make_wave;
    drop_ring_of_wave(WAVES);
    Py_Finalize();
    made = node_log.made;
    finalized = node_log.finalized;
    ck_assert_int_eq(made, 2 * (WAVES * RINGS + 1));
    ck_assert_int_eq(finalized, made);
    ck_assert_int_eq(node_log.freed, made);
    Py_Initialize();
    PyGC_Collect();
    GC_set_finalize_on_demand(before);
    ck_assert_int_eq(node_log.finalized, finalized);
}

static void
make_the_last_rings(struct node *self)
{
    if (self->label == -1)
        for (int i = 0; i < RINGS; i++)
            node_drop_ring(&node_type, 2);
}

START_TEST(so_does_what_the_thread_s_dictionary_makes)
{
    struct node *node;

    node_reset();
    node = node_new(&node_type);
    node->label = -1;
    PyDict_SetItemString(PyThreadState_GetDict(), "x", (PyObject *)node);
    Py_DECREF(node);
    node_log.on_dealloc = make_the_last_rings;
    Py_Finalize();
    ck_assert_int_eq(node_log.made, 1 + 2 * RINGS);
    ck_assert_int_eq(node_log.freed, node_log.made);
    Py_Initialize();
}
