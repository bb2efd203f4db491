/* rule_visit_type.c: breaks "instances of heap-allocated types hold a
   reference to their type; their traversal function must visit the type".

   The type, and all that hangs on it, seems to be owned from outside: where an
   instance hangs on its own type, both stay for ever. */

#include "../support/node.h"
#include "../support/suite.h"

static int
forgetful_traverse(PyObject *op, visitproc visit, void *arg)
{
    return node_traverse(op, visit, arg);
}

static int
proper_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return node_traverse(op, visit, arg);
}

static void
heap_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    node_log.freed++;
    node_clear(op);
    PyObject_GC_Del(op);
    Py_DECREF(type);
}

/* Makes a type that keeps an instance of itself, and drops both; returns a
   weak reference to the type. */
static PyObject *
drop_type(traverseproc traverse)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)heap_dealloc},
                           {Py_tp_traverse, (void *)traverse},
                           {Py_tp_clear, (void *)node_clear},
                           {0, NULL}};
    PyType_Spec spec = {"t.Heap", sizeof(struct node), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

    node_reset();
    PyObject *type = suite_require(PyType_FromSpec(&spec));
    PyGC_Collect(); /* what else lies about */
    struct node *instance = node_new((PyTypeObject *)type);
    ck_assert_int_eq(
        PyObject_SetAttrString(type, "instance", (PyObject *)instance), 0);
    Py_DECREF(instance);
    PyObject *ref = suite_require(PyWeakref_NewRef(type, NULL));
    Py_DECREF(type);
    return ref;
}

START_TEST(with_the_type_visited_all_is_collected)
{
    PyObject *ref = drop_type(proper_traverse);

    ck_assert_int_gt(PyGC_Collect(), 1);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyWeakref_IsDead(ref), 1);
    Py_DECREF(ref);
}

START_TEST(without_it_nothing_is)
{
    PyObject *ref = drop_type(forgetful_traverse);

    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(PyWeakref_IsDead(ref), 0);
    Py_DECREF(ref);
}
