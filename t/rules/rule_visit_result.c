/* rule_visit_result.c: breaks "if visit returns a non-zero value, that value
   should be returned immediately".

   A visitor that has found what it sought is called all the same, and its
   result is lost.  The collector's own visitors never end a traversal, and the
   collector ignores what a tp_traverse returns. */

#include "../support/node.h"
#include "../support/suite.h"

static int
deaf_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct node *self = (struct node *)op;

    if (self->left != NULL)
        visit(self->left, arg);
    if (self->right != NULL)
        visit(self->right, arg);
    return 0;
}

/* Visits all, then claims an error. */
static int
moody_traverse(PyObject *op, visitproc visit, void *arg)
{
    node_traverse(op, visit, arg);
    return -7;
}

static PyTypeObject deaf_type = {
    NODE_TYPE("t.Deaf", node_dealloc, deaf_traverse, node_clear)};

static PyTypeObject moody_type = {
    NODE_TYPE("t.Moody", node_dealloc, moody_traverse, node_clear)};

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&deaf_type), 0);
    ck_assert_int_eq(PyType_Ready(&moody_type), 0);
}

static int
stop_at_once(PyObject *Py_UNUSED(op), void *arg)
{
    ++*(int *)arg;
    return 42;
}

/* What a search that wants no more gets, and how often it is called. */
static int
search(PyTypeObject *type, int *calls)
{
    struct node *op = node_new(type), *member = node_new(&node_type);
    int result;

    node_link(op, member, member);
    *calls = 0;
    result = type->tp_traverse((PyObject *)op, stop_at_once, calls);
    suite_drop(op, member);
    return result;
}

START_TEST(py_visit_passes_the_result_on)
{
    int calls;

    make_types();
    ck_assert_int_eq(search(&node_type, &calls), 42);
    ck_assert_int_eq(calls, 1);
}

START_TEST(ignored_results_are_lost)
{
    int calls;

    make_types();
    ck_assert_int_eq(search(&deaf_type, &calls), 0);
    ck_assert_int_eq(calls, 2);
}

START_TEST(the_collector_ignores_results)
{
    make_types();
    node_drop_ring(&moody_type, 5);
    node_drop_ring(&deaf_type, 5);
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.freed, 10);
}
