/* check_marking.c: behind the API: the two passes of a collection.

   The verdict on graphs made by chance is compared with a simple model's, by
   the way of few candidates and by the way of many. */

#include "../support/node.h"
#include "../support/suite.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "gc/cycle.h"
#include "gc/gcref.h"
#include "gc/marking.h"

/* Few candidates, and many. */
enum { FEW = 8000, MANY = PYB_CYCLE_FEW + 1000 };
_Static_assert((int)FEW < (int)PYB_CYCLE_FEW, "few");
static const int sizes[] = {FEW, MANY};

static struct node *nodes[MANY];
static int n_nodes;

static void
begin(int n)
{
    Py_Initialize();
    node_reset();
    PyGC_Disable();
    n_nodes = n;
    for (int i = 0; i < n; i++)
        nodes[i] = node_new(&node_type);
}

/* Takes the nodes apart again. */
static void
end(void)
{
    for (int i = 0; i < n_nodes; i++) {
        nodes[i]->left = nodes[i]->right = NULL;
        Py_SET_REFCNT((PyObject *)nodes[i], 1);
        Py_DECREF(nodes[i]);
    }
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* Graphs, and the model                                               */

static uint64_t seed;

static unsigned
chance(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

static long outside[MANY]; /* references that no node has; -1: too few */
static char alive[MANY];

/* Where an edge of a graph of the kind leads from node i. */
static PyObject *
target(unsigned kind, int i)
{
    int to;

    switch (chance(8) == 0 ? chance(6) : kind) {
    case 0:
        return NULL;
    case 1:
        to = i + 1;
        break;
    case 2:
        to = (int)chance((unsigned)n_nodes);
        break;
    case 3: /* near by */
        to = i + n_nodes - 8 + (int)chance(17);
        break;
    case 4: /* a node that many refer to */
        to = n_nodes / 2;
        break;
    default: /* a ring of its own, of up to eight */
        to = i % 8 < 7 && i + 1 < n_nodes ? i + 1 : i & ~7;
    }
    return (PyObject *)nodes[to % n_nodes];
}

/* The number of references from outside, seldom an odd one. */
static long
owned(unsigned rarity)
{
    if (chance(rarity) != 0)
        return 0;
    switch (chance(20)) {
    case 0:
        return pyb_checks ? 1 : -1;
    case 1:
        return PYB_GCREF_MAX + (long)chance(100);
    default:
        return 1 + (long)chance(3);
    }
}

static void
make_graph(void)
{
    unsigned left = chance(6), right = chance(6);
    unsigned rarity = (unsigned[]){2, 50, 1000, 2 * MANY}[chance(4)];

    for (int i = 0; i < n_nodes; i++)
        Py_SET_REFCNT((PyObject *)nodes[i], 0);
    for (int i = 0; i < n_nodes; i++) {
        nodes[i]->label = i;
        nodes[i]->left = target(left, i);
        nodes[i]->right = target(right, i);
        Py_XINCREF(nodes[i]->left);
        Py_XINCREF(nodes[i]->right);
    }
    for (int i = 0; i < n_nodes; i++) {
        Py_ssize_t inside = Py_REFCNT((PyObject *)nodes[i]);

        outside[i] = owned(rarity);
        if (inside + outside[i] > 0) {
            Py_SET_REFCNT((PyObject *)nodes[i], inside + outside[i]);
        } else { /* some are being deallocated just now */
            outside[i] = 1;
            Py_SET_REFCNT((PyObject *)nodes[i], chance(4) ? inside + 1 : 0);
        }
    }
}

/* Which nodes live; returns how many do not. */
static size_t
model(void)
{
    static int stack[MANY];
    int depth = 0;
    size_t dead = (size_t)n_nodes;

    memset(alive, 0, sizeof alive);
    for (int i = 0; i < n_nodes; i++) {
        if (outside[i] != 0 && !alive[i]) {
            alive[i] = 1;
            stack[depth++] = i;
        }
        while (depth > 0) {
            struct node *node = nodes[stack[--depth]];
            PyObject *next[2] = {node->left, node->right};

            dead--;
            for (int j = 0; j < 2; j++)
                if (next[j] != NULL &&
                    !alive[((struct node *)next[j])->label]) {
                    alive[((struct node *)next[j])->label] = 1;
                    stack[depth++] = (int)((struct node *)next[j])->label;
                }
        }
    }
    return dead;
}

/* The collector says the same. */
static void
judge(enum pyb_generation oldest, size_t dead)
{
    struct pyb_walk walk = pyb_walk_generation(oldest);
    struct pyb_cycle_result result = pyb_cycle_deduce(walk, PYB_UNTRACK_NONE);

    ck_assert_uint_eq(result.dead, dead);
    ck_assert_uint_eq(result.alive, pyb_walk_count(walk) - dead);
    ck_assert_int_eq(result.sound, 1);
    for (int i = 0; i < n_nodes; i++)
        if (pyb_cycle_is_dead((PyObject *)nodes[i]) == alive[i])
            ck_abort_msg("node %d is %s", i, alive[i] ? "alive" : "dead");
    pyb_cycle_forget(walk);
}

/* A verdict on one more graph. */
static void
judge_one(int round)
{
    seed = (uint64_t)round;
    make_graph();
    judge(round % 2 ? PYB_YOUNG : PYB_OLD, model());
}

START_TEST(graphs_by_chance)
{
    int rounds = suite_is_slow() ? 10 : pyb_checks ? 100 : 1500;

    begin(FEW);
    for (int round = 0; round < rounds; round++)
        judge_one(round);
    end();
    begin(MANY);
    for (int round = 0; round < rounds / 4; round++)
        judge_one(round);
    end();
}

/* Nodes that all hang on one list: more than the stacks hold. */
START_TEST(wide_lists)
{
    enum { WIDE = 100000, ALL = 2 * WIDE + FEW + 1 };
    PyObject *list;
    struct pyb_walk walk;

    begin(FEW);
    list = PyList_New(0);
    for (int i = 0; i < WIDE; i++) {
        struct node *first = node_new(&node_type);
        struct node *second = node_new(&node_type);

        node_link(first, second, i % 100 == 0 ? list : NULL);
        node_link(second, first, nodes[i % FEW]);
        Py_DECREF(second);
        ck_assert_int_eq(PyList_Append(list, (PyObject *)first), 0);
        Py_DECREF(first);
    }
    for (int i = 0; i < FEW; i++) {
        alive[i] = 1;
        Py_DECREF(nodes[i]);
    }
    judge(PYB_OLD, 0);
    /* All at once is dead, and revived. */
    memset(alive, 0, sizeof alive);
    Py_SET_REFCNT(list, Py_REFCNT(list) - 1);
    judge(PYB_OLD, ALL);
    walk = pyb_walk_generation(PYB_OLD);
    ck_assert_uint_eq(pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).dead, ALL);
    pyb_marking_resurrect(list, walk);
    for (int i = 0; i < FEW; i++)
        ck_assert(!pyb_cycle_is_dead((PyObject *)nodes[i]));
    pyb_cycle_forget(walk);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), ALL);
    ck_assert_int_eq(node_log.freed, node_log.made);
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* Whole collections, beside few nodes or many                         */

static void
collect(Py_ssize_t dead)
{
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), dead);
    PyGC_Disable();
}

START_TEST(untracked)
{
    enum { M = 10000 };
    static PyObject *tuples[M], *dicts[M];

    for (int k = 0; k < 2; k++) {
        begin(sizes[k]);
        for (int i = 0; i < M; i++) {
            tuples[i] =
                Py_BuildValue("(iO)", i, i % 3 ? Py_None : Py_Ellipsis);
            dicts[i] = i % 7 ? PyTuple_Pack(1, tuples[i])
                             : Py_BuildValue("(N)", PyList_New(0));
            ck_assert(tuples[i] != NULL && dicts[i] != NULL);
        }
        collect(0);
        collect(0);
        for (int i = 0; i < M; i++) {
            ck_assert(!PyObject_GC_IsTracked(tuples[i]));
            ck_assert_int_eq(PyObject_GC_IsTracked(dicts[i]), i % 7 == 0);
            suite_drop(tuples[i], dicts[i]);
        }
        end();
    }
}

static PyObject *rescued;

static void
rescue(struct node *node)
{
    if (node->label % 10 == 0)
        ck_assert_int_eq(PyList_Append(rescued, (PyObject *)node), 0);
}

/* Pairs with finalizers; every tenth finalizer brings its node back to life,
   and so the other one of the pair. */
START_TEST(resurrected)
{
    enum { M = 5000 };

    for (int k = 0; k < 2; k++) {
        begin(sizes[k]);
        node_log.on_finalize = rescue;
        rescued = PyList_New(0);
        for (int i = 0; i < M; i++) {
            struct node *ring = node_ring(&node_final_type, 2);

            ring->label = 1 + i % 10;
            ((struct node *)ring->left)->label = 1;
            Py_DECREF(ring);
        }
        collect(2 * M - 2 * M / 10);
        ck_assert_int_eq(node_log.freed, 2 * M - 2 * M / 10);
        ck_assert_int_eq(PyList_GET_SIZE(rescued), M / 10);
        node_log.on_finalize = NULL;
        Py_DECREF(rescued);
        collect(2 * M / 10);
        ck_assert_int_eq(node_log.freed, 2 * M);
        end();
    }
}

static void
legacy_del(PyObject *Py_UNUSED(op))
{
}

static PyTypeObject legacy_type = {
    NODE_TYPE("t.Legacy", node_dealloc, node_traverse, node_clear),
    .tp_del = legacy_del};

/* Pairs, every other one with a node that has tp_del: neither goes. */
START_TEST(legacy)
{
    enum { M = 5000 };
    static struct node *kept[M];

    for (int k = 0; k < 2; k++) {
        begin(sizes[k]);
        ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
        for (int i = 0; i < M; i++) {
            node_drop_ring(&node_type, 2);
            kept[i] = node_new(&node_type);
            struct node *other = node_new(&legacy_type);
            node_link(kept[i], other, NULL);
            node_link(other, kept[i], NULL);
            suite_drop(other, kept[i]);
        }
        collect(4 * M);
        ck_assert_int_eq(node_log.freed, 2 * M);
        for (int i = 0; i < M; i++)
            Py_CLEAR(kept[i]->left);
        end();
    }
}

/* A list of more than the stack holds: what was pending is untracked like the
   rest, and what is dead beside it stays so. */
START_TEST(wide_lists_beside_garbage)
{
    enum { WIDE = 100000, RINGS = 1000 };

    begin(FEW);
    PyObject *list = PyList_New(0);
    for (int j = 0; j < WIDE; j++) {
        PyObject *tuple = Py_BuildValue("(i)", j);

        ck_assert_int_eq(PyList_Append(list, tuple), 0);
        Py_DECREF(tuple);
        if (j % (WIDE / RINGS) == 0)
            node_drop_ring(&node_type, 2);
    }
    collect(2 * RINGS);
    for (int j = 0; j < WIDE; j++)
        ck_assert(!PyObject_GC_IsTracked(PyList_GET_ITEM(list, j)));
    Py_DECREF(list);
    end();
}

/* What has been untracked is not counted among the living. */
START_TEST(the_living_are_counted)
{
    for (int k = 0; k < 2; k++) {
        begin(sizes[k]);
        PyObject *tuple = Py_BuildValue("(i)", k);
        PyObject *outer = PyTuple_Pack(2, tuple, nodes[0]);

        node_drop_ring(&node_type, 3);
        struct pyb_walk walk = pyb_walk_generation(PYB_OLD);
        size_t n = pyb_walk_count(walk);
        struct pyb_cycle_result result =
            pyb_cycle_deduce(walk, PYB_UNTRACK_ALL);
        ck_assert_uint_le(pyb_walk_count(walk), n - 1);
        ck_assert_uint_eq(result.dead, 3);
        ck_assert_uint_eq(result.alive, pyb_walk_count(walk) - 3);
        ck_assert_int_eq(result.sound, 1);
        pyb_cycle_forget(walk);
        collect(3);
        suite_drop(tuple, outer);
        end();
    }
}

/* A traversal goes on after an object that is not in Boehm's heap. */
START_TEST(strangers_hide_nobody)
{
    for (int k = 0; k < 2; k++) {
        const int n = sizes[k];

        begin(n);
        for (int i = 0; i < n; i++)
            node_link(nodes[i], &node_type, nodes[(i + 1) % n]);
        for (int i = 0; i < n; i++)
            Py_DECREF(nodes[i]);
        memset(alive, 0, sizeof alive);
        judge(PYB_OLD, (size_t)n);
        Py_SET_REFCNT((PyObject *)nodes[0], 2);
        memset(alive, 1, sizeof alive);
        judge(PYB_OLD, 0);
        end();
    }
}

int
main(void)
{
    return suite_run_early("gc: marking");
}
