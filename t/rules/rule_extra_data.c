/* rule_extra_data.c: relies on what PyUnstable_Object_GC_NewWithExtraData does
   not promise: "the extra data will be deallocated with the object, but
   otherwise it is not managed".

   A reference kept there is neither visited nor given up unless the type does
   it itself. */

#include "../support/node.h"
#include "../support/suite.h"

static PyObject **
extra(struct node *node)
{
    return (PyObject **)(node + 1);
}

START_TEST(references_in_extra_data_leak)
{
    node_reset();
    struct node *holder = (struct node *)PyUnstable_Object_GC_NewWithExtraData(
        &node_type, sizeof(PyObject *));
    struct node *held = node_new(&node_type);

    ck_assert_ptr_nonnull(holder);
    ck_assert_ptr_null(*extra(holder));
    PyObject_GC_Track((PyObject *)holder);
    *extra(holder) = Py_NewRef(held);
    held->left = (PyObject *)holder; /* the cycle is closed */

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(Py_REFCNT(held), 2);
    Py_DECREF(held);
    ck_assert_int_eq(PyGC_Collect(), 0); /* held is not visited */
    ck_assert_int_eq(node_log.freed, 0);

    Py_INCREF(held); /* so that the holder dies by count */
    Py_CLEAR(held->left);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(Py_REFCNT(held), 2); /* it was not released */
    suite_drop(held, held);
    ck_assert_int_eq(node_log.freed, 2);
}
