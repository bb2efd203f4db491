/* check_watch_dealloc.c: what an audit sees in tp_dealloc: each broken rule is
   told in one line.  See lib/watch/audit/calls.c. */

#include "../support/suite.h"

#include "gc/base/fatal.h"
#include "../support/watched.h"

static void
tracked_dealloc(PyObject *op)
{
    thing_clear(op);
    Py_TYPE(op)->tp_free(op);
}

START_TEST(freed_while_tracked)
{
    watch();
    Bad_type.tp_dealloc = tracked_dealloc;
    kill_three(&Bad_type);
    expect("events.Bad is tracked when tp_dealloc frees it", 3, 3,
           (void *)tracked_dealloc);
}

/* Its subclasses have the base's tp_dealloc, and are not to blame. */
START_TEST(freed_while_tracked_in_subclass)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"events.Sub", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type, *bases;

    watch();
    Bad_type.tp_dealloc = tracked_dealloc;
    ck_assert_int_eq(PyType_Ready(&Bad_type), 0);
    bases = PyTuple_Pack(1, &Bad_type);
    type = PyType_FromSpecWithBases(&spec, bases);
    Py_DECREF(bases);
    ck_assert_ptr_nonnull(type);
    for (int i = 0; i < 4; i++)
        Py_DECREF(PyObject_CallNoArgs(type));
    Py_DECREF(type);
    PyGC_Collect();
    expect("events.Bad is tracked when tp_dealloc frees it", 4, 4,
           (void *)tracked_dealloc);
}

/* As long as something else could be made meanwhile. */
static void
late_dealloc(PyObject *op)
{
    if (((struct thing *)op)->n > 0)
        Py_DECREF(PyList_New(0));
    thing_dealloc(op);
}

START_TEST(code_while_tracked)
{
    PyObject *op;

    watch();
    Bad_type.tp_dealloc = late_dealloc;
    op = new_thing(&Bad_type, NULL);
    Py_DECREF(op);
    expect_nothing();
    op = new_thing(&Bad_type, NULL);
    ((struct thing *)op)->n = 1;
    Py_DECREF(op);
    expect("events.Bad is tracked while its tp_dealloc runs code that may "
           "collect",
           1, 2, (void *)late_dealloc);
}

#ifndef PYBOEHM_CHECKS /* fatal there */
static void
collecting_dealloc(PyObject *op)
{
    PyGC_Collect();
    thing_dealloc(op);
}

START_TEST(collection_while_tracked)
{
    watch();
    Bad_type.tp_dealloc = collecting_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect("events.Bad is tracked while its tp_dealloc runs code that may "
           "collect",
           1, 1, (void *)collecting_dealloc);
}
#endif

static void
idle_dealloc(PyObject *Py_UNUSED(op))
{
}

START_TEST(left_tracked)
{
    PyObject *op;

    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_dealloc = idle_dealloc;
    op = new_thing(&Bad_type, NULL);
    Py_DECREF(op);
    expect("events.Bad is tracked when tp_dealloc is done", 1, 1,
           (void *)idle_dealloc);
    PyObject_GC_UnTrack(op);
}

static void
twice_dealloc(PyObject *op)
{
    thing_dealloc(op);
    PyObject_GC_Del(op);
}

START_TEST(freed_twice)
{
    PyObject *one, *two;

    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_dealloc = twice_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect("events.Bad is freed twice by its tp_dealloc", 1, 1,
           (void *)twice_dealloc);
    one = new_thing(&Good_type, NULL);
    two = new_thing(&Good_type, NULL);
    ck_assert_ptr_ne(one, two);
    suite_drop(one, two);
}

static void
plain_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_Free(op);
}

START_TEST(freed_plainly)
{
    watch();
    Bad_type.tp_dealloc = plain_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect("events.Bad is freed with PyObject_Free", 1, 1,
           (void *)plain_dealloc);
}

/* The one that is owned gives up what it never had. */
static void
giving_dealloc(PyObject *op)
{
    PyObject *left = ((struct thing *)op)->left;

    PyObject_GC_UnTrack(op);
    if (left != NULL)
        Py_SET_REFCNT(left, Py_REFCNT(left) - 1);
    ((struct thing *)op)->left = NULL;
    Py_TYPE(op)->tp_free(op);
}

START_TEST(freed_with_a_reference)
{
    PyObject *one, *two;

    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_dealloc = giving_dealloc;
    two = new_thing(&Bad_type, NULL);
    one = new_thing(&Good_type, two);
    ((struct thing *)two)->left = one;
    Py_DECREF(one);
    expect("events.Good is freed with a reference count that is not 0", 1, 1,
           (void *)thing_dealloc);
}

/* The field n is the list; thing_dealloc does not clear what is in it. */
START_TEST(freed_with_weak_references)
{
    PyObject *op, *ref;

    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_weaklistoffset = offsetof(struct thing, n);
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect_nothing();
    op = new_thing(&Bad_type, NULL);
    ref = PyWeakref_NewRef(op, NULL);
    ck_assert_ptr_nonnull(ref);
    Py_DECREF(op);
    expect("events.Bad is freed with weak references to it", 1, 2,
           (void *)thing_dealloc);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    Py_DECREF(ref);
}

static void
leaking_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    thing_clear(op);
}

START_TEST(never_freed)
{
    watch();
    Bad_type.tp_dealloc = leaking_dealloc;
    for (int i = 0; i < 3; i++)
        Py_DECREF(new_thing(&Bad_type, NULL));
    PyGC_Collect();
    expect_nothing(); /* a free list may have them */
    for (int i = 0; i < 3; i++)
        Py_DECREF(new_thing(&Bad_type, NULL));
    PyGC_Collect();
    expect("tp_dealloc of events.Bad does not free its object, nor is it "
           "used again",
           6, 6, (void *)leaking_dealloc);
}

static void
raising_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyErr_SetString(PyExc_ValueError, "from tp_dealloc");
    thing_dealloc(op);
}

/* The type of its owner is not to blame. */
START_TEST(dealloc_raises)
{
    watch();
    Bad_type.tp_dealloc = raising_dealloc;
    Py_DECREF(new_thing(&Good_type, new_thing(&Bad_type, NULL)));
    PyErr_Clear();
    expect("tp_dealloc of events.Bad leaves an exception set", 1, 1,
           (void *)raising_dealloc);
}

static void
losing_dealloc(PyObject *op)
{
    PyErr_Clear();
    thing_dealloc(op);
}

START_TEST(dealloc_loses)
{
    PyObject *op;

    watch();
    Bad_type.tp_dealloc = losing_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    op = new_thing(&Good_type, new_thing(&Bad_type, NULL));
    PyErr_SetString(PyExc_ValueError, "to be kept");
    Py_DECREF(op);
    expect("tp_dealloc of events.Bad clears the exception", 1, 2,
           (void *)losing_dealloc);
}
