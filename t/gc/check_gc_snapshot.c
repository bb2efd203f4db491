/* check_gc_snapshot.c: full collections beside the program: a child looks for
   the dead, and what has happened meanwhile is found out. */

#include "../support/adopted.h"
#include "../support/suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <errno.h>
#include <gc/gc.h>
#include <pyboehm.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __WCLONE
#define __WCLONE 0
#endif

enum { RING = 1000 };

static PyObject *live; /* a list of what is alive */

static PyBoehm_Stats
stats(void)
{
    PyBoehm_Stats all;

    PyBoehm_GetStats(&all, sizeof all);
    return all;
}

static void
live_on(void)
{
    struct node *node = node_new(&node_type);

    PyList_Append(live, (PyObject *)node);
    Py_DECREF(node);
}

/* More and more is alive, until a full collection is due. */
static void
make_snapshot(void)
{
    PyBoehm_SnapshotStats before = stats().snapshots, now;

    do {
        live_on();
        now = stats().snapshots;
    } while (now.taken == before.taken && now.failed == before.failed);
}

/* Collections come again and again, until this one has taken what the snapshot
   has found, or was made in its place.  The longer the child takes, the slower
   they come: or so much is made meanwhile that Boehm collects, too. */
static void
await_collection_slowed(long nanoseconds)
{
    struct timespec moment = {.tv_nsec = 0};
    Py_ssize_t before = stats().generations[2].collections;

    while (stats().generations[2].collections == before) {
        live_on();
        moment.tv_nsec += nanoseconds;
        nanosleep(&moment, NULL);
    }
}

static void
await_collection(void)
{
    await_collection_slowed(10000);
}

/* Boehm collects, and so tears down what waits. */
static void
have_boehm_collect(void)
{
    suite_forget_stack();
    GC_gcollect();
}

static const int soon[PyBoehm_GC_GENERATIONS] = {50, 1, 1};

/* Of so many objects: a group of the dead has a sixteenth of that. */
static void
begin_from(const char *objects)
{
    Py_Finalize();
    setenv("PYBOEHM_SNAPSHOTS", objects, 1);
    Py_Initialize();
    PyBoehm_GC_SetThreshold(soon);
    live = PyList_New(0);
    node_reset();
}

static void
begin(void)
{
    begin_from("100");
}

/* Without clone, or where it is not to be had, all is collected in place. */
static int
can(void)
{
    int taken = 0;

    if (!suite_is_valgrind()) {
        begin();
        make_snapshot();
        taken = stats().snapshots.taken > 0;
        await_collection();
        have_boehm_collect();
        Py_CLEAR(live);
    }
    return suite_is_there(taken, "clone");
}

static void
end(void)
{
    Py_CLEAR(live);
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, node_log.made);
    ck_assert_int_eq(waitpid(-1, NULL, __WCLONE | WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

/* No snapshot is made on the way. */
static struct node *
make_ring(void)
{
    struct node *ring;

    PyGC_Disable();
    ring = node_ring(&node_type, RING);
    PyGC_Enable();
    return ring;
}

/* Nothing but a full collection finds it. */
static void
drop_old_ring(struct node *ring)
{
    PyBoehm_GC_Collect(2);
    Py_DECREF(ring);
}

static void
begin_with_old_ring(void)
{
    begin();
    drop_old_ring(make_ring());
    make_snapshot();
    ck_assert_int_eq(node_log.freed, 0);
}

START_TEST(what_was_dead_is_torn_down)
{
    if (!can())
        return;
    begin_with_old_ring();
    await_collection();
    ck_assert_int_eq(node_log.freed, 0); /* it waits */
    ck_assert_int_eq(stats().teardowns.waiting, 1);
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING);
    ck_assert_int_eq(stats().generations[2].collected, RING);
    ck_assert_int_eq(stats().snapshots.taken, 1);
    ck_assert_int_eq(stats().snapshots.failed, 0);
    ck_assert_int_eq(stats().snapshots.dropped, 0);
    end();
}

START_TEST(what_was_alive_lives)
{
    struct node *ring;

    if (!can())
        return;
    begin();
    ring = make_ring();
    make_snapshot();
    Py_DECREF(ring); /* too late for this one */
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, 0);
    make_snapshot();
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING);
    end();
}

/* ------------------------------------------------------------------ */
/* What happens meanwhile                                              */

/* A dead ring one of whose objects has a weak reference, which is returned. */
static PyObject *
begin_with_weakref(void)
{
    struct node *ring, *node;
    PyObject *weakref;

    begin();
    ring = make_ring();
    node = node_new_weak();
    node_link(node, ring, NULL);
    node_link(ring, ring->left, node);
    weakref = PyWeakref_NewRef((PyObject *)node, NULL);
    Py_DECREF(node);
    drop_old_ring(ring);
    make_snapshot();
    return weakref;
}

/* As long as nobody has asked, the ring was dead. */
START_TEST(what_a_weak_reference_gives_lives)
{
    PyObject *weakref, *op;

    if (!can())
        return;
    weakref = begin_with_weakref();
    ck_assert_int_eq(PyWeakref_GetRef(weakref, &op), 1);
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed + node_log.cleared, 0);
    ck_assert_ptr_nonnull(((struct node *)op)->left);
    Py_DECREF(op);
    Py_DECREF(weakref);
    end();
}

/* A program may have addresses that nobody counts, which tp_dealloc takes out
   of its table: nothing tells that an object is got from there, before the set
   is found or after. */
START_TEST(what_a_table_of_addresses_gives_lives)
{
    if (!can())
        return;
    for (int waits = 0; waits < 2; waits++) {
        struct node *ring;
        PyObject *got;

        begin();
        ring = make_ring();
        got = ring->left; /* stands for the table */
        drop_old_ring(ring);
        make_snapshot();
        if (waits)
            await_collection();
        Py_INCREF(got);
        if (!waits)
            await_collection();
        have_boehm_collect();
        ck_assert_int_eq(node_log.freed + node_log.cleared, 0);
        Py_DECREF(got);
        end();
    }
}

START_TEST(blocks_that_are_used_again_live)
{
    PyObject *weakref, *op, *others;

    if (!can())
        return;
    weakref = begin_with_weakref();
    others = PyList_New(0);
    ck_assert_int_eq(PyWeakref_GetRef(weakref, &op), 1);
    PyGC_Disable();
    Py_CLEAR(((struct node *)((struct node *)op)->left)->left);
    ck_assert_int_eq(node_log.freed, RING - 1); /* by count */
    Py_DECREF(op);
    for (int i = 0; i < 2 * RING; i++) { /* at the same addresses */
        struct node *node = node_new(&node_type);

        PyList_Append(others, (PyObject *)node);
        Py_DECREF(node);
    }
    PyGC_Enable();
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING + 1);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(others); i++)
        ck_assert_ptr_eq(Py_TYPE(PyList_GET_ITEM(others, i)), &node_type);
    suite_drop(others, weakref);
    end();
}

START_TEST(what_is_frozen_lives)
{
    if (!can())
        return;
    begin_with_old_ring();
    PyBoehm_GC_Freeze();
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, 0);
    PyBoehm_GC_Unfreeze();
    end();
}

/* A collection that was asked for finds all that a snapshot would. */
START_TEST(a_full_collection_comes_first)
{
    if (!can())
        return;
    begin_with_old_ring();
    ck_assert_int_eq(PyGC_Collect(), RING);
    ck_assert_int_eq(stats().snapshots.dropped, 1);
    ck_assert_int_eq(node_log.freed, RING);
    end();
}

START_TEST(they_may_be_switched_off)
{
    if (!can())
        return;
    begin_with_old_ring();
    PyBoehm_GC_SetSnapshots(0);
    ck_assert_int_eq(stats().snapshots.dropped, 1);
    await_collection_slowed(0); /* for it is made in place */
    ck_assert_int_eq(stats().snapshots.taken, 1);
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING);
    end();
}

START_TEST(adopted_objects_are_for_boehm_to_judge)
{
    if (!can())
        return;
    adopted_begin();
    begin();
    make_many(make_one);
    make_many(make_visible);
    suite_forget_stack();
    for (int i = 0; i < 3 && node_log.freed < NEARLY; i++) {
        make_snapshot();
        await_collection();
        have_boehm_collect();
    }
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_le(node_log.freed, MANY);
    suite_free_adopted();
    GC_FREE(host);
    end();
}

/* ------------------------------------------------------------------ */
/* In slices                                                           */

enum { PAIRS = 20000, GROUP = 1000 };
#define FROM "16000"

/* Groups of 20, of which it takes three to keep pace with the 51 that are made
   between collections. */
#define FROM_FEW "320"
enum { SMALL_SLICE = 60 };

/* So many pairs, in a list. */
static PyObject *
make_pairs(void)
{
    PyObject *all = PyList_New(0);

    for (int i = 0; i < PAIRS; i++) {
        struct node *pair = node_ring(&node_type, 2);

        PyList_Append(all, (PyObject *)pair);
        Py_DECREF(pair);
    }
    return all;
}

/* As many objects, each of which refers to the one before it and the one after
   it: none goes before its neighbours do. */
static PyObject *
make_line(void)
{
    struct node *first = node_new(&node_type), *last = first;

    for (int i = 1; i < 2 * PAIRS; i++) {
        struct node *next = node_new(&node_type);

        node_link(next, NULL, last);
        last->left = (PyObject *)next;
        last = next;
    }
    return (PyObject *)first;
}

enum { FILLERS_MAX = 1000, FILLER_BYTES = 1 << 20 };
#define FAR ((uintptr_t)1 << 26)

/* Has Boehm give out memory that is far away from an address. */
static void
go_far(const void *address)
{
    static void *fillers[FILLERS_MAX];
    uintptr_t from = (uintptr_t)address, now;
    size_t n = 0;

    do {
        ck_assert_uint_lt(n, FILLERS_MAX);
        fillers[n] = GC_MALLOC_ATOMIC(FILLER_BYTES);
        ck_assert_ptr_nonnull(fillers[n++]);
        for (int i = 0; i < 200; i++)
            live_on();
        now = (uintptr_t)PyList_GET_ITEM(live, PyList_GET_SIZE(live) - 1);
    } while ((now > from ? now - from : from - now) < FAR);
}

/* The same pairs, with the second of each far away from the first. */
static PyObject *
make_scattered_pairs(void)
{
    PyObject *all = PyList_New(PAIRS);

    for (int i = 0; i < PAIRS; i++)
        PyList_SET_ITEM(all, i, (PyObject *)node_new(&node_type));
    go_far(PyList_GET_ITEM(all, 0));
    for (int i = 0; i < PAIRS; i++) {
        struct node *first = (struct node *)PyList_GET_ITEM(all, i);
        struct node *second = node_new(&node_type);

        node_link(second, NULL, first);
        first->left = (PyObject *)second;
    }
    return all;
}

/* So many objects grow old, and are gone then: a full collection is due
   sooner, and finds less alive. */
static void
let_pass(int n)
{
    PyObject *all = PyList_New(0);

    for (int i = 0; i < n; i++) {
        PyObject *op = PyList_New(0);

        PyList_Append(all, op);
        Py_DECREF(op);
    }
    Py_DECREF(all);
}

/* A snapshot has been made of objects that are garbage. */
static void
make_snapshot_of(PyObject *(*make)(void), const char *from)
{
    PyObject *owner;

    begin_from(from);
    PyGC_Disable();
    owner = make();
    PyGC_Enable();
    PyBoehm_GC_Collect(2);
    let_pass(2 * PAIRS - PAIRS / 10);
    Py_DECREF(owner);
    make_snapshot();
}

/* Some of it has been torn down, and not all.  No full collection is due,
   which would tear down the rest: how many objects have been made since the
   snapshot depends on how long the child took. */
static void
begin_slices(PyObject *(*make)(void), const char *from)
{
    static const int no_full_one[PyBoehm_GC_GENERATIONS] = {50, 1, INT_MAX};

    make_snapshot_of(make, from);
    await_collection();
    PyBoehm_GC_SetThreshold(no_full_one);
    have_boehm_collect();
    ck_assert_int_gt(node_log.freed, 0);
    ck_assert_int_lt(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(stats().teardowns.by_finalizer, 0);
}

/* Goes on until all is gone, with no slice longer than that. */
static void
await_slices(long longest)
{
    while (stats().teardowns.by_finalizer == 0) {
        long before = node_log.freed;

        live_on();
        ck_assert_int_le(node_log.freed - before, longest);
    }
}

START_TEST(large_sets_are_torn_down_in_groups)
{
    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    ck_assert_int_eq(node_log.freed, GROUP);
    await_slices(GROUP);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(stats().teardowns.by_finalizer, 1);
    ck_assert_int_eq(stats().generations[2].collected, 2 * PAIRS);
    end();
}

START_TEST(scattered_pairs_are_torn_down_in_groups)
{
    if (!can())
        return;
    begin_slices(make_scattered_pairs, FROM);
    await_slices(GROUP);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    end();
}

/* However many are made until a collection is due, there are slices enough
   for as many. */
START_TEST(slices_keep_pace_with_the_program)
{
    static const int later[PyBoehm_GC_GENERATIONS] = {5 * GROUP / 2, 1,
                                                      INT_MAX};
    long before;

    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    PyBoehm_GC_SetThreshold(later);
    for (int n = 0; n < 3; n++) {
        before = node_log.freed;
        while (node_log.freed == before)
            live_on();
        if (n > 0) /* some had been made before the first one */
            ck_assert_int_eq(node_log.freed - before, 3 * GROUP);
    }
    end();
}

/* Until a snapshot is taken no pause frees more than a slice.  Returns how
   many were freed in the pause in which it was. */
static long
await_snapshot(void)
{
    Py_ssize_t taken = stats().snapshots.taken;
    long before;

    do {
        before = node_log.freed;
        live_on();
        ck_assert_int_le(node_log.freed - before, SMALL_SLICE);
    } while (stats().snapshots.taken == taken);
    return node_log.freed - before;
}

START_TEST(a_snapshot_is_taken_between_slices)
{
    if (!can())
        return;
    begin_slices(make_pairs, FROM_FEW);
    PyBoehm_GC_SetThreshold(soon);
    ck_assert_int_eq(await_snapshot(), 0);
    ck_assert_int_lt(node_log.freed, 2 * PAIRS);
    await_slices(SMALL_SLICE);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    end();
}

/* Boehm has not collected: the first slice is a pause of its own, too. */
START_TEST(what_waits_goes_before_a_snapshot_is_taken)
{
    if (!can())
        return;
    make_snapshot_of(make_pairs, FROM_FEW);
    await_collection();
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(await_snapshot(), 0);
    ck_assert_int_gt(node_log.freed, 0);
    ck_assert_int_lt(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(stats().teardowns.waiting, 0);
    end();
}

static void
disable(struct node *Py_UNUSED(self))
{
    PyGC_Disable();
}

static Py_ssize_t
young_collections(void)
{
    PyBoehm_Stats all = stats();

    return all.generations[0].collections + all.generations[1].collections;
}

START_TEST(no_collection_follows_where_a_slice_disables_them)
{
    Py_ssize_t before;

    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    before = young_collections();
    node_log.on_clear = disable;
    while (PyGC_IsEnabled()) {
        ck_assert_int_eq(young_collections(), before);
        live_on();
    }
    ck_assert_int_eq(young_collections(), before);
    node_log.on_clear = NULL;
    PyGC_Enable();
    end();
}

/* What is connected dies together: tp_clear alone comes in slices. */
START_TEST(a_large_component_is_cleared_in_slices)
{
    if (!can())
        return;
    begin_slices(make_line, FROM);
    await_slices(PAIRS / 2);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(stats().generations[2].collected, 2 * PAIRS);
    end();
}

enum { WEAKS = 100 };

/* Pairs that can have weak references, in a list, and each has one in a second
   list. */
static void
make_weak_pairs(PyObject *pairs, PyObject *weaks)
{
    for (int i = 0; i < WEAKS; i++) {
        struct node *pair[] = {node_new_weak(), node_new_weak()};
        PyObject *weak = PyWeakref_NewRef((PyObject *)pair[0], NULL);

        node_link(pair[0], pair[1], NULL);
        node_link(pair[1], pair[0], NULL);
        PyList_Append(pairs, (PyObject *)pair[0]);
        PyList_Append(weaks, weak);
        Py_DECREF(weak);
        Py_DECREF(pair[0]);
        Py_DECREF(pair[1]);
    }
}

/* What weak references give, in a list. */
static PyObject *
ask_all(PyObject *weaks)
{
    PyObject *given = PyList_New(0), *op;

    for (int i = 0; i < WEAKS; i++)
        if (PyWeakref_GetRef(PyList_GET_ITEM(weaks, i), &op) == 1) {
            PyList_Append(given, op);
            Py_DECREF(op);
        }
    return given;
}

/* Weak pairs are dead, a snapshot has found them, and they wait.  Returns
   their weak references. */
static PyObject *
begin_with_weak_pairs(void)
{
    PyObject *pairs, *weaks;

    begin();
    PyGC_Disable();
    pairs = PyList_New(0);
    weaks = PyList_New(0);
    make_weak_pairs(pairs, weaks);
    PyGC_Enable();
    PyBoehm_GC_Collect(2);
    Py_DECREF(pairs);
    make_snapshot();
    await_collection();
    return weaks;
}

/* Until its own group is torn down: then it lives. */
START_TEST(a_weak_reference_gives_what_is_left)
{
    PyObject *weaks, *given;

    if (!can())
        return;
    weaks = begin_with_weak_pairs();
    have_boehm_collect();
    given = ask_all(weaks);
    ck_assert_int_lt(PyList_GET_SIZE(given), WEAKS);
    ck_assert_int_gt(PyList_GET_SIZE(given), WEAKS / 2);
    while (stats().teardowns.by_finalizer == 0)
        live_on();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(given); i++) {
        struct node *node = (struct node *)PyList_GET_ITEM(given, i);

        ck_assert_ptr_nonnull(node->left);
        ck_assert_ptr_eq(((struct node *)node->left)->left, node);
    }
    Py_DECREF(given);
    Py_DECREF(weaks);
    end();
}

/* The next full collection finds it, wherever it lay. */
START_TEST(what_has_left_the_set_is_collected_later)
{
    PyObject *weaks, *given;

    if (!can())
        return;
    weaks = begin_with_weak_pairs();
    given = ask_all(weaks);
    ck_assert_int_eq(PyList_GET_SIZE(given), WEAKS);
    for (Py_ssize_t i = 0; i < WEAKS; i++) {
        struct node *node = (struct node *)PyList_GET_ITEM(given, i);

        PyObject_GC_UnTrack(node);
        PyObject_GC_UnTrack(node->left);
        PyObject_GC_Track(node);
        PyObject_GC_Track(node->left);
    }
    Py_DECREF(given);
    have_boehm_collect();
    while (stats().teardowns.by_finalizer == 0)
        live_on();
    ck_assert_int_eq(node_log.freed, 0);
    Py_DECREF(weaks);
    ck_assert_int_eq(PyGC_Collect(), 2 * WEAKS);
    end();
}

static long called;

static PyObject *
call_back(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(weakref))
{
    called++;
    Py_RETURN_NONE;
}

/* Objects in rings of one, in a list. */
static void
make_loops(PyObject *loops)
{
    for (int i = 0; i < WEAKS; i++) {
        struct node *loop = node_new_weak();

        node_link(loop, loop, NULL);
        PyList_Append(loops, (PyObject *)loop);
        Py_DECREF(loop);
    }
}

/* One loop has a weak reference with a callback to another: both are made
   first for some. */
static PyObject *
make_weakly_connected(void)
{
    static PyMethodDef def = {"call_back", call_back, METH_O, NULL};
    PyObject *function = PyCFunction_New(&def, NULL), *loops = PyList_New(0);

    make_loops(loops);
    make_loops(loops);
    for (int i = 0; i < 2 * WEAKS; i++) {
        PyObject *other = PyList_GET_ITEM(loops, (i + WEAKS) % (2 * WEAKS));
        struct node *loop = (struct node *)PyList_GET_ITEM(loops, i);

        loop->right = PyWeakref_NewRef(other, function);
    }
    Py_DECREF(function);
    return loops;
}

/* As in any collection: a weak reference that dies, too, tells nobody. */
START_TEST(no_group_is_told_of_another_ones_end)
{
    PyObject *loops;

    if (!can())
        return;
    begin();
    PyGC_Disable();
    loops = make_weakly_connected();
    PyGC_Enable();
    PyBoehm_GC_Collect(2);
    Py_DECREF(loops);
    make_snapshot();
    await_collection();
    have_boehm_collect();
    ck_assert_int_gt(node_log.freed, 0);
    while (stats().teardowns.by_finalizer == 0)
        live_on();
    ck_assert_int_eq(called, 0);
    end();
}

/* A child of fork goes on by itself. */
START_TEST(the_host_may_fork_between_slices)
{
    pid_t child;
    int status;

    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    child = fork();
    if (child == 0) {
        await_slices(GROUP);
        _exit(node_log.freed != 2 * PAIRS);
    }
    await_slices(GROUP);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    end();
}

/* Boehm does not find the set, so there is no waiting for that. */
START_TEST(with_finalizers_on_demand_there_are_no_slices)
{
    int before = GC_get_finalize_on_demand();

    if (!can())
        return;
    make_snapshot_of(make_pairs, FROM);
    GC_set_finalize_on_demand(1);
    await_collection();
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    ck_assert_int_eq(stats().teardowns.by_collector, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    GC_set_finalize_on_demand(before);
    end();
}

START_TEST(a_full_collection_clears_the_rest)
{
    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 2 * PAIRS);
    end();
}

START_TEST(py_finalize_clears_the_rest)
{
    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    Py_CLEAR(live);
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, node_log.made);
    Py_Initialize();
}

static int
count_node(PyObject *op, void *count)
{
    *(long *)count += Py_TYPE(op) == &node_type;
    return 1;
}

START_TEST(what_is_left_is_not_shown)
{
    long shown = 0;

    if (!can())
        return;
    begin_slices(make_pairs, FROM);
    PyUnstable_GC_VisitObjects(count_node, &shown);
    ck_assert_int_eq(shown, PyList_GET_SIZE(live));
    end();
}

/* ------------------------------------------------------------------ */
/* Programs made by chance                                             */

/* Objects have their numbers as labels. */
enum { ROOTS = 20, WEAK = 100, STEPS = 60000, PROGRAMS = 8 };

static struct node *roots[ROOTS]; /* owned, or NULL */
static PyObject *weakrefs[WEAK];
static char gone[2 * STEPS]; /* cleared or freed, by label */
static unsigned long chance;

static unsigned
choose(unsigned n)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % n;
}

static void
note_gone(struct node *self)
{
    gone[self->label] = 1;
}

/* What a few steps from a root lead to, borrowed, or NULL. */
static struct node *
any_reachable(void)
{
    struct node *node = roots[choose(ROOTS)];

    for (unsigned n = choose(6); n > 0 && node != NULL; n--) {
        PyObject *next = choose(2) ? node->left : node->right;

        if (next != NULL)
            node = (struct node *)next;
    }
    return node;
}

static void
set_root(struct node *owned)
{
    struct node **place = &roots[choose(ROOTS)], *before = *place;

    *place = owned;
    Py_XDECREF((PyObject *)before);
}

static void
make_reachable(void)
{
    struct node *node = node_new_weak();

    node_link(node, any_reachable(), any_reachable());
    set_root(node);
}

static void
look_up_some_weakref(void)
{
    PyObject **place = &weakrefs[choose(WEAK)], *op = NULL;
    struct node *node;

    if (*place != NULL && PyWeakref_GetRef(*place, &op) == 1)
        set_root((struct node *)op);
    node = any_reachable();
    if (node != NULL && choose(2))
        Py_XSETREF(*place, PyWeakref_NewRef((PyObject *)node, NULL));
}

static void
do_something(void)
{
    unsigned what = choose(100);
    struct node *node;

    if (what < 60) {
        make_reachable();
    } else if (what < 80) {
        node = any_reachable();
        if (node != NULL)
            node_link(node, any_reachable(), any_reachable());
    } else if (what < 90) {
        set_root(NULL);
    } else {
        look_up_some_weakref();
    }
}

/* Post-condition: nothing that the roots lead to was cleared. */
static void
check_reachable(void)
{
    static char seen[2 * STEPS];
    static struct node *todo[2 * STEPS];
    size_t n = 0;

    memset(seen, 0, sizeof seen);
    for (int i = 0; i < ROOTS; i++)
        if (roots[i] != NULL)
            todo[n++] = roots[i];
    while (n > 0) {
        struct node *node = todo[--n];

        if (seen[node->label])
            continue;
        seen[node->label] = 1;
        ck_assert_ptr_eq(Py_TYPE(node), &node_weak_type);
        if (gone[node->label])
            ck_abort_msg("%ld is reachable and was cleared", node->label);
        if (node->left != NULL)
            todo[n++] = (struct node *)node->left;
        if (node->right != NULL)
            todo[n++] = (struct node *)node->right;
    }
}

static void
run_program(void)
{
    memset(gone, 0, sizeof gone);
    node_log.on_clear = node_log.on_dealloc = note_gone;
    for (int i = 0; i < STEPS; i++) {
        do_something();
        if (i % 2000 == 0) {
            check_reachable();
            if (choose(2))
                have_boehm_collect();
        }
    }
    check_reachable();
    for (int i = 0; i < ROOTS; i++)
        Py_CLEAR(roots[i]);
    for (int i = 0; i < WEAK; i++)
        Py_CLEAR(weakrefs[i]);
}

START_TEST(programs_made_by_chance)
{
    if (!can())
        return;
    for (chance = 1; chance <= PROGRAMS; chance++) {
        unsigned long seed = chance;

        begin();
        run_program();
        ck_assert_int_gt(stats().snapshots.taken, 0);
        ck_assert_int_eq(stats().snapshots.failed, 0);
        end();
        chance = seed;
    }
}

/* ------------------------------------------------------------------ */
/* The child                                                           */

static volatile sig_atomic_t signals;

static void
count_signal(int Py_UNUSED(number))
{
    signals++;
}

/* Neither by its signal, of which there is none, nor by waiting for any. */
START_TEST(the_host_does_not_see_the_child)
{
    if (!can())
        return;
    signal(SIGCHLD, count_signal);
    begin_with_old_ring();
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    await_collection();
    ck_assert_int_eq(stats().snapshots.failed, 0);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    have_boehm_collect();
    ck_assert_int_eq(signals, 0);
    end();
}

/* The only child of this process; 0 where the system does not tell. */
static pid_t
find_child(void)
{
    char name[64];
    long child = 0;

    snprintf(name, sizeof name, "/proc/self/task/%ld/children",
             (long)getpid());
    FILE *file = fopen(name, "r");
    if (file != NULL) {
        if (fscanf(file, "%ld", &child) != 1)
            child = 0;
        fclose(file);
    }
    return (pid_t)child;
}

/* It need not be there any more: what it has found is taken then. */
START_TEST(a_child_that_is_killed_does_no_harm)
{
    pid_t child;

    if (!can())
        return;
    begin_with_old_ring();
    child = find_child();
    if (!suite_is_there(child > 0, "/proc/self/task/N/children"))
        return;
    kill(child, SIGKILL);
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING);
    end();
}

enum { STOCK = 8000 };

/* Free blocks for many objects: no memory is asked for. */
static void
stock_up(void)
{
    PyObject *others = PyList_New(0);

    PyGC_Disable();
    for (int i = 0; i < STOCK; i++) {
        struct node *node = node_new(&node_type);

        PyList_Append(others, (PyObject *)node);
        Py_DECREF(node);
    }
    Py_DECREF(others);
    PyGC_Enable();
}

START_TEST(without_memory_it_is_done_in_place)
{
    struct rlimit before, none = {0, 0};

    /* That of a sanitizer does not survive without memory. */
    if (!suite_is_there(suite_knows_malloc(), "glibc's malloc") || !can())
        return;
    begin();
    drop_old_ring(make_ring());
    stock_up();
    getrlimit(RLIMIT_AS, &before);
    none.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_AS, &none);
    make_snapshot(); /* or not */
    setrlimit(RLIMIT_AS, &before);
    have_boehm_collect();
    ck_assert_int_eq(stats().snapshots.taken, 0);
    ck_assert_int_gt(stats().snapshots.failed, 0);
    ck_assert_int_eq(node_log.freed, RING + STOCK);
    end();
}

START_TEST(py_finalize_leaves_no_child)
{
    if (!can())
        return;
    begin_with_old_ring();
    Py_CLEAR(live);
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, node_log.made);
    ck_assert_int_eq(waitpid(-1, NULL, __WCLONE | WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    Py_Initialize();
}

/* The child of fork has no part in it. */
START_TEST(the_host_may_fork)
{
    int status;
    pid_t child;

    if (!can())
        return;
    begin_with_old_ring();
    child = fork();
    if (child == 0) {
        long made = node_log.made;
        int right = PyGC_Collect() == RING && stats().snapshots.dropped == 0;

        Py_CLEAR(live);
        Py_Finalize();
        _exit(!(right && node_log.freed == made));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    await_collection();
    have_boehm_collect();
    ck_assert_int_eq(node_log.freed, RING);
    ck_assert_int_eq(stats().snapshots.failed, 0);
    end();
}

/* ------------------------------------------------------------------ */

START_TEST(they_are_off_unless_they_are_wanted)
{
    unsetenv("PYBOEHM_SNAPSHOTS");
    Py_Finalize();
    Py_Initialize();
    ck_assert_int_eq(PyBoehm_GC_GetSnapshots(), 0);
    PyBoehm_GC_SetSnapshots(1);
    ck_assert_int_eq(PyBoehm_GC_GetSnapshots(), 1);
    PyBoehm_GC_SetSnapshots(0);
    ck_assert_int_eq(PyBoehm_GC_GetSnapshots(), 0);
    begin();
    ck_assert_int_eq(PyBoehm_GC_GetSnapshots(), 1);
}
