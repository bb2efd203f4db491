/* check_gc_manners.c: manners towards a program that uses Boehm itself: its
   threads, its figures, its limits, and the moment that it chooses for
   finalizers.  Its hooks are in check_gc_hooks.c. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

#include <pthread.h>
#include <stdio.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* A set being torn down is alive for Boehm                            */

/* The host collects, and uses again what was found free. */
static void
collect_and_reuse(void)
{
    GC_gcollect();
    for (int i = 0; i < 400; i++) {
        memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
        memset(GC_MALLOC_ATOMIC(16), 0x5a, 16);
    }
}

static void
check_fields(struct node *self)
{
    char text[16];

    ck_assert_int_ge(self->label, 0);
    ck_assert_int_lt(self->label, node_log.made);
    snprintf(text, sizeof text, "node %ld", self->label);
    ck_assert_ptr_nonnull(self->host);
    ck_assert_str_eq(self->host, text);
    ck_assert_ptr_eq(Py_TYPE(self), &node_final_type);
}

static void
check_and_reuse(struct node *self)
{
    check_fields(self);
    collect_and_reuse();
    check_fields(self);
}

/* n nodes, each of which refers to itself and to the next: every one of them
   lives until its own tp_clear has been called.  Nothing else refers to them.
 */
static void
drop_chained_loops(long n)
{
    struct node *first = NULL, *last = NULL;

    PyGC_Disable(); /* until they are complete */
    for (long i = 0; i < n; i++) {
        struct node *self = node_new(&node_final_type);

        self->host = GC_MALLOC_ATOMIC(16);
        snprintf(self->host, 16, "node %ld", self->label);
        node_link(self, self, NULL);
        if (first == NULL)
            first = self;
        else
            last->right = (PyObject *)self; /* the new reference moves in */
        last = self;
    }
    node_link(last, last, first);
    Py_DECREF(first);
    PyGC_Enable();
}

enum { MEMBERS = 300 };

static void
ready_to_reuse(void)
{
    node_reset();
    node_log.on_finalize = check_and_reuse;
    node_log.on_clear = check_and_reuse;
    node_log.on_dealloc = check_fields;
    drop_chained_loops(MEMBERS);
}

static void
members_are_gone(void)
{
    ck_assert_int_eq(node_log.finalized, MEMBERS);
    ck_assert_int_eq(node_log.cleared, MEMBERS);
    ck_assert_int_eq(node_log.freed, MEMBERS);
}

START_TEST(members_survive_the_hosts_collections)
{
    ready_to_reuse();
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    members_are_gone();
}

START_TEST(members_survive_in_an_automatic_collection)
{
    ready_to_reuse();
    PyObject *live = PyList_New(0);

    for (int i = 0; i < 3000; i++) { /* enough to make one due */
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(live, item), 0);
        Py_DECREF(item);
    }
    members_are_gone();
    Py_DECREF(live);
}

/* ------------------------------------------------------------------ */
/* What Boehm is told about memory that it cannot gain                 */

START_TEST(living_objects_are_non_gc_bytes)
{
    enum { N = 20000, BYTES = N * sizeof(struct node) };
    node_reset();
    PyGC_Collect();
    GC_word before = GC_get_non_gc_bytes();

    for (int round = 0; round < 10; round++) { /* no error adds up */
        node_reset();
        struct node *ring = node_ring(&node_type, N);
        GC_word full = GC_get_non_gc_bytes();
        Py_DECREF(ring);
        ck_assert_int_eq(PyBoehm_GC_CollectAll(), N);
        GC_word after = GC_get_non_gc_bytes();

        /* Some blocks were waiting for an object before already, and at most
           256 KiB of them do so after. */
        ck_assert_uint_ge(full, before + BYTES - BYTES / 20);
        ck_assert_uint_le(full, before + 2 * BYTES);
        ck_assert_uint_le(after, before + BYTES / 3);
        ck_assert_uint_ge(after + BYTES / 20, before);
    }
}

/* ------------------------------------------------------------------ */
/* Blocks have the size that they need, whatever Boehm hands out       */

struct row {
    PyObject_VAR_HEAD
    unsigned char bytes[];
};

static int
row_traverse(PyObject *Py_UNUSED(op), visitproc Py_UNUSED(visit),
             void *Py_UNUSED(arg))
{
    return 0;
}

static void
row_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

static PyTypeObject row_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Row",
    .tp_basicsize = offsetof(struct row, bytes),
    .tp_itemsize = 1,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = row_dealloc,
    .tp_traverse = row_traverse,
};

enum { OBJECTS = 300000 };
static PyObject *objects[OBJECTS];

/* One row in two is short: pages of few sizes, next to one another. */
static Py_ssize_t
some_length(void)
{
    return rand() % 2 ? 8 + 16 * (rand() % 3) : rand() % 200;
}

static struct row *
new_row(int i)
{
    Py_ssize_t n = some_length();
    struct row *row;

    if (i % 2 == 0) {
        row = suite_require((struct row *)PyType_GenericAlloc(&row_type, n));
        for (Py_ssize_t k = 0; k < n; k++)
            if (row->bytes[k] != 0)
                ck_abort_msg("not zeroed");
    } else {
        row = suite_require(PyObject_GC_NewVar(struct row, &row_type, n));
        PyObject_GC_Track((PyObject *)row);
    }
    memset(row->bytes, i % 251, (size_t)n);
    return row;
}

static void
check_row(int i)
{
    struct row *row = (struct row *)objects[i];

    if (GC_base(row) != (void *)row ||
        GC_size(row) < offsetof(struct row, bytes) + (size_t)Py_SIZE(row))
        ck_abort_msg("row %d of %ld bytes in a block of %zu", i,
                     (long)Py_SIZE(row), GC_size(row));
    for (Py_ssize_t k = 0; k < Py_SIZE(row); k++)
        if (row->bytes[k] != i % 251)
            ck_abort_msg("row %d has been written to", i);
}

START_TEST(rows_of_all_sizes_fit_their_blocks)
{
    ck_assert_int_ne(GC_get_all_interior_pointers(), 0);
    ck_assert_int_eq(PyType_Ready(&row_type), 0);
    srand(1);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < OBJECTS; i++)
            if (rand() % 3 != 0)
                Py_CLEAR(objects[i]);
        for (int i = 0; i < OBJECTS; i++)
            if (objects[i] == NULL)
                objects[i] = (PyObject *)new_row(i);
        GC_gcollect();
        for (int i = 0; i < OBJECTS; i++)
            check_row(i);
    }
    for (int i = 0; i < OBJECTS; i++)
        Py_CLEAR(objects[i]);
}

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return PyObject_VisitManagedDict(op, visit, arg);
}

static void
managed_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    PyObject_ClearManagedDict(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
managed_type(int basicsize)
{
    PyType_Slot slots[] = {
        {Py_tp_traverse, (void *)managed_traverse},
        {Py_tp_dealloc, (void *)managed_dealloc},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "t.Managed",
        .basicsize = basicsize,
        .flags =
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
        .slots = slots,
    };
    return suite_require(PyType_FromSpec(&spec));
}

/* Where its dict is kept depends on the size of an object's block. */
START_TEST(attributes_in_managed_dicts_are_not_lost)
{
    enum { TYPES = 3, VALUES = 100 };
    PyObject *types[TYPES], *values[VALUES];
    PyObject *name = PyUnicode_InternFromString("x");
    long lost = 0;

    for (int i = 0; i < TYPES; i++)
        types[i] = managed_type(16 * (i + 1));
    for (int i = 0; i < VALUES; i++)
        values[i] = PyLong_FromLong(i);
    for (int i = 0; i < OBJECTS; i++) {
        objects[i] = PyObject_CallNoArgs(types[i % TYPES]);
        ck_assert_ptr_nonnull(objects[i]);
        if (PyObject_SetAttr(objects[i], name, values[i % VALUES]) < 0)
            ck_abort_msg("object %d takes no attribute", i);
    }
    for (int i = 0; i < OBJECTS; i++) {
        PyObject *value = PyObject_GetAttr(objects[i], name);

        if (value != values[i % VALUES]) {
            PyErr_Clear();
            lost++;
        }
        Py_XDECREF(value);
        Py_CLEAR(objects[i]);
    }
    ck_assert_int_eq(lost, 0);
    for (int i = 0; i < VALUES; i++)
        Py_DECREF(values[i]);
    for (int i = 0; i < TYPES; i++)
        Py_DECREF(types[i]);
    Py_DECREF(name);
}

/* ------------------------------------------------------------------ */
/* Threads of the host                                                 */

static volatile int stop;
static pthread_t main_thread;
static volatile long in_another_thread;

/* Knows nothing of the library, but a thread that allocates runs the
   finalizers that Boehm has found due. */
static void *
allocate(void *Py_UNUSED(arg))
{
    while (!stop) {
        for (int i = 0; i < 1000; i++)
            memset(GC_MALLOC(64), 0, 64);
        memset(GC_MALLOC(5000), 0, 5000);
    }
    return NULL;
}

static void
note_thread(struct node *Py_UNUSED(self))
{
    if (!pthread_equal(main_thread, pthread_self()))
        in_another_thread++;
}

START_TEST(threads_of_the_host_allocate_meanwhile)
{
    enum { ROUNDS = 200, RINGS = 300 };
    pthread_t threads[2];

    node_reset();
    main_thread = pthread_self();
    node_log.on_finalize = note_thread;
    node_log.on_clear = note_thread;
    node_log.on_dealloc = note_thread;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(GC_pthread_create(&threads[i], NULL, allocate, NULL),
                         0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < RINGS; i++)
            node_drop_ring(&node_final_type, 3);
        PyGC_Collect();
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(GC_pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(node_log.made, 3L * ROUNDS * RINGS);
    ck_assert_int_eq(node_log.finalized, node_log.made);
    ck_assert_int_eq(node_log.freed, node_log.made);
    ck_assert_int_eq(in_another_thread, 0);
}

/* ------------------------------------------------------------------ */
/* Finalizers of the host that wait to be run while we collect          */

static struct node *borrowed; /* of a ring that the host looks up in a table */
static struct node *newcomer;
static int host_finalizers;

static void GC_CALLBACK
take_the_ring(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (host_finalizers++ == 0) {
        Py_INCREF(borrowed);
        newcomer = node_new(&node_type);
    }
}

static Py_ssize_t collected_within = -1;

static void
collect_both(struct node *Py_UNUSED(self))
{
    collected_within = PyBoehm_GC_CollectAll();
}

/* Leaves finalizers in Boehm's queue that the next allocation from it runs,
   a dead ring, and so many free blocks that nothing of ours is one. */
static void
prepare_pending_finalizers(void)
{
    enum { BLOCKS = 100, SPARE = 4000 };
    static struct node *spare[SPARE];

    node_reset();
    PyGC_Collect(); /* begins to count anew */
    for (int i = 0; i < SPARE; i++)
        spare[i] = node_new(&node_fixed_type);
    PyGC_Collect();
    GC_set_finalize_on_demand(1);
    for (int i = 0; i < BLOCKS; i++) {
        void *block = GC_MALLOC_ATOMIC(64);
        GC_REGISTER_FINALIZER_NO_ORDER(block, take_the_ring, 0, 0, 0);
    }
    GC_gcollect();
    ck_assert(GC_should_invoke_finalizers());
    for (int i = 0; i < SPARE; i++)
        Py_CLEAR(spare[i]);
    borrowed = node_ring(&node_type, 3);
    Py_DECREF(borrowed);
    node_log.freed = 0;
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(host_finalizers, 0);
}

/* No foreign code runs between the verdict and the end of the set. */
START_TEST(automatic_collection_runs_no_finalizer_of_the_host)
{
    PyObject *keep[3000];
    int n = 0;

    prepare_pending_finalizers();
    while (n < 3000 && node_log.freed == 0 && host_finalizers == 0)
        keep[n++] = (PyObject *)node_new(&node_type);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(host_finalizers, 0);
    borrowed = (struct node *)keep[0]; /* the ring is gone: theirs to take */
    while (n > 0)
        Py_DECREF(keep[--n]);
}

/* A collection of our heap that was asked for runs none either. */
START_TEST(a_full_collection_runs_no_finalizer_of_the_host)
{
    prepare_pending_finalizers();
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(host_finalizers, 0);
    borrowed = node_new(&node_type); /* theirs to take */
}

/* One of both heaps does, whether there is anything for ours to find or not,
   and whether the collector is enabled or not; within one it does nothing. */
START_TEST(both_heaps_are_collected)
{
    GC_word before;

    node_reset();
    PyGC_Disable();
    PyGC_Collect();
    before = GC_get_gc_no();
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 0);
    ck_assert_uint_eq(GC_get_gc_no(), before + 1);
    node_drop_ring(&node_type, 5);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 5);
    ck_assert_uint_eq(GC_get_gc_no(), before + 2);
    node_log.on_clear = collect_both;
    node_drop_ring(&node_type, 1);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 1);
    ck_assert_int_eq(collected_within, 0);
    ck_assert_uint_eq(GC_get_gc_no(), before + 3);
}

/* A collection of both heaps runs them: what they take lives. */
static void
take_what_was_found_dead(Py_ssize_t (*collect)(void))
{
    prepare_pending_finalizers();
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_gt(host_finalizers, 0);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(Py_REFCNT(borrowed), 2);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)newcomer), 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(borrowed);
    ck_assert_int_eq(PyGC_Collect(), 3);
    Py_DECREF(newcomer);
}

START_TEST(host_finalizer_takes_what_was_found_dead)
{
    take_what_was_found_dead(PyGC_Collect);
}

START_TEST(host_finalizer_takes_what_collect_all_has_found_dead)
{
    take_what_was_found_dead(PyBoehm_GC_CollectAll);
}

/* ------------------------------------------------------------------ */

/* ------------------------------------------------------------------ */
/* Finalizers on demand                                                */

/* An automatic collection leaves its set to a host that runs finalizers on
   demand.  Returns a borrowed pointer to a ring of three of the type that
   waits in such a set; nothing else has been made to live on. */
static struct node *
waiting_ring(PyTypeObject *type)
{
    struct node *ring = node_ring(type, 3);
    PyObject *live = PyList_New(0);

    Py_DECREF(ring);
    for (int i = 0; i < 3000; i++) { /* enough to make one due */
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(live, item), 0);
        Py_DECREF(item);
    }
    Py_DECREF(live);
    ck_assert_int_eq(PyGC_Collect(), 0); /* the ring takes no part */
    ck_assert_int_eq(node_log.freed, 0);
    return ring;
}

static void
run_boehm(void)
{
    GC_gcollect();
    GC_invoke_finalizers();
}

/* What a finalizer may do, it may do during Py_Finalize. */
static void
make_objects(struct node *Py_UNUSED(self))
{
    for (int i = 0; i < 200; i++) {
        PyObject *pair = suite_require(Py_BuildValue("(is)", i, "text"));
        Py_DECREF(pair);
    }
}

START_TEST(waiting_set_dies_in_py_finalize)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = make_objects;
    waiting_ring(&node_final_type);
    ck_assert_int_eq(node_log.finalized, 0);
    Py_Finalize();
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(node_log.freed, 3);
    long cleared = node_log.cleared;
    ck_assert_int_ge(cleared, 1);

    for (int i = 0; i < 3; i++)
        run_boehm();
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(node_log.cleared, cleared);
    GC_set_finalize_on_demand(0);
    Py_Initialize(); /* for the fixture */
}

static void
make_garbage(struct node *self)
{
    if (self->label != -1)
        return;
    for (int i = 0; i < 10000; i++)
        node_drop_ring(&node_final_type, 1);
}

/* Garbage that is made while the library ends: it ends with it, and nothing
   is left for Boehm to finalize. */
START_TEST(no_set_waits_after_py_finalize)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_dealloc = make_garbage;
    struct node *last = node_new(&node_type);
    last->label = -1;
    ck_assert_int_eq(PySys_SetObject("last", (PyObject *)last), 0);
    Py_DECREF(last);
    Py_Finalize();
    ck_assert_int_eq(node_log.finalized, 10000);
    ck_assert_int_eq(node_log.freed, 10001);
    for (int i = 0; i < 3; i++)
        run_boehm();
    ck_assert_int_eq(node_log.finalized, 10000);
    GC_set_finalize_on_demand(0);
    Py_Initialize(); /* for the fixture */
}

static void
run_boehm_within(struct node *Py_UNUSED(self))
{
    run_boehm();
}

/* A set's own code has Boehm call the finalizer of that set. */
START_TEST(teardown_does_not_nest)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = run_boehm_within;
    for (int i = 0; i < 10; i++) {
        node_drop_ring(&node_final_type, 3);
        ck_assert_int_eq(PyGC_Collect(), 3);
    }
    ck_assert_int_eq(node_log.finalized, 30);
    ck_assert_int_eq(node_log.freed, 30);
    run_boehm();
    ck_assert_int_eq(node_log.freed, 30);
    GC_set_finalize_on_demand(0);
}

START_TEST(teardown_does_not_nest_in_py_finalize)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = run_boehm_within;
    waiting_ring(&node_final_type);
    GC_gcollect(); /* the finalizer is due */
    Py_Finalize();
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(node_log.freed, 3);
    run_boehm();
    GC_set_finalize_on_demand(0);
    Py_Initialize(); /* for the fixture */
}

/* A member that is untracked and tracked again has left the set that waits,
   whatever becomes of the generations meanwhile. */
static void
assert_left(void (*meanwhile)(void))
{
    node_reset();
    GC_set_finalize_on_demand(1);
    struct node *ring = waiting_ring(&node_type);

    PyObject_GC_UnTrack(ring);
    PyObject_GC_Track((PyObject *)ring);
    meanwhile();
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), 0);
    run_boehm();
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    GC_set_finalize_on_demand(0);
}

static void
collect_all(void)
{
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
}

static void
freeze_all(void)
{
    PyBoehm_GC_Freeze();
    PyBoehm_GC_Unfreeze();
}

START_TEST(member_that_left_a_waiting_set)
{
    assert_left(collect_all);
    assert_left(freeze_all);
}

static void
expect_nothing_cleared(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(node_log.cleared, 0);
}

static void
collect_automatically(void)
{
    int usual[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetThreshold(usual);
    PyBoehm_GC_SetThreshold((const int[]){1, 100, 100});
    Py_DECREF(node_new(&node_type));
    PyBoehm_GC_SetThreshold(usual);
}

/* The one with the lowest or the highest address, which is the first or the
   last in the set, has left it; the others are finalized, then cleared. */
static void
assert_others_die(int high)
{
    struct node *all[3], *left = NULL;

    node_reset();
    GC_set_finalize_on_demand(1);
    node_log.on_finalize = expect_nothing_cleared;
    for (int i = 0; i < 3; i++) {
        all[i] = node_ring(&node_final_type, 1);
        if (left == NULL || (all[i] > left) == high)
            left = all[i];
    }
    for (int i = 0; i < 3; i++)
        Py_DECREF(all[i]);
    collect_automatically();
    ck_assert_int_eq(node_log.finalized, 0);
    PyObject_GC_UnTrack(left);
    run_boehm();
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.freed, 3);
    node_log.on_finalize = NULL;
    PyObject_GC_Track((PyObject *)left);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(node_log.freed, 4);
    GC_set_finalize_on_demand(0);
}

START_TEST(the_others_of_a_set_that_one_left)
{
    assert_others_die(0);
    assert_others_die(1);
}

/* The block of a member that dies in the meantime, a large one, goes back when
   the set is done. */
START_TEST(block_of_a_member_that_died)
{
    static PyTypeObject vast_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Vast",
        .tp_base = &node_type,
        .tp_basicsize = 10000,
    };
    GC_word used[3];

    node_reset();
    ck_assert_int_eq(PyType_Ready(&vast_type), 0);
    GC_set_finalize_on_demand(1);
    for (int i = 0; i < 3; i++) {
        struct node *ring = node_ring(&vast_type, 1);
        long freed = node_log.freed;

        Py_DECREF(ring);
        collect_automatically();
        ck_assert_ptr_eq(ring->left, ring);
        Py_CLEAR(ring->left);
        ck_assert_int_eq(node_log.freed, freed + 2);
        run_boehm();
        used[i] = GC_get_non_gc_bytes();
    }
    ck_assert_int_eq(used[2], used[1]);
    GC_set_finalize_on_demand(0);
}

START_TEST(pending_exception_survives_a_waiting_set)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    node_drop_ring(&node_final_type, 3);
    collect_automatically();
    PyErr_SetString(PyExc_KeyError, "mine");
    run_boehm();
    ck_assert_int_eq(node_log.freed, 4);
    suite_exception(PyExc_KeyError, "'mine'");
    GC_set_finalize_on_demand(0);
}

static int
count_nodes(PyObject *op, void *count)
{
    *(int *)count +=
        Py_IS_TYPE(op, &node_type) || Py_IS_TYPE(op, &node_final_type);
    return 1;
}

static int
visible_nodes(void)
{
    int count = 0;

    PyUnstable_GC_VisitObjects(count_nodes, &count);
    return count;
}

START_TEST(members_of_a_waiting_set_are_visited)
{
    node_reset();
    GC_set_finalize_on_demand(1);
    struct node *ring = waiting_ring(&node_type);

    ck_assert_int_eq(visible_nodes(), 3);
    Py_INCREF(ring);
    node_link(ring, NULL, NULL); /* the other two die by count */
    ck_assert_int_eq(node_log.freed, 2);
    ck_assert_int_eq(visible_nodes(), 1);
    run_boehm();
    ck_assert_int_eq(visible_nodes(), 1);
    Py_DECREF(ring);
    ck_assert_int_eq(visible_nodes(), 0);
    GC_set_finalize_on_demand(0);
}

static int looks, seen_in_looks;

static void
look(struct node *Py_UNUSED(node))
{
    looks++;
    seen_in_looks += visible_nodes();
}

/* As CPython's, whose lists they are not in. */
START_TEST(members_of_a_set_that_is_torn_down_are_not_visited)
{
    struct node *alive;

    for (int late = 0; late < 2; late++) {
        node_reset();
        looks = seen_in_looks = 0;
        alive = node_new(&node_type);
        node_log.on_finalize = node_log.on_clear = look;
        GC_set_finalize_on_demand(late);
        node_drop_ring(&node_final_type, 3);
        if (late)
            collect_automatically();
        else
            ck_assert_int_eq(PyGC_Collect(), 3);
        ck_assert_int_eq(looks == 0, late);
        run_boehm();
        ck_assert_int_eq(node_log.freed, 3 + late);
        ck_assert_int_eq(looks, 3 + node_log.cleared);
        ck_assert_int_gt(node_log.cleared, 0);
        ck_assert_int_eq(seen_in_looks, looks);
        GC_set_finalize_on_demand(0);
        Py_DECREF(alive);
    }
    node_reset();
}

/* ------------------------------------------------------------------ */
/* The collector's switch                                              */

static int
enable(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    PyGC_Enable();
    return 1;
}

static int
disable(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    PyGC_Disable();
    return 1;
}

START_TEST(visiting_leaves_the_collector_as_it_was)
{
    node_reset();
    struct node *node = node_new(&node_type);

    PyGC_Disable();
    PyUnstable_GC_VisitObjects(enable, NULL);
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    PyGC_Enable();
    PyUnstable_GC_VisitObjects(disable, NULL);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    Py_DECREF(node);
}

/* ------------------------------------------------------------------ */
/* A heap with a limit                                                 */

/* A ring that leaves no room for one more node; n is their number. */
static struct node *
ring_that_fills_the_heap(long *n)
{
    struct node *first = node_new(&node_type), *last = first, *next;

    *n = 1;
    while ((next = PyObject_GC_New(struct node, &node_type)) != NULL) {
        next->left = next->right = next->host = NULL;
        PyObject_GC_Track((PyObject *)next);
        last->left = (PyObject *)next;
        last = next;
        ++*n;
    }
    last->left = Py_NewRef(first);
    suite_exception(PyExc_MemoryError, NULL);
    return first;
}

/* Neither the collection nor the set has memory of Boehm's to use. */
START_TEST(garbage_that_fills_a_limited_heap_is_collected)
{
    enum { LIMIT = 32 << 20 };
    node_reset();
    GC_set_warn_proc(GC_ignore_warn_proc);
    GC_set_max_heap_size(LIMIT);
    for (int round = 0; round < 2; round++) {
        long n, freed = node_log.freed;
        struct node *ring = ring_that_fills_the_heap(&n);

        ck_assert_int_ge(n, LIMIT / 4 / (long)sizeof *ring);
        Py_DECREF(ring);
        ck_assert_int_eq(PyGC_Collect(), n);
        ck_assert_int_eq(node_log.freed - freed, n);
        node_drop_ring(&node_type, 10000);
        ck_assert_int_eq(PyGC_Collect(), 10000);
    }
    GC_set_max_heap_size(0);
}

int
main(void)
{
    return suite_run_unquarantined("gc: manners");
}
