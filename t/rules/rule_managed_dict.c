/* rule_managed_dict.c: breaks "if Py_TPFLAGS_MANAGED_DICT is set, the traverse
   function must call PyObject_VisitManagedDict".

   Cycles through an attribute leak. */

#include "../support/suite.h"

static int visits_dict, freed;

static int
bag_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (visits_dict) {
        int err = PyObject_VisitManagedDict((PyObject *)op, visit, arg);
        if (err) {
            return err;
        }
    }
    return 0;
}

static int
bag_clear(PyObject *op)
{
    PyObject_ClearManagedDict(op);
    return 0;
}

static void
bag_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    freed++;
    PyObject_ClearManagedDict(op);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject bag_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Bag",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
    .tp_dealloc = bag_dealloc,
    .tp_traverse = bag_traverse,
    .tp_clear = bag_clear,
    .tp_new = PyType_GenericNew,
};

/* A bag that is its own attribute. */
static PyObject *
make_bag(void)
{
    ck_assert_int_eq(PyType_Ready(&bag_type), 0);
    PyObject *bag = suite_require(PyObject_CallNoArgs((PyObject *)&bag_type));
    ck_assert_int_eq(PyObject_SetAttrString(bag, "self", bag), 0);
    return bag;
}

START_TEST(visited_dicts_make_collectable_cycles)
{
    visits_dict = 1;
    Py_DECREF(make_bag());
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(freed, 1);
}

START_TEST(forgotten_dicts_make_leaks)
{
    PyObject *bag = make_bag();

    Py_DECREF(bag);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(freed, 0);
    ck_assert_int_eq(Py_REFCNT(bag), 1);
    PyObject_ClearManagedDict(bag); /* by hand it goes */
    ck_assert_int_eq(freed, 1);
}

static int
stop_at_once(PyObject *Py_UNUSED(op), void *arg)
{
    ++*(int *)arg;
    return 42;
}

START_TEST(the_visitors_result_is_returned)
{
    int calls = 0;

    visits_dict = 1;
    PyObject *bag = make_bag();
    ck_assert_int_eq(bag_traverse(bag, stop_at_once, &calls), 42);
    ck_assert_int_eq(calls, 1);
    PyObject *list = PyList_New(0); /* no managed dict: nothing to visit */
    ck_assert_int_eq(PyObject_VisitManagedDict(list, stop_at_once, &calls), 0);
    ck_assert_int_eq(calls, 1);
    suite_drop(list, bag);
    PyGC_Collect();
}

/* Without the flag there is nothing to visit or to clear; a dictionary at a
   tp_dictoffset is the type's own affair. */
START_TEST(without_the_flag_nothing_is_done)
{
    PyObject *type = PyErr_NewException("t.Error", NULL, NULL);
    PyObject *error = PyObject_CallNoArgs(type);
    int calls = 0;

    ck_assert_ptr_nonnull(error);
    ck_assert_int_eq(PyObject_SetAttrString(error, "x", Py_None), 0);
    ck_assert_int_eq(PyObject_VisitManagedDict(error, stop_at_once, &calls),
                     0);
    PyObject_ClearManagedDict(error);
    ck_assert_int_eq(calls, 0);
    ck_assert_int_eq(PyObject_HasAttrString(error, "x"), 1);
    suite_drop(error, type);
    PyGC_Collect();
}
