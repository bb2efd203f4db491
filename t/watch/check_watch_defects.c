/* check_watch_defects.c: flaws that an audit notices when they come about, and
   those that it finds.  See lib/gc/check/defect.h. */

#include "../support/suite.h"

#include "gc/control.h"
#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "gc/check/inspect.h"
#include "watch/audit/defects.h"
#include "watch/audit/findings.h"
#include "../support/watched.h"

/* With checks the program ends instead. */
#define WATCH()                                                               \
    watch();                                                                  \
    if (pyb_checks)                                                           \
    return

/* What an audit finds now, and nothing else. */
static void
expect_found(const char *what, size_t n)
{
    struct pyb_findings findings = {NULL, 0};

    ck_assert_int_eq(pyb_defects_find(&findings), 0);
    ck_assert_uint_eq(findings.n, what != NULL);
    if (what != NULL) {
        ck_assert_str_eq(findings.all[0].what, what);
        ck_assert_uint_eq(findings.all[0].n, n);
    }
    pyb_findings_end(&findings);
}

static const char *
overrun_at(size_t offset)
{
    static char text[120];

    snprintf(text, sizeof text,
             "%s of events.Bad: something was written past the object's "
             "end, at +%zu",
             Bad_type.tp_itemsize == 0 ? "tp_basicsize"
                                       : "tp_basicsize + n * tp_itemsize",
             offset);
    return text;
}

/* The first byte behind an object of that size, and one that is followed by
   the redzone's own size. */
static void
overrun_and_free(PyObject *op, size_t size)
{
    char *end = (char *)op + size, before = *end;

    expect_found(NULL, 0);
    *end = 'x';
    expect_found(overrun_at(size), 1);
    *end = before;
    expect_found(NULL, 0);
    end[11] = 'x';
    expect_nothing();
    PyObject_GC_Del(op);
    expect(overrun_at(size + 11), 1, 0, (void *)thing_traverse);
}

START_TEST(written_past_the_end)
{
    WATCH();
    Bad_type.tp_basicsize = 3 * sizeof(PyObject);
    overrun_and_free((PyObject *)raw_thing(&Bad_type), 3 * sizeof(PyObject));
}

/* Neither a multiple of 16, nor is its end the block's. */
START_TEST(written_past_an_odd_end)
{
    WATCH();
    Bad_type.tp_basicsize = 3 * sizeof(PyObject) - 8;
    overrun_and_free((PyObject *)raw_thing(&Bad_type),
                     3 * sizeof(PyObject) - 8);
}

/* The block may be larger than what was asked for. */
START_TEST(written_past_a_large_end)
{
    PyObject *op;

    WATCH();
    Bad_type.tp_basicsize = 8192;
    op = (PyObject *)raw_thing(&Bad_type);
    overrun_and_free(op, 8192);
}

START_TEST(written_past_items)
{
    PyVarObject *op;

    WATCH();
    Bad_type.tp_basicsize = sizeof(PyVarObject) + sizeof(PyObject *);
    Bad_type.tp_itemsize = sizeof(PyObject);
    ck_assert_int_eq(PyType_Ready(&Bad_type), 0);
    op = PyObject_GC_NewVar(PyVarObject, &Bad_type, 2);
    op = PyObject_GC_Resize(PyVarObject, op, 4);
    memset(op + 1, 0, sizeof(PyObject *) + 4 * sizeof(PyObject));
    overrun_and_free((PyObject *)op,
                     (size_t)Bad_type.tp_basicsize + 4 * sizeof(PyObject));
}

/* The managed slots come behind the fence. */
START_TEST(written_before_managed_slots)
{
    WATCH();
    Bad_type.tp_basicsize = 3 * sizeof(PyObject);
    Bad_type.tp_flags |= Py_TPFLAGS_MANAGED_DICT;
    overrun_and_free((PyObject *)raw_thing(&Bad_type), 3 * sizeof(PyObject));
}

/* Every byte of an object may be written to: nothing is found while it lives,
   nor as its neighbours die. */
START_TEST(written_to_the_end)
{
    PyObject *all[100];

    watch();
    for (int i = 0; i < 100; i++) {
        all[i] = new_thing(&Good_type, NULL);
        memset(&((struct thing *)all[i])->n, 0x55, sizeof(size_t));
    }
    expect_found(NULL, 0);
    for (int i = 0; i < 100; i++)
        Py_DECREF(all[i]);
    expect_found(NULL, 0);
    expect_nothing();
}

/* Found where the memory is not used again, noticed where it is; then the new
   object is as it should be. */
START_TEST(written_to_the_dead)
{
    static const char what[] =
        "tp_dealloc of events.Bad: it was written to after its death";
    struct thing *dead, *next;

    WATCH();
    dead = (struct thing *)new_thing(&Bad_type, NULL);
    Py_DECREF(dead);
    dead->right = Py_None;
    expect_found(what, 1);
    expect_nothing();
    next = (struct thing *)PyType_GenericAlloc(&Bad_type, 0);
    ck_assert_ptr_eq(next, dead);
    ck_assert_ptr_null(next->right);
    expect(what, 1, 0, NULL);
    expect_found(NULL, 0);
    Py_DECREF(next);
}

START_TEST(given_up_by_the_dead)
{
    static const char what[] =
        "Py_DECREF of events.Bad: its count was changed after its death";
    PyObject *dead;

    WATCH();
    dead = new_thing(&Bad_type, NULL);
    suite_drop(dead, dead);
    expect_found(what, 1);
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect(what, 1, 0, NULL);
    expect_found(NULL, 0);
}

/* It stays free, and untracked. */
START_TEST(dead_tracked)
{
    PyObject *dead;

    WATCH();
    dead = new_thing(&Bad_type, NULL);
    Py_DECREF(dead);
    PyObject_GC_Track(dead);
    ck_assert(!PyObject_GC_IsTracked(dead));
    expect("PyObject_GC_Track of events.Bad: the object is free already", 1, 0,
           NULL);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(dead_untracked)
{
    PyObject *dead;

    WATCH();
    dead = new_thing(&Bad_type, NULL);
    Py_DECREF(dead);
    PyObject_GC_UnTrack(dead);
    PyObject_GC_UnTrack(dead);
    expect("PyObject_GC_UnTrack of events.Bad: the object is free already", 2,
           0, NULL);
}

/* Not in the middle of its tp_dealloc: the memory is free once. */
START_TEST(dead_freed)
{
    PyObject *dead, *one, *two;

    WATCH();
    dead = new_thing(&Bad_type, NULL);
    Py_DECREF(dead);
    PyObject_GC_Del(dead);
    expect("PyObject_GC_Del of events.Bad: the object is free already", 1, 0,
           NULL);
    one = new_thing(&Good_type, NULL);
    two = new_thing(&Good_type, NULL);
    ck_assert_ptr_ne(one, two);
    suite_drop(one, two);
}

START_TEST(count_of_nothing)
{
    PyObject *op;

    WATCH();
    op = new_thing(&Bad_type, NULL);
    Py_SET_REFCNT(op, 0);
    expect_found("Py_DECREF of events.Bad: a tracked object's reference count "
                 "is 0",
                 1);
    Py_SET_REFCNT(op, 1);
    expect_found(NULL, 0);
    Py_DECREF(op);
}

static void
looking_dealloc(PyObject *op)
{
    expect_found(NULL, 0);
    thing_dealloc(op);
}

START_TEST(count_of_the_dying)
{
    WATCH();
    Bad_type.tp_dealloc = looking_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    pyb_control_set_audit(0);
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect_nothing();
}

static int
is_no_container(PyObject *Py_UNUSED(op))
{
    return 0;
}

/* Where the audit is over, and what was known of memory is
   forgotten. */
START_TEST(found_in_types)
{
    PyObject *op;

    if (pyb_checks)
        return;
    watch();
    op = new_thing(&Bad_type, NULL);
    Py_SETREF(op, new_thing(&Bad_type, NULL));
    pyb_control_set_audit(0);
    Py_SETREF(op, PyUnstable_Object_GC_NewWithExtraData(&Bad_type,
                                                        PYB_REDZONE_BYTES));
    PyObject_GC_Track(op);
    expect_found(NULL, 0);
    Bad_type.tp_is_gc = is_no_container;
    expect_found("tp_is_gc of events.Bad: denies that a tracked object can be "
                 "tracked",
                 1);
    Bad_type.tp_is_gc = NULL;
    Bad_type.tp_weaklistoffset = Bad_type.tp_basicsize;
    expect_found(
        "tp_weaklistoffset of events.Bad: 40 lies outside its objects", 1);
    Bad_type.tp_weaklistoffset = 0;
    Bad_type.tp_traverse = NULL;
    expect_found("tp_traverse of events.Bad: is NULL though the type has "
                 "Py_TPFLAGS_HAVE_GC",
                 1);
    Bad_type.tp_traverse = thing_traverse;
    expect_nothing();
    Py_DECREF(op);
}

static PyObject *robbed;

static void
robbing_finalize(PyObject *op)
{
    robbed = ((struct thing *)op)->left;
    Py_SET_REFCNT(robbed, Py_REFCNT(robbed) - 1);
}

START_TEST(finalizer_robs)
{
    PyObject *op;

    WATCH();
    Bad_type.tp_finalize = robbing_finalize;
    op = new_thing(&Bad_type, new_thing(&Good_type, NULL));
    PyObject_CallFinalizer(op);
    expect("tp_finalize of events.Bad gives up references that it does not "
           "own",
           1, 1, (void *)robbing_finalize);
    Py_SET_REFCNT(robbed, 1);
    Py_DECREF(op);
}

static void
idle_finalize(PyObject *Py_UNUSED(op))
{
}

/* Other code gave the reference up. */
START_TEST(finalizer_was_robbed)
{
    PyObject *op, *left;

    WATCH();
    Bad_type.tp_finalize = idle_finalize;
    left = new_thing(&Good_type, NULL);
    op = new_thing(&Bad_type, left);
    Py_SET_REFCNT(left, 0);
    PyObject_CallFinalizer(op);
    expect_nothing();
    Py_SET_REFCNT(left, 1);
    Py_DECREF(op);
}
