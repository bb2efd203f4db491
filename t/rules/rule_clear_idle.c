/* rule_clear_idle.c: breaks "drop references that may have created reference
   cycles": a tp_clear that drops nothing.

   It is called in every collection, and the cycle stays. */

#include "../support/node.h"
#include "../support/suite.h"

static long called;

static int
idle_clear(PyObject *op)
{
    ck_assert_int_eq(Py_REFCNT(op), 2); /* the collector holds one more */
    called++;
    return 0;
}

static PyTypeObject idle_type = {
    NODE_TYPE("t.Idle", node_dealloc, node_traverse, idle_clear)};

START_TEST(the_cycle_stays_and_is_counted)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&idle_type), 0);
    struct node *ring = node_ring(&idle_type, 2);

    Py_DECREF(ring);
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(PyGC_Collect(), 2);
        ck_assert_int_eq(called, 2 * i);
    }
    ck_assert_int_eq(node_log.freed, 0);
    Py_CLEAR(ring->left);
    ck_assert_int_eq(node_log.freed, 2);
}

/* What the counts free first is gone: not every tp_clear is called. */
START_TEST(one_that_drops_is_enough)
{
    node_reset();
    node_drop_ring(&node_type, 10);
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.cleared, 1);
    ck_assert_int_eq(node_log.freed, 10);
}
