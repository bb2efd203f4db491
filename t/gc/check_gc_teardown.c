/* check_gc_teardown.c: where the dead are torn down, and when.

   Where it says finalizer, tp_finalize, callbacks of weak references and
   tp_clear look up their own stacks, and find what calls finalizers there;
   where the compiler's unwinder is not to be had, the library's figures must
   do. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>
#ifdef HAVE__UNWIND_BACKTRACE
#include <unwind.h>
#endif

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* Looking up the stack                                                */

/* How often the library called a test's code, and how often Boehm's
   finalizer was on the stack then. */
static long calls, calls_in_finalizer;

#ifdef HAVE__UNWIND_BACKTRACE
/* Which of Boehm's functions calls finalizers; the compiler may have put
   GC_invoke_finalizers into another one. */
static uintptr_t caller_of_finalizers = (uintptr_t)GC_invoke_finalizers;

static _Unwind_Reason_Code
note_second_frame(struct _Unwind_Context *frame, void *n)
{
    if (++*(int *)n == 2)
        caller_of_finalizers = _Unwind_GetRegionStart(frame);
    return _URC_NO_REASON;
}

static void GC_CALLBACK
note_caller(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    int n = 0;

    _Unwind_Backtrace(note_second_frame, &n);
}

static _Unwind_Reason_Code
look_at_frame(struct _Unwind_Context *frame, void *found)
{
    uintptr_t function = _Unwind_GetRegionStart(frame);

    if (function == caller_of_finalizers ||
        function == (uintptr_t)GC_invoke_finalizers)
        *(int *)found = 1;
    return _URC_NO_REASON;
}
#endif

static void
see_who_calls_finalizers(void)
{
#ifdef HAVE__UNWIND_BACKTRACE
    for (int i = 0; i < 10; i++) /* a stale word may hold some */
        GC_register_finalizer(GC_MALLOC(1), note_caller, NULL, NULL, NULL);
#endif
    GC_gcollect();
}

static void
look_up_the_stack(void)
{
    int found = 0;

#ifdef HAVE__UNWIND_BACKTRACE
    _Unwind_Backtrace(look_at_frame, &found);
#endif
    calls++;
    calls_in_finalizer += found;
}

static void
look_from_node(struct node *Py_UNUSED(self))
{
    look_up_the_stack();
}

static PyObject *
look_from_callback(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(reference))
{
    look_up_the_stack();
    Py_RETURN_NONE;
}

static PyMethodDef callback_def = {"look", look_from_callback, METH_O, NULL};

static void
look_from_slots(void)
{
    node_log.on_finalize = node_log.on_clear = look_from_node;
}

/* ------------------------------------------------------------------ */
/* What is said of it                                                  */

static PyBoehm_TeardownStats before;

static PyBoehm_TeardownStats
teardowns(void)
{
    PyBoehm_Stats stats;

    PyBoehm_GetStats(&stats, sizeof stats);
    return stats.teardowns;
}

/* Nothing is collected by itself, is garbage, or old; Boehm has seen all
   hooks. */
static void
begin(void)
{
    node_reset();
    PyGC_Disable();
    see_who_calls_finalizers();
    PyBoehm_GC_Unfreeze();
    PyBoehm_GC_Collect(2);
    PyBoehm_GC_Freeze();
    calls = calls_in_finalizer = 0;
    before = teardowns();
    look_from_slots();
}

static int
can_look_up_the_stack(void)
{
    static int can = -1;

    if (can < 0)
        can = suite_has("_UNWIND_BACKTRACE");
    return can;
}

/* Since begin so many sets were done: all calls of the nodes' slots, and so
   many of callbacks, were made in Boehm's finalizer; or none. */
static void
assert_by_finalizer(long sets, long callbacks)
{
    ck_assert_int_eq(teardowns().by_finalizer - before.by_finalizer, sets);
    ck_assert_int_eq(teardowns().by_collector - before.by_collector, 0);
    ck_assert_int_gt(calls, 0);
    ck_assert_int_eq(calls, node_log.finalized + node_log.cleared + callbacks);
    if (can_look_up_the_stack())
        ck_assert_int_eq(calls_in_finalizer, calls);
}

static void
assert_by_collector(long sets)
{
    ck_assert_int_eq(teardowns().by_finalizer - before.by_finalizer, 0);
    ck_assert_int_eq(teardowns().by_collector - before.by_collector, sets);
    ck_assert_int_gt(calls, 0);
    ck_assert_int_eq(calls, node_log.finalized + node_log.cleared);
    ck_assert_int_eq(calls_in_finalizer, 0);
}

/* ------------------------------------------------------------------ */
/* A whole collection that was asked for                               */

static Py_ssize_t
collect_in_c(void)
{
    Py_ssize_t dead;

    PyGC_Enable();
    dead = PyGC_Collect();
    PyGC_Disable();
    return dead;
}

static Py_ssize_t
collect_in_python(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *dead = PyObject_CallMethod(gc, "collect", NULL);
    Py_ssize_t n = PyLong_AsSsize_t(dead);

    suite_drop(dead, gc);
    return n;
}

static Py_ssize_t
collect_the_oldest(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *dead = PyObject_CallMethod(gc, "collect", "i", 2);
    Py_ssize_t n = PyLong_AsSsize_t(dead);

    suite_drop(dead, gc);
    return n;
}

static Py_ssize_t (*const whole[])(void) = {collect_in_c, collect_in_python,
                                            collect_the_oldest,
                                            PyBoehm_GC_CollectAll};
enum { WHOLE = Py_ARRAY_LENGTH(whole) };

START_TEST(a_whole_collection_runs_in_boehms_finalizer)
{
    begin();
    PyObject *gc = PyImport_ImportModule("gc"); /* no garbage of the import */
    for (int round = 0; round < 10 * WHOLE; round++) {
        int n = round + 1;

        begin();
        node_drop_ring(&node_final_type, n);
        ck_assert_int_eq(whole[round % WHOLE](), n);
        ck_assert_int_eq(node_log.freed, n);
        assert_by_finalizer(1, 0);
    }
    Py_DECREF(gc);
}

/* Whether it is in the same set or lives on, a weak reference has its callback
   called, or not, before tp_finalize: with Boehm's finalizer below it. */
START_TEST(so_do_callbacks)
{
    begin();
    node_log.on_finalize = node_log.on_clear = NULL;
    PyObject *look = PyCFunction_New(&callback_def, NULL);
    PyObject *class = suite_class("s(){}", "Weak");
    PyObject *instance = PyObject_CallNoArgs(class);
    ck_assert_int_eq(PyObject_SetAttrString(instance, "self", instance), 0);
    PyObject *weak = PyWeakref_NewRef(instance, look);
    Py_DECREF(instance);
    collect_in_c();
    assert_by_finalizer(1, 1);
    suite_drop(weak, class, look);
}

/* Nothing is condemned: Boehm is left alone, unless it is asked for. */
START_TEST(without_garbage_boehm_does_not_collect)
{
    begin();
    PyObject *gc = PyImport_ImportModule("gc");
    collect_in_c();
    GC_word n = GC_get_gc_no();

    for (int i = 0; i < WHOLE - 1; i++)
        ck_assert_int_eq(whole[i](), 0);
    ck_assert_uint_eq(GC_get_gc_no(), n);
    PyBoehm_GC_CollectAll();
    ck_assert_uint_gt(GC_get_gc_no(), n);
    Py_DECREF(gc);
}

/* The containers alone: at once, by the collecting thread. */
START_TEST(our_heap_alone_is_collected_at_once)
{
    begin();
    GC_word n = GC_get_gc_no();
    for (int generation = 0; generation < 3; generation++) {
        node_drop_ring(&node_final_type, 10);
        ck_assert_int_eq(PyBoehm_GC_Collect(generation), 10);
    }
    ck_assert_uint_eq(GC_get_gc_no(), n);
    assert_by_collector(3);
}

/* With stale pointers to the members all over the stack. */
START_TEST(stale_pointers_do_not_keep_boehm_away)
{
    void *volatile stale[100];

    begin();
    for (int i = 0; i < 100; i++) {
        struct node *self = node_ring(&node_type, 1);
        stale[i] = self;
        Py_DECREF(self);
    }
    ck_assert_int_eq(collect_in_c(), 100);
    assert_by_finalizer(1, 0);
    ck_assert_ptr_nonnull(stale[99]);
}

/* What Boehm has finalized last that a test has not made. */
static void *sentinel;

static void GC_CALLBACK
note_sentinel(void *object)
{
    sentinel = object;
}

/* With pointers to the sentinel, and to all that may be the next one, on the
   stack and in a block that the host refers to. */
START_TEST(stale_pointers_to_the_sentinel_do_no_harm)
{
    enum { PAGE = 4096, WORDS = PAGE / 16, ROUNDS = 20 };
    void *volatile stale[WORDS];
    int hit = 0;

    begin();
    void **block = GC_MALLOC_UNCOLLECTABLE(WORDS * sizeof *block);
    GC_set_await_finalize_proc(note_sentinel);
    for (int round = 1; round <= ROUNDS; round++) {
        node_drop_ring(&node_final_type, 5);
        ck_assert_int_eq(collect_in_c(), 5);
        assert_by_finalizer(round, 0);
        ck_assert_ptr_nonnull(sentinel);
        for (int i = 0; i < WORDS; i++)
            hit += stale[i] == sentinel && round > 1;
        for (int i = 0; i < WORDS; i++)
            stale[i] = block[i] =
                (char *)((uintptr_t)sentinel & ~(uintptr_t)(PAGE - 1)) +
                16 * i;
    }
    GC_set_await_finalize_proc(NULL);
    ck_assert_int_gt(hit, ROUNDS / 2); /* else this shows nothing */
    GC_FREE(block);
}

/* ------------------------------------------------------------------ */
/* Adopted objects                                                     */

enum { SOME = 50 };

static __attribute__((noinline)) void
adopt_some(void)
{
    for (int i = 0; i < SOME; i++)
        PyBoehm_Adopt((PyObject *)node_new(&node_final_type));
}

/* A stale word may keep one or the other; none is torn down elsewhere. */
START_TEST(adopted_sets_die_in_boehms_finalizer)
{
    begin();
    adopt_some();
    suite_forget_stack();
    Py_ssize_t dead = collect_in_c();
    ck_assert_int_ge(dead, SOME - 5);
    ck_assert_int_eq(node_log.freed, dead);
    assert_by_finalizer(1, 0);
    suite_free_adopted();
}

/* ------------------------------------------------------------------ */
/* A host with finalizers of its own                                   */

static long host_finalized;

static void GC_CALLBACK
count(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    host_finalized++;
}

static __attribute__((noinline)) void
drop_host_blocks(GC_finalization_proc finalizer)
{
    for (int i = 0; i < SOME; i++)
        GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(32), finalizer, NULL, NULL,
                                       NULL);
}

START_TEST(a_host_has_finalizers_too)
{
    begin();
    for (int round = 1; round <= 10; round++) {
        drop_host_blocks(count);
        suite_forget_stack();
        node_drop_ring(&node_final_type, 7);
        ck_assert_int_eq(collect_in_c(), 7);
        assert_by_finalizer(round, 0);
    }
    ck_assert_int_ge(host_finalized, 9 * SOME);
}

static PyObject *weak_to_ring, *revived;

static void GC_CALLBACK
revive(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (revived == NULL)
        PyWeakref_GetRef(weak_to_ring, &revived);
}

/* An instance of a class, in a cycle with itself. */
static PyObject *
make_cycle(void)
{
    PyObject *class = suite_class("s(){}", "Weak");
    PyObject *instance = PyObject_CallNoArgs(class);

    ck_assert_int_eq(PyObject_SetAttrString(instance, "self", instance), 0);
    Py_DECREF(class);
    return instance;
}

/* Wherever in Boehm's queue the set's finalizer stands: what one of the host's
   takes before is counted again and lives; what comes after finds the weak
   reference dead. */
START_TEST(a_host_finalizer_may_revive_a_member)
{
    int taken = 0;

    begin();
    for (int round = 0; round < 20; round++) {
        PyObject *instance = make_cycle();

        weak_to_ring = PyWeakref_NewRef(instance, NULL);
        Py_DECREF(instance);
        drop_host_blocks(revive);
        suite_forget_stack();
        Py_ssize_t dead = collect_in_c();
        ck_assert_int_eq(dead == 0, revived != NULL);
        if (revived != NULL) {
            taken++;
            ck_assert(PyObject_HasAttrString(revived, "self"));
            Py_CLEAR(revived);
            ck_assert_int_gt(PyBoehm_GC_Collect(2), 0);
        }
        Py_DECREF(weak_to_ring);
    }
    ck_assert_int_gt(taken, 0); /* with SOME finalizers one comes before */
}

START_TEST(no_boehm_finalizer_per_object)
{
    enum { N = 1000 };
    node_reset();
    struct node *ring = node_ring(&node_final_type, N), *node = ring;

    PyGC_Collect();
    for (int i = 0; i < N; i++) {
        GC_finalization_proc old = NULL;
        void *data;

        ck_assert_ptr_eq(GC_base(node), node); /* no header before it */
        GC_REGISTER_FINALIZER_NO_ORDER(node, 0, 0, &old, &data);
        ck_assert(old == NULL);
        node = (struct node *)node->left;
    }
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), N);
}

/* ------------------------------------------------------------------ */
/* Automatic full collections                                          */

static Py_ssize_t
full_collections(void)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetStats(stats);
    return stats[2].collections;
}

enum { YOUNG_MAX = 1000 };
static PyObject *young[YOUNG_MAX];
static int n_young;

/* Allocates until a full collection has come by itself. */
static void
wait_for_a_full_collection(void)
{
    Py_ssize_t n = full_collections();

    PyBoehm_GC_SetThreshold((const int[]){1, 0, 0});
    PyGC_Enable();
    while (full_collections() == n) {
        ck_assert_int_lt(n_young, YOUNG_MAX);
        young[n_young++] = PyList_New(0);
    }
    PyGC_Disable();
}

static void
drop_young(void)
{
    while (n_young > 0)
        Py_DECREF(young[--n_young]);
}

/* Old garbage: only full collections find it. */
static struct node *
drop_old_ring(int n)
{
    struct node *ring = node_ring(&node_final_type, n);

    PyBoehm_GC_Collect(1);
    Py_DECREF(ring);
    return ring;
}

/* The host's heap is large beside it: the set waits for Boehm. */
static void *
large_host(void)
{
    return GC_MALLOC_UNCOLLECTABLE(8 << 20);
}

START_TEST(little_garbage_waits_for_boehm)
{
    /* What the objects in between take from Boehm is less than the ring. */
    enum { RING = 1000, IN_BETWEEN = 4 * 4096 };

    begin();
    void *block = large_host();
    for (int round = 1; round <= 5; round++) {
        size_t size = RING * GC_size(drop_old_ring(RING));
        GC_word n = GC_get_gc_no(), bytes = GC_get_non_gc_bytes();
        wait_for_a_full_collection();
        ck_assert_int_eq(node_log.freed, RING * (round - 1));
        ck_assert_int_eq(teardowns().waiting, 1);
        ck_assert_uint_eq(GC_get_gc_no(), n);
        /* It has something to gain. */
        ck_assert_uint_gt(size, 2 * IN_BETWEEN);
        ck_assert_uint_le(GC_get_non_gc_bytes(), bytes - size + IN_BETWEEN);
        ck_assert_uint_ge(GC_get_non_gc_bytes(), bytes - size - IN_BETWEEN);
        GC_gcollect();
        ck_assert_int_eq(node_log.freed, RING * round);
        ck_assert_int_eq(teardowns().waiting, 0);
        assert_by_finalizer(round, 0);
        drop_young();
    }
    GC_FREE(block);
}

/* Boehm does not come: the next full collection does it, before it looks for
   more.  Each finds what the one before has left. */
START_TEST(nothing_waits_for_ever)
{
    enum { ROUNDS = 5 };

    begin();
    void *block = large_host();
    GC_word n = GC_get_gc_no();
    for (int round = 1; round <= ROUNDS; round++) {
        drop_old_ring(10);
        wait_for_a_full_collection();
        ck_assert_int_eq(node_log.freed, 10 * round - 10);
        drop_young();
    }
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    ck_assert_int_eq(node_log.freed, 10 * ROUNDS);
    ck_assert_uint_eq(GC_get_gc_no(), n);
    assert_by_collector(ROUNDS);
    GC_FREE(block);
}

/* What hangs on a set that waits is found once that is gone. */
START_TEST(what_hangs_on_it_is_found)
{
    begin();
    void *block = large_host();
    struct node *ring = drop_old_ring(10), *other = node_ring(&node_type, 3);

    node_link(ring, ring->left, other);
    Py_DECREF(other);
    wait_for_a_full_collection();
    ck_assert_int_eq(node_log.freed, 0);
    struct node *last = node_ring(&node_type, 2);
    node_link(other, other->left, last); /* hangs on what waits */
    Py_DECREF(last);
    ck_assert_int_eq(collect_in_c(), 2);
    ck_assert_int_eq(node_log.freed, 15);
    drop_young();
    GC_FREE(block);
}

/* It is worth a mark of the heap. */
START_TEST(much_garbage_has_boehm_collect)
{
    enum { MUCH = 5000 };

    begin();
    drop_old_ring(MUCH);
    GC_word n = GC_get_gc_no();
    wait_for_a_full_collection();
    ck_assert_int_eq(node_log.freed, MUCH);
    ck_assert_uint_gt(GC_get_gc_no(), n);
    assert_by_finalizer(1, 0);
    drop_young();
}

/* Of young generations a few hundred die: at once. */
START_TEST(young_garbage_dies_at_once)
{
    begin();
    GC_word n = GC_get_gc_no();
    PyBoehm_GC_SetThreshold((const int[]){100, 1, 100});
    PyGC_Enable();
    for (int i = 0; i < 1000; i++)
        node_drop_ring(&node_final_type, 2);
    PyGC_Disable();
    ck_assert_int_gt(node_log.freed, 1500);
    ck_assert_int_eq(teardowns().by_finalizer, before.by_finalizer);
    ck_assert_int_eq(calls_in_finalizer, 0);
    ck_assert_uint_eq(GC_get_gc_no(), n);
}

/* A weak reference revives a member meanwhile. */
START_TEST(what_waits_is_counted_again)
{
    PyObject *op;

    begin();
    void *block = large_host();
    PyObject *instance = make_cycle(),
             *weak = PyWeakref_NewRef(instance, NULL);
    PyBoehm_GC_Collect(1);
    Py_DECREF(instance);
    wait_for_a_full_collection();
    ck_assert_int_eq(teardowns().waiting, 1);
    ck_assert_int_eq(PyWeakref_GetRef(weak, &op), 1);
    GC_gcollect();
    ck_assert_int_eq(teardowns().waiting, 0);
    ck_assert(PyObject_HasAttrString(op, "self"));
    Py_DECREF(op);
    ck_assert_int_gt(PyBoehm_GC_Collect(2), 0);
    ck_assert_int_eq(PyWeakref_GetRef(weak, &op), 0);
    Py_DECREF(weak);
    drop_young();
    GC_FREE(block);
}

/* ------------------------------------------------------------------ */
/* Where Boehm cannot call back                                        */

START_TEST(finalizers_on_demand)
{
    node_reset();
    look_from_slots();
    GC_set_finalize_on_demand(1);
    for (int round = 0; round < 10; round++) {
        node_drop_ring(&node_type, 10);
        ck_assert_int_eq(PyGC_Collect(), 10);
    }
    ck_assert_int_eq(node_log.freed, 100);
    assert_by_collector(10);
    ck_assert_int_eq(GC_get_finalize_on_demand(), 1);
    GC_invoke_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_eq(node_log.freed, 100);
    GC_set_finalize_on_demand(0);
}

/* An automatic collection leaves its set to a host with finalizers on demand.
   Returns a borrowed pointer to a ring of three that waits in such a set. */
/* Makes as many as an automatic collection takes. */
static void
make_one_due(PyObject **live)
{
    *live = PyList_New(0);
    for (int i = 0; i < 3000; i++) {
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(*live, item), 0);
        Py_DECREF(item);
    }
    ck_assert_int_eq(node_log.freed, 0);
}

static struct node *
waiting_ring(PyObject **live)
{
    struct node *ring = node_ring(&node_type, 3);

    Py_DECREF(ring);
    make_one_due(live);
    ck_assert_int_eq(PyGC_Collect(), 0); /* takes no part */
    ck_assert_int_eq(node_log.freed, 0);
    return ring;
}

/* A collection that is asked for sees to it that Boehm has in its queue what
   waits: the host need not have Boehm collect. */
START_TEST(what_waits_comes_into_the_queue)
{
    PyObject *live;

    node_reset();
    GC_set_finalize_on_demand(1);
    waiting_ring(&live);
    GC_invoke_finalizers();
    ck_assert_int_eq(node_log.freed, 3);
    Py_DECREF(live);
    GC_set_finalize_on_demand(0);
}

static void
run_boehm(void)
{
    GC_gcollect();
    GC_invoke_finalizers();
}

static void
revive_itself(struct node *node)
{
    if (revived == NULL)
        revived = Py_NewRef((PyObject *)node);
}

/* What was young and lives is middle-aged, full collections or not. */
START_TEST(what_waited_and_lives_is_middle_aged)
{
    PyObject *live;

    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = revive_itself;
    Py_DECREF(node_ring(&node_final_type, 3));
    make_one_due(&live);
    ck_assert_int_eq(PyGC_Collect(), 0); /* takes no part */
    GC_invoke_finalizers();
    ck_assert_ptr_nonnull(revived);
    ck_assert_int_eq(node_log.freed, 0);
    GC_set_finalize_on_demand(0);
    Py_CLEAR(revived);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 3);
    Py_DECREF(live);
}

START_TEST(waiting_set_dies_when_the_host_says)
{
    PyObject *live;

    node_reset();
    see_who_calls_finalizers();
    GC_set_finalize_on_demand(1);
    look_from_slots();
    waiting_ring(&live);
    run_boehm();
    ck_assert_int_eq(node_log.freed, 3);
    assert_by_finalizer(1, 0);
    run_boehm();
    ck_assert_int_eq(node_log.freed, 3);
    Py_DECREF(live);
    GC_set_finalize_on_demand(0);
}

/* What is found later joins what waits. */
START_TEST(what_waits_is_joined)
{
    PyObject *live[2];

    node_reset();
    GC_set_finalize_on_demand(1);
    waiting_ring(&live[0]);
    waiting_ring(&live[1]);
    run_boehm();
    ck_assert_int_eq(node_log.freed, 6);
    suite_drop(live[0], live[1]);
    GC_set_finalize_on_demand(0);
}

START_TEST(waiting_set_is_counted_again)
{
    PyObject *live;

    node_reset();
    GC_set_finalize_on_demand(1);
    struct node *ring = waiting_ring(&live);
    Py_INCREF(ring);
    run_boehm();
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(Py_REFCNT(ring), 2);
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    Py_DECREF(live);
    GC_set_finalize_on_demand(0);
}

START_TEST(member_of_a_waiting_set_dies_by_count)
{
    PyObject *live;

    node_reset();
    GC_set_finalize_on_demand(1);
    struct node *ring = waiting_ring(&live);
    Py_INCREF(ring);
    node_link(ring, NULL, NULL);
    ck_assert_int_eq(node_log.freed, 2);
    for (int i = 0; i < 1000; i++) /* their blocks may be others' by now */
        Py_DECREF(node_new(&node_type));
    run_boehm();
    ck_assert_int_eq(node_log.freed, 1002);
    ck_assert_ptr_null(ring->left);
    Py_DECREF(ring);
    ck_assert_int_eq(node_log.freed, 1003);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(live);
    GC_set_finalize_on_demand(0);
}

static void
run_boehm_once(struct node *Py_UNUSED(node))
{
    node_log.on_clear = NULL;
    run_boehm();
    ck_assert_int_eq(node_log.freed, 0);
}

/* One at a time: Boehm calls the finalizer of the one in the teardown of the
   other, and it is done right after that. */
START_TEST(waiting_set_dies_after_the_teardown_of_another)
{
    PyObject *live;

    node_reset();
    GC_set_finalize_on_demand(1);
    waiting_ring(&live);
    node_drop_ring(&node_type, 2);
    node_log.on_clear = run_boehm_once;
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 2);
    ck_assert_int_eq(node_log.freed, 5);
    Py_DECREF(live);
    GC_set_finalize_on_demand(0);
}

START_TEST(waiting_sets_die_at_the_end)
{
    PyObject *live, *more;

    node_reset();
    GC_set_finalize_on_demand(1);
    waiting_ring(&live);
    struct node *ring = node_ring(&node_type, 4);
    Py_DECREF(ring);
    more = PyList_New(0);
    for (int i = 0; i < 3000; i++) {
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(more, item), 0);
        Py_DECREF(item);
    }
    ck_assert_int_eq(node_log.freed, 0);
    suite_drop(live, more);
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, 7);
    Py_Initialize();
    run_boehm();
    ck_assert_int_eq(node_log.freed, 7);
    GC_set_finalize_on_demand(0);
}

START_TEST(boehm_forbidden_to_collect)
{
    begin();
    GC_disable();
    node_drop_ring(&node_type, 10);
    ck_assert_int_eq(collect_in_c(), 10);
    ck_assert_int_eq(node_log.freed, 10);
    assert_by_collector(1);
    GC_enable();
    GC_gcollect();
    ck_assert_int_eq(node_log.freed, 10);
}

/* ------------------------------------------------------------------ */
/* A large automatic collection                                        */

enum { MANY = 70000, FREE = 1000 };

static PyObject *alive;

static void
keep(void *owned)
{
    PyList_Append(alive, owned);
    Py_DECREF(owned);
}

/* Makes so many nodes that a collection becomes due, in blocks that are free:
   Boehm's allocator, which may call finalizers, is not asked. */
static void
live_on_for_long(void)
{
    for (int i = 0; i < 100; i++)
        keep(node_new(&node_type));
}

/* Free blocks for nodes, in pages that are in use. */
static void
make_free_blocks(void)
{
    static struct node *between[FREE];

    for (int i = 0; i < FREE; i++) {
        between[i] = node_new(&node_type);
        keep(node_new(&node_type));
    }
    for (int i = 0; i < FREE; i++)
        Py_DECREF(between[i]);
    node_log.freed = 0;
}

/* A full collection has found many nodes, and the instance, dead: they wait
   for the first step.  Boehm has no reason to collect by itself. */
static void
begin_steps(PyObject *instance)
{
    static const int soon[PyBoehm_GC_GENERATIONS] = {90, 1, 1};
    struct node *ring;
    Py_ssize_t n;

    begin();
    GC_set_free_space_divisor(1);
    ring = node_ring(&node_type, MANY);
    alive = PyList_New(0);
    make_free_blocks();
    PyBoehm_GC_Collect(2);
    PyBoehm_GC_SetThreshold(soon);
    n = full_collections();
    Py_DECREF(ring);
    Py_XDECREF(instance);
    PyGC_Enable();
    while (full_collections() == n)
        keep(node_new_weak()); /* in blocks of another size */
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(teardowns().waiting, 1);
}

static void
end_steps(void)
{
    ck_assert_int_eq(node_log.freed, MANY);
    ck_assert_int_eq(teardowns().waiting, 0);
    Py_CLEAR(alive);
}

/* Boehm's collection is a pause of its own, and then the teardown. */
START_TEST(a_large_set_is_torn_down_in_steps)
{
    GC_word n;

    begin_steps(NULL);
    n = GC_get_gc_no();
    live_on_for_long();
    ck_assert_uint_eq(GC_get_gc_no(), n + 1);
    ck_assert_int_eq(node_log.freed, 0);
    live_on_for_long();
    ck_assert_uint_eq(GC_get_gc_no(), n + 1);
    ck_assert_int_eq(teardowns().by_finalizer - before.by_finalizer, 1);
    ck_assert_int_eq(teardowns().by_collector - before.by_collector, 0);
    end_steps();
}

/* What a weak reference gives between the steps lives. */
START_TEST(a_weak_reference_is_asked_between_steps)
{
    PyObject *instance = make_cycle(), *op;
    PyObject *weak = PyWeakref_NewRef(instance, NULL);

    begin_steps(instance);
    live_on_for_long();
    ck_assert_int_eq(PyWeakref_GetRef(weak, &op), 1);
    live_on_for_long();
    end_steps();
    ck_assert(PyObject_HasAttrString(op, "self"));
    suite_drop(op, weak);
}

static void
step_before_and_after(int steps, void (*other)(void))
{
    GC_word n;

    begin_steps(NULL);
    for (int i = 0; i < steps; i++)
        live_on_for_long();
    ck_assert_int_eq(node_log.freed, 0);
    other();
    n = GC_get_gc_no();
    live_on_for_long();
    live_on_for_long();
    ck_assert_uint_eq(GC_get_gc_no(), n);
    end_steps();
}

static void
collect_all(void)
{
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* Whoever comes first tears the set down, and the steps that are left are
 * none. */
START_TEST(others_come_between_steps)
{
    for (int steps = 0; steps < 2; steps++) {
        step_before_and_after(steps, collect_all);
        step_before_and_after(steps, GC_gcollect);
    }
}

static void
run_on_demand(void)
{
    GC_set_finalize_on_demand(1);
    for (int i = 0; i < 3; i++)
        live_on_for_long();
    ck_assert_int_eq(node_log.freed, 0);
    GC_gcollect();
    GC_invoke_finalizers();
    GC_set_finalize_on_demand(0);
}

START_TEST(on_demand_between_steps)
{
    step_before_and_after(0, run_on_demand);
}

/* The set's finalizer has come already, and does not come again. */
START_TEST(on_demand_before_the_last_step)
{
    begin_steps(NULL);
    live_on_for_long();
    GC_set_finalize_on_demand(1);
    live_on_for_long();
    GC_set_finalize_on_demand(0);
    end_steps();
}
