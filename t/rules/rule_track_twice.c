/* rule_track_twice.c: breaks "PyObject_GC_Track can be called again" only
   after PyObject_GC_UnTrack.

   Fatal in every build, as in CPython: the text, the object, the end. */

#include "../support/node.h"
#include "../support/suite.h"

static void
track_again(void)
{
    PyObject_GC_Track((PyObject *)node_new(&node_type));
}

static void
track_an_object_of_tp_alloc(void)
{
    PyObject_GC_Track(PyType_GenericAlloc(&node_type, 0));
}

static void
expect_text(void (*breaks)(void))
{
    SUITE_FATAL(breaks(),
                ": PyObject_GC_Track: Assertion failed: object already "
                "tracked by the garbage collector\n",
                "object address  : 0x", "object refcount : 1\n",
                "object type name: t.Node\n", "object repr     : <t.Node ",
                "Fatal Python error: PyObject_GC_Track: type t.Node: object "
                "already tracked by the garbage collector, object at 0x");
}

START_TEST(tracking_twice_is_fatal)
{
    node_reset();
    expect_text(track_again);
}

/* PyType_GenericAlloc has tracked it already. */
START_TEST(what_tp_alloc_gave_is_tracked)
{
    node_reset();
    expect_text(track_an_object_of_tp_alloc);
}

START_TEST(untracking_twice_is_not)
{
    node_reset();
    struct node *node = node_new(&node_type);

    PyObject_GC_UnTrack(node);
    PyObject_GC_UnTrack(node);
    PyObject_GC_Track((PyObject *)node);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)node), 1);
    Py_DECREF(node);
}
