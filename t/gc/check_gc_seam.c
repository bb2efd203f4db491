/* check_gc_seam.c: what Boehm sees lives, whoever got hold of it, and however
   late: at the moment when the weak references of a set are cleared, no member
   is one that Boehm sees. */

#define _GNU_SOURCE /* fopencookie */
#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/javaxfc.h>
#include <pyboehm.h>

static PyObject *weakref;  /* to the object that each test is about */
static GC_word *long_link; /* a long link to it */
static PyObject *seen;     /* static data: Boehm looks at it */
static PyObject **owned;   /* or a reference in malloc's memory */
static long calls, wanted;
static int in_time; /* it was there when it was looked up */

enum { NODES = 2 };          /* the object, and what it leads to */
static GC_word hidden_block; /* with a finalizer, and far from the object */
static int queued;           /* by Boehm: its finalizer will be called */
static int queued_before;    /* so was it when the object was looked up */

static void GC_CALLBACK
finalize_block(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

static void GC_CALLBACK
note_queued(void *block)
{
    queued |= GC_HIDE_POINTER(block) == hidden_block;
}

/* Boehm sees no way from the list to the block. */
static PyObject *
make_hidden_way(void)
{
    PyObject *list = PyList_New(0);
    struct node *node = node_new(&node_type);

    node->host = GC_MALLOC(32);
    GC_REGISTER_FINALIZER_NO_ORDER(node->host, finalize_block, NULL, NULL,
                                   NULL);
    hidden_block = GC_HIDE_POINTER(node->host);
    PyList_Append(list, (PyObject *)node);
    Py_DECREF(node);
    return list;
}

/* A block of the host's that leads to the object, and the object to it; a
   toggle reference to that. */
static int wraps, is_strong;
static int alone; /* the object leads to itself and to nothing else, and Boehm
                     is also asked about another one */
static GC_word hidden_object;

static GC_ToggleRefStatus GC_CALLBACK
decide(void *Py_UNUSED(block))
{
    return is_strong ? GC_TOGGLE_REF_STRONG : GC_TOGGLE_REF_WEAK;
}

/* Boehm keeps what begins where its heap was made larger: it has the address
   in a static variable of its own. */
enum { PAGE = 4096 };

static __attribute__((noinline)) void
wrap(struct node *node)
{
    void **block;

    do
        block = GC_MALLOC(32);
    while ((uintptr_t)block % PAGE == 0);
    *block = node;
    node->host = block;
    ck_assert_int_eq(GC_toggleref_add(block, is_strong), GC_SUCCESS);
}

/* Only itself refers to it, and it is adopted. */
static __attribute__((noinline)) void
make_object(void)
{
    struct node *node = node_new_weak();
    PyObject *list = alone ? NULL : make_hidden_way();

    node_link(node, node, list);
    Py_XDECREF(list);
    weakref = PyWeakref_NewRef((PyObject *)node, NULL);
    *long_link = hidden_object = GC_HIDE_POINTER(node);
    GC_REGISTER_LONG_LINK((void **)long_link, node);
    if (wraps)
        wrap(node);
    PyBoehm_Adopt((PyObject *)node);
}

/* A node lives by a block that waits for itself to be finalized: nothing else
   leads to it, and Boehm marks it after all toggle references. */
static __attribute__((noinline)) void
make_kept_node(void)
{
    void **block = GC_MALLOC(2 * sizeof *block);

    block[0] = block;
    block[1] = PyBoehm_Adopt((PyObject *)node_new(&node_type));
    GC_REGISTER_FINALIZER(block, finalize_block, NULL, NULL, NULL);
}

static void
set_threshold(int threshold)
{
    int thresholds[PyBoehm_GC_GENERATIONS] = {threshold, 0, 0};

    PyBoehm_GC_SetThreshold(thresholds);
}

static void
begin(void)
{
    set_threshold(0);
    PyGC_Collect();
    node_reset();
    long_link = GC_MALLOC_ATOMIC_UNCOLLECTABLE(sizeof *long_link);
    owned = suite_require(calloc(1, sizeof *owned));
    seen = NULL;
    calls = 0;
    queued = queued_before = 0;
    GC_set_await_finalize_proc(note_queued);
    make_object();
    if (alone)
        make_kept_node();
    suite_forget_stack();
}

static void
end(void)
{
    GC_unregister_long_link((void **)long_link);
    GC_FREE(long_link);
    Py_CLEAR(weakref);
    if (wraps && node_log.freed == 0) /* the block may be seen again */
        *(void **)((struct node *)GC_REVEAL_POINTER(hidden_object))->host =
            NULL;
    seen = NULL;
    is_strong = 0;
    Py_CLEAR(*owned);
    free(owned);
    suite_free_adopted();
}

static void
look_up_weakref(void)
{
    PyObject *op = NULL;

    queued_before = queued;
    if (PyWeakref_GetRef(weakref, &op) == 1) {
        seen = op;
        Py_DECREF(op); /* it is adopted: to be seen is enough */
    }
}

static void
look_up_and_own(void)
{
    queued_before = queued;
    (void)PyWeakref_GetRef(weakref, owned);
}

static int
take_if_it_is_it(PyObject *op, void *Py_UNUSED(arg))
{
    if (Py_TYPE(op) == &node_weak_type)
        seen = op;
    return 1;
}

static void
look_through_all(void)
{
    queued_before = queued;
    PyUnstable_GC_VisitObjects(take_if_it_is_it, NULL);
}

static void *GC_CALLBACK
read_link(void *Py_UNUSED(arg))
{
    return *long_link != 0 ? GC_REVEAL_POINTER(*long_link) : NULL;
}

static void
look_up_link(void)
{
    queued_before = queued;
    if (node_log.freed == 0)
        seen = GC_call_with_alloc_lock(read_link, NULL);
}

static void
try_to_take(void)
{
    PyObject *op = GC_REVEAL_POINTER(hidden_object);

    queued_before = queued;
    if (node_log.freed == 0 && PyUnstable_TryIncRef(op)) {
        seen = op;
        Py_DECREF(op);
    }
}

static void
make_strong(void)
{
    queued_before = queued;
    is_strong = node_log.freed == 0;
}

static PyObject *
found(void)
{
    if (is_strong)
        return GC_REVEAL_POINTER(hidden_object);
    return seen != NULL ? seen : *owned;
}

static void
lives(void)
{
    ck_assert_int_eq(node_log.freed + node_log.cleared, 0);
    ck_assert_int_eq(queued, queued_before);
    ck_assert_ptr_eq(Py_TYPE(found()), &node_weak_type);
    ck_assert_int_eq(PyBoehm_IsAdopted(found()), 1);
}

/* ------------------------------------------------------------------ */
/* A set that waits                                                    */

static int full;

static void
note_full(const char *phase, const PyBoehm_GC_Info *info, void *Py_UNUSED(arg))
{
    full += strcmp(phase, "stop") == 0 && info->generation == 2;
}

/* An automatic full collection condemns the object, and Boehm's heap is large:
   the set is left to Boehm's next collection. */
static void
have_it_wait(void)
{
    enum { BLOCKS = 4000, BYTES = 10000 };
    static void *blocks[BLOCKS];
    PyBoehm_Stats stats;
    PyObject *live = PyList_New(0);

    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = GC_MALLOC_ATOMIC(BYTES);
    PyBoehm_GC_AddCallback(note_full, NULL);
    for (full = 0; full == 0;) {
        suite_forget_stack();
        GC_gcollect();
        set_threshold(1);
        for (int i = 0; i < 4; i++) {
            PyObject *item = PyList_New(0);

            PyList_Append(live, item);
            Py_DECREF(item);
        }
        set_threshold(0);
    }
    PyBoehm_GetStats(&stats, sizeof stats);
    ck_assert_int_eq(stats.teardowns.waiting, 1);
    Py_DECREF(live);
    memset(blocks, 0, sizeof blocks);
}

static void
waits_and_is_found_by(void (*look_up)(void))
{
    begin();
    suite_forget_stack();
    have_it_wait();
    look_up();
    suite_forget_stack();
    GC_gcollect();
    PyGC_Collect();
    lives();
    end();
}

START_TEST(a_weak_reference_is_asked_while_it_waits)
{
    waits_and_is_found_by(look_up_weakref);
}

START_TEST(a_long_link_is_read_while_it_waits)
{
    waits_and_is_found_by(look_up_link);
}

START_TEST(what_is_not_looked_up_while_it_waits_goes)
{
    begin();
    suite_forget_stack();
    have_it_wait();
    suite_forget_stack();
    GC_gcollect();
    ck_assert_int_eq(node_log.freed, NODES);
    end();
}

/* The host finds the set in Boehm's queue. */
START_TEST(a_weak_reference_is_asked_before_finalizers_on_demand)
{
    begin();
    GC_set_finalize_on_demand(1);
    suite_forget_stack();
    have_it_wait();
    GC_gcollect();
    look_up_weakref();
    suite_forget_stack();
    GC_invoke_finalizers();
    GC_set_finalize_on_demand(0);
    lives();
    end();
}

/* ------------------------------------------------------------------ */
/* Code of the host's between Boehm's word and the end                 */

static void (*look_up)(void);
static int allocates;

/* The call that is wanted looks. */
static void
come_by(void)
{
    if (++calls != wanted)
        return;
    in_time = node_log.freed == 0 && node_log.cleared == 0;
    look_up();
}

static __attribute__((noinline)) void
call_with_a_block(GC_finalization_proc function)
{
    function(GC_MALLOC_ATOMIC(16), NULL);
}

/* With a block that no frame of the test's has, nor where the next one will
   be. */
static __attribute__((noinline)) void
have_called(GC_finalization_proc function)
{
    call_with_a_block(function);
    suite_forget_stack();
}

/* Called after each collection.  Whoever allocates so much runs finalizers by
   the way; but within one Boehm passes every other occasion to do so: what one
   collection has found may be called before the next one marks, or not. */
enum { LARGE = 10000 };
static long occasion;

static void GC_CALLBACK
after_each(void *block, void *Py_UNUSED(data))
{
    come_by();
    if (allocates)
        block = GC_MALLOC_ATOMIC(16);
    if (calls == occasion)
        GC_MALLOC_ATOMIC(LARGE);
    GC_REGISTER_FINALIZER_NO_ORDER(block, after_each, NULL, NULL, NULL);
}

/* Whether the object is found or dies, one of both is true; what no call comes
   early enough for dies.  Returns how many calls there were. */
static long
try_at(long call, Py_ssize_t (*collect)(void))
{
    begin();
    wanted = call;
    calls = 0;
    suite_forget_stack();
    collect();
    if (found() != NULL && in_time)
        lives();
    else
        ck_assert_int_eq(node_log.freed, NODES - alone);
    end();
    return calls;
}

static Py_ssize_t
collect_ours(void)
{
    return PyBoehm_GC_Collect(2);
}

static void
at_each_call(void (*look)(void), Py_ssize_t (*collect)(void))
{
    look_up = look;
    wanted = -1;
    for (allocates = 0; allocates < 2; allocates++) {
        have_called(after_each);
        for (long call = 1, n = 1; call <= n + 1; call++)
            n = try_at(call, collect);
        wanted = -1;
        /* A stale word may lead to one of them, not to all. */
        for (int i = 0; i < 3; i++)
            have_called(after_each);
        for (long call = 1, n = 1; call <= n + 1; call++)
            n = try_at(call, collect);
        ck_assert_int_eq(try_at(LONG_MAX, collect) > 0, 1);
        wanted = -1;
    }
}

START_TEST(a_finalizer_asks_a_weak_reference)
{
    at_each_call(look_up_weakref, PyGC_Collect);
}

START_TEST(a_finalizer_reads_a_long_link)
{
    at_each_call(look_up_link, PyGC_Collect);
}

START_TEST(a_finalizer_takes_a_reference)
{
    look_up = look_up_and_own;
    wanted = -1;
    have_called(after_each);
    for (occasion = 0; occasion < 4; occasion++)
        for (long call = 1, n = 1; call <= n + 1; call++)
            n = try_at(call, PyGC_Collect);
}

START_TEST(a_toggle_reference_becomes_strong)
{
    GC_set_toggleref_func(decide);
    wraps = 1;
    at_each_call(make_strong, PyGC_Collect);
    at_each_call(make_strong, collect_ours);
}

START_TEST(a_toggle_reference_becomes_strong_while_others_are_kept)
{
    GC_set_toggleref_func(decide);
    GC_set_warn_proc(GC_ignore_warn_proc);
    wraps = alone = 1;
    at_each_call(make_strong, PyGC_Collect);
    at_each_call(make_strong, collect_ours);
}

/* It comes after that of the library's. */
START_TEST(a_toggle_reference_is_strong)
{
    GC_set_toggleref_func(decide);
    begin();
    look_up_weakref();
    suite_forget_stack();
    PyBoehm_GC_Collect(2);
    lives();
    is_strong = 1;
    wrap((struct node *)seen);
    seen = NULL;
    suite_forget_stack();
    PyBoehm_GC_Collect(2);
    lives();
    end();
}

START_TEST(a_finalizer_asks_while_our_heap_is_collected)
{
    at_each_call(look_up_weakref, collect_ours);
}

START_TEST(a_finalizer_reads_while_our_heap_is_collected)
{
    at_each_call(look_up_link, collect_ours);
}

/* Gates of the next test: the other thread's stack is clean; the host's
   finalizer has looked; the other thread has had Boehm collect. */
enum { READY, LOOKED, COLLECTED };

/* The thread before it may have had its stack. */
static void *
collect_when_looked(void *Py_UNUSED(arg))
{
    suite_forget_stack();
    threads_open_gate(READY);
    PyThread_acquire_lock(threads_gates[LOOKED], WAIT_LOCK);
    GC_gcollect();
    threads_open_gate(COLLECTED);
    return NULL;
}

/* As after_each, but that nothing comes after the call that looks: what
   another thread's collection finds then is nothing of the host's. */
static void GC_CALLBACK
until_it_looks(void *block, void *Py_UNUSED(data))
{
    come_by();
    if (calls < wanted) {
        GC_REGISTER_FINALIZER_NO_ORDER(block, until_it_looks, NULL, NULL,
                                       NULL);
    } else if (calls == wanted) {
        threads_open_gate(LOOKED);
        PyThread_acquire_lock(threads_gates[COLLECTED], WAIT_LOCK);
    }
}

/* What that collection finds says nothing of the one that asks. */
START_TEST(another_thread_has_boehm_collect_meanwhile)
{
    long found = 0;

    threads_make_gates();
    look_up = look_up_weakref;
    for (long call = 1, n = 1; call <= n + 1; call++) {
        pthread_t other;

        GC_pthread_create(&other, NULL, collect_when_looked, NULL);
        PyThread_acquire_lock(threads_gates[READY], WAIT_LOCK);
        wanted = LONG_MAX; /* none of those before */
        have_called(until_it_looks);
        n = try_at(call, PyGC_Collect);
        found += n >= call;
        if (n < call) {
            wanted = LONG_MAX; /* nor the calls that the other's brings */
            threads_open_gate(LOOKED);
        }
        GC_pthread_join(other, NULL);
    }
    ck_assert_int_gt(found, 1);
}

static void GC_CALLBACK
notify(void)
{
    come_by();
}

START_TEST(a_notifier_asks_a_weak_reference)
{
    look_up = look_up_weakref;
    GC_set_finalize_on_demand(1);
    GC_set_finalizer_notifier(notify);
    for (long call = 1, n = 1; call <= n + 1; call++)
        n = try_at(call, PyGC_Collect);
    GC_set_finalizer_notifier(NULL);
    GC_set_finalize_on_demand(0);
}

static GC_word told_at;

static void GC_CALLBACK
note_told(void)
{
    told_at = GC_get_gc_no();
}

static void
nothing(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

/* The last question runs no code of the host's, and tells it afterwards. */
START_TEST(a_notifier_is_told_of_all_that_is_queued)
{
    GC_set_finalize_on_demand(1);
    GC_set_finalizer_notifier(note_told);
    begin();
    GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC_ATOMIC(16), nothing, NULL, NULL,
                                   NULL);
    suite_forget_stack();
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, NODES);
    ck_assert_int_ne(GC_should_invoke_finalizers(), 0);
    ck_assert_uint_eq(told_at, GC_get_gc_no());
    GC_set_finalizer_notifier(NULL);
    GC_set_finalize_on_demand(0);
    end();
}

static void
ask_with_incremental_marking(void (*look)(void))
{
    GC_enable_incremental();
    if (!GC_is_incremental_mode())
        return;
    begin();
    end();
    look_up = look;
    wanted = -1;
    after_each(GC_MALLOC_ATOMIC(16), NULL);
    for (long call = 1; call < 20; call++) {
        begin();
        wanted = call;
        calls = 0;
        suite_forget_stack();
        PyGC_Collect();
        if (seen != NULL)
            lives();
        end();
    }
    begin();
    for (int i = 0; i < 3; i++) {
        suite_forget_stack();
        PyGC_Collect();
    }
    ck_assert_int_eq(node_log.freed, NODES);
    end();
}

START_TEST(a_finalizer_asks_with_incremental_marking)
{
    ask_with_incremental_marking(look_up_weakref);
}

START_TEST(a_finalizer_looks_with_incremental_marking)
{
    ask_with_incremental_marking(look_through_all);
}

START_TEST(a_finalizer_tries_with_incremental_marking)
{
    ask_with_incremental_marking(try_to_take);
}

/* ------------------------------------------------------------------ */
/* Boehm's references go                                               */

static int untracks;

/* Of a block that only the adopted object leads to. */
static void GC_CALLBACK
take_its_object(void *block, void *Py_UNUSED(data))
{
    PyObject *op = *(PyObject **)block;

    if (untracks) {
        PyObject_GC_UnTrack(op);
        *owned = op;
    } else {
        *owned = PyBoehm_Disown(op);
    }
}

static __attribute__((noinline)) void
make_pair_with_block(void)
{
    struct node *first = node_new_weak(), *second = node_new(&node_type);
    PyObject **block;

    do
        block = GC_MALLOC(32);
    while ((uintptr_t)block % PAGE == 0);
    node_link(first, second, NULL);
    Py_DECREF(second);
    weakref = PyWeakref_NewRef((PyObject *)first, NULL);
    first->host = block;
    *block = (PyObject *)first;
    GC_REGISTER_FINALIZER_NO_ORDER(block, take_its_object, NULL, NULL, NULL);
    PyBoehm_Adopt((PyObject *)first);
}

/* It was the only member that Boehm was asked about: the others are counted
   once more all the same. */
static void
last_one_is_taken(void)
{
    set_threshold(0);
    node_reset();
    owned = suite_require(calloc(1, sizeof *owned));
    make_pair_with_block();
    for (int i = 0; i < 3 && *owned == NULL; i++) {
        suite_forget_stack();
        PyBoehm_GC_Collect(2);
    }
    ck_assert_ptr_nonnull(*owned);
    ck_assert_int_eq(node_log.freed + node_log.cleared, 0);
    ck_assert_ptr_nonnull(((struct node *)*owned)->left);
    ck_assert_int_eq(PyWeakref_IsDead(weakref), 0);
    Py_CLEAR(weakref);
    if (untracks)
        *owned = PyBoehm_Disown(*owned);
    Py_CLEAR(*owned);
    ck_assert_int_eq(node_log.freed, 2);
    free(owned);
}

START_TEST(a_finalizer_takes_the_last_adopted_member)
{
    for (untracks = 0; untracks < 2; untracks++) {
        suite_forget_stack(); /* the objects may be at the same addresses */
        last_one_is_taken();
    }
}

static void
hand_on_dealloc(PyObject *op)
{
    struct node *node = (struct node *)op;

    PyObject_GC_UnTrack(op);
    if (node->label == 1) {
        seen = PyBoehm_Adopt(node->left);
        node->left = NULL;
    }
    node_dealloc(op);
}

static PyTypeObject hand_on_type = {
    NODE_TYPE("t.HandOn", hand_on_dealloc, node_traverse, NULL),
};

/* Both adopted, and the one with label 1 owns the other. */
static __attribute__((noinline)) void
make_adopted_pair(int lower_first)
{
    struct node *first = node_new(&hand_on_type);
    struct node *second = node_new(&hand_on_type);

    if ((first < second) != lower_first) {
        struct node *other = first;
        first = second;
        second = other;
    }
    first->label = 1;
    second->label = 2;
    node_link(first, second, NULL);
    PyBoehm_Adopt((PyObject *)first);
    PyBoehm_Adopt((PyObject *)second);
}

static void
other_one_lives(int lower_first)
{
    ck_assert_int_eq(PyType_Ready(&hand_on_type), 0);
    set_threshold(0);
    node_reset();
    make_adopted_pair(lower_first);
    for (int i = 0; i < 3 && seen == NULL; i++) {
        suite_forget_stack();
        PyGC_Collect();
    }
    ck_assert_ptr_nonnull(seen);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyBoehm_IsAdopted(seen), 1);
    Py_DECREF(PyBoehm_Disown(seen));
    ck_assert_int_eq(node_log.freed, 2);
}

START_TEST(a_dealloc_gives_the_next_member_to_boehm)
{
    other_one_lives(1);
}

START_TEST(a_dealloc_gives_the_member_before_to_boehm)
{
    other_one_lives(0);
}

enum { MANY_NODES = 2000 };

static __attribute__((noinline)) void
adopt_many(struct node **kept)
{
    for (int i = 0; i < MANY_NODES; i++) {
        struct node *node = node_ring(&node_type, 1);

        node->label = i;
        if (i % 2 == 0)
            kept[i / 2] = node;
        PyBoehm_Adopt((PyObject *)node);
    }
}

/* Then the token of the final query has no finalizer any more. */
START_TEST(the_host_runs_all_finalizers)
{
    static struct node *kept[MANY_NODES / 2];

    set_threshold(0);
    node_reset();
    adopt_many(kept);
    suite_forget_stack();
    GC_finalize_all();
    PyGC_Collect();
    ck_assert_int_ge(node_log.freed, MANY_NODES / 2 - 5);
    for (int i = 0; i < 2 * MANY_NODES; i++) {
        node_drop_ring(&node_type, 1);
        memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
    }
    for (int i = 0; i < MANY_NODES / 2; i++) {
        ck_assert_int_eq(PyBoehm_IsAdopted((PyObject *)kept[i]), 1);
        ck_assert_int_eq(kept[i]->label, 2 * i);
    }
    memset(kept, 0, sizeof kept);
    suite_free_adopted();
}

/* Boehm's heap is full, and the host's function for that gives blocks of its
   own. */
enum { BLOCKS_OF_OWN = 400, BYTES_OF_OWN = 64 };

static void *blocks_of_own[BLOCKS_OF_OWN];
static int n_given = BLOCKS_OF_OWN;

static void *GC_CALLBACK
give_block_of_own(size_t size)
{
    return size <= BYTES_OF_OWN && n_given < BLOCKS_OF_OWN
               ? blocks_of_own[n_given++]
               : NULL;
}

static void
fill_the_heap(void **hog)
{
    enum { ROOM = 8 << 20 };

    GC_set_max_heap_size(GC_get_heap_size() + ROOM);
    for (size_t size = 1 << 20; size >= sizeof(void *); size /= 2)
        for (void **block; (block = GC_MALLOC(size)) != NULL; *hog = block)
            *block = *hog;
}

/* From now on Boehm sees none. */
static __attribute__((noinline)) void
adopt_all(uintptr_t *nodes)
{
    for (int i = 0; i < MANY_NODES; i++)
        nodes[i] = ~(uintptr_t)PyBoehm_Adopt((PyObject *)nodes[i]);
}

/* What they are asked for may be a token, which such a block cannot be. */
START_TEST(the_host_gives_blocks_of_its_own)
{
    static uintptr_t nodes[MANY_NODES];
    static void *hog;

    set_threshold(0);
    node_reset();
    GC_set_toggleref_func(decide);
    GC_toggleref_add(GC_MALLOC(32), 1); /* Boehm has its tables */
    for (int i = 0; i < BLOCKS_OF_OWN; i++)
        blocks_of_own[i] = GC_MALLOC(BYTES_OF_OWN);
    for (int i = 0; i < MANY_NODES; i++)
        nodes[i] = (uintptr_t)node_ring(&node_type, 1);
    GC_gcollect(); /* no free token is left */
    GC_gcollect();
    GC_set_warn_proc(GC_ignore_warn_proc);
    fill_the_heap(&hog);
    GC_set_oom_fn(give_block_of_own);
    n_given = 0;
    adopt_all(nodes);
    PyGC_Collect();
    ck_assert_int_gt(n_given, 0);
    GC_set_max_heap_size(0);
    hog = NULL;
    for (int i = 0; i < 2 * MANY_NODES; i++)
        memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
    for (int i = 0; i < MANY_NODES; i++)
        if (PyBoehm_IsAdopted((PyObject *)~nodes[i]))
            ck_assert_ptr_eq(Py_TYPE((PyObject *)~nodes[i]), &node_type);
    suite_free_adopted();
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, MANY_NODES);
}

/* ------------------------------------------------------------------ */
/* Code of the host's that is called unexpectedly                       */

/* Only itself refers to it; nobody has adopted it. */
static __attribute__((noinline)) void
make_plain_object(void)
{
    struct node *node = node_new_weak();

    node_link(node, node, NULL);
    weakref = PyWeakref_NewRef((PyObject *)node, NULL);
    Py_DECREF(node);
}

static void
begin_plain(void)
{
    set_threshold(0);
    node_reset();
    owned = suite_require(calloc(1, sizeof *owned));
    make_plain_object();
}

static void
lives_plain(void)
{
    ck_assert_ptr_nonnull(*owned);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(PyWeakref_IsDead(weakref), 0);
    ck_assert_ptr_eq(((struct node *)*owned)->left, *owned);
    Py_DECREF(weakref);
    Py_CLEAR(*owned);
    free(owned);
}

static ssize_t
ask_when_written_to(void *Py_UNUSED(cookie), const char *Py_UNUSED(text),
                    size_t size)
{
    if (*owned == NULL)
        look_up_and_own();
    return (ssize_t)size;
}

START_TEST(a_stream_asks_a_weak_reference)
{
    cookie_io_functions_t functions = {.write = ask_when_written_to};
    FILE *before = stderr;

    begin_plain();
    stderr = fopencookie(NULL, "w", functions);
    setvbuf(stderr, NULL, _IONBF, 0);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_COLLECTABLE);
    PyGC_Collect();
    PyBoehm_GC_SetDebug(0);
    fclose(stderr);
    stderr = before;
    lives_plain();
}

static void GC_CALLBACK
ask_and_look_for_leaks(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (*owned == NULL)
        look_up_and_own();
    GC_set_find_leak(1); /* then Boehm registers no finalizer */
}

static __attribute__((noinline)) void
drop_blocks(void)
{
    for (int i = 0; i < 3; i++)
        GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(32), ask_and_look_for_leaks,
                                       NULL, NULL, NULL);
}

/* The set was to wait, and the attempt has run finalizers of the host's.
   Boehm has collected often, so a full collection is due; our heap has free
   blocks, so that nothing else runs them. */
START_TEST(a_finalizer_asks_where_no_sentinel_can_be_made)
{
    enum { NODES_BEFORE = 3000, NODES_AFTER = 1000 };
    static struct node *nodes[NODES_BEFORE];

    for (int i = 0; i < NODES_BEFORE; i++)
        nodes[i] = (struct node *)PyType_GenericAlloc(&node_type, 0);
    PyBoehm_Adopt(Py_NewRef(nodes[0]));
    PyBoehm_GC_Collect(2);
    for (int i = NODES_AFTER; i < NODES_BEFORE; i++)
        Py_CLEAR(nodes[i]);
    GC_set_finalize_on_demand(1);
    drop_blocks();
    suite_forget_stack();
    for (int i = 0; i < 10; i++)
        GC_gcollect();
    ck_assert_int_ne(GC_should_invoke_finalizers(), 0);
    begin_plain();
    GC_set_finalize_on_demand(0);
    PyBoehm_GC_AddCallback(note_full, NULL);
    set_threshold(1);
    for (int i = NODES_AFTER; i < NODES_BEFORE && full == 0; i++)
        nodes[i] = (struct node *)PyType_GenericAlloc(&node_type, 0);
    set_threshold(0);
    GC_set_find_leak(0);
    ck_assert_int_eq(full, 1);
    lives_plain();
}

/* ------------------------------------------------------------------ */
/* The rule is broken                                                  */

static GC_on_collection_event_proc next_event;
static int collections, last_one;
static Py_ssize_t (*collect_whole)(void);

/* Where the last collection begins, after Boehm was asked for the last time,
   this comes to have the object's address: static data, or a block that only
   the stack leads to, complemented. */
static uintptr_t hidden_place;

static void GC_CALLBACK
show_late(GC_EventType event)
{
    if (event == GC_EVENT_START && ++collections == last_one)
        *(void **)~hidden_place = GC_REVEAL_POINTER(*long_link);
    next_event(event);
}

static void
collect_watched(void)
{
    begin();
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(show_late);
    collections = 0;
    collect_whole();
    GC_set_on_collection_event(next_event);
}

static void
have_it_shown_late(void *place, Py_ssize_t (*collect)(void))
{
    suite_with_checks();
    collect_whole = collect;
    last_one = 0;
    collect_watched();
    ck_assert_int_eq(node_log.freed, NODES);
    end();
    last_one = collections;
    hidden_place = ~(uintptr_t)place;
    collect_watched();
}

/* No host's hook may do that. */
static void
break_the_rule(void)
{
    have_it_shown_late(&seen, collect_ours);
}

START_TEST(checks_ask_once_more)
{
    if (!suite_has("PROCESS_VM_READV")) /* who sees it is looked for */
        return;
    SUITE_FATAL(break_the_rule(), "PyBoehm_Adopt: type t.WeakNode",
                "dead by Boehm's word, and Boehm sees it", "seen");
    SUITE_FATAL(have_it_shown_late(&seen, PyGC_Collect),
                "PyBoehm_Adopt: type t.WeakNode",
                "dead by Boehm's word, and Boehm sees it", "seen");
}

/* One of Boehm's hooks may be the last code of the host's, and get the object
   from its weak reference: when Boehm has marked, or even queued what is to be
   finalized. */
static GC_EventType event_wanted;

static void GC_CALLBACK
look_then(GC_EventType event)
{
    if (event == event_wanted && ++collections == last_one)
        look_up_weakref();
    next_event(event);
}

static void
collect_and_look(Py_ssize_t (*collect)(void))
{
    begin();
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(look_then);
    collections = 0;
    collect();
    GC_set_on_collection_event(next_event);
    if (seen == NULL)
        ck_assert_int_eq(node_log.freed, NODES);
    else if (event_wanted == GC_EVENT_MARK_END)
        lives();
    else
        ck_assert_int_eq(node_log.finalized + node_log.freed, 0);
    end();
}

static void
look_at_each(GC_EventType event)
{
    event_wanted = event;
    for (last_one = 1; last_one < 12; last_one++) {
        collect_and_look(collect_ours);
        collect_and_look(PyGC_Collect);
    }
}

START_TEST(a_hook_asks_a_weak_reference)
{
    look_at_each(GC_EVENT_MARK_END);
}

START_TEST(a_hook_asks_a_weak_reference_late)
{
    look_at_each(GC_EVENT_RECLAIM_END);
}

/* Boehm is asked once more then, and a hook may ask meanwhile. */
START_TEST(a_hook_asks_a_weak_reference_of_checks)
{
    suite_with_checks();
    look_at_each(GC_EVENT_MARK_END);
    look_at_each(GC_EVENT_RECLAIM_END);
}

/* The block might be one that a dead word leads to. */
START_TEST(what_a_stack_leads_to_is_no_proof)
{
    void **volatile block = GC_MALLOC(sizeof *block);

    have_it_shown_late((void *)block, collect_ours);
    ck_assert_ptr_nonnull(*block);
    ck_assert_int_eq(PyBoehm_IsAdopted(*block), 1);
    ck_assert_int_eq(node_log.finalized + node_log.freed, 0);
    *block = NULL;
    end();
}

/* ------------------------------------------------------------------ */
/* Other threads                                                       */

static void *
attach_and_look(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    look_up_weakref();
    PyGILState_Release(state);
    return NULL;
}

/* A finalizer gives the attachment up, and another thread takes it. */
static void
have_another_thread_look(void)
{
    Py_BEGIN_ALLOW_THREADS
    threads_beside(attach_and_look);
    Py_END_ALLOW_THREADS
}

static void GC_CALLBACK
detach_after_each(void *block, void *Py_UNUSED(data))
{
    come_by();
    GC_REGISTER_FINALIZER_NO_ORDER(block, detach_after_each, NULL, NULL, NULL);
}

START_TEST(another_thread_asks_meanwhile)
{
    look_up = have_another_thread_look;
    wanted = -1;
    have_called(detach_after_each);
    for (long call = 1, n = 1; call <= n + 1; call++)
        n = try_at(call, PyGC_Collect);
}

/* Gates of the next test: the finalizer has detached; the other thread has run
   Boehm's queue; the collection has returned. */
enum { DETACHED, INVOKED, RETURNED };

static pthread_t collecting_thread;

static void GC_CALLBACK
detach_once(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    static int once;

    if (once++)
        return;
    threads_open_gate(DETACHED);
    threads_pass_gate(INVOKED);
}

static void
wait_for_the_end(struct node *Py_UNUSED(node))
{
    if (pthread_equal(pthread_self(), collecting_thread))
        return;
    threads_open_gate(INVOKED);
    threads_pass_gate(RETURNED);
}

static void *
invoke(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    threads_pass_gate(DETACHED);
    GC_invoke_finalizers();
    threads_open_gate(INVOKED);
    PyGILState_Release(state);
    return NULL;
}

/* The sentinel's finalizer is called in a thread that is attached while the
   collection waits: the set stays the collection's, which counts it. */
START_TEST(another_thread_runs_the_queue_meanwhile)
{
    enum { BLOCKS = 200 };
    pthread_t other;

    node_reset();
    PyGC_Collect();
    threads_make_gates();
    collecting_thread = pthread_self();
    node_log.on_clear = wait_for_the_end;
    for (int i = 0; i < BLOCKS; i++)
        GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(32), detach_once, NULL, NULL,
                                       NULL);
    node_drop_ring(&node_type, 2);
    other = threads_start(invoke, NULL);
    suite_forget_stack();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 2);
    threads_open_gate(RETURNED);
    threads_join(other);
    node_log.on_clear = NULL;
}
