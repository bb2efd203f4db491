/* check_gc_garbage.c: debug flags, and what is kept in gc.garbage. */

#include "../support/collector.h"
#include "../support/suite.h"

#include <string.h>
#include <time.h>

/* gc.name as an int. */
static long
constant(const char *name)
{
    PyObject *value = suite_require(PyObject_GetAttrString(gc, name));
    long number = PyLong_AsLong(value);
    Py_DECREF(value);
    return number;
}

START_TEST(debug_flags)
{
    collector_begin();
    ck_assert_int_eq(constant("DEBUG_STATS"), 1);
    ck_assert_int_eq(constant("DEBUG_COLLECTABLE"), 2);
    ck_assert_int_eq(constant("DEBUG_UNCOLLECTABLE"), 4);
    ck_assert_int_eq(constant("DEBUG_SAVEALL"), 32);
    ck_assert_int_eq(constant("DEBUG_LEAK"), 38);
    suite_new_int(GC("get_debug", NULL), 0);
    suite_new_repr(GC("set_debug", "i", 6), "None");
    suite_new_int(GC("get_debug", NULL), 6);
    ck_assert_int_eq(PyBoehm_GC_GetDebug(), 6);
    PyBoehm_GC_SetDebug(0);
    suite_new_int(GC("get_debug", NULL), 0);
    suite_refused(GC("set_debug", "s", "x"), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    collector_end();
}

static double seconds_begun;

static double
seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Fails unless text is what the format makes of the objects' numbers, and
   after it "%.4fs elapsed", which is no more than since seconds_begun. */
static void
assert_stats(char *said, const char *head, const char *done)
{
    long young, middle, old, frozen;
    int length = 0;
    double seconds;

    ck_assert_msg(strncmp(said, head, strlen(head)) == 0, "%s", said);
    char *rest = said + strlen(head);
    ck_assert_int_eq(sscanf(rest,
                            "gc: objects in each generation: %ld %ld %ld\n"
                            "gc: objects in permanent generation: %ld\n%n",
                            &young, &middle, &old, &frozen, &length),
                     4);
    ck_assert_int_gt(length, 0);
    ck_assert_int_ge(young, 2);
    ck_assert_int_gt(old, 0);
    ck_assert_int_eq(frozen, 0);
    rest += length;
    ck_assert_msg(strncmp(rest, done, strlen(done)) == 0, "%s", rest);
    rest += strlen(done);
    length = 0;
    ck_assert_int_eq(sscanf(rest, "%lfs elapsed\n%n", &seconds, &length), 1);
    ck_assert_int_gt(length, 0);
    ck_assert(seconds >= 0);
    ck_assert(seconds < seconds_now() - seconds_begun + 0.0001);
    ck_assert_str_eq(rest + length, "");
    ck_assert_ptr_nonnull(strchr(rest, '.'));
    ck_assert_int_eq(strspn(strchr(rest, '.') + 1, "0123456789"), 4);
}

START_TEST(debug_stats)
{
    collector_begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 2);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_STATS);
    suite_catch_stderr();
    seconds_begun = seconds_now();
    PyBoehm_GC_Collect(1);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    assert_stats(said, "gc: collecting generation 1...\n",
                 "gc: done, 2 unreachable, 0 uncollectable, ");
    free(said);
    collector_end();
}

/* Each object is counted once, in its generation; one that waits for its end
   in none. */
START_TEST(debug_stats_count_each_object_once)
{
    char head[200];

    collector_begin();
    PyGC_Disable();
    PyBoehm_GC_Freeze();
    struct node *old = node_ring(&node_type, 5);
    PyBoehm_GC_Collect(2);
    struct node *middle = node_ring(&node_type, 3);
    PyBoehm_GC_Collect(0);
    struct node *young = node_ring(&node_type, 4);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_STATS);
    suite_catch_stderr();
    PyBoehm_GC_Collect(0);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    snprintf(head, sizeof head,
             "gc: collecting generation 0...\n"
             "gc: objects in each generation: 4 3 5\n"
             "gc: objects in permanent generation: %zd\n"
             "gc: done, 0 unreachable, 0 uncollectable, ",
             PyBoehm_GC_GetFreezeCount());
    ck_assert_msg(strncmp(said, head, strlen(head)) == 0, "%s", said);
    free(said);
    PyBoehm_GC_Unfreeze();
    suite_drop(old, middle, young);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 12);
    collector_end();
}

static void
never(PyObject *Py_UNUSED(op))
{
    ck_abort_msg("tp_del is not called by the collector");
}

static PyTypeObject legacy_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Legacy",
    .tp_base = &node_type,
    .tp_del = never,
};

START_TEST(debug_collectable_and_uncollectable)
{
    char text[200];

    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *fine = node_ring(&node_type, 3);
    struct node *legacy = node_ring(&legacy_type, 1);
    size_t length = 0;

    suite_drop(fine, legacy);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_COLLECTABLE |
                        PyBoehm_GC_DEBUG_UNCOLLECTABLE);
    suite_catch_stderr();
    void *ring[] = {fine, fine->left, ((struct node *)fine->left)->left};
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 4);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "gc: collectable <t.Node %p>\n", ring[i]);
        ck_assert_ptr_nonnull(strstr(said, text));
        length += strlen(text);
    }
    snprintf(text, sizeof text, "gc: uncollectable <t.Legacy %p>\n",
             (void *)legacy);
    ck_assert_ptr_nonnull(strstr(said, text));
    ck_assert_uint_eq(strlen(said), length + strlen(text));
    free(said);

    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    PyBoehm_GC_GetStats(stats);
    ck_assert_int_eq(stats[2].uncollectable, 1);
    node_link(legacy, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    collector_end();
}

/* The unreachable are both kinds together. */
START_TEST(debug_stats_of_both_kinds)
{
    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_ring(&legacy_type, 1);

    node_drop_ring(&node_type, 2);
    Py_DECREF(legacy);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_STATS);
    suite_catch_stderr();
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    ck_assert_ptr_nonnull(
        strstr(said, "gc: done, 3 unreachable, 1 uncollectable, "));
    free(said);
    node_link(legacy, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    collector_end();
}

/* An object with tp_del that only collectable ones refer to goes with them. */
START_TEST(tp_del_at_the_end_of_a_ring_is_no_garbage)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    PyBoehm_GC_Objects objects;

    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *ring = node_ring(&node_type, 2);
    struct node *legacy = node_new(&legacy_type);
    struct node *held = node_new(&node_type);

    node_link(ring, ring->left, legacy);
    node_link(legacy, held, NULL);
    suite_drop(held, legacy, ring);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    ck_assert_int_eq(node_log.freed, 4);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(objects.n, 0);
    PyBoehm_GC_FreeObjects(&objects);
    PyBoehm_GC_GetStats(stats);
    ck_assert_int_eq(stats[2].uncollectable, 0);
    collector_end();
}

static int called_back;

static PyObject *
call_back(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(weakref))
{
    called_back++;
    Py_RETURN_NONE;
}

/* A weak reference that tp_del keeps alive is called back. */
START_TEST(weak_references_of_the_uncollectable)
{
    static PyMethodDef definition = {"call_back", call_back, METH_O, NULL};
    static PyTypeObject weak_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Weak",
        .tp_base = &node_type,
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_MANAGED_WEAKREF,
    };

    collector_begin();
    called_back = 0;
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    ck_assert_int_eq(PyType_Ready(&weak_type), 0);
    struct node *ring = node_ring(&weak_type, 2);
    struct node *legacy = node_ring(&legacy_type, 1);
    PyObject *function = PyCFunction_New(&definition, NULL);
    PyObject *weakref =
        suite_require(PyWeakref_NewRef((PyObject *)ring, function));
    node_link(legacy, legacy, weakref);
    suite_drop(weakref, function, ring, legacy);
    ck_assert_int_ge(PyBoehm_GC_Collect(2), 4);
    ck_assert_int_eq(called_back, 1);
    node_link(legacy, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    collector_end();
}

/* A member with tp_del that dies with the others, after a callback, and was
   the last of its size: its block is free once, not twice. */
START_TEST(block_of_one_that_had_tp_del)
{
    static PyMethodDef definition = {"call_back", call_back, METH_O, NULL};
    static PyTypeObject vast_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Vast",
        .tp_base = &node_type,
        .tp_del = never,
        .tp_basicsize = 2000,
    };
    static PyTypeObject weak_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Weak",
        .tp_base = &node_type,
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_MANAGED_WEAKREF,
    };
    enum { PLACES = 4 };
    struct node *others[PLACES];

    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    ck_assert_int_eq(PyType_Ready(&vast_type), 0);
    ck_assert_int_eq(PyType_Ready(&weak_type), 0);
    PyObject *function = PyCFunction_New(&definition, NULL);
    for (int place = 0; place < PLACES; place++) {
        struct node *ring = node_ring(&weak_type, 2);
        PyObject *weakref = PyWeakref_NewRef((PyObject *)ring, function);
        struct node *last = node_new(&vast_type);

        ck_assert_ptr_nonnull(weakref);
        node_link(ring, ring->left, last);
        suite_drop(last, ring);
        ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
        Py_DECREF(weakref);
        others[place] = node_new(&vast_type); /* one less is free now */
        for (int i = 0; i < place; i++)
            ck_assert_ptr_ne(others[place], others[i]);
    }
    for (int place = 0; place < PLACES; place++)
        Py_DECREF(others[place]);
    Py_DECREF(function);
    collector_end();
}

START_TEST(garbage_is_what_tp_del_kept)
{
    PyBoehm_GC_Objects objects;

    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_ring(&legacy_type, 1);
    struct node *held = node_ring(&node_type, 1);

    legacy->right = (PyObject *)held;
    Py_DECREF(legacy);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(collector_take_count(&objects, legacy), 0);
    collector_note_all();
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 2);
    ck_assert_int_eq(collector_noted.collected, 0);
    ck_assert_int_eq(collector_noted.uncollectable, 2);

    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");
    ck_assert_int_eq(PyList_GET_SIZE(garbage), 1);
    ck_assert_ptr_eq(PyList_GET_ITEM(garbage, 0), legacy);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(objects.n, 1);
    ck_assert_int_eq(collector_take_count(&objects, legacy), 1);
    ck_assert_int_eq(collector_generation_of(legacy), 1);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);

    /* Emptied by the code that has broken the cycle. */
    node_link(legacy, NULL, NULL);
    node_link(held, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    ck_assert_int_eq(PyList_GET_SIZE(garbage), 0);
    ck_assert_int_eq(node_log.freed, 2);
    Py_DECREF(garbage);
    collector_end();
}

START_TEST(saveall_keeps_what_would_be_cleared)
{
    collector_begin();
    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");

    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_SAVEALL);
    node_drop_ring(&node_final_type, 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(PyList_GET_SIZE(garbage), 2);
    suite_new_repr(GC("is_tracked", "O", PyList_GET_ITEM(garbage, 0)), "True");

    PyBoehm_GC_SetDebug(0);
    PyList_Clear(garbage);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.freed, 2);
    Py_DECREF(garbage);
    collector_end();
}

/* The same lists belong to a gc that is imported anew. */
START_TEST(lists_outlive_the_module)
{
    collector_begin();
    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");

    ck_assert_int_eq(PyDict_DelItemString(PyImport_GetModuleDict(), "gc"), 0);
    PyObject *again = PyImport_ImportModule("gc");
    ck_assert_ptr_ne(again, gc);
    PyObject *same = PyObject_GetAttrString(again, "garbage");
    ck_assert_ptr_eq(same, garbage);
    suite_drop(same, again, garbage);
    collector_end();
}

static int
print_warning(PyObject *category, const char *text, void *Py_UNUSED(arg))
{
    fprintf(stderr, "%s: %s\n", ((PyTypeObject *)category)->tp_name, text);
    return 0;
}

/* What Py_Finalize says with one piece of garbage under these flags. */
static char *
last_words(int flags)
{
    collector_begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    node_drop_ring(&legacy_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    collector_end();
    PyBoehm_SetWarningHook(print_warning, NULL);
    PyBoehm_GC_SetDebug(flags);
    suite_catch_stderr();
    Py_Finalize();
    char *said = suite_caught_stderr();
    Py_Initialize();
    ck_assert_int_eq(PyBoehm_GC_GetDebug(), 0);
    return said;
}

START_TEST(garbage_at_the_end)
{
    char *said = last_words(0);

    ck_assert_str_eq(said, "ResourceWarning: gc: 1 uncollectable objects at "
                           "shutdown; use gc.set_debug(gc.DEBUG_"
                           "UNCOLLECTABLE) to list them\n");
    free(said);
}

START_TEST(garbage_listed_at_the_end)
{
    char *said = last_words(PyBoehm_GC_DEBUG_UNCOLLECTABLE);
    static const char warned[] =
        "ResourceWarning: gc: 1 uncollectable objects at shutdown\n"
        "      [<t.Legacy object at 0x";

    ck_assert_msg(strncmp(said, warned, strlen(warned)) == 0, "%s", said);
    free(said);
}

START_TEST(garbage_saved_is_no_news_at_the_end)
{
    char *said = last_words(PyBoehm_GC_DEBUG_SAVEALL);

    ck_assert_str_eq(said, "");
    free(said);
}
