/* rule_visit_objects.c: breaks what PyUnstable_GC_VisitObjects warns of:
   callbacks that allocate, free, collect, or return what is reserved.

   No object is visited after its death, none twice; no collection runs; and
   the collector is left as it was found. */

#include "../support/node.h"
#include "../support/suite.h"

enum { MANY = 1000 };

static struct node *nodes[MANY];
static int visits[MANY];

static void
make_nodes(void)
{
    node_reset();
    for (int i = 0; i < MANY; i++) {
        nodes[i] = node_new(&node_type);
        nodes[i]->label = i;
    }
}

static void
drop_nodes(void)
{
    for (int i = 0; i < MANY; i++)
        Py_CLEAR(nodes[i]);
}

/* Counts a visit; 1 if op is one of ours. */
static int
note(PyObject *op)
{
    if (!Py_IS_TYPE(op, &node_type) || ((struct node *)op)->label >= MANY)
        return 0;
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    visits[((struct node *)op)->label]++;
    return 1;
}

static void
expect_visited_once(void)
{
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    for (int i = 0; i < MANY; i++)
        ck_assert_int_eq(visits[i], 1);
}

static int
allocate(PyObject *op, void *arg)
{
    if (note(op)) {
        struct node *fresh = node_new(&node_type);

        fresh->label = MANY;
        ck_assert_int_eq(PyList_Append(arg, (PyObject *)fresh), 0);
        Py_DECREF(fresh);
    }
    return 1;
}

START_TEST(callbacks_may_allocate)
{
    PyObject *list = PyList_New(0);

    make_nodes();
    PyUnstable_GC_VisitObjects(allocate, list);
    expect_visited_once();
    ck_assert_int_eq(PyList_Size(list), MANY);
    Py_DECREF(list);
    drop_nodes();
}

/* Frees all but the node visited. */
static int
free_the_others(PyObject *op, void *Py_UNUSED(arg))
{
    if (note(op))
        for (int i = 0; i < MANY; i++)
            if (nodes[i] != (struct node *)op)
                Py_CLEAR(nodes[i]);
    return 1;
}

START_TEST(callbacks_may_free)
{
    int visited = 0;

    make_nodes();
    PyUnstable_GC_VisitObjects(free_the_others, NULL);
    ck_assert_int_eq(node_log.freed, MANY - 1);
    for (int i = 0; i < MANY; i++)
        visited += visits[i];
    ck_assert_int_eq(visited, 1);
    drop_nodes();
}

static int
collect(PyObject *op, void *Py_UNUSED(arg))
{
    if (note(op))
        ck_assert_int_eq(PyGC_Collect(), 0);
    return 1;
}

START_TEST(callbacks_may_ask_for_a_collection_in_vain)
{
    make_nodes();
    node_drop_ring(&node_final_type, 5);
    PyUnstable_GC_VisitObjects(collect, NULL);
    expect_visited_once();
    ck_assert_int_eq(node_log.finalized, 0);
    drop_nodes();
    ck_assert_int_eq(PyGC_Collect(), 5);
}

static int
stop_after(PyObject *op, void *arg)
{
    return !note(op) || --*(int *)arg > 0;
}

START_TEST(zero_stops)
{
    int left = 10, visited = 0;

    make_nodes();
    PyUnstable_GC_VisitObjects(stop_after, &left);
    for (int i = 0; i < MANY; i++)
        visited += visits[i];
    ck_assert_int_eq(visited, 10);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    drop_nodes();
}

static int
answer(PyObject *op, void *arg)
{
    note(op);
    return *(int *)arg;
}

/* Reserved: here they go on. */
START_TEST(other_results_go_on)
{
    int results[] = {2, -1};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(results); i++) {
        memset(visits, 0, sizeof visits);
        make_nodes();
        PyUnstable_GC_VisitObjects(answer, &results[i]);
        expect_visited_once();
        drop_nodes();
    }
}
