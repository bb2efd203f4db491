/* rule_visit_twice.c: breaks "call the visit function for each object directly
   contained": once per reference owned, not twice.

   As with borrowed members: what is visited too often stays, and with checks a
   collection is fatal. */

#include "../support/node.h"
#include "../support/suite.h"

static int
stuttering_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct node *)op)->left);
    return node_traverse(op, visit, arg);
}

static PyTypeObject stuttering_type = {
    NODE_TYPE("t.Stuttering", node_dealloc, stuttering_traverse, node_clear)};

static int
muttering_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = node_traverse(op, visit, arg);

    Py_VISIT(((struct node *)op)->right);
    return result;
}

static PyTypeObject muttering_type = {
    NODE_TYPE("t.Muttering", node_dealloc, muttering_traverse, node_clear)};

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&stuttering_type), 0);
    ck_assert_int_eq(PyType_Ready(&muttering_type), 0);
}

static Py_ssize_t
collect(void)
{
    node_drop_ring(&stuttering_type, 2);
    return PyGC_Collect();
}

static void
collect_checked(void)
{
    suite_with_checks();
    collect();
}

START_TEST(checks_name_the_type)
{
    make_types();
    if (suite_has("PROCESS_VM_READV"))
        suite_fatal(collect_checked, "refcount is too small",
                    "Fatal Python error: tp_traverse: type t.Stuttering: "
                    "visits an object of type t.Stuttering at 0x",
                    " more often than it is referred to, object at 0x", NULL);
    else /* what it visits twice may stand there twice */
        suite_fatal(collect_checked,
                    "Py_DECREF or tp_traverse: type t.Stuttering: refcount is "
                    "too small",
                    NULL);
}
END_TEST

/* Two visit it once too often, a third one as often as it should. */
static void
collect_three_visitors_checked(void)
{
    suite_with_checks();
    struct node *first = node_new(&stuttering_type);
    struct node *second = node_new(&muttering_type);
    struct node *third = node_new(&node_fixed_type);
    struct node *victim = node_new(&node_type), *other = node_new(&node_type);

    node_link(first, victim, NULL);
    node_link(second, other, victim);
    node_link(third, victim, NULL);
    suite_drop(victim, other);
    PyGC_Collect();
}

START_TEST(checks_name_all_visitors)
{
    make_types();
    suite_fatal(collect_three_visitors_checked,
                "visited 2 times by 1 object of type t.Stuttering",
                "visited 2 times by 1 object of type t.Muttering",
                "visited 1 time by 1 object of type ",
                suite_has("PROCESS_VM_READV")
                    ? "Fatal Python error: tp_traverse: type t."
                    : "Fatal Python error: Py_DECREF or tp_traverse: type t.",
                "uttering", NULL);
}
END_TEST

/* What all of them own is in static data, and not in their bodies. */
static PyObject *shared;

static int
entry_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(shared);
    return node_traverse(op, visit, arg);
}

static PyTypeObject entry_type = {
    NODE_TYPE("t.Entry", node_dealloc, entry_traverse, node_clear)};

/* Two take it for theirs, and one has a reference to it. */
static void
forget_an_incref_checked(void)
{
    suite_with_checks();
    struct node *one = node_new(&entry_type), *two = node_new(&entry_type);

    shared = (PyObject *)node_new(&node_type);
    node_link(one, two, NULL);
    node_link(two, one, NULL);
    suite_drop(one, two);
    PyGC_Collect();
}

START_TEST(an_address_that_is_elsewhere_is_no_proof)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&entry_type), 0);
    suite_fatal(forget_an_incref_checked,
                "Fatal Python error: Py_DECREF or tp_traverse: type t.Entry: "
                "refcount is too small",
                "or a Py_INCREF was forgotten", NULL);
}
END_TEST

/* The same member owned twice is visited twice, and rightly so. */
START_TEST(two_references_are_two_visits)
{
    make_types();
    struct node *a = node_new(&node_type), *b = node_new(&node_type);

    node_link(a, b, b);
    node_link(b, a, a);
    suite_drop(a, b);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 2);
}
END_TEST

START_TEST(the_cycle_is_never_collected)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, 0);
#endif
}
END_TEST

/* Nothing of a live object is cleared, however often it is visited. */
START_TEST(live_objects_are_left_alone)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    struct node *ring = node_ring(&stuttering_type, 2);

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_ptr_eq(((struct node *)ring->left)->left, ring);
    Py_CLEAR(ring->left);
    Py_DECREF(ring);
    ck_assert_int_eq(node_log.freed, 2);
#endif
}
END_TEST

int
main(void)
{
    return suite_run("rule: visiting once per reference");
}
