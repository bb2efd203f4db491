/* rule_untrack_missing.c: breaks "before fields which refer to other
   containers are invalidated, PyObject_GC_UnTrack must be called".

   A collection that begins while the fields go sees the dying object, which is
   fatal with checks; without one, PyObject_GC_Del notices and warns. */

#include "../support/node.h"
#include "pyboehm.h"
#include "../support/suite.h"

static int untrack;       /* do as the rule says? */
static int collect_first; /* let a collection see op, which is whole yet? */
static int seen_dying;

static int
watchful_traverse(PyObject *op, visitproc visit, void *arg)
{
    seen_dying += Py_REFCNT(op) == 0;
    return node_traverse(op, visit, arg);
}

static void
forgetful_dealloc(PyObject *op)
{
    struct node *self = (struct node *)op;

    if (collect_first)
        PyGC_Collect();
    if (untrack)
        PyObject_GC_UnTrack(op);
    Py_XDECREF(self->left); /* the field still points to what was there */
    Py_XDECREF(self->right);
    PyObject_GC_Del(op);
}

static PyTypeObject forgetful_type = {NODE_TYPE(
    "t.Forgetful", forgetful_dealloc, watchful_traverse, node_clear)};

static int warnings;

static int
expect_warning(PyObject *category, const char *text, void *Py_UNUSED(arg))
{
    warnings++;
    ck_assert_ptr_eq(category, PyExc_ResourceWarning);
    ck_assert_str_eq(text, "gc: Object of type t.Forgetful is not untracked "
                           "before destruction");
    return 0;
}

static void
collect(struct node *Py_UNUSED(node))
{
    PyGC_Collect();
}

/* Frees an object; during the death of its second member, with the first one
   gone, a collection runs. */
static void
free_one(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&forgetful_type), 0);
    PyBoehm_SetWarningHook(expect_warning, NULL);
    struct node *op = node_new(&forgetful_type);

    op->left = (PyObject *)node_new(&node_type);
    op->right = (PyObject *)node_new(&node_type);
    node_log.on_dealloc = collect;
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 2);
}

START_TEST(untracked_first_is_not_seen_dying)
{
    untrack = 1;
    free_one();
    ck_assert_int_eq(seen_dying, 0);
    ck_assert_int_eq(warnings, 0);
}

/* What its fields refer to is owned until they go. */
START_TEST(what_the_dying_own_is_alive)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as in CPython's debug build */
    node_reset();
    ck_assert_int_eq(PyType_Ready(&forgetful_type), 0);
    struct node *op = node_new(&forgetful_type);
    struct node *owned = node_ring(&node_type, 2);

    node_link(op, owned, NULL);
    Py_DECREF(owned);
    collect_first = untrack = 1;
    Py_DECREF(op);
    ck_assert_int_gt(seen_dying, 0);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(PyGC_Collect(), 2);
#endif
}

START_TEST(checks_name_the_type)
{
    SUITE_FATAL((suite_with_checks(), free_one()),
                "Fatal Python error: tp_dealloc: type t.Forgetful: its object "
                "is still tracked when a collection begins, which sees half "
                "of it: call PyObject_GC_UnTrack first, object at 0x");
}

START_TEST(still_tracked_is_seen_dying_and_warned_of)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    free_one();
    ck_assert_int_gt(seen_dying, 0);
    ck_assert_int_eq(warnings, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
#endif
}

START_TEST(the_warning_keeps_a_pending_exception)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    PyErr_SetString(PyExc_KeyError, "mine");
    free_one();
    ck_assert_int_eq(warnings, 1);
    suite_exception(PyExc_KeyError, "'mine'");
#endif
}
