/* check_gc_generations.c: how objects grow old, and how they are frozen. */

#include "../support/collector.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* Generations                                                         */

START_TEST(survivors_grow_old)
{
    collector_begin();
    struct node *node = node_new(&node_type);

    ck_assert_int_eq(collector_generation_of(node), 0);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(collector_generation_of(node), 1);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(collector_generation_of(node), 1);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq(collector_generation_of(node), 2);
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(collector_generation_of(node), 2);

    /* Tracked anew it is as good as new. */
    PyObject_GC_UnTrack(node);
    ck_assert_int_eq(collector_generation_of(node), -1);
    PyObject_GC_Track((PyObject *)node);
    ck_assert_int_eq(collector_generation_of(node), 0);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq(collector_generation_of(node), 2);
    Py_DECREF(node);
    collector_end();
}

/* A collection finds garbage of its generation and the younger ones. */
START_TEST(collections_leave_older_garbage)
{
    collector_begin();
    for (int age = 0; age < PyBoehm_GC_GENERATIONS; age++) {
        struct node *ring = node_ring(&node_type, 2);
        if (age > 0)
            PyBoehm_GC_Collect(age - 1);
        ck_assert_int_eq(collector_generation_of(ring), age);
        Py_DECREF(ring);
        for (int i = 0; i < age; i++)
            ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        ck_assert_int_eq(PyBoehm_GC_Collect(age), 2);
    }
    collector_end();
}

/* What was untracked is no garbage, whatever its generation was. */
START_TEST(the_untracked_have_no_generation)
{
    collector_begin();
    for (int age = 0; age < PyBoehm_GC_GENERATIONS; age++) {
        struct node *ring = node_ring(&node_type, 1);
        if (age > 0)
            PyBoehm_GC_Collect(age - 1);
        PyObject_GC_UnTrack(ring);
        Py_DECREF(ring);
        for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
            ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        node_link(ring, NULL, NULL);
        ck_assert_int_eq(node_log.freed, age + 1);
    }
    collector_end();
}

/* Young garbage that older garbage refers to is kept by it. */
START_TEST(older_garbage_keeps_younger)
{
    collector_begin();
    struct node *old = node_ring(&node_type, 1);
    PyBoehm_GC_Collect(0);
    struct node *young = node_ring(&node_type, 1);

    node_link(old, old, young);
    suite_drop(young, old);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 2);
    collector_end();
}

static void
resurrect(struct node *node)
{
    if (node->label >= 0) {
        node->label = -1;
        Py_INCREF(node);
    }
}

/* What comes back from a set has the next generation, as if it had survived
   all along. */
START_TEST(the_resurrected_grow_old)
{
    collector_begin();
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        struct node *node = node_ring(&node_final_type, 1);
        node_log.on_finalize = resurrect;
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        ck_assert_int_eq(collector_generation_of(node), i < 2 ? i + 1 : 2);
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(i < 2 ? i + 1 : 2), 1);
    }
    collector_end();
}

/* Also one with no other young object near by: it has memory pages of its
   own. */
START_TEST(the_lonely_grow_old)
{
    static PyTypeObject wide_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Wide",
        .tp_basicsize = 20000,
        .tp_base = &node_final_type,
    };

    collector_begin();
    ck_assert_int_eq(PyType_Ready(&wide_type), 0);
    PyGC_Disable();
    for (int i = 0; i < 2; i++) {
        struct node *node = node_ring(&wide_type, 1);
        node_log.on_finalize = resurrect;
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
        ck_assert_int_eq(collector_generation_of(node), 1);
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
        ck_assert_int_eq(PyBoehm_GC_Collect(1), 1);
    }
    collector_end();
}

/* So have those that cannot be cleared. */
START_TEST(the_uncleared_grow_old)
{
    collector_begin();
    struct node *node = node_ring(&node_fixed_type, 1);

    Py_DECREF(node);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 1);
    ck_assert_int_eq(collector_generation_of(node), 1);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 1);
    ck_assert_int_eq(collector_generation_of(node), 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 1);
    collector_end();
}

/* ------------------------------------------------------------------ */
/* Freezing                                                            */

START_TEST(the_frozen_are_not_looked_at)
{
    collector_begin();
    struct node *ring = node_ring(&node_type, 2);

    suite_new_repr(GC("freeze", NULL), "None");
    Py_ssize_t frozen = PyBoehm_GC_GetFreezeCount();
    ck_assert_int_gt(frozen, 2);
    suite_new_int(GC("get_freeze_count", NULL), frozen);
    ck_assert_int_eq(collector_generation_of(ring), -1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)ring), 1);
    Py_DECREF(ring);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
    ck_assert_int_eq(node_log.freed, 0);

    /* What is made later is collected. */
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), frozen);

    suite_new_repr(GC("unfreeze", NULL), "None");
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), 0);
    ck_assert_int_eq(collector_generation_of(ring), 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    collector_end();
}

/* A set that waits for the host's GC_invoke_finalizers is in no generation: it
   is not frozen with the others, and a young survivor of it is middle-aged. */
START_TEST(a_waiting_set_is_not_frozen)
{
    collector_begin();
    PyGC_Disable();
    int before = GC_get_finalize_on_demand();
    GC_set_finalize_on_demand(1);
    PyBoehm_GC_SetThreshold((const int[]){1, 100, 100});
    struct node *ring = node_ring(&node_final_type, 3);
    Py_DECREF(ring);
    PyGC_Enable();
    Py_DECREF(node_new(&node_type)); /* collects automatically */
    PyGC_Disable();
    ck_assert_int_eq(node_log.finalized, 0);
    ck_assert_int_eq(collector_generation_of(ring), -1);

    PyBoehm_GC_Freeze();
    Py_ssize_t frozen = PyBoehm_GC_GetFreezeCount();
    node_log.on_finalize = resurrect;
    ring->label = 0;
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_eq(node_log.finalized, 3);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), frozen);
    ck_assert_int_eq(collector_generation_of(ring), 1);
    GC_set_finalize_on_demand(before);
    PyBoehm_GC_Unfreeze();
    collector_end();
}

START_TEST(freeze_begins_to_count_anew)
{
    int counts[PyBoehm_GC_GENERATIONS];

    collector_begin();
    PyGC_Disable();
    PyBoehm_GC_Collect(1);
    PyBoehm_GC_Collect(0);
    struct node *node = node_new(&node_type);
    PyBoehm_GC_Freeze();
    PyBoehm_GC_GetCount(counts);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        ck_assert_int_eq(counts[i], 0);
    PyBoehm_GC_Unfreeze();
    Py_DECREF(node);
    collector_end();
}

/* Makes a ring of n; the generation that is collected automatically with its
   last node. */
static int
make_ring(struct node **ring, long n)
{
    PyGC_Disable();
    *ring = node_ring(&node_type, n - 1);
    memset(&collector_noted, 0, sizeof collector_noted);
    PyGC_Enable();
    struct node *last = node_new(&node_type);
    PyGC_Disable();
    node_link(last, *ring, NULL);
    Py_DECREF(*ring);
    *ring = last;
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        if (collector_noted.starts[i] == 1)
            return i;
    return -1;
}

/* How many objects a full collection leaves. */
static long
collect_and_count(void)
{
    PyBoehm_GC_Objects old;

    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_GetObjects(2, &old), 0);
    long n = (long)old.n;
    PyBoehm_GC_FreeObjects(&old);
    ck_assert_int_gt(n, 1);
    return n;
}

/* The last generation is due when more than were in it have come since.  What
   the collection untracked was not in it. */
START_TEST(the_last_generation_must_have_doubled)
{
    struct node *rings[4];
    PyObject *atomic[5];

    collector_begin();
    collector_note_all();
    for (int i = 0; i < 5; i++)
        atomic[i] = PyTuple_Pack(1, Py_None);
    long n = collect_and_count();
    ck_assert_int_eq(PyObject_GC_IsTracked(atomic[0]), 0);
    PyBoehm_GC_SetThreshold((const int[]){1, 1, 0});
    PyGC_Disable();
    rings[0] = node_ring(&node_type, n);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(make_ring(&rings[1], 3), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(make_ring(&rings[2], 3), 2);
    ck_assert_int_eq(make_ring(&rings[3], 3), 0);
    for (int i = 0; i < 4; i++)
        Py_DECREF(rings[i]);
    for (int i = 0; i < 5; i++)
        Py_DECREF(atomic[i]);
    collector_end();
}

START_TEST(the_last_generation_is_due_above_its_threshold)
{
    struct node *rings[4];

    collector_begin();
    collector_note_all();
    long n = collect_and_count();
    PyBoehm_GC_SetThreshold((const int[]){1, 100, 2});
    PyGC_Disable();
    rings[0] = node_ring(&node_type, n + 1);
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
        ck_assert_int_eq(make_ring(&rings[i], 3), i > 2 ? 2 : 0);
    }
    for (int i = 0; i < 4; i++)
        Py_DECREF(rings[i]);
    collector_end();
}

START_TEST(the_thawed_count_as_old)
{
    struct node *rings[4];

    collector_begin();
    collector_note_all();
    long n = collect_and_count();
    PyBoehm_GC_Freeze();
    PyBoehm_GC_Unfreeze();
    PyBoehm_GC_SetThreshold((const int[]){1, 100, 0});
    PyGC_Disable();
    rings[0] = node_ring(&node_type, n / 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(make_ring(&rings[1], 3), 0); /* not doubled yet */
    rings[2] = node_ring(&node_type, n);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(make_ring(&rings[3], 3), 2);
    for (int i = 0; i < 4; i++)
        Py_DECREF(rings[i]);
    collector_end();
}

static void
assert_due_above_threshold(void)
{
    enum { THRESHOLD = 20 };
    struct node *nodes[THRESHOLD + 1];

    collector_begin();
    collector_note_all();
    PyBoehm_GC_SetThreshold((const int[]){THRESHOLD, 100, 100});
    PyGC_Collect();
    memset(&collector_noted, 0, sizeof collector_noted);
    for (int i = 0; i < THRESHOLD; i++)
        nodes[i] = node_new(&node_type);
    ck_assert_int_eq(collector_noted.starts[0], 0);
    nodes[THRESHOLD] = node_new(&node_type);
    ck_assert_int_eq(collector_noted.starts[0], 1);
    for (int i = 0; i <= THRESHOLD; i++)
        Py_DECREF(nodes[i]);
    collector_end();
}

/* With the object that makes them more. */
START_TEST(the_youngest_is_due_above_its_threshold)
{
    assert_due_above_threshold();
    suite_with_checks();
    assert_due_above_threshold();
}

START_TEST(the_frozen_keep_what_they_refer_to)
{
    collector_begin();
    struct node *frozen = node_new(&node_type);
    PyBoehm_GC_Freeze();
    struct node *young = node_ring(&node_type, 1);

    node_link(frozen, young, NULL);
    Py_DECREF(young);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    node_link(frozen, NULL, NULL);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 1);

    /* The frozen die by their count, and untracking ends their freeze. */
    Py_ssize_t before = PyBoehm_GC_GetFreezeCount();
    Py_DECREF(frozen);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), before - 1);
    ck_assert_int_eq(node_log.freed, 2);
    collector_end();
}

START_TEST(a_thawed_object_is_young_when_tracked_anew)
{
    collector_begin();
    struct node *node = node_new(&node_type);

    PyBoehm_GC_Freeze();
    PyObject_GC_UnTrack(node);
    PyObject_GC_Track((PyObject *)node);
    ck_assert_int_eq(collector_generation_of(node), 0);
    PyBoehm_GC_Unfreeze();
    ck_assert_int_eq(collector_generation_of(node), 0);
    Py_DECREF(node);
    collector_end();
}

static int
look_for(PyObject *op, void *arg)
{
    PyObject **wanted = arg;

    if (op != *wanted)
        return 1;
    *wanted = NULL;
    return 0;
}

START_TEST(visit_objects_shows_the_frozen)
{
    collector_begin();
    struct node *node = node_new(&node_type);
    PyObject *wanted = (PyObject *)node;

    PyBoehm_GC_Freeze();
    PyUnstable_GC_VisitObjects(look_for, &wanted);
    ck_assert_ptr_null(wanted);
    Py_DECREF(node);
    collector_end();
}

static void
freeze(struct node *Py_UNUSED(node))
{
    PyBoehm_GC_Freeze();
}

/* What dies is not frozen with the others. */
START_TEST(a_finalizer_may_freeze)
{
    node_reset();
    node_log.on_finalize = freeze;
    node_drop_ring(&node_final_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(node_log.finalized, 3);
    PyBoehm_GC_Unfreeze();
}
