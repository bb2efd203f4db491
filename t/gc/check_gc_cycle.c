/* check_gc_cycle.c: cycles of every shape are found, counted and freed. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>

START_TEST(nothing_to_collect)
{
    node_reset();
    ck_assert_int_eq(PyGC_Collect(), 0);
    struct node *live = node_new(&node_type);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(live);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(self_reference)
{
    node_reset();
    node_drop_ring(&node_type, 1);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(pair_with_a_hanger_on)
{
    node_reset();
    struct node *first = node_ring(&node_type, 2);
    struct node *third = node_new(&node_type);

    node_link(first, first->left, third);
    Py_DECREF(third);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(first);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
}

START_TEST(ring_of_a_million)
{
    enum { N = 1000000 };
    node_reset();
    struct node *ring = node_ring(&node_type, N);

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), N);
    ck_assert_int_eq(node_log.freed, N);
}

/* Every list holds every list, itself too. */
START_TEST(complete_graph)
{
    enum { N = 200 };
    PyObject *lists[N];

    PyGC_Collect();
    for (int i = 0; i < N; i++)
        ck_assert_ptr_nonnull(lists[i] = PyList_New(0));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ck_assert_int_eq(PyList_Append(lists[i], lists[j]), 0);
    ck_assert_int_eq(Py_REFCNT(lists[0]), N + 1);
    for (int i = 1; i < N; i++)
        Py_DECREF(lists[i]);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(lists[0]);
    ck_assert_int_eq(PyGC_Collect(), N);
}

/* More objects at once on the way than the collector's stack holds. */
START_TEST(wide_fan)
{
    enum { N = 300000 };
    PyObject *list = PyList_New(N);

    node_reset();
    PyGC_Collect();
    for (int i = 0; i < N; i++) {
        struct node *leaf = node_new(&node_type);
        node_link(leaf, node_new(&node_type), list);
        Py_DECREF(leaf->left);
        PyList_SET_ITEM(list, i, (PyObject *)leaf);
    }
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 2 * N + 1);
    ck_assert_int_eq(node_log.freed, 2 * N);
}

START_TEST(garbage_that_holds_live_objects)
{
    node_reset();
    struct node *live = node_ring(&node_type, 3);
    struct node *dead = node_ring(&node_type, 4);

    node_link(dead, dead->left, live);
    ck_assert_int_eq(Py_REFCNT(live), 3);
    Py_DECREF(dead);
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(node_log.freed, 4);
    ck_assert_int_eq(Py_REFCNT(live), 2);
    Py_DECREF(live);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

/* A ring counted from nowhere but a live object's member. */
START_TEST(live_objects_that_hold_what_looks_like_garbage)
{
    node_reset();
    struct node *live = node_new(&node_type);
    struct node *ring = node_ring(&node_type, 1000);

    node_link(live, NULL, ring);
    Py_DECREF(ring);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    Py_DECREF(live);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyGC_Collect(), 1000);
}

/* An untracked object's references are not explained: what it holds lives. */
START_TEST(untracked_owner_keeps_its_members)
{
    node_reset();
    struct node *owner = node_new(&node_type);
    struct node *ring = node_ring(&node_type, 2);

    node_link(owner, ring, owner);
    Py_DECREF(ring);
    PyObject_GC_UnTrack(owner);
    Py_DECREF(owner);
    ck_assert_int_eq(PyGC_Collect(), 0);
    PyObject_GC_Track((PyObject *)owner);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

/* A program that is wrong: its tp_traverse untracks another object, in the
   middle of a collection, and what that one holds seems to have no owner.  A
   second look tells. */
static PyObject *to_untrack;
static int visits_left;

static int
traverse_and_untrack(PyObject *op, visitproc visit, void *arg)
{
    if (visits_left > 0 && --visits_left == 0)
        PyObject_GC_UnTrack(to_untrack);
    return node_traverse(op, visit, arg);
}

static PyTypeObject untracking_type = {
    NODE_TYPE("t.Untracking", node_dealloc, traverse_and_untrack, node_clear)};

/* During the visit of that number to one before and one behind it. */
static void
untrack_during(int visit)
{
    struct node *nodes[3];

    node_reset();
    for (int i = 0; i < 3; i++)
        nodes[i] = node_new(i == 1 ? &node_type : &untracking_type);
    struct node *owned = node_ring(&node_type, 1);

    node_link(nodes[1], owned, NULL);
    Py_DECREF(owned);
    to_untrack = (PyObject *)nodes[1];
    visits_left = visit;
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, 0);
    visits_left = 0;
    for (int i = 0; i < 3; i++)
        Py_DECREF(nodes[i]);
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, node_log.made);
}

START_TEST(owner_that_is_untracked_meanwhile)
{
#ifdef PYBOEHM_CHECKS
    return; /* fatal there */
#endif
    ck_assert_int_eq(PyType_Ready(&untracking_type), 0);
    for (int visit = 1; visit <= 4; visit++)
        untrack_during(visit);
}

/* Without tp_clear a cycle cannot be broken: it is counted again and again. */
START_TEST(immutable_cycle_stays)
{
    node_reset();
    struct node *first = node_new(&node_fixed_type);

    node_link(first, first, NULL);
    Py_DECREF(first);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)first), 1);
    first->left = NULL;
    Py_DECREF(first);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* ------------------------------------------------------------------ */

/* Attached for as long as it runs. */
static void *
drop_chain(void *n)
{
    struct node *head = NULL;

    Py_Initialize();
    node_reset();
    PyGC_Disable();
    for (int i = 0; i < *(int *)n; i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head; /* the reference moves in */
        head = next;
    }
    Py_DECREF(head);
    Py_Finalize();
    return NULL;
}

START_TEST(chain_of_ten_million_on_a_small_stack)
{
    int n = suite_is_slow() ? 100000 : 10000000;
    pthread_attr_t attributes;
    pthread_t thread;

    Py_Finalize();
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, drop_chain, &n), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(node_log.freed, n);
    Py_Initialize();
}

/* Plain objects, without the collector, nest as deep. */
struct plain {
    PyObject_HEAD
    PyObject *next;
};
static long plain_freed;

static void
plain_dealloc(PyObject *op)
{
    plain_freed++;
    Py_XDECREF(((struct plain *)op)->next);
    PyObject_Free(op);
}

static PyTypeObject plain_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Plain",
    .tp_basicsize = sizeof(struct plain),
    .tp_dealloc = plain_dealloc,
};

START_TEST(chain_of_plain_objects)
{
    enum { N = 1000000 };
    struct plain *head = NULL;

    ck_assert_int_eq(PyType_Ready(&plain_type), 0);
    plain_freed = 0;
    for (int i = 0; i < N; i++) {
        struct plain *next =
            suite_require(PyObject_New(struct plain, &plain_type));
        next->next = (PyObject *)head;
        head = next;
    }
    Py_DECREF(head);
    ck_assert_int_eq(plain_freed, N);
}

START_TEST(chain_of_lists_and_tuples)
{
    enum { N = 1000000 };
    PyObject *head = PyTuple_New(0);

    for (int i = 0; i < N; i++) {
        PyObject *next = suite_require(i % 2 ? PyTuple_New(1) : PyList_New(1));
        if (i % 2)
            PyTuple_SET_ITEM(next, 0, head);
        else
            PyList_SET_ITEM(next, 0, head);
        head = next;
    }
    Py_DECREF(head);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* ------------------------------------------------------------------ */

/* Random graphs against a search of their own: what the roots do not reach is
   collected, to the last object. */
static void
mark_reachable(struct node **nodes, char *reachable, long i)
{
    long stack[512], depth = 0;

    stack[depth++] = i;
    while (depth > 0) {
        struct node *node = nodes[stack[--depth]];
        if (reachable[node->label])
            continue;
        reachable[node->label] = 1;
        if (node->left != NULL)
            stack[depth++] = ((struct node *)node->left)->label;
        if (node->right != NULL)
            stack[depth++] = ((struct node *)node->right)->label;
    }
}

START_TEST(random_graphs)
{
    enum { N = 120 };
    const int rounds = suite_is_slow() ? 200 : 2000;
    struct node *nodes[N];

    PyGC_Collect();
    srand(20);
    for (int round = 0; round < rounds; round++) {
        char reachable[N] = {0}, root[N] = {0};
        int expected = 0;

        node_reset();
        for (int i = 0; i < N; i++)
            nodes[i] = node_new(&node_type);
        for (int i = 0; i < N; i++)
            node_link(nodes[i], rand() % 3 ? nodes[rand() % N] : NULL,
                      rand() % 3 ? nodes[rand() % N] : NULL);
        for (int i = 0; i < N; i++)
            root[i] = rand() % 20 == 0;
        for (int i = 0; i < N; i++)
            if (root[i])
                mark_reachable(nodes, reachable, i);
        for (int i = 0; i < N; i++)
            if (!root[i])
                Py_DECREF(nodes[i]);
        for (int i = 0; i < N; i++)
            expected += !reachable[i];
        expected -= (int)node_log.freed; /* by count alone, before */
        ck_assert_int_eq(PyGC_Collect(), expected);
        for (int i = 0; i < N; i++)
            if (root[i])
                Py_DECREF(nodes[i]);
        PyGC_Collect();
        ck_assert_int_eq(node_log.freed, N);
    }
}

static void
never(PyObject *Py_UNUSED(op))
{
    ck_abort_msg("tp_del is not called by the collector");
}

/* What it keeps is more than the collector's stack holds, each with something
   more. */
START_TEST(tp_del_reaches_very_much)
{
    enum { WIDTH = 70000 };
    static PyTypeObject legacy_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Legacy",
        .tp_base = &node_type,
        .tp_del = never,
    };

    node_reset();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_ring(&legacy_type, 1);
    PyObject *list = suite_require(PyList_New(WIDTH));
    for (Py_ssize_t i = 0; i < WIDTH; i++) {
        struct node *held = node_new(&node_type);
        held->left = (PyObject *)node_new(&node_type);
        PyList_SET_ITEM(list, i, (PyObject *)held);
    }
    node_link(legacy, legacy, list);
    suite_drop(list, legacy);
    ck_assert_int_eq(PyGC_Collect(), 2 + 2 * WIDTH);
    ck_assert_int_eq(node_log.cleared, 0);
    node_link(legacy, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    ck_assert_int_eq(node_log.freed, 1 + 2 * WIDTH);
}
