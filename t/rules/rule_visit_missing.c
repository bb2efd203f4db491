/* rule_visit_missing.c: breaks "implementations must call the visit function
   for each object directly contained by self".

   What is not visited seems to be owned from outside: cycles through it leak,
   and nothing that lives is harmed. */

#include "../support/node.h"
#include "../support/suite.h"

static int
hasty_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct node *)op)->right);
    return 0;
}

static PyTypeObject hasty_type = {
    NODE_TYPE("t.Hasty", node_dealloc, hasty_traverse, node_clear)};

/* A pair that nothing else refers to; returns the one that seems to be owned.
 */
static struct node *
drop_pair(int visited)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&hasty_type), 0);
    struct node *hasty = node_new(&hasty_type), *node = node_new(&node_type);

    node_link(node, hasty, NULL);
    Py_DECREF(hasty);
    if (visited)
        node_link(hasty, NULL, node);
    else
        node_link(hasty, node, NULL);
    Py_DECREF(node);
    return node;
}

START_TEST(visited_members_make_collectable_cycles)
{
    drop_pair(1);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(forgotten_members_make_leaks)
{
    struct node *node = drop_pair(0);

    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(Py_REFCNT(node), 1);
    Py_CLEAR(node->left); /* by hand it goes */
    ck_assert_int_eq(node_log.freed, 2);
}
