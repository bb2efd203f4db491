/* rule_collect.c: breaks what PyGC_Collect asks for: an enabled collector that
   is not at work already.

   It returns 0 at once; the garbage waits. */

#include "../support/node.h"
#include "../support/suite.h"

START_TEST(disabled_it_returns_0)
{
    node_reset();
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Disable(), 1);
    ck_assert_int_eq(PyGC_Disable(), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_Enable(), 0);
    ck_assert_int_eq(PyGC_Enable(), 1);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

static Py_ssize_t inner;

static void
collect(struct node *Py_UNUSED(node))
{
    inner += PyGC_Collect();
}

/* Garbage that comes up meanwhile is for the next collection. */
static void
drop_and_collect(struct node *Py_UNUSED(node))
{
    node_drop_ring(&node_type, 2);
    inner += PyGC_Collect();
}

START_TEST(inside_a_finalizer_it_returns_0)
{
    node_reset();
    node_log.on_finalize = drop_and_collect;
    node_drop_ring(&node_final_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(inner, 0);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(inside_tp_clear_it_returns_0)
{
    node_reset();
    node_log.on_clear = collect;
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(inner, 0);
    ck_assert_int_eq(node_log.freed, 3);
}

START_TEST(inside_a_dealloc_it_returns_0)
{
    node_reset();
    node_log.on_dealloc = collect;
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(inner, 0);
}
