/* check_gc_search.c: looking for objects, and showing them to callbacks. */

#include "../support/collector.h"
#include "../support/suite.h"

#include <string.h>

START_TEST(get_objects_of_no_generation)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    suite_refused(GC("get_objects", "i", 3), PyExc_ValueError,
                  "generation parameter must be less than the number of "
                  "available generations (3)");
    suite_refused(GC("get_objects", "i", -2), PyExc_ValueError,
                  "generation parameter cannot be negative");
    suite_refused(GC("get_objects", "s", "x"), PyExc_TypeError,
                  "argument should be integer or None, not 'str'");
    suite_failed(PyBoehm_GC_GetObjects(3, &objects), PyExc_ValueError, NULL);
    PyBoehm_GC_FreeObjects(&objects);
    collector_end();
}

START_TEST(get_objects_of_all_generations)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    struct node *old = node_new(&node_type);
    PyBoehm_GC_Collect(2);
    struct node *young = node_new(&node_type);
    struct node *untracked = node_new(&node_type);
    PyObject_GC_UnTrack(untracked);

    collector_assert_lists(GC("get_objects", NULL), old, 1);
    collector_assert_lists(GC("get_objects", "O", Py_None), young, 1);
    collector_assert_lists(GC("get_objects", "i", -1), young, 1);
    collector_assert_lists(GC("get_objects", NULL), untracked, 0);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(-1, &objects), 0);
    ck_assert_int_eq(collector_take_count(&objects, young), 1);

    /* The list found does not list itself. */
    PyObject *list = GC("get_objects", NULL);
    ck_assert_int_eq(collector_count_in(list, list), 0);
    suite_drop(list, old, young, untracked);
    collector_end();
}

/* ------------------------------------------------------------------ */
/* Searches                                                            */

START_TEST(referents)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    struct node *a = node_new(&node_type), *b = node_new(&node_type);
    PyObject *text = PyUnicode_FromString("atomic");

    node_link(a, b, b);
    node_link(b, text, NULL);
    collector_assert_lists(GC("get_referents", "O", a), b, 2);
    PyObject *list = GC("get_referents", "OOO", b, text, a);
    ck_assert_int_eq(PyList_GET_SIZE(list), 3);
    ck_assert_ptr_eq(PyList_GET_ITEM(list, 0), text);
    ck_assert_ptr_eq(PyList_GET_ITEM(list, 1), b);
    Py_DECREF(list);
    suite_new_repr(GC("get_referents", "O", text), "[]");
    suite_new_repr(GC("get_referents", NULL), "[]");

    /* Untracked objects have referents, too. */
    PyObject_GC_UnTrack(a);
    PyObject *ops[] = {(PyObject *)a, text};
    Py_ssize_t count = Py_REFCNT(b);
    ck_assert_int_eq(PyBoehm_GC_GetReferents(ops, 2, &objects), 0);
    ck_assert_int_eq(objects.n, 2);
    ck_assert_int_eq(Py_REFCNT(b), count + 2);
    ck_assert_int_eq(collector_take_count(&objects, b), 2);
    ck_assert_int_eq(Py_REFCNT(b), count);
    suite_drop(a, b, text);
    collector_end();
}

START_TEST(referrers)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    struct node *a = node_new(&node_type), *b = node_new(&node_type);
    struct node *both = node_new(&node_type);
    PyObject *args = PyTuple_Pack(1, b);

    node_link(a, b, NULL);
    node_link(both, a, b);
    /* Referrers with two references are found once; the arguments of the call
       are not found. */
    PyObject *function = PyObject_GetAttrString(gc, "get_referrers");
    PyObject *list = PyObject_CallObject(function, args);
    ck_assert_int_eq(PyList_GET_SIZE(list), 2);
    ck_assert_int_eq(collector_count_in(list, a), 1);
    collector_assert_lists(list, both, 1);
    suite_drop(function, args);

    PyObject *ops[] = {(PyObject *)a, (PyObject *)b};
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 2, &objects), 0);
    ck_assert_int_eq(objects.n, 2);
    ck_assert_int_eq(collector_take_count(&objects, both), 1);
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 0, &objects), 0);
    ck_assert_int_eq(collector_take_count(&objects, both), 0);

    PyObject_GC_UnTrack(both);
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 2, &objects), 0);
    ck_assert_int_eq(objects.n, 1);
    ck_assert_int_eq(collector_take_count(&objects, a), 1);
    suite_drop(both, a, b);
    collector_end();
}

/* What a search finds is owned: it may be collected only when freed. */
START_TEST(what_is_found_stays)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 5);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(0, &objects), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    ck_assert_int_eq(node_log.freed, 0);
    PyBoehm_GC_FreeObjects(&objects);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 5);
    collector_end();
}

static Py_ssize_t found;
static int visited;

static int
is_alive(PyObject *op, void *Py_UNUSED(arg))
{
    ck_assert_int_gt(Py_REFCNT(op), 0);
    return 1;
}

static void
look_around(struct node *node)
{
    PyBoehm_GC_Objects objects;

    if (node->label >= 0)
        return;
    PyUnstable_GC_VisitObjects(is_alive, NULL);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(-1, &objects), 0);
    for (Py_ssize_t i = 0; i < objects.n; i++) {
        ck_assert_int_ge(Py_REFCNT(objects.items[i]), 2);
        found += Py_IS_TYPE(objects.items[i], &node_type);
    }
    PyBoehm_GC_FreeObjects(&objects);
}

/* A chain is freed past the depth at which deallocations are put off.  While
   a node waits for its own, the last member of the first node looks around:
   it finds what hangs on that node, but not the node. */
START_TEST(the_dying_are_not_found)
{
    enum { LENGTH = 1000 };
    struct node *head = NULL;

    collector_begin();
    for (int i = 0; i < LENGTH; i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
    }
    struct node *probe = node_new(&node_type);
    probe->label = -1;
    head->right = (PyObject *)probe;
    found = 0;
    node_log.on_dealloc = look_around;
    Py_DECREF(head);
    ck_assert_int_eq(node_log.freed, LENGTH + 1);
    ck_assert_int_gt(found, LENGTH / 2);
    ck_assert_int_lt(found, LENGTH - 1);
}

enum { VISITED = 40 };

/* At the first node shown the others are freed, and not shown any more. */
static int
free_the_others(PyObject *op, void *arg)
{
    struct node **nodes = arg;

    ck_assert_ptr_nonnull(Py_TYPE(op));
    if (!Py_IS_TYPE(op, &node_type))
        return 1;
    visited++;
    for (int i = 0; i < VISITED; i++)
        if ((PyObject *)nodes[i] != op)
            Py_CLEAR(nodes[i]);
    return 1;
}

START_TEST(visit_objects_with_a_callback_that_frees)
{
    struct node *nodes[VISITED];

    collector_begin();
    for (int i = 0; i < VISITED; i++)
        nodes[i] = node_new(&node_type);
    visited = 0;
    PyUnstable_GC_VisitObjects(free_the_others, nodes);
    ck_assert_int_eq(visited, 1);
    ck_assert_int_eq(node_log.freed, VISITED - 1);
    for (int i = 0; i < VISITED; i++)
        Py_XDECREF(nodes[i]);
    collector_end();
}

static int
allocate_free_collect(PyObject *op, void *arg)
{
    struct node **doomed = arg;

    visited++;
    ck_assert_int_gt(Py_REFCNT(op), 0);
    node_drop_ring(&node_type, 3);
    if (*doomed != NULL)
        Py_CLEAR(*doomed);
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    if (visited % 64 == 0) {
        ck_assert_int_eq(PyGC_Collect(), 0);
        suite_new_int(GC("collect", NULL), 64 * 3);
    }
    return visited < 640;
}

START_TEST(visit_objects_with_a_wild_callback)
{
    collector_begin();
    struct node *doomed = node_ring(&node_type, 1);

    node_link(doomed, NULL, NULL);
    visited = 0;
    PyUnstable_GC_VisitObjects(allocate_free_collect, &doomed);
    ck_assert_int_gt(visited, 64);
    ck_assert_ptr_null(doomed);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    collector_end();
}
