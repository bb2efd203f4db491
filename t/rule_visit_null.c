/* rule_visit_null.c: breaks "the visit function must not be called with a
   NULL object argument".

   The collector lets it pass; a visitor of somebody else gets the NULL. */

#include "node.h"
#include "suite.h"

static int
blind_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = visit(((struct node *)op)->left, arg);

    return result != 0 ? result : visit(((struct node *)op)->right, arg);
}

static PyTypeObject blind_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Blind",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = node_dealloc,
    .tp_traverse = blind_traverse,
    .tp_clear = node_clear,
};

START_TEST(collections_go_on)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&blind_type), 0);
    node_drop_ring(&blind_type, 10);
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.freed, 10);
}
END_TEST

static int
count_nulls(PyObject *op, void *arg)
{
    *(int *)arg += op == NULL;
    return 0;
}

START_TEST(visitors_get_what_they_are_given)
{
    int nulls = 0;

    node_reset();
    ck_assert_int_eq(PyType_Ready(&blind_type), 0);
    struct node *blind = node_new(&blind_type), *node = node_new(&node_type);
    blind_type.tp_traverse((PyObject *)blind, count_nulls, &nulls);
    ck_assert_int_eq(nulls, 2);
    node_type.tp_traverse((PyObject *)node, count_nulls, &nulls);
    ck_assert_int_eq(nulls, 2); /* Py_VISIT skips them */
    Py_DECREF(blind);
    Py_DECREF(node);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {collections_go_on, 0},
        {visitors_get_what_they_are_given, 0},
        {NULL, 0},
    };
    return suite_run("rule: no NULL for visit", tests);
}
