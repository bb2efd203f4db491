/* rule_clear_missing.c: breaks "if instances of the type are mutable, a
   tp_clear implementation must also be provided".

   Nothing can break the cycle: it is found, counted, and stays, in every
   collection anew.  A type that cannot make cycles alone needs none. */

#include "../support/node.h"
#include "../support/suite.h"

START_TEST(cycles_of_such_objects_stay)
{
    node_reset();
    struct node *ring = node_ring(&node_fixed_type, 3);

    Py_DECREF(ring);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)ring), 1);
    Py_CLEAR(ring->left);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(one_mutable_member_suffices)
{
    node_reset();
    struct node *fixed = node_new(&node_fixed_type);
    struct node *mutable = node_new(&node_type);

    node_link(fixed, mutable, NULL);
    node_link(mutable, fixed, NULL);
    suite_drop(fixed, mutable);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.cleared, 1);
    ck_assert_int_eq(node_log.freed, 2);
}

START_TEST(tuples_go_by_what_they_hold)
{
    PyObject *list = PyList_New(0), *tuple = PyTuple_Pack(1, list);

    ck_assert_ptr_null(PyTuple_Type.tp_clear);
    ck_assert_int_eq(PyList_Append(list, tuple), 0);
    suite_drop(tuple, list);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
