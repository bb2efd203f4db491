/* rule_track_no_gc.c: breaks "the object cannot be tracked by the garbage
   collector if PyObject_IS_GC returns 0".

   Tracking such an object is fatal and names its type. */

#include "../support/node.h"
#include "../support/suite.h"

START_TEST(objects_of_atomic_types)
{
    PyObject *number = PyLong_FromLong(123456789);

    ck_assert_int_eq(PyObject_IS_GC(number), 0);
    Py_DECREF(number);
    SUITE_FATAL(PyObject_GC_Track(PyLong_FromLong(123456789)),
                "PyObject_GC_Track: type int: ",
                "the type lacks Py_TPFLAGS_HAVE_GC, object at 0x");
    ck_assert_int_eq(PyObject_IS_GC(Py_None), 0);
    SUITE_FATAL(PyObject_GC_Track(Py_None),
                "PyObject_GC_Track: type NoneType: ",
                "the type lacks Py_TPFLAGS_HAVE_GC, object at 0x");
}

/* The flag is there, but tp_is_gc of type says no. */
START_TEST(static_types)
{
    ck_assert_int_eq(PyObject_IS_GC((PyObject *)&PyList_Type), 0);
    SUITE_FATAL(
        PyObject_GC_Track((PyObject *)&PyList_Type),
        "PyObject_GC_Track: Assertion failed: ", "object type name: type\n");
}

static int
none_of_them(PyObject *Py_UNUSED(op))
{
    return 0;
}

static PyTypeObject picky_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Picky",
    .tp_base = &node_type,
    .tp_is_gc = none_of_them,
};

static void
track_against_tp_is_gc(void)
{
    suite_with_checks();
    node_new(&picky_type);
    PyGC_Collect();
}

/* So it is with any type that has one: checks notice it at the next
   collection. */
START_TEST(objects_that_tp_is_gc_refuses)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&picky_type), 0);
    SUITE_FATAL(track_against_tp_is_gc(),
                "Fatal Python error: tp_is_gc: type t.Picky: denies that a "
                "tracked object can be tracked, object at 0x");
}

START_TEST(untracking_such_objects_is_nothing)
{
    PyObject_GC_UnTrack(Py_None);
    PyObject_GC_UnTrack(&PyList_Type);
    ck_assert_int_eq(PyObject_GC_IsTracked(Py_None), 0);
}
