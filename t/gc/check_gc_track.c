/* check_gc_track.c: tracking: section B of the contract; and what is fatal. */

#include "../support/node.h"
#include "../support/suite.h"

static PyTypeObject static_container = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Static",
    .tp_base = &node_type,
};
static struct node static_object = {.ob_base = {1, &static_container}};

START_TEST(track_and_untrack)
{
    node_reset();
    PyObject *op = (PyObject *)PyObject_GC_New(struct node, &node_type);
    struct node *node = (struct node *)op;
    node->left = node->right = NULL;
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(PyObject_GC_IsTracked(op), 0);
        PyObject_GC_Track(op);
        ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
        PyObject_GC_UnTrack(op);
    }
    PyObject_GC_UnTrack(op); /* silent */
    _PyObject_GC_TRACK(op);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    _PyObject_GC_UNTRACK(op);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 0);
    PyObject_GC_Track(op);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);
}

/* Tracking state lies outside the objects: not a bit of one changes. */
START_TEST(objects_are_not_touched)
{
    enum { N = 500 };
    node_reset();
    struct node *nodes[N];
    struct node before[N];

    for (int i = 0; i < N; i++) {
        nodes[i] = PyObject_GC_New(struct node, &node_type);
        nodes[i]->left = i > 0 ? Py_NewRef(nodes[i - 1]) : NULL;
        nodes[i]->right = NULL;
        nodes[i]->host = NULL;
        nodes[i]->label = i;
    }
    for (int i = 0; i < N; i++)
        memcpy(&before[i], nodes[i], sizeof before[i]);
    for (int i = 0; i < N; i++)
        PyObject_GC_Track(nodes[i]); /* as CPython declares it */
    for (int i = 0; i < N; i++)
        ck_assert_mem_eq(&before[i], nodes[i], sizeof before[i]);
    PyGC_Collect();
    for (int i = 0; i < N; i++)
        ck_assert_mem_eq(&before[i], nodes[i], sizeof before[i]);
    for (int i = 0; i < N; i += 2)
        PyObject_GC_UnTrack(nodes[i]);
    PyGC_Collect();
    for (int i = 0; i < N; i++)
        ck_assert_mem_eq(&before[i], nodes[i], sizeof before[i]);
    for (int i = 0; i < N; i++)
        Py_DECREF(nodes[i]);
    ck_assert_int_eq(node_log.freed, N);
}

START_TEST(queries_take_anything)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&static_container), 0);
    PyObject *on_stack =
        (PyObject *)&(struct node){.ob_base = {1, &node_type}};
    PyObject *nowhere = (PyObject *)0xfffffffffffffff0;

    ck_assert_int_eq(PyObject_GC_IsTracked(Py_None), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)&static_object), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)&node_type), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(on_stack), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(nowhere), 0);
    ck_assert_int_eq(PyObject_GC_IsFinalized(Py_None), 0);
    ck_assert_int_eq(PyObject_GC_IsFinalized(on_stack), 0);
    ck_assert_int_eq(PyObject_GC_IsFinalized(nowhere), 0);
}

static int
odd_ones(PyObject *op)
{
    return ((struct node *)op)->label % 2 != 0;
}

START_TEST(is_gc)
{
    static PyTypeObject picky = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Picky",
        .tp_base = &node_type,
        .tp_is_gc = odd_ones,
    };
    node_reset();
    ck_assert_int_eq(PyType_Ready(&picky), 0);
    PyObject *list = PyList_New(0), *number = PyLong_FromLong(70000);

    ck_assert_int_eq(PyObject_IS_GC(list), 1);
    ck_assert_int_eq(PyObject_IS_GC(number), 0);
    ck_assert_int_eq(PyObject_IS_GC((PyObject *)&node_type), 0);
    suite_drop(list, number);
    struct node *even = PyObject_GC_New(struct node, &picky);
    even->label = node_log.made++;
    struct node *odd = node_new(&picky);
    ck_assert_int_eq(PyObject_IS_GC((PyObject *)even), 0);
    ck_assert_int_eq(PyObject_IS_GC((PyObject *)odd), 1);
    PyObject_GC_Del(even);
    Py_DECREF(odd);
}

/* ------------------------------------------------------------------ */
/* What is fatal                                                       */

static void
track_twice(void)
{
    struct node *node = node_new(&node_type);

    PyObject_GC_Track(node);
}

START_TEST(tracking_twice)
{
    node_reset();
    SUITE_FATAL(track_twice(),
                ": PyObject_GC_Track: Assertion failed: object already "
                "tracked by the garbage collector",
                "object type name: t.Node");
    SUITE_FATAL(track_twice(), "object refcount : 1", "object type     : 0x",
                "object repr     : <");
}

START_TEST(tracking_what_is_no_container)
{
    SUITE_FATAL(PyObject_GC_Track(PyLong_FromLong(70000)),
                "PyObject_GC_Track: type int: ", "Py_TPFLAGS_HAVE_GC");
}

START_TEST(tracking_foreign_memory)
{
    node_reset();
    SUITE_FATAL((PyType_Ready(&static_container),
                 PyObject_GC_Track((PyObject *)&static_object)),
                "PyObject_GC_Track: Assertion failed",
                "object type name: t.Static");
}

START_TEST(deleting_foreign_memory)
{
    SUITE_FATAL(PyObject_GC_Del(calloc(1, 100)), "PyObject_GC_Del",
                "memory that PyObject_GC_New did not give");
}

/* ------------------------------------------------------------------ */
/* A traverse that visits too much                                     */

static int
visit_thrice(PyObject *op, visitproc visit, void *arg)
{
    for (int i = 0; i < 3; i++)
        Py_VISIT(((struct node *)op)->left);
    return 0;
}

static PyTypeObject greedy_type = {
    NODE_TYPE("t.Greedy", NULL, visit_thrice, NULL),
};

static struct node *victim;

/* The victim is ours; it and its greedy owner hold each other. */
static void
collect_with_a_greedy_parent(void)
{
    struct node *greedy = node_new(&greedy_type);

    victim = node_new(&node_type);
    node_link(victim, greedy, NULL);
    node_link(greedy, victim, NULL);
    Py_DECREF(greedy);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* Ordinary builds clear nothing of it; with checks the parent is named. */
START_TEST(over_visiting)
{
    node_reset();
    greedy_type.tp_dealloc = node_type.tp_dealloc;
    greedy_type.tp_clear = node_type.tp_clear;
    ck_assert_int_eq(PyType_Ready(&greedy_type), 0);
    SUITE_FATAL(
        (suite_with_checks(), collect_with_a_greedy_parent()),
        suite_has("PROCESS_VM_READV")
            ? " more often than it refers to it: 3 visits, 1 reference: "
            : "tp_traverse: type t.Greedy: refcount is too small");
#ifndef PYBOEHM_CHECKS
    collect_with_a_greedy_parent();
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_REFCNT(victim), 2);
#endif
}

/* ------------------------------------------------------------------ */
/* A traverse with side effects                                        */

static void (*side_effect)(PyObject *);

static int
loud_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct node *)op)->left);
    side_effect(op);
    return 0;
}

static PyTypeObject loud_type = {
    NODE_TYPE("t.Loud", NULL, loud_traverse, NULL),
};

static void
gain_a_reference(PyObject *op)
{
    Py_INCREF(op);
}

static void
allocate(PyObject *Py_UNUSED(op))
{
    PyObject_GC_New(struct node, &node_type);
}

static void
untrack_itself(PyObject *op)
{
    PyObject_GC_UnTrack(op);
}

static void
raise_an_exception(PyObject *Py_UNUSED(op))
{
    PyErr_SetString(PyExc_ValueError, "from tp_traverse");
}

static void
collect_a_loud_object(void)
{
    suite_with_checks();
    node_new(&loud_type);
    PyGC_Collect();
}

/* The checks add up counts, and those of immortal objects are large: what
   sanitizers would say of an overflow. */
START_TEST(many_immortal_members)
{
    PyObject *list;

    suite_with_checks();
    list = PyList_New(64);
    for (Py_ssize_t i = 1; i < 64; i++)
        PyList_SET_ITEM(list, i, Py_NewRef(Py_None));
    PyList_SET_ITEM(list, 0, Py_NewRef(list));
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(traverse_with_side_effects)
{
    static const struct {
        void (*effect)(PyObject *);
        const char *said;
    } cases[] = {
        {gain_a_reference, "type t.Loud: changed a reference count"},
        {allocate, "type t.Loud: allocated, freed or tracked an object"},
        {untrack_itself, "type t.Loud: allocated, freed or tracked"},
        {raise_an_exception, "type t.Loud: raised an exception"},
    };

    node_reset();
    loud_type.tp_dealloc = node_type.tp_dealloc;
    ck_assert_int_eq(PyType_Ready(&loud_type), 0);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        side_effect = cases[i].effect;
        SUITE_FATAL(collect_a_loud_object(), cases[i].said, "tp_traverse: ");
    }
}

/* ------------------------------------------------------------------ */

struct visited {
    long seen, stop_after;
    int enabled_inside;
};

static int
count_nodes(PyObject *op, void *arg)
{
    struct visited *visited = arg;

    visited->enabled_inside |= PyGC_IsEnabled();
    if (Py_IS_TYPE(op, &node_type))
        visited->seen++;
    return visited->seen != visited->stop_after;
}

START_TEST(visit_objects)
{
    node_reset();
    struct node *ring = node_ring(&node_type, 1000);
    struct visited visited = {0, -1, 0};

    PyUnstable_GC_VisitObjects(count_nodes, &visited);
    ck_assert_int_eq(visited.seen, 1000);
    ck_assert_int_eq(visited.enabled_inside, 0);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    visited = (struct visited){0, 10, 0};
    PyUnstable_GC_VisitObjects(count_nodes, &visited);
    ck_assert_int_eq(visited.seen, 10);
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), 1000);
    visited = (struct visited){0, -1, 0};
    PyUnstable_GC_VisitObjects(count_nodes, &visited);
    ck_assert_int_eq(visited.seen, 0);
}
