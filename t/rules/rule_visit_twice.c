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
        SUITE_FATAL(collect_checked(),
                    "Fatal Python error: tp_traverse: type t.Stuttering: "
                    "visits t.Stuttering more often than it refers to it: "
                    "2 visits, 1 reference: t.Stuttering+16");
    else /* what it visits twice may stand there twice */
        SUITE_FATAL(collect_checked(),
                    "Py_DECREF or tp_traverse: type t.Stuttering: refcount is "
                    "too small");
}

/* Two visit it once too often, a third one as often as it should.  Each of the
   two has what may own it, too, for all that is known. */
static void
collect_three_visitors_checked(void)
{
    suite_with_checks();
    struct node *first = node_new(&stuttering_type);
    struct node *second = node_new(&muttering_type);
    struct node *third = node_new(&node_fixed_type);
    struct node *victim = node_new(&node_type), *other = node_new(&node_type);

    PyObject_GC_UnTrack(other);
    node_link(first, victim, other);
    node_link(second, other, victim);
    node_link(third, victim, NULL);
    suite_drop(victim, other);
    PyGC_Collect();
}

START_TEST(checks_name_all_visitors)
{
    make_types();
    SUITE_FATAL(collect_three_visitors_checked(),
                "visited 2 times by 1 object of type t.Stuttering",
                "visited 2 times by 1 object of type t.Muttering",
                "visited 1 time by 1 object of type ",
                "Fatal Python error: Py_DECREF or tp_traverse: type t.",
                "uttering or t.", "uttering: refcount is too small");
}

static void
append_others(PyObject *list)
{
    enum { OTHERS = 200 };

    for (int i = 0; i < OTHERS; i++) {
        PyObject *type = suite_class("s(){}", "t.Other");
        PyObject *other = suite_require(PyObject_CallNoArgs(type));

        PyList_Append(list, other);
        suite_drop(type, other);
    }
}

/* It visits twice what is in use, and is garbage with instances of so many
   types that not all of their visits can be noted.  Those come first: it lies
   in a page of its own. */
static void
clear_in_use_beside_others_checked(void)
{
    enum { NODES = 1000 };
    static struct node *nodes[NODES];

    suite_with_checks();
    PyObject *others = PyList_New(0);
    struct node *wrong;

    append_others(others);
    for (int i = 0; i < NODES; i++)
        nodes[i] = node_new(&node_type);
    wrong = node_new(&stuttering_type);
    node_link(wrong, nodes[0], (struct node *)others);
    PyList_Append(others, (PyObject *)wrong);
    suite_drop(wrong, others);
    PyGC_Collect();
}

START_TEST(others_leave_room_for_it)
{
    make_types();
    if (suite_has("PROCESS_VM_READV"))
        SUITE_FATAL(clear_in_use_beside_others_checked(),
                    "Fatal Python error: tp_traverse: type t.Stuttering: "
                    "visits t.Node more often than it refers to it: "
                    "2 visits, 1 reference",
                    "has an owner, whose reference did not count");
}

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
    SUITE_FATAL(forget_an_incref_checked(),
                "Fatal Python error: Py_DECREF or tp_traverse: type t.Entry: "
                "refcount is too small",
                "or a Py_INCREF was forgotten");
}

/* One with a field, and an array in memory of malloc that looks like an
   object: the first one stands where that has its count, the second its type.
 */
struct shelf {
    PyObject ob_base;
    PyObject *one, **array; /* owned */
};

static int
shelf_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct shelf *shelf = (struct shelf *)op;

    Py_VISIT(shelf->one);
    Py_VISIT(shelf->array[0]);
    Py_VISIT(shelf->array[1]);
    return 0;
}

static void
shelf_dealloc(PyObject *op)
{
    struct shelf *shelf = (struct shelf *)op;

    PyObject_GC_UnTrack(op);
    suite_drop(shelf->one, shelf->array[0]);
    Py_XDECREF(shelf->array[1]);
    free(shelf->array);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject shelf_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Shelf",
    .tp_basicsize = sizeof(struct shelf),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = shelf_dealloc,
    .tp_traverse = shelf_traverse,
};

START_TEST(an_array_of_references_owns_them)
{
    PyObject *const second[] = {(PyObject *)&PyLong_Type, NULL};

    suite_with_checks();
    ck_assert_int_eq(PyType_Ready(&shelf_type), 0);
    for (int i = 0; i < 2; i++) {
        struct shelf *shelf = PyObject_GC_New(struct shelf, &shelf_type);

        shelf->one = PyList_New(0);
        shelf->array = suite_require(calloc(2, sizeof(PyObject *)));
        shelf->array[0] = Py_NewRef(shelf->one);
        shelf->array[1] = Py_XNewRef(second[i]);
        PyObject_GC_Track((PyObject *)shelf);
        ck_assert_int_eq(PyGC_Collect(), 0);
        Py_DECREF((PyObject *)shelf);
    }
}

/* It owns so many references to what it has once, and one to itself while it
   is active. */
struct run {
    PyObject ob_base;
    PyObject *item;
    int n, active;
};

static int
run_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct run *run = (struct run *)op;

    for (int i = 0; i < run->n; i++)
        Py_VISIT(run->item);
    if (run->active)
        Py_VISIT(op);
    return 0;
}

static int
run_clear(PyObject *op)
{
    struct run *run = (struct run *)op;
    PyObject *item = run->item;

    run->item = NULL;
    for (; run->n > 0; run->n--)
        Py_DECREF(item);
    if (run->active) {
        run->active = 0;
        Py_DECREF(op);
    }
    return 0;
}

static void
run_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    run_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject run_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Run",
    .tp_basicsize = sizeof(struct run),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = run_dealloc,
    .tp_traverse = run_traverse,
    .tp_clear = run_clear,
};

START_TEST(what_the_body_does_not_tell_is_right)
{
    suite_with_checks();
    ck_assert_int_eq(PyType_Ready(&run_type), 0);
    struct run *run = PyObject_GC_New(struct run, &run_type);

    run->item = PyList_New(0);
    run->n = 3;
    Py_INCREF(run->item);
    Py_INCREF(run->item);
    run->active = 1;
    Py_INCREF((PyObject *)run);
    PyObject_GC_Track((PyObject *)run);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF((PyObject *)run);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

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

START_TEST(the_cycle_is_never_collected)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.cleared, 0);
#endif
}

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
