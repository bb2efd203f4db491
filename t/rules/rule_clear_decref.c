/* rule_clear_decref.c: breaks "the object must still be valid after calling
   this method: don't just call Py_DECREF on a reference".

   The member is gone, and the object still points to it: what looks at the
   object then, its tp_dealloc for instance, finds the dead. */

#include "../support/node.h"
#include "../support/suite.h"

static int
rash_clear(PyObject *op)
{
    struct node *self = (struct node *)op;

    node_log.cleared++;
    Py_XDECREF(self->left);
    return 0;
}

/* Sees in what state tp_clear left the object. */
static PyObject *left_behind;

static void
watchful_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    left_behind = ((struct node *)op)->left;
    PyObject_GC_Del(op);
}

static PyTypeObject rash_type = {
    NODE_TYPE("t.Rash", watchful_dealloc, node_traverse, rash_clear)};

static PyTypeObject proper_type = {
    NODE_TYPE("t.Proper", watchful_dealloc, node_traverse, node_clear)};

/* A cycle of one object. */
static PyObject *
collect_one(PyTypeObject *type)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(type), 0);
    struct node *op = node_ring(type, 1);

    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(node_log.cleared, 1);
    return (PyObject *)op;
}

START_TEST(py_clear_leaves_null)
{
    collect_one(&proper_type);
    ck_assert_ptr_null(left_behind);
}

START_TEST(py_decref_leaves_a_stale_pointer)
{
    PyObject *op = collect_one(&rash_type);

    ck_assert_ptr_eq(left_behind, op);
}

static void
trusting_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(((struct node *)op)->left);
    PyObject_GC_Del(op);
}

/* A tp_dealloc that trusts the field gives up the reference once more. */
static void
collect_trusting(void)
{
    rash_type.tp_dealloc = trusting_dealloc;
    node_reset();
    ck_assert_int_eq(PyType_Ready(&rash_type), 0);
    node_drop_ring(&rash_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

static void
collect_trusting_with_checks(void)
{
    suite_with_checks();
    collect_trusting();
    node_drop_ring(&node_type, 1000); /* the blocks are used again */
}

START_TEST(the_first_decref_is_fatal_with_checks)
{
    SUITE_FATAL(
        collect_trusting_with_checks(),
        "Fatal Python error: tp_clear: type t.Rash: gives up an object "
        "of type t.Rash at 0x",
        " and leaves it in its place: t.Rash+16", ": use Py_CLEAR");
}

/* The memory is in order. */
START_TEST(the_second_decref_meets_the_dead)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    collect_trusting();
    ck_assert_int_eq(PyGC_Collect(), 0);
    node_drop_ring(&node_type, 1000);
    ck_assert_int_eq(PyGC_Collect(), 1000);
    ck_assert_int_eq(node_log.freed, 1000);
#endif
}
