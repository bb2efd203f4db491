/* rule_track_missing.c: breaks "it must call PyObject_GC_Track" by never
   calling it.

   The collector does not know the object: its cycles leak, and what it owns
   is owned from outside. */

#include "../support/node.h"
#include "../support/suite.h"

/* A pair that nothing else refers to; only one of it is tracked. */
static struct node *
drop_pair(void)
{
    struct node *stranger = PyObject_GC_New(struct node, &node_type);
    struct node *known = node_new(&node_type);

    stranger->right = NULL;
    stranger->left = (PyObject *)known;
    known->left = (PyObject *)stranger;
    return stranger;
}

START_TEST(untracked_cycles_leak)
{
    node_reset();
    struct node *stranger = drop_pair();

    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)stranger), 0);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    PyObject_GC_Track((PyObject *)stranger);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 2);
}
