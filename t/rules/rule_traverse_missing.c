/* rule_traverse_missing.c: breaks "if a type adds Py_TPFLAGS_HAVE_GC, then it
   must implement at least a tp_traverse".

   No such type becomes ready.  One that leaves the flag out inherits flag,
   tp_traverse and tp_clear from a container. */

#include "../support/node.h"
#include "../support/suite.h"

static PyTypeObject hollow_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Hollow",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
};

static const char text[] = "type t.Hollow has the Py_TPFLAGS_HAVE_GC flag but "
                           "has no traverse function";

START_TEST(ready_refuses_the_type)
{
    suite_failed(PyType_Ready(&hollow_type), PyExc_SystemError, text);
}

/* The flag says that the type has its own: the base's is not taken. */
START_TEST(ready_refuses_a_subtype_with_the_flag)
{
    node_reset();
    hollow_type.tp_base = &node_type;
    suite_failed(PyType_Ready(&hollow_type), PyExc_SystemError, text);
}

START_TEST(specs_are_refused)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"t.Hollow", sizeof(struct node), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

    node_reset();
    suite_refused(PyType_FromSpec(&spec), PyExc_SystemError, text);
    suite_refused(PyType_FromSpecWithBases(&spec, (PyObject *)&node_type),
                  PyExc_SystemError, text);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(one_may_be_taken_from_elsewhere)
{
    hollow_type.tp_traverse = node_traverse;
    ck_assert_int_eq(PyType_Ready(&hollow_type), 0);
    ck_assert_ptr_null(hollow_type.tp_clear);
}

static void
expect_inherited(PyTypeObject *type)
{
    ck_assert(PyType_HasFeature(type, Py_TPFLAGS_HAVE_GC));
    ck_assert(type->tp_traverse == node_traverse);
    ck_assert(type->tp_clear == node_clear);
}

START_TEST(without_the_flag_all_three_are_inherited)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"t.Sub", 0, 0, Py_TPFLAGS_DEFAULT, slots};

    node_reset();
    hollow_type.tp_base = &node_type;
    hollow_type.tp_flags = Py_TPFLAGS_DEFAULT;
    ck_assert_int_eq(PyType_Ready(&hollow_type), 0);
    expect_inherited(&hollow_type);
    PyObject *type =
        suite_require(PyType_FromSpecWithBases(&spec, (PyObject *)&node_type));
    ck_assert(PyType_HasFeature((PyTypeObject *)type, Py_TPFLAGS_HAVE_GC));
    ck_assert_ptr_nonnull(((PyTypeObject *)type)->tp_traverse);
    ck_assert_ptr_nonnull(((PyTypeObject *)type)->tp_clear);
    Py_DECREF(type);
}
