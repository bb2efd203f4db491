/* rule_visit_null.c: breaks "the visit function must not be called with a
   NULL object argument".

   The collector lets it pass, unless there are checks; another visitor gets
   the NULL. */

#include "../support/node.h"
#include "../support/suite.h"

static int
blind_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = visit(((struct node *)op)->left, arg);

    return result != 0 ? result : visit(((struct node *)op)->right, arg);
}

static PyTypeObject blind_type = {
    NODE_TYPE("t.Blind", node_dealloc, blind_traverse, node_clear)};

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&blind_type), 0);
}

START_TEST(checks_name_the_type)
{
    make_types();
    SUITE_FATAL((suite_with_checks(), node_new(&blind_type)),
                "Fatal Python error: tp_traverse: type t.Blind: visits NULL, "
                "object at 0x");
}

START_TEST(collections_go_on)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    node_drop_ring(&blind_type, 10);
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.freed, 10);
#endif
}

static int
count_nulls(PyObject *op, void *arg)
{
    *(int *)arg += op == NULL;
    return 0;
}

START_TEST(visitors_get_what_they_are_given)
{
    int nulls = 0;

    make_types();
    struct node *node = node_new(&node_type);
    struct node *blind = PyObject_GC_New(struct node, &blind_type);
    blind->left = blind->right = NULL;
    blind_type.tp_traverse((PyObject *)blind, count_nulls, &nulls);
    ck_assert_int_eq(nulls, 2);
    node_type.tp_traverse((PyObject *)node, count_nulls, &nulls);
    ck_assert_int_eq(nulls, 2); /* Py_VISIT skips them */
    suite_drop(blind, node);
}
