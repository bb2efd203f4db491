/* rule_visit_weaklist.c: breaks "the pointer supporting the linked list must
   not be visited as the instance does not directly own the weak references to
   itself".

   What stands there is no object's address: in CPython a weak reference that
   is in use would look like a part of the garbage, and its callback would not
   be called. */

#include "../support/suite.h"

typedef struct {
    PyObject_HEAD
    PyObject *member;
    PyObject *weaklist;
} Target;

static int
target_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Target *)op)->member);
    return 0;
}

static int
meddling_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Target *)op)->weaklist);
    return target_traverse(op, visit, arg);
}

static int
target_clear(PyObject *op)
{
    Py_CLEAR(((Target *)op)->member);
    return 0;
}

static void
target_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    target_clear(op);
    PyObject_GC_Del(op);
}

static PyTypeObject target_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Target",
    .tp_basicsize = sizeof(Target),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = target_dealloc,
    .tp_traverse = target_traverse,
    .tp_clear = target_clear,
    .tp_weaklistoffset = offsetof(Target, weaklist),
};

static int called;

static PyObject *
count_call(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    called++;
    Py_RETURN_NONE;
}

static PyMethodDef callback_def = {"callback", count_call, METH_O, NULL};

/* Collects a cycle of one whose weak reference is ours; returns what
   PyGC_Collect did. */
static Py_ssize_t
collect_target(traverseproc traverse)
{
    target_type.tp_traverse = traverse;
    ck_assert_int_eq(PyType_Ready(&target_type), 0);
    Target *target = PyObject_GC_New(Target, &target_type);
    target->weaklist = NULL;
    target->member = Py_NewRef(target); /* it owns itself */
    PyObject_GC_Track((PyObject *)target);

    PyObject *callback = PyCFunction_New(&callback_def, NULL);
    PyObject *ref =
        suite_require(PyWeakref_NewRef((PyObject *)target, callback));
    suite_drop(callback, target);
    Py_ssize_t found = PyGC_Collect();
    ck_assert_int_eq(PyWeakref_IsDead(ref), 1);
    Py_DECREF(ref);
    return found;
}

START_TEST(callbacks_are_called)
{
    ck_assert_int_eq(collect_target(target_traverse), 1);
    ck_assert_int_eq(called, 1);
}

#ifndef PYBOEHM_CHECKS /* fatal there, as shown below */
START_TEST(no_callback_is_lost)
{
    ck_assert_int_eq(collect_target(meddling_traverse), 1);
    ck_assert_int_eq(called, 1);
}
#endif

START_TEST(checks_name_it)
{
    suite_with_checks();
    SUITE_FATAL(collect_target(meddling_traverse),
                "tp_traverse: type t.Target: visits what is no object");
}
