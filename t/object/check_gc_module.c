/* check_gc_module.c: the module gc, called by name, and beside each of its
   functions the C function that does the same: switches, thresholds,
   statistics, callbacks. */

#include "../support/collector.h"
#include "../support/suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* Switches                                                            */

START_TEST(enable_disable_isenabled)
{
    collector_begin();
    suite_new_repr(GC("isenabled", NULL), "True");
    suite_new_repr(GC("disable", NULL), "None");
    suite_new_repr(GC("isenabled", NULL), "False");
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    suite_new_repr(GC("enable", NULL), "None");
    suite_new_repr(GC("isenabled", NULL), "True");
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    collector_end();
}

START_TEST(collect_runs_though_disabled)
{
    collector_begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
    suite_new_int(GC("collect", NULL), 2);
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(node_log.freed, 5);
    collector_end();
}

START_TEST(collect_takes_a_generation)
{
    collector_begin();
    PyObject *collect = PyObject_GetAttrString(gc, "collect");
    PyObject *none = PyTuple_New(0);
    PyObject *young = Py_BuildValue("{s:i}", "generation", 0);

    node_drop_ring(&node_type, 2);
    suite_new_int(PyObject_Call(collect, none, young), 2);
    suite_drop(young, none, collect);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, i + 1);
        suite_new_int(GC("collect", "i", i), i + 1);
        node_drop_ring(&node_type, i + 1);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), i + 1);
    }
    collector_end();
}

START_TEST(collect_of_no_generation)
{
    collector_begin();
    suite_refused(GC("collect", "i", 3), PyExc_ValueError,
                  "invalid generation");
    suite_refused(GC("collect", "i", -1), PyExc_ValueError,
                  "invalid generation");
    suite_refused(GC("collect", "s", "x"), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_failed(PyBoehm_GC_Collect(3), PyExc_ValueError,
                 "invalid generation");
    suite_failed(PyBoehm_GC_Collect(-1), PyExc_ValueError,
                 "invalid generation");
    collector_end();
}

static Py_ssize_t nested;

static void
collect_again(struct node *Py_UNUSED(node))
{
    nested = PyBoehm_GC_Collect(2);
    suite_new_int(GC("collect", NULL), 0);
}

START_TEST(collect_in_a_collection)
{
    collector_begin();
    nested = -1;
    node_log.on_finalize = collect_again;
    node_drop_ring(&node_final_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(nested, 0);
    collector_end();
}

/* ------------------------------------------------------------------ */
/* Counts and thresholds                                               */

START_TEST(counts_of_what_is_due)
{
    int counts[PyBoehm_GC_GENERATIONS];

    collector_begin();
    PyGC_Disable();
    suite_new_repr(GC("get_count", NULL), "(0, 0, 0)");
    struct node *ring = node_ring(&node_type, 20);
    PyBoehm_GC_GetCount(counts);
    ck_assert_int_ge(counts[0], 20);
    ck_assert_int_le(counts[0], 25);
    PyBoehm_GC_Collect(0);
    PyBoehm_GC_Collect(0);
    PyBoehm_GC_GetCount(counts);
    ck_assert_int_eq(counts[0], 0);
    ck_assert_int_eq(counts[1], 2);
    ck_assert_int_eq(counts[2], 0);
    PyBoehm_GC_Collect(1);
    PyBoehm_GC_GetCount(counts);
    ck_assert_int_eq(counts[1], 0);
    ck_assert_int_eq(counts[2], 1);
    PyBoehm_GC_Collect(2);
    suite_new_repr(GC("get_count", NULL), "(0, 0, 0)");
    Py_DECREF(ring);
    PyBoehm_GC_Collect(2);
    collector_end();
}

START_TEST(statistics_begin_with_py_initialize)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    node_reset();
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, 2);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 2);
    }
    Py_Finalize();
    Py_Initialize();
    PyBoehm_GC_GetStats(stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        ck_assert_int_eq(stats[i].collections, 0);
        ck_assert_int_eq(stats[i].collected, 0);
    }
}

START_TEST(thresholds_are_set_and_got)
{
    int thresholds[PyBoehm_GC_GENERATIONS] = {7, 8, 9};

    collector_begin();
    suite_new_repr(GC("get_threshold", NULL), "(320, 10, 10)");
    suite_new_repr(GC("set_threshold", "i", 700), "None");
    suite_new_repr(GC("get_threshold", NULL), "(700, 10, 10)");
    suite_new_repr(GC("set_threshold", "iii", 1, 2, 3), "None");
    suite_new_repr(GC("get_threshold", NULL), "(1, 2, 3)");
    PyBoehm_GC_SetThreshold(thresholds);
    suite_new_repr(GC("get_threshold", NULL), "(7, 8, 9)");
    PyBoehm_GC_GetThreshold(thresholds);
    ck_assert_int_eq(thresholds[0], 7);
    ck_assert_int_eq(thresholds[2], 9);

    suite_refused(GC("set_threshold", NULL), PyExc_TypeError, NULL);
    suite_refused(GC("set_threshold", "iiii", 1, 2, 3, 4), PyExc_TypeError,
                  NULL);
    suite_refused(GC("set_threshold", "s", "a"), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_new_repr(GC("get_threshold", NULL), "(7, 8, 9)");
    collector_end();
}

START_TEST(thresholds_say_which_generation_is_due)
{
    static const int thresholds[] = {10, 2, 1};
    struct node *head = NULL;

    collector_begin();
    PyBoehm_GC_SetThreshold(thresholds);
    PyBoehm_GC_Collect(2);
    collector_note_all();
    /* Three of generation 0, then one of 1; after two of 1 one of 2, which is
       put off until the last generation has doubled. */
    for (int i = 0; i < 20 * (4 * 2 + 3); i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
    }
    ck_assert_int_ge(collector_noted.stops[0], 8);
    ck_assert_int_eq(collector_noted.stops[1], collector_noted.stops[0] / 3);
    ck_assert_int_eq(collector_noted.stops[2], 0);
    ck_assert_int_eq(collector_noted.order_broken, 0);
    Py_DECREF(head);
    collector_end();
}

START_TEST(the_last_generation_is_collected_when_doubled)
{
    static const int thresholds[] = {100, 1, 1};
    PyBoehm_GC_Objects objects;
    struct node *head = NULL;

    collector_begin();
    PyBoehm_GC_SetThreshold(thresholds);
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(2, &objects), 0);
    Py_ssize_t old = objects.n;
    PyBoehm_GC_FreeObjects(&objects);

    collector_note_all();
    Py_ssize_t made = 0;
    for (; collector_noted.stops[2] == 0; made++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
        ck_assert_int_lt(made, 4 * old + 10000);
    }
    ck_assert_int_ge(made, old);
    Py_DECREF(head);
    collector_end();
}

START_TEST(a_threshold_of_zero_is_never_reached)
{
    static const int thresholds[] = {0, 10, 10};

    collector_begin();
    PyBoehm_GC_SetThreshold(thresholds);
    collector_note_all();
    for (int i = 0; i < 20000; i++)
        node_drop_ring(&node_type, 1);
    ck_assert_int_eq(collector_noted.starts[0] + collector_noted.starts[1] +
                         collector_noted.starts[2],
                     0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    ck_assert_int_eq(PyGC_Collect(), 20000);
    collector_end();
}

START_TEST(statistics)
{
    PyBoehm_GC_Stats before[PyBoehm_GC_GENERATIONS],
        after[PyBoehm_GC_GENERATIONS];

    collector_begin();
    PyGC_Disable();
    PyBoehm_GC_GetStats(before);
    node_drop_ring(&node_type, 2);
    PyBoehm_GC_Collect(0);
    node_drop_ring(&node_type, 3);
    PyBoehm_GC_Collect(0);
    node_drop_ring(&node_type, 5);
    PyBoehm_GC_Collect(1);
    PyBoehm_GC_Collect(2);
    PyBoehm_GC_GetStats(after);
    ck_assert_int_eq(after[0].collections - before[0].collections, 2);
    ck_assert_int_eq(after[0].collected - before[0].collected, 5);
    ck_assert_int_eq(after[1].collections - before[1].collections, 1);
    ck_assert_int_eq(after[1].collected - before[1].collected, 5);
    ck_assert_int_eq(after[2].collections - before[2].collections, 1);
    ck_assert_int_eq(after[2].collected - before[2].collected, 0);
    ck_assert_int_ge(after[0].candidates - before[0].candidates, 5);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        ck_assert_double_gt(after[i].duration, before[i].duration);

    PyObject *list = suite_require(GC("get_stats", NULL));
    ck_assert_int_eq(PyList_GET_SIZE(list), PyBoehm_GC_GENERATIONS);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        PyObject *duration = PyFloat_FromDouble(after[i].duration);
        PyObject *text = PyUnicode_FromFormat(
            "{'collections': %zd, 'collected': %zd, 'uncollectable': %zd, "
            "'candidates': %zd, 'duration': %R}",
            after[i].collections, after[i].collected, after[i].uncollectable,
            after[i].candidates, duration);
        suite_repr(PyList_GET_ITEM(list, i), PyUnicode_AsUTF8(text));
        suite_drop(text, duration);
    }
    Py_DECREF(list);
    collector_end();
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

START_TEST(is_tracked_and_is_finalized)
{
    collector_begin();
    struct node *node = node_new(&node_final_type);

    suite_new_repr(GC("is_tracked", "O", node), "True");
    suite_new_repr(GC("is_finalized", "O", node), "False");
    PyObject_CallFinalizer((PyObject *)node);
    suite_new_repr(GC("is_finalized", "O", node), "True");
    PyObject_GC_UnTrack(node);
    suite_new_repr(GC("is_tracked", "O", node), "False");
    suite_new_repr(GC("is_tracked", "i", 1), "False");
    suite_new_repr(GC("is_finalized", "s", "x"), "False");
    Py_DECREF(node);
    collector_end();
}

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

START_TEST(c_callbacks)
{
    collector_begin();
    collector_note_all();
    node_drop_ring(&node_type, 4);
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(collector_noted.starts[2], 1);
    ck_assert_int_eq(collector_noted.stops[2], 1);
    ck_assert_int_eq(collector_noted.collected, 4);
    ck_assert_int_eq(collector_noted.uncollectable, 0);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(collector_noted.stops[0], 1);
    ck_assert_int_eq(collector_noted.order_broken, 0);

    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(collector_note, NULL), 0);
    ck_assert_int_eq(
        PyBoehm_GC_RemoveCallback(collector_note, &collector_noted), 1);
    ck_assert_int_eq(
        PyBoehm_GC_RemoveCallback(collector_note, &collector_noted), 0);
    PyGC_Collect();
    ck_assert_int_eq(collector_noted.stops[2], 1);
    collector_end();
}

/* Callbacks and counts end with the library. */
START_TEST(nothing_outlives_the_library)
{
    int counts[PyBoehm_GC_GENERATIONS];
    void *arg = &collector_noted;

    ck_assert_int_eq(PyBoehm_GC_AddCallback(collector_note, arg), 0);
    PyBoehm_GC_Collect(0);
    PyBoehm_GC_Collect(1);
    Py_Finalize();
    Py_Initialize();
    PyBoehm_GC_GetCount(counts);
    ck_assert_int_eq(counts[1], 0);
    ck_assert_int_eq(counts[2], 0);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(collector_note, arg), 0);
}

/* Also where there is no other: the module gc, once it is imported, has one.
 */
START_TEST(a_callback_alone)
{
    void *arg = &collector_noted;

    ck_assert_int_eq(PyBoehm_GC_AddCallback(collector_note, arg), 0);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(collector_note, NULL), 0);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(collector_note, arg), 1);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(collector_note, arg), 0);
}

/* Appends "PHASE:INFO " to the list arg. */
static PyObject *
append_args(PyObject *log, PyObject *args)
{
    PyList_Append(log, args);
    Py_RETURN_NONE;
}

static PyMethodDef append_def = {"append_args", append_args, METH_VARARGS,
                                 NULL};

static PyObject *
raise_anything(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    PyErr_SetString(PyExc_RuntimeError, "callback");
    return NULL;
}

static PyMethodDef raise_def = {"raise_anything", raise_anything, METH_VARARGS,
                                NULL};

/* Takes an entry out of the i-th call's dict. */
static double
take_number(PyObject *log, Py_ssize_t i, const char *name)
{
    PyObject *dict = PyTuple_GetItem(PyList_GetItem(log, i), 1), *value;

    ck_assert_int_eq(PyDict_PopString(dict, name, &value), 1);
    double number = PyFloat_AsDouble(value);
    Py_DECREF(value);
    return number;
}

START_TEST(callbacks_get_phase_and_info)
{
    collector_begin();
    PyObject *callbacks = PyObject_GetAttrString(gc, "callbacks");
    PyObject *log = PyList_New(0);
    PyObject *function = PyCFunction_New(&append_def, log);

    ck_assert_int_eq(PyList_CheckExact(callbacks), 1);
    ck_assert_int_eq(PyList_Append(callbacks, function), 0);
    node_drop_ring(&node_type, 2);
    PyErr_SetString(PyExc_KeyError, "stays");
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_exception(PyExc_KeyError, "'stays'");
    PyList_Clear(callbacks);
    PyGC_Collect();
    ck_assert_double_eq(take_number(log, 0, "candidates"), 0);
    ck_assert_double_eq(take_number(log, 0, "duration"), 0);
    ck_assert_double_ge(take_number(log, 1, "candidates"), 2);
    ck_assert_double_gt(take_number(log, 1, "duration"), 0);
    suite_repr(log, "[('start', {'generation': 2, 'collected': 0, "
                    "'uncollectable': 0}), ('stop', {'generation': 2, "
                    "'collected': 2, 'uncollectable': 0})]");
    suite_drop(function, log, callbacks);
    collector_end();
}

static int unraisable;

static void
count_unraisable(PyObject *exception, const char *Py_UNUSED(message),
                 PyObject *object, void *arg)
{
    ck_assert_int_eq(Py_IS_TYPE(exception, (PyTypeObject *)PyExc_RuntimeError),
                     1);
    ck_assert_ptr_eq(object, arg);
    unraisable++;
}

START_TEST(errors_in_callbacks_are_unraisable)
{
    collector_begin();
    PyObject *callbacks = PyObject_GetAttrString(gc, "callbacks");
    PyObject *log = PyList_New(0);
    PyObject *bad = PyCFunction_New(&raise_def, NULL);
    PyObject *good = PyCFunction_New(&append_def, log);

    PyList_Append(callbacks, bad);
    PyList_Append(callbacks, good);
    unraisable = 0;
    PyBoehm_SetUnraisableHook(count_unraisable, bad);
    node_drop_ring(&node_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    PyList_Clear(callbacks);
    ck_assert_int_eq(unraisable, 2);
    ck_assert_int_eq(PyList_GET_SIZE(log), 2);
    suite_drop(bad, good, log, callbacks);
    collector_end();
}

static void
collect_and_raise(const char *Py_UNUSED(phase),
                  const PyBoehm_GC_Info *Py_UNUSED(info), void *arg)
{
    struct node *node = node_ring(&node_type, 1);

    Py_DECREF(node);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    PyErr_SetString(PyExc_RuntimeError, "left behind");
    PyBoehm_GC_RemoveCallback(collect_and_raise, arg);
}

START_TEST(no_collection_begins_in_a_callback)
{
    collector_begin();
    unraisable = 0;
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    ck_assert_int_eq(PyBoehm_GC_AddCallback(collect_and_raise, NULL), 0);
    collector_note_all();
    /* What the callback makes before the collection is found by it. */
    ck_assert_int_eq(PyGC_Collect(), 1);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    ck_assert_int_eq(unraisable, 1);
    /* The callback that followed the one removed was passed over once. */
    ck_assert_int_eq(collector_noted.stops[2], 1);
    collector_end();
}

static PyObject *
finalize_all(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_Finalize();
    Py_RETURN_NONE;
}

static void
finalize_with_a_node(struct node *Py_UNUSED(node))
{
    Py_Finalize();
}

static void
finalize_in_a_callback(void)
{
    static PyMethodDef definition = {"f", finalize_all, METH_VARARGS, NULL};

    collector_begin();
    PyObject *list = PyObject_GetAttrString(gc, "callbacks");
    PyObject *function = PyCFunction_New(&definition, NULL);
    ck_assert_int_eq(PyList_Append(list, function), 0);
    suite_drop(function, list);
    collector_end();
    PyGC_Collect();
}

static void
finalize_in_a_finalizer(void)
{
    collector_begin();
    node_log.on_finalize = finalize_with_a_node;
    node_drop_ring(&node_final_type, 1);
    PyGC_Collect();
}

/* A collection cannot go on without the library. */
START_TEST(the_library_does_not_end_in_a_collection)
{
    static void (*const ways[])(void) = {finalize_in_a_callback,
                                         finalize_in_a_finalizer};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways); i++)
        SUITE_FATAL(ways[i](),
                    "Fatal Python error: Py_FinalizeEx: called in the middle "
                    "of a collection");
}

/* ------------------------------------------------------------------ */
/* Before Py_Initialize                                                */

static void
search_too_early(void)
{
    PyBoehm_GC_Objects objects;

    Py_Finalize();
    PyBoehm_GC_GetObjects(-1, &objects);
}

START_TEST(functions_need_an_initialised_library)
{
    SUITE_FATAL(search_too_early(),
                "Fatal Python error: PyBoehm_GC_GetObjects: called before "
                "Py_Initialize()");
}
