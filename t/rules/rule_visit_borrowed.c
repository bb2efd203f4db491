/* rule_visit_borrowed.c: breaks "only the members that the instance owns must
   be visited".

   More visits than references: the object visited stays, with all it reaches;
   with checks, a collection is fatal and names both types. */

#include "../support/node.h"
#include "../support/suite.h"

/* Visits host, which it does not own. */
static int
envious_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct node *)op)->host);
    return node_traverse(op, visit, arg);
}

static PyTypeObject envious_type = {
    NODE_TYPE("t.Envious", node_dealloc, envious_traverse, node_clear)};

/* A ring of its own that two envious objects visit from outside the ring: the
   visits exceed the references. */
static struct node *
collect_envied_ring(void)
{
    struct node *ring = node_ring(&node_type, 3);

    for (int i = 0; i < 2; i++)
        node_drop_ring(&envious_type, 1);
    Py_DECREF(ring);
    return ring;
}

static int
envy(PyObject *op, void *victim)
{
    if (Py_IS_TYPE(op, &envious_type))
        ((struct node *)op)->host = victim;
    return 1;
}

static Py_ssize_t
collect(void)
{
    struct node *ring = collect_envied_ring();

    PyUnstable_GC_VisitObjects(envy, ring);
    return PyGC_Collect();
}

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&envious_type), 0);
}

START_TEST(checks_name_parent_and_victim)
{
    make_types();
    SUITE_FATAL((suite_with_checks(), collect()), "refcount is too small",
                "Fatal Python error: Py_DECREF or tp_traverse: type "
                "t.Envious: refcount is too small: it is 1, and there are 3 "
                "visits to an object of type t.Node at 0x",
                ", object at 0x");
}

START_TEST(what_is_visited_too_often_stays)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    ck_assert_int_eq(collect(), 2); /* the envious ones themselves */
    ck_assert_int_eq(node_log.cleared, 2);
    ck_assert_int_eq(node_log.freed, 2);
    ck_assert_int_eq(PyGC_Collect(), 3); /* no envious ones are left */
#endif
}
