/* check_watch_census.c: all containers that are alive, and what owns them; it
   looks behind the API.  See lib/watch/why/census.h.  And each function of
   lib/watch that is fatal where what it has found contradicts itself is seen
   to be. */

#include "../support/suite.h"

#include "gc/heap/sidetable.h"
#include "pyboehm.h"
#include "watch/audit/findings.h"
#include "watch/audit/tally.h"
#include "watch/graph/graph.h"
#include "watch/memory/evidence.h"
#include "watch/report/listed.h"
#include "watch/why/census.h"
#include "watch/why/chains.h"
#include "watch/why/own.h"

static struct pyb_census census;

/* References to it from outside; -9 if it is not there. */
static Py_ssize_t
left(const void *op)
{
    const struct pyb_node *node = pyb_census_find(&census, op);

    return node != NULL && node->op == op ? node->left : -9;
}

START_TEST(who_owns_what)
{
    PyObject *outer = PyList_New(0), *inner = PyList_New(0);
    PyObject *tuple = PyTuple_Pack(2, inner, inner);

    ck_assert_int_eq(PyList_Append(outer, inner), 0);
    ck_assert_int_eq(PyList_Append(outer, outer), 0);
    PyObject_GC_UnTrack(tuple);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(outer), 1);
    ck_assert_int_eq(left(inner), 1);
    ck_assert_int_eq(left(tuple), 1);
    pyb_census_end(&census);
    Py_DECREF(inner);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(inner), 0);
    pyb_census_end(&census);
    suite_drop(tuple, outer);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

/* What an instance's own dict holds is the instance's. */
START_TEST(attributes_are_the_instances)
{
    PyObject *type = suite_class("s(){}", "T");
    PyObject *op = PyObject_CallNoArgs(type), *list = PyList_New(0), *dict;

    ck_assert_int_eq(PyObject_SetAttrString(op, "list", list), 0);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 1);
    ck_assert_int_eq(left(list), 1);
    pyb_census_end(&census);
    dict = PyObject_GenericGetDict(op, NULL);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(dict), 1);
    ck_assert_int_eq(left(list), 1);
    pyb_census_end(&census);
    suite_drop(dict, list, op, type);
}

START_TEST(boehms_reference_is_no_counted_one)
{
    PyObject *op = PyBoehm_Adopt(PyList_New(0));

    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 0);
    pyb_census_end(&census);
    Py_DECREF(PyBoehm_Disown(op));
}

START_TEST(others_are_not_found)
{
    PyObject *op = PyList_New(0), *gone = PyList_New(0);
    PyObject *number = PyLong_FromLong(123456);

    Py_DECREF(gone);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 1);
    ck_assert_int_eq(left(gone), -9);
    ck_assert_int_eq(left((char *)op + 16), -9);
    ck_assert_int_eq(left((char *)op + 1), -9);
    ck_assert_int_eq(left(number), -9);
    ck_assert_int_eq(left(&census), -9);
    ck_assert_int_eq(left(NULL), -9);
    ck_assert_int_eq(left((void *)~(uintptr_t)15), -9);
    pyb_census_end(&census);
    ck_assert_int_eq(left(op), -9);
    suite_drop(number, op);
}

/* Each container, in the order that was promised; and none afterwards is in
   the way of a collection. */
START_TEST(everybody_is_there_once)
{
    enum { N = 1000 };
    PyObject *all = PyList_New(0);

    for (int i = 0; i < N; i++) {
        PyObject *op = PyList_New(0);

        ck_assert_int_eq(PyList_Append(all, op), 0);
        Py_DECREF(op);
    }
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_uint_gt(census.n, N);
    for (size_t i = 0; i < census.n; i++)
        if (pyb_census_find(&census, census.nodes[i].op) != &census.nodes[i])
            ck_abort();
    for (int i = 0; i < N; i++)
        if (left(PyList_GET_ITEM(all, i)) != 0)
            ck_abort();
    pyb_census_end(&census);
    ck_assert_int_eq(PyList_Append(all, all), 0);
    Py_DECREF(all);
    ck_assert_int_eq(PyGC_Collect(), N + 1);
}

/* A chain from a list that only C owns to the list that it contains. */
static struct pyb_chains chains;

static size_t
chained(void)
{
    PyObject *inner = PyList_New(0), *outer = Py_BuildValue("[O]", inner);

    Py_DECREF(inner);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(pyb_chains_take(&chains, &census, NULL), 0);
    size_t number =
        pyb_chains_number(&chains, pyb_census_find(&census, inner));
    ck_assert_ptr_eq(census.nodes[chains.from[number] - 1].op, outer);
    return number;
}

START_TEST(chains_lead_to_roots)
{
    size_t number = chained();

    ck_assert_uint_eq(chains.length[number], 1);
    ck_assert_int_eq(chains.root[number], PYB_CHAIN_OUTSIDE);
    pyb_chains_check(&chains);
    PyObject *outer = census.nodes[chains.from[number] - 1].op;
    pyb_chains_end(&chains);
    pyb_census_end(&census);
    Py_DECREF(outer);
}

static void
without_root(void)
{
    size_t number = chained();

    chains.root[number] = PYB_CHAIN_NONE;
    pyb_chains_check(&chains);
}

static void
with_another_root(void)
{
    size_t number = chained();

    chains.root[number] = PYB_CHAIN_FROZEN;
    pyb_chains_check(&chains);
}

static void
of_another_length(void)
{
    size_t number = chained();

    chains.length[number]++;
    pyb_chains_check(&chains);
}

START_TEST(chains_that_contradict_themselves_are_fatal)
{
    SUITE_FATAL(without_root(), "a chain of containers has no root");
    SUITE_FATAL(with_another_root(), "a chain has another root than");
    SUITE_FATAL(of_another_length(), "a chain is not one step longer");
}

/* ------------------------------------------------------------------ */
/* Each is broken in a process of its own                              */

/* Two exchange their places and their numbers. */
static void
census_order(void)
{
    pyb_census_take(&census);
    struct pyb_node node = census.nodes[0];
    PyObject *other = census.nodes[1].op;

    *pyb_region_gcref(pyb_region_of(node.op), node.op) = 2;
    *pyb_region_gcref(pyb_region_of(other), other) = 1;
    census.nodes[0] = census.nodes[1];
    census.nodes[1] = node;
    pyb_census_check(&census);
}

static struct pyb_permanent own;

/* A container that is no one's own. */
static size_t
taken_own(void)
{
    PyObject *list = PyList_New(0);

    pyb_census_take(&census);
    pyb_own_take(&own, &census);
    return (size_t)(pyb_census_find(&census, list) - census.nodes);
}

/* Two blocks of a heap of four granules, and one of another. */
static struct pyb_block_span spans[] = {{0, 2, 1}, {2, 4, 1}, {6, 8, 1}};
static struct pyb_blocks blocks = {
    .begin = 0, .end = 64, .all = spans, .n = 3, .heap = 2};

/* Two containers; the first one has the first two blocks. */
static struct pyb_holder holders[] = {{.owner = 0, .next = 1},
                                      {.owner = 0, .next = PYB_NO_NUMBER},
                                      {.owner = PYB_NO_NUMBER}};
static uint32_t first_block[] = {0, PYB_NO_NUMBER};
static struct pyb_node nodes[2];
static struct pyb_evidence evidence = {
    .census = {.n = 2, .nodes = nodes},
    .first_block = first_block,
    .holders = holders,
};

static void
check_evidence(void)
{
    nodes[0].op = PyList_New(0);
    nodes[1].op = PyList_New(0);
    evidence.blocks = blocks;
    pyb_evidence_check(&evidence);
}

static struct pyb_finding all_findings[] = {
    {.what = "one", .n = 1}, {.what = "one", .n = 1, .slot = nodes}};
static struct pyb_findings findings = {all_findings, 2};

/* A picture of a list that nothing else is in. */
static struct pyb_graph graph;

static void
draw_list(void)
{
    PyObject *list = PyList_New(0);

    pyb_census_take(&graph.census);
    graph.numbers = calloc(graph.census.n, sizeof *graph.numbers);
    graph.nodes = calloc(1, sizeof *graph.nodes);
    graph.nodes[0] = pyb_census_find(&graph.census, list);
    graph.numbers[graph.nodes[0] - graph.census.nodes] = 1;
    graph.n = 1;
    graph.without_own = 1;
    pyb_own_take(&graph.own, &graph.census);
}

/* A report on all that there is, a list with a large number among it. */
static struct pyb_snapshot snapshot;
static struct pyb_retained retained;
static struct pyb_listed listed;

static void
take_report(void)
{
    PyObject *list = Py_BuildValue("[i]", 123456);

    pyb_snapshot_take(&snapshot);
    pyb_retained_take(&retained, &snapshot);
    pyb_listed_take(&listed, &snapshot, &retained);
    ck_assert_uint_gt(snapshot.plain.n, 0);
    ck_assert_int_ge(pyb_snapshot_find(&snapshot, list), 0);
}

/* The last object of the order that another one keeps, or that none does. */
static uint32_t
one_that_is_kept(int kept)
{
    size_t i = retained.dominators.n;

    while (i-- > 0)
        if ((retained.dominators.parent[retained.dominators.order[i]] != 0) ==
            kept)
            return retained.dominators.order[i];
    ck_abort();
}

static void
check_listed(void)
{
    pyb_listed_check(&listed, &snapshot, &retained);
}

START_TEST(a_census_that_contradicts_itself_is_fatal)
{
    PyObject *list = PyList_New(0);

    SUITE_FATAL((pyb_census_take(&census),
                 census.nodes[0].op = census.nodes[1].op,
                 pyb_census_check(&census)),
                "a container is not found in the census");
    SUITE_FATAL((pyb_census_take(&census), list->ob_refcnt = _Py_IMMORTAL_MIN,
                 pyb_census_check(&census)),
                "an immortal object has references that count");
    SUITE_FATAL(census_order(), "a container is out of order in the census");
    Py_DECREF(list);
}

START_TEST(blocks_that_contradict_themselves_are_fatal)
{
    SUITE_FATAL((blocks.heap = 4, pyb_blocks_check(&blocks)),
                "there are fewer blocks than in the heap");
    SUITE_FATAL((spans[1].end = 2, pyb_blocks_check(&blocks)),
                "a block ends before it begins");
    SUITE_FATAL((spans[1].begin = 3, pyb_blocks_check(&blocks)),
                "a block of the heap does not follow the one before");
    SUITE_FATAL((spans[2].begin = 3, pyb_blocks_check(&blocks)),
                "a block is within another one");
    SUITE_FATAL((blocks.end = 80, pyb_blocks_check(&blocks)),
                "the last block does not end where the heap does");
}

START_TEST(evidence_that_contradicts_itself_is_fatal)
{
    SUITE_FATAL((holders[1].owner = 1, check_evidence()),
                "a container has another one's block");
    SUITE_FATAL((holders[1].next = 0, check_evidence()),
                "a container has a block twice");
    SUITE_FATAL((holders[2].owner = 1, check_evidence()),
                "a block is not on its container's list");
}

START_TEST(findings_that_contradict_themselves_are_fatal)
{
    SUITE_FATAL((all_findings[1].slot = NULL, pyb_findings_check(&findings)),
                "a finding is in its list twice");
    SUITE_FATAL((all_findings[1].n = 0, pyb_findings_check(&findings)),
                "a finding is of no instances");
}

START_TEST(tallies_that_contradict_themselves_are_fatal)
{
    SUITE_FATAL((pyb_tally_of(&PyList_Type)->bucket++, pyb_tally_check()),
                "a tally is on another list");
    SUITE_FATAL((pyb_tally_of(&PyList_Type)->hidden = 0, pyb_tally_check()),
                "a tally is of no type, and nothing uses it");
    SUITE_FATAL((pyb_tally_of(&PyList_Type)->hidden ^= 16, pyb_tally_check()),
                "a type's tally is not found");
}

START_TEST(object_sets_that_contradict_themselves_are_fatal)
{
    struct pyb_objectset set = {.n = 0};

    SUITE_FATAL((set.n = 1, pyb_objectset_check(&set)),
                "a list of objects has more than room");
    SUITE_FATAL((pyb_objectset_add(&set, Py_None),
                 pyb_objectset_add(&set, Py_None), pyb_objectset_check(&set)),
                "a list of objects is not in order");
}

START_TEST(what_is_permanent_and_contradicts_itself_is_fatal)
{
    size_t number = taken_own();

    SUITE_FATAL((own.is[number] = 1, pyb_permanent_check(&own)),
                "others are permanent than were found");
    SUITE_FATAL((own.is[number] = 1, own.is[own.queue[0]] = 0,
                 pyb_permanent_check(&own)),
                "what was found is not permanent");
    pyb_own_end(&own);
    pyb_census_end(&census);
}

START_TEST(graphs_that_contradict_themselves_are_fatal)
{
    draw_list();
    SUITE_FATAL((graph.numbers[graph.nodes[0] - graph.census.nodes] = 2,
                 pyb_graph_check(&graph)),
                "a node has another number");
    SUITE_FATAL((graph.n = 0, pyb_graph_check(&graph)),
                "a graph has other nodes than containers with a number");
    SUITE_FATAL((graph.own.is[graph.nodes[0] - graph.census.nodes] = 1,
                 pyb_graph_check(&graph)),
                "a node is to be left out");
    pyb_own_end(&graph.own);
    pyb_census_end(&graph.census);
}

START_TEST(snapshots_that_contradict_themselves_are_fatal)
{
    take_report();
    SUITE_FATAL((snapshot.n--, pyb_snapshot_check(&snapshot)),
                "a snapshot has another number of objects");
    SUITE_FATAL((snapshot.own.census = &census, pyb_snapshot_check(&snapshot)),
                "a snapshot is of several censuses");
    SUITE_FATAL(
        (snapshot.state[0] |= PYB_THING_PLAIN, pyb_snapshot_check(&snapshot)),
        "an object is not behind the containers, or among");
    SUITE_FATAL((snapshot.type[0]++, pyb_snapshot_check(&snapshot)),
                "an object has not its type's number");
    SUITE_FATAL((snapshot.state[0] |= PYB_THING_GARBAGE,
                 snapshot.is_root[0] = 0, pyb_snapshot_check(&snapshot)),
                "garbage is kept by something");
    SUITE_FATAL(
        (snapshot.is_root[snapshot.n - 1] ^= 1, pyb_snapshot_check(&snapshot)),
        "a plain object is kept by others than its owners");
    SUITE_FATAL((retained.bytes[one_that_is_kept(0)]++,
                 pyb_retained_check(&retained, &snapshot)),
                "objects retain other bytes than there are");
    SUITE_FATAL((retained.bytes[one_that_is_kept(1)] = 0,
                 pyb_retained_check(&retained, &snapshot)),
                "an object retains less than itself");
    SUITE_FATAL((retained.rows[0].adopted = retained.rows[0].n + 1,
                 pyb_retained_check(&retained, &snapshot)),
                "a row has more of its objects than it has");
    SUITE_FATAL(
        (retained.rows[0].n++, pyb_retained_check(&retained, &snapshot)),
        "the rows have other objects than there are");
    SUITE_FATAL((listed.n--, check_listed()),
                "other objects are listed than have a place");
    SUITE_FATAL((listed.objects[0] = listed.objects[1], check_listed()),
                "a listed object is not in its place");
    SUITE_FATAL((retained.bytes[listed.objects[1]] = SIZE_MAX, check_listed()),
                "a listed object retains more than the one before");
    SUITE_FATAL((listed.owners[0].owner = (uint32_t)snapshot.census.n + 1,
                 check_listed()),
                "an owner is no container");
    SUITE_FATAL(
        (listed.owners[1].owner = listed.owners[0].owner = 1, check_listed()),
        "an owner is there twice, or behind none");
    pyb_listed_end(&listed);
    pyb_retained_end(&retained);
    pyb_snapshot_end(&snapshot);
}

START_TEST(what_is_in_order_is_not)
{
    pyb_blocks_check(&blocks);
    check_evidence();
    pyb_findings_check(&findings);
    pyb_tally_of(&PyList_Type);
    pyb_tally_check();
    draw_list();
    pyb_census_check(&graph.census);
    pyb_permanent_check(&graph.own);
    pyb_graph_check(&graph);
    pyb_own_end(&graph.own);
    pyb_census_end(&graph.census);
    take_report();
    pyb_snapshot_check(&snapshot);
    pyb_retained_check(&retained, &snapshot);
    check_listed();
    pyb_listed_end(&listed);
    pyb_retained_end(&retained);
    pyb_snapshot_end(&snapshot);
}
