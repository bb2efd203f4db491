/* check_gc_module.c: the module gc, called by name, and beside each of its
   functions the C function that does the same. */

#include "node.h"
#include "suite.h"

#include <pyboehm.h>
#include <string.h>

/* gc.name(args); the format is Py_BuildValue's. */
#define GC(name, ...) PyObject_CallMethod(gc, name, __VA_ARGS__)

/* The module; a new reference in each test. */
static PyObject *gc;

static void
begin(void)
{
    gc = PyImport_ImportModule("gc");
    ck_assert_ptr_nonnull(gc);
    node_reset();
    PyGC_Collect();
    node_reset();
}

static void
end(void)
{
    Py_CLEAR(gc);
}

/* gc.name as an int. */
static long
constant(const char *name)
{
    PyObject *value = PyObject_GetAttrString(gc, name);

    ck_assert_ptr_nonnull(value);
    long number = PyLong_AsLong(value);
    Py_DECREF(value);
    return number;
}

static Py_ssize_t
count_in(PyObject *list, void *op)
{
    Py_ssize_t count = 0;

    ck_assert_int_eq(PyList_CheckExact(list), 1);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        count += PyList_GET_ITEM(list, i) == (PyObject *)op;
    return count;
}

/* How often op is among the objects, which are freed. */
static Py_ssize_t
take_count(PyBoehm_GC_Objects *objects, void *op)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < objects->n; i++)
        count += objects->items[i] == (PyObject *)op;
    PyBoehm_GC_FreeObjects(objects);
    ck_assert_int_eq(objects->n, 0);
    ck_assert_ptr_null(objects->items);
    return count;
}

/* Is op in the list? */
static void
assert_lists(PyObject *list, void *op, Py_ssize_t times)
{
    ck_assert_ptr_nonnull(list);
    ck_assert_int_eq(count_in(list, op), times);
    Py_DECREF(list);
}

/* The generation in which op is found; -1 if in none. */
static int
generation_of(void *op)
{
    PyBoehm_GC_Objects objects;
    int found = -1;

    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        ck_assert_int_eq(PyBoehm_GC_GetObjects(i, &objects), 0);
        Py_ssize_t here = take_count(&objects, op);
        assert_lists(GC("get_objects", "i", i), op, here);
        if (here > 0) {
            ck_assert_int_eq(found, -1);
            found = i;
        }
    }
    return found;
}

/* ------------------------------------------------------------------ */
/* Switches                                                            */

START_TEST(enable_disable_isenabled)
{
    begin();
    suite_new_repr(GC("isenabled", NULL), "True");
    suite_new_repr(GC("disable", NULL), "None");
    suite_new_repr(GC("isenabled", NULL), "False");
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    suite_new_repr(GC("enable", NULL), "None");
    suite_new_repr(GC("isenabled", NULL), "True");
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    end();
}
END_TEST

START_TEST(collect_runs_though_disabled)
{
    begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
    suite_new_int(GC("collect", NULL), 2);
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(node_log.freed, 5);
    end();
}
END_TEST

START_TEST(collect_takes_a_generation)
{
    begin();
    PyObject *collect = PyObject_GetAttrString(gc, "collect");
    PyObject *none = PyTuple_New(0);
    PyObject *young = Py_BuildValue("{s:i}", "generation", 0);

    node_drop_ring(&node_type, 2);
    suite_new_int(PyObject_Call(collect, none, young), 2);
    Py_DECREF(young);
    Py_DECREF(none);
    Py_DECREF(collect);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, i + 1);
        suite_new_int(GC("collect", "i", i), i + 1);
        node_drop_ring(&node_type, i + 1);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), i + 1);
    }
    end();
}
END_TEST

START_TEST(collect_of_no_generation)
{
    begin();
    ck_assert_ptr_null(GC("collect", "i", 3));
    suite_exception(PyExc_ValueError, "invalid generation");
    ck_assert_ptr_null(GC("collect", "i", -1));
    suite_exception(PyExc_ValueError, "invalid generation");
    ck_assert_ptr_null(GC("collect", "s", "x"));
    suite_exception(PyExc_TypeError,
                    "'str' object cannot be interpreted as an integer");
    ck_assert_int_eq(PyBoehm_GC_Collect(3), -1);
    suite_exception(PyExc_ValueError, "invalid generation");
    ck_assert_int_eq(PyBoehm_GC_Collect(-1), -1);
    suite_exception(PyExc_ValueError, "invalid generation");
    end();
}
END_TEST

static Py_ssize_t nested;

static void
collect_again(struct node *Py_UNUSED(node))
{
    nested = PyBoehm_GC_Collect(2);
    suite_new_int(GC("collect", NULL), 0);
}

START_TEST(collect_in_a_collection)
{
    begin();
    nested = -1;
    node_log.on_finalize = collect_again;
    node_drop_ring(&node_final_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(nested, 0);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Generations                                                         */

START_TEST(survivors_grow_old)
{
    begin();
    struct node *node = node_new(&node_type);

    ck_assert_int_eq(generation_of(node), 0);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(generation_of(node), 1);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(generation_of(node), 1);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq(generation_of(node), 2);
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(generation_of(node), 2);

    /* Tracked anew it is as good as new. */
    PyObject_GC_UnTrack(node);
    ck_assert_int_eq(generation_of(node), -1);
    PyObject_GC_Track((PyObject *)node);
    ck_assert_int_eq(generation_of(node), 0);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq(generation_of(node), 2);
    Py_DECREF(node);
    end();
}
END_TEST

/* A collection finds garbage of its generation and the younger ones. */
START_TEST(collections_leave_older_garbage)
{
    begin();
    for (int age = 0; age < PyBoehm_GC_GENERATIONS; age++) {
        struct node *ring = node_ring(&node_type, 2);
        if (age > 0)
            PyBoehm_GC_Collect(age - 1);
        ck_assert_int_eq(generation_of(ring), age);
        Py_DECREF(ring);
        for (int i = 0; i < age; i++)
            ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        ck_assert_int_eq(PyBoehm_GC_Collect(age), 2);
    }
    end();
}
END_TEST

/* What was untracked is no garbage, whatever its generation was. */
START_TEST(the_untracked_have_no_generation)
{
    begin();
    for (int age = 0; age < PyBoehm_GC_GENERATIONS; age++) {
        struct node *ring = node_ring(&node_type, 1);
        if (age > 0)
            PyBoehm_GC_Collect(age - 1);
        PyObject_GC_UnTrack(ring);
        Py_DECREF(ring);
        for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
            ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        node_link(ring, NULL, NULL);
        ck_assert_int_eq(node_log.freed, age + 1);
    }
    end();
}
END_TEST

/* Young garbage that older garbage refers to is kept by it. */
START_TEST(older_garbage_keeps_younger)
{
    begin();
    struct node *old = node_ring(&node_type, 1);
    PyBoehm_GC_Collect(0);
    struct node *young = node_ring(&node_type, 1);

    node_link(old, old, young);
    Py_DECREF(young);
    Py_DECREF(old);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 2);
    end();
}
END_TEST

static void
resurrect(struct node *node)
{
    if (node->label >= 0) {
        node->label = -1;
        Py_INCREF(node);
    }
}

/* What comes back from a set has the next generation, as if it had survived
   all along. */
START_TEST(the_resurrected_grow_old)
{
    begin();
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        struct node *node = node_ring(&node_final_type, 1);
        node_log.on_finalize = resurrect;
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
        ck_assert_int_eq(generation_of(node), i < 2 ? i + 1 : 2);
        Py_DECREF(node);
        ck_assert_int_eq(PyBoehm_GC_Collect(i < 2 ? i + 1 : 2), 1);
    }
    end();
}
END_TEST

/* So have those that cannot be cleared. */
START_TEST(the_uncleared_grow_old)
{
    begin();
    struct node *node = node_ring(&node_fixed_type, 1);

    Py_DECREF(node);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 1);
    ck_assert_int_eq(generation_of(node), 1);
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 1);
    ck_assert_int_eq(generation_of(node), 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 1);
    end();
}
END_TEST

START_TEST(get_objects_of_no_generation)
{
    PyBoehm_GC_Objects objects;

    begin();
    ck_assert_ptr_null(GC("get_objects", "i", 3));
    suite_exception(PyExc_ValueError,
                    "generation parameter must be less than the number of "
                    "available generations (3)");
    ck_assert_ptr_null(GC("get_objects", "i", -2));
    suite_exception(PyExc_ValueError,
                    "generation parameter cannot be negative");
    ck_assert_ptr_null(GC("get_objects", "s", "x"));
    suite_exception(PyExc_TypeError,
                    "argument should be integer or None, not 'str'");
    ck_assert_int_eq(PyBoehm_GC_GetObjects(3, &objects), -1);
    suite_exception(PyExc_ValueError, NULL);
    PyBoehm_GC_FreeObjects(&objects);
    end();
}
END_TEST

START_TEST(get_objects_of_all_generations)
{
    PyBoehm_GC_Objects objects;

    begin();
    struct node *old = node_new(&node_type);
    PyBoehm_GC_Collect(2);
    struct node *young = node_new(&node_type);
    struct node *untracked = node_new(&node_type);
    PyObject_GC_UnTrack(untracked);

    assert_lists(GC("get_objects", NULL), old, 1);
    assert_lists(GC("get_objects", "O", Py_None), young, 1);
    assert_lists(GC("get_objects", "i", -1), young, 1);
    assert_lists(GC("get_objects", NULL), untracked, 0);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(-1, &objects), 0);
    ck_assert_int_eq(take_count(&objects, young), 1);

    /* The list found does not list itself. */
    PyObject *list = GC("get_objects", NULL);
    ck_assert_int_eq(count_in(list, list), 0);
    Py_DECREF(list);
    Py_DECREF(old);
    Py_DECREF(young);
    Py_DECREF(untracked);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Counts and thresholds                                               */

START_TEST(counts_of_what_is_due)
{
    int counts[PyBoehm_GC_GENERATIONS];

    begin();
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
    end();
}
END_TEST

START_TEST(thresholds_are_set_and_got)
{
    int thresholds[PyBoehm_GC_GENERATIONS] = {7, 8, 9};

    begin();
    suite_new_repr(GC("get_threshold", NULL), "(2000, 10, 10)");
    suite_new_repr(GC("set_threshold", "i", 700), "None");
    suite_new_repr(GC("get_threshold", NULL), "(700, 10, 10)");
    suite_new_repr(GC("set_threshold", "iii", 1, 2, 3), "None");
    suite_new_repr(GC("get_threshold", NULL), "(1, 2, 3)");
    PyBoehm_GC_SetThreshold(thresholds);
    suite_new_repr(GC("get_threshold", NULL), "(7, 8, 9)");
    PyBoehm_GC_GetThreshold(thresholds);
    ck_assert_int_eq(thresholds[0], 7);
    ck_assert_int_eq(thresholds[2], 9);

    ck_assert_ptr_null(GC("set_threshold", NULL));
    suite_exception(PyExc_TypeError, NULL);
    ck_assert_ptr_null(GC("set_threshold", "iiii", 1, 2, 3, 4));
    suite_exception(PyExc_TypeError, NULL);
    ck_assert_ptr_null(GC("set_threshold", "s", "a"));
    suite_exception(PyExc_TypeError,
                    "'str' object cannot be interpreted as an integer");
    suite_new_repr(GC("get_threshold", NULL), "(7, 8, 9)");
    end();
}
END_TEST

/* What the C callback notes: how often each generation began and ended. */
static struct {
    int starts[PyBoehm_GC_GENERATIONS], stops[PyBoehm_GC_GENERATIONS];
    Py_ssize_t collected, uncollectable;
    int order_broken;
} noted;

static void
note(const char *phase, const PyBoehm_GC_Info *info, void *arg)
{
    int g = info->generation;

    ck_assert_ptr_eq(arg, &noted);
    if (strcmp(phase, "start") == 0) {
        noted.starts[g]++;
        noted.order_broken |= info->collected != 0 || info->uncollectable != 0;
    } else {
        ck_assert_str_eq(phase, "stop");
        noted.stops[g]++;
        noted.collected += info->collected;
        noted.uncollectable += info->uncollectable;
    }
    noted.order_broken |=
        noted.starts[g] - noted.stops[g] != (strcmp(phase, "start") == 0);
}

/* From here on all collections are noted. */
static void
note_all(void)
{
    memset(&noted, 0, sizeof noted);
    ck_assert_int_eq(PyBoehm_GC_AddCallback(note, &noted), 0);
}

START_TEST(thresholds_say_which_generation_is_due)
{
    static const int thresholds[] = {10, 2, 1};
    struct node *head = NULL;

    begin();
    PyBoehm_GC_SetThreshold(thresholds);
    PyBoehm_GC_Collect(2);
    note_all();
    /* Three of generation 0, then one of 1; after two of 1 one of 2, which is
       put off until the last generation has doubled. */
    for (int i = 0; i < 20 * (4 * 2 + 3); i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
    }
    ck_assert_int_ge(noted.stops[0], 8);
    ck_assert_int_eq(noted.stops[1], noted.stops[0] / 3);
    ck_assert_int_eq(noted.stops[2], 0);
    ck_assert_int_eq(noted.order_broken, 0);
    Py_DECREF(head);
    end();
}
END_TEST

START_TEST(the_last_generation_is_collected_when_doubled)
{
    static const int thresholds[] = {100, 1, 1};
    PyBoehm_GC_Objects objects;
    struct node *head = NULL;

    begin();
    PyBoehm_GC_SetThreshold(thresholds);
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(2, &objects), 0);
    Py_ssize_t old = objects.n;
    PyBoehm_GC_FreeObjects(&objects);

    note_all();
    Py_ssize_t made = 0;
    for (; noted.stops[2] == 0; made++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
        ck_assert_int_lt(made, 4 * old + 10000);
    }
    ck_assert_int_ge(made, old);
    Py_DECREF(head);
    end();
}
END_TEST

START_TEST(a_threshold_of_zero_is_never_reached)
{
    static const int thresholds[] = {0, 10, 10};

    begin();
    PyBoehm_GC_SetThreshold(thresholds);
    note_all();
    for (int i = 0; i < 20000; i++)
        node_drop_ring(&node_type, 1);
    ck_assert_int_eq(noted.starts[0] + noted.starts[1] + noted.starts[2], 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    ck_assert_int_eq(PyGC_Collect(), 20000);
    end();
}
END_TEST

START_TEST(statistics)
{
    PyBoehm_GC_Stats before[PyBoehm_GC_GENERATIONS],
        after[PyBoehm_GC_GENERATIONS];

    begin();
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

    PyObject *list = GC("get_stats", NULL);
    ck_assert_ptr_nonnull(list);
    ck_assert_int_eq(PyList_GET_SIZE(list), PyBoehm_GC_GENERATIONS);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        char text[120];
        snprintf(text, sizeof text,
                 "{'collections': %zd, 'collected': %zd, "
                 "'uncollectable': %zd}",
                 after[i].collections, after[i].collected,
                 after[i].uncollectable);
        suite_repr(PyList_GET_ITEM(list, i), text);
    }
    Py_DECREF(list);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Freezing                                                            */

START_TEST(the_frozen_are_not_looked_at)
{
    begin();
    struct node *ring = node_ring(&node_type, 2);

    suite_new_repr(GC("freeze", NULL), "None");
    Py_ssize_t frozen = PyBoehm_GC_GetFreezeCount();
    ck_assert_int_gt(frozen, 2);
    suite_new_int(GC("get_freeze_count", NULL), frozen);
    ck_assert_int_eq(generation_of(ring), -1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)ring), 1);
    Py_DECREF(ring);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        ck_assert_int_eq(PyBoehm_GC_Collect(i), 0);
    ck_assert_int_eq(node_log.freed, 0);

    /* What is made later is collected. */
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 3);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), frozen);

    suite_new_repr(GC("unfreeze", NULL), "None");
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), 0);
    ck_assert_int_eq(generation_of(ring), 2);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    end();
}
END_TEST

START_TEST(the_frozen_keep_what_they_refer_to)
{
    begin();
    struct node *frozen = node_new(&node_type);
    PyBoehm_GC_Freeze();
    struct node *young = node_ring(&node_type, 1);

    node_link(frozen, young, NULL);
    Py_DECREF(young);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    node_link(frozen, NULL, NULL);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 1);

    /* The frozen die by their count, and untracking ends their freeze. */
    Py_ssize_t before = PyBoehm_GC_GetFreezeCount();
    Py_DECREF(frozen);
    ck_assert_int_eq(PyBoehm_GC_GetFreezeCount(), before - 1);
    ck_assert_int_eq(node_log.freed, 2);
    end();
}
END_TEST

START_TEST(a_thawed_object_is_young_when_tracked_anew)
{
    begin();
    struct node *node = node_new(&node_type);

    PyBoehm_GC_Freeze();
    PyObject_GC_UnTrack(node);
    PyObject_GC_Track((PyObject *)node);
    ck_assert_int_eq(generation_of(node), 0);
    PyBoehm_GC_Unfreeze();
    ck_assert_int_eq(generation_of(node), 0);
    Py_DECREF(node);
    end();
}
END_TEST

static int
look_for(PyObject *op, void *arg)
{
    PyObject **wanted = arg;

    if (op != *wanted)
        return 1;
    *wanted = NULL;
    return 0;
}

START_TEST(visit_objects_shows_the_frozen)
{
    begin();
    struct node *node = node_new(&node_type);
    PyObject *wanted = (PyObject *)node;

    PyBoehm_GC_Freeze();
    PyUnstable_GC_VisitObjects(look_for, &wanted);
    ck_assert_ptr_null(wanted);
    Py_DECREF(node);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Searches                                                            */

START_TEST(referents)
{
    PyBoehm_GC_Objects objects;

    begin();
    struct node *a = node_new(&node_type), *b = node_new(&node_type);
    PyObject *text = PyUnicode_FromString("atomic");

    node_link(a, b, b);
    node_link(b, text, NULL);
    assert_lists(GC("get_referents", "O", a), b, 2);
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
    ck_assert_int_eq(take_count(&objects, b), 2);
    ck_assert_int_eq(Py_REFCNT(b), count);
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(text);
    end();
}
END_TEST

START_TEST(referrers)
{
    PyBoehm_GC_Objects objects;

    begin();
    struct node *a = node_new(&node_type), *b = node_new(&node_type);
    struct node *both = node_new(&node_type);
    PyObject *args = PyTuple_Pack(1, b);

    node_link(a, b, NULL);
    node_link(both, a, b);
    /* Those who refer to it twice or to two are found once; the arguments of
       the call are not found. */
    PyObject *function = PyObject_GetAttrString(gc, "get_referrers");
    PyObject *list = PyObject_CallObject(function, args);
    ck_assert_int_eq(PyList_GET_SIZE(list), 2);
    ck_assert_int_eq(count_in(list, a), 1);
    assert_lists(list, both, 1);
    Py_DECREF(function);
    Py_DECREF(args);

    PyObject *ops[] = {(PyObject *)a, (PyObject *)b};
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 2, &objects), 0);
    ck_assert_int_eq(objects.n, 2);
    ck_assert_int_eq(take_count(&objects, both), 1);
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 0, &objects), 0);
    ck_assert_int_eq(take_count(&objects, both), 0);

    PyObject_GC_UnTrack(both);
    ck_assert_int_eq(PyBoehm_GC_GetReferrers(ops, 2, &objects), 0);
    ck_assert_int_eq(objects.n, 1);
    ck_assert_int_eq(take_count(&objects, a), 1);
    Py_DECREF(both);
    Py_DECREF(a);
    Py_DECREF(b);
    end();
}
END_TEST

/* What a search finds is owned: it may be collected only when freed. */
START_TEST(what_is_found_stays)
{
    PyBoehm_GC_Objects objects;

    begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 5);
    ck_assert_int_eq(PyBoehm_GC_GetObjects(0, &objects), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    ck_assert_int_eq(node_log.freed, 0);
    PyBoehm_GC_FreeObjects(&objects);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 5);
    end();
}
END_TEST

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

    begin();
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
END_TEST

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

    begin();
    for (int i = 0; i < VISITED; i++)
        nodes[i] = node_new(&node_type);
    visited = 0;
    PyUnstable_GC_VisitObjects(free_the_others, nodes);
    ck_assert_int_eq(visited, 1);
    ck_assert_int_eq(node_log.freed, VISITED - 1);
    for (int i = 0; i < VISITED; i++)
        Py_XDECREF(nodes[i]);
    end();
}
END_TEST

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
    begin();
    struct node *doomed = node_ring(&node_type, 1);

    node_link(doomed, NULL, NULL);
    visited = 0;
    PyUnstable_GC_VisitObjects(allocate_free_collect, &doomed);
    ck_assert_int_gt(visited, 64);
    ck_assert_ptr_null(doomed);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Objects                                                             */

START_TEST(is_tracked_and_is_finalized)
{
    begin();
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
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

START_TEST(c_callbacks)
{
    begin();
    note_all();
    node_drop_ring(&node_type, 4);
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(noted.starts[2], 1);
    ck_assert_int_eq(noted.stops[2], 1);
    ck_assert_int_eq(noted.collected, 4);
    ck_assert_int_eq(noted.uncollectable, 0);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq(noted.stops[0], 1);
    ck_assert_int_eq(noted.order_broken, 0);

    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(note, NULL), 0);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(note, &noted), 1);
    ck_assert_int_eq(PyBoehm_GC_RemoveCallback(note, &noted), 0);
    PyGC_Collect();
    ck_assert_int_eq(noted.stops[2], 1);
    end();
}
END_TEST

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

START_TEST(callbacks_get_phase_and_info)
{
    begin();
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
    suite_repr(log, "[('start', {'generation': 2, 'collected': 0, "
                    "'uncollectable': 0}), ('stop', {'generation': 2, "
                    "'collected': 2, 'uncollectable': 0})]");
    Py_DECREF(function);
    Py_DECREF(log);
    Py_DECREF(callbacks);
    end();
}
END_TEST

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
    begin();
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
    Py_DECREF(bad);
    Py_DECREF(good);
    Py_DECREF(log);
    Py_DECREF(callbacks);
    end();
}
END_TEST

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
    begin();
    unraisable = 0;
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    ck_assert_int_eq(PyBoehm_GC_AddCallback(collect_and_raise, NULL), 0);
    note_all();
    /* What the callback makes before the collection is found by it. */
    ck_assert_int_eq(PyGC_Collect(), 1);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    ck_assert_int_eq(unraisable, 1);
    /* The callback that followed the one removed was passed over once. */
    ck_assert_int_eq(noted.stops[2], 1);
    end();
}
END_TEST

/* ------------------------------------------------------------------ */
/* Debugging and garbage                                               */

static PyObject *
finalize_all(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_Finalize();
    Py_RETURN_NONE;
}

/* Py_Finalize takes the list of callbacks away that is being gone through. */
START_TEST(py_finalize_in_a_callback)
{
    static PyMethodDef definition = {"f", finalize_all, METH_VARARGS, NULL};

    begin();
    PyObject *list = PyObject_GetAttrString(gc, "callbacks");
    PyObject *function = PyCFunction_New(&definition, NULL);
    ck_assert_int_eq(PyList_Append(list, function), 0);
    Py_DECREF(function);
    Py_DECREF(list);
    end();
    PyGC_Collect();
    ck_assert_int_eq(Py_IsInitialized(), 0);
    Py_Initialize(); /* for the fixture */
}
END_TEST

START_TEST(debug_flags)
{
    begin();
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
    ck_assert_ptr_null(GC("set_debug", "s", "x"));
    suite_exception(PyExc_TypeError,
                    "'str' object cannot be interpreted as an integer");
    end();
}
END_TEST

/* Fails unless text is what the format makes of the objects' numbers, and
   after it "%.4fs elapsed". */
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
    ck_assert_str_eq(rest + length, "");
    ck_assert_ptr_nonnull(strchr(rest, '.'));
    ck_assert_int_eq(strspn(strchr(rest, '.') + 1, "0123456789"), 4);
}

START_TEST(debug_stats)
{
    begin();
    PyGC_Disable();
    node_drop_ring(&node_type, 2);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_STATS);
    suite_catch_stderr();
    PyBoehm_GC_Collect(1);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    assert_stats(said, "gc: collecting generation 1...\n",
                 "gc: done, 2 unreachable, 0 uncollectable, ");
    free(said);
    end();
}
END_TEST

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

    begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *fine = node_ring(&node_type, 1);
    struct node *legacy = node_ring(&legacy_type, 1);

    Py_DECREF(fine);
    Py_DECREF(legacy);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_COLLECTABLE |
                        PyBoehm_GC_DEBUG_UNCOLLECTABLE);
    suite_catch_stderr();
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    char *said = suite_caught_stderr();
    PyBoehm_GC_SetDebug(0);
    snprintf(text, sizeof text, "gc: collectable <t.Node %p>\n", (void *)fine);
    ck_assert_ptr_nonnull(strstr(said, text));
    size_t length = strlen(text);
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
    end();
}
END_TEST

/* An object with tp_del that only collectable ones refer to goes with them. */
START_TEST(tp_del_at_the_end_of_a_ring_is_no_garbage)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    PyBoehm_GC_Objects objects;

    begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *ring = node_ring(&node_type, 2);
    struct node *legacy = node_new(&legacy_type);
    struct node *held = node_new(&node_type);

    node_link(ring, ring->left, legacy);
    node_link(legacy, held, NULL);
    Py_DECREF(held);
    Py_DECREF(legacy);
    Py_DECREF(ring);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 2);
    ck_assert_int_eq(node_log.freed, 4);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(objects.n, 0);
    PyBoehm_GC_FreeObjects(&objects);
    PyBoehm_GC_GetStats(stats);
    ck_assert_int_eq(stats[2].uncollectable, 0);
    end();
}
END_TEST

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

    begin();
    called_back = 0;
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    ck_assert_int_eq(PyType_Ready(&weak_type), 0);
    struct node *ring = node_ring(&weak_type, 2);
    struct node *legacy = node_ring(&legacy_type, 1);
    PyObject *function = PyCFunction_New(&definition, NULL);
    PyObject *weakref = PyWeakref_NewRef((PyObject *)ring, function);

    ck_assert_ptr_nonnull(weakref);
    node_link(legacy, legacy, weakref);
    Py_DECREF(weakref);
    Py_DECREF(function);
    Py_DECREF(ring);
    Py_DECREF(legacy);
    ck_assert_int_ge(PyBoehm_GC_Collect(2), 4);
    ck_assert_int_eq(called_back, 1);
    node_link(legacy, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    end();
}
END_TEST

START_TEST(garbage_is_what_tp_del_kept)
{
    PyBoehm_GC_Objects objects;

    begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_ring(&legacy_type, 1);
    struct node *held = node_ring(&node_type, 1);

    legacy->right = (PyObject *)held;
    Py_DECREF(legacy);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(take_count(&objects, legacy), 0);
    note_all();
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 2);
    ck_assert_int_eq(noted.collected, 0);
    ck_assert_int_eq(noted.uncollectable, 2);

    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");
    ck_assert_int_eq(PyList_GET_SIZE(garbage), 1);
    ck_assert_ptr_eq(PyList_GET_ITEM(garbage, 0), legacy);
    ck_assert_int_eq(PyBoehm_GC_GetGarbage(&objects), 0);
    ck_assert_int_eq(objects.n, 1);
    ck_assert_int_eq(take_count(&objects, legacy), 1);
    ck_assert_int_eq(generation_of(legacy), 1);
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);

    /* Emptied by whoever has broken the cycle. */
    node_link(legacy, NULL, NULL);
    node_link(held, NULL, NULL);
    PyBoehm_GC_ClearGarbage();
    ck_assert_int_eq(PyList_GET_SIZE(garbage), 0);
    ck_assert_int_eq(node_log.freed, 2);
    Py_DECREF(garbage);
    end();
}
END_TEST

START_TEST(saveall_keeps_what_would_be_cleared)
{
    begin();
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
    end();
}
END_TEST

/* The same lists belong to a gc that is imported anew. */
START_TEST(lists_outlive_the_module)
{
    begin();
    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");

    ck_assert_int_eq(PyDict_DelItemString(PyImport_GetModuleDict(), "gc"), 0);
    PyObject *again = PyImport_ImportModule("gc");
    ck_assert_ptr_ne(again, gc);
    PyObject *same = PyObject_GetAttrString(again, "garbage");
    ck_assert_ptr_eq(same, garbage);
    Py_DECREF(same);
    Py_DECREF(again);
    Py_DECREF(garbage);
    end();
}
END_TEST

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
    begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    node_drop_ring(&legacy_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    end();
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
END_TEST

START_TEST(garbage_listed_at_the_end)
{
    char *said = last_words(PyBoehm_GC_DEBUG_UNCOLLECTABLE);
    static const char warned[] =
        "ResourceWarning: gc: 1 uncollectable objects at shutdown\n"
        "      [<t.Legacy object at 0x";

    ck_assert_msg(strncmp(said, warned, strlen(warned)) == 0, "%s", said);
    free(said);
}
END_TEST

START_TEST(garbage_saved_is_no_news_at_the_end)
{
    char *said = last_words(PyBoehm_GC_DEBUG_SAVEALL);

    ck_assert_str_eq(said, "");
    free(said);
}
END_TEST

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
    char *said = suite_abort_message(search_too_early);

    ck_assert_ptr_nonnull(
        strstr(said, "Fatal Python error: PyBoehm_GC_GetObjects: called "
                     "before Py_Initialize()"));
    free(said);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {enable_disable_isenabled, 0},
        {collect_runs_though_disabled, 0},
        {collect_takes_a_generation, 0},
        {collect_of_no_generation, 0},
        {collect_in_a_collection, 0},
        {survivors_grow_old, 0},
        {collections_leave_older_garbage, 0},
        {the_untracked_have_no_generation, 0},
        {older_garbage_keeps_younger, 0},
        {the_resurrected_grow_old, 0},
        {the_uncleared_grow_old, 0},
        {get_objects_of_no_generation, 0},
        {get_objects_of_all_generations, 0},
        {counts_of_what_is_due, 0},
        {thresholds_are_set_and_got, 0},
        {thresholds_say_which_generation_is_due, 0},
        {the_last_generation_is_collected_when_doubled, 0},
        {a_threshold_of_zero_is_never_reached, 0},
        {statistics, 0},
        {the_frozen_are_not_looked_at, 0},
        {the_frozen_keep_what_they_refer_to, 0},
        {a_thawed_object_is_young_when_tracked_anew, 0},
        {visit_objects_shows_the_frozen, 0},
        {referents, 0},
        {referrers, 0},
        {what_is_found_stays, 0},
        {the_dying_are_not_found, 0},
        {visit_objects_with_a_callback_that_frees, 0},
        {visit_objects_with_a_wild_callback, 0},
        {is_tracked_and_is_finalized, 0},
        {c_callbacks, 0},
        {callbacks_get_phase_and_info, 0},
        {errors_in_callbacks_are_unraisable, 0},
        {no_collection_begins_in_a_callback, 0},
        {py_finalize_in_a_callback, 0},
        {debug_flags, 0},
        {debug_stats, 0},
        {debug_collectable_and_uncollectable, 0},
        {tp_del_at_the_end_of_a_ring_is_no_garbage, 0},
        {weak_references_of_the_uncollectable, 0},
        {garbage_is_what_tp_del_kept, 0},
        {saveall_keeps_what_would_be_cleared, 0},
        {lists_outlive_the_module, 0},
        {garbage_at_the_end, 0},
        {garbage_listed_at_the_end, 0},
        {garbage_saved_is_no_news_at_the_end, 0},
        {functions_need_an_initialised_library, 0},
        {NULL, 0},
    };

    return suite_run("gc_module", tests);
}
