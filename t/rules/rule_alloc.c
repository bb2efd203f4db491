/* rule_alloc.c: breaks "the memory for the object must be allocated using
   PyObject_GC_New or PyObject_GC_NewVar".

   Other memory cannot be tracked, so its cycles are never found; and
   containers' memory is not given to types that are none. */

#include "../support/node.h"
#include "../support/suite.h"

static const char text[] =
    ": PyObject_GC_Track: Assertion failed: object was not allocated with "
    "PyObject_GC_New";

START_TEST(other_memory_cannot_be_tracked)
{
    node_reset();
    SUITE_FATAL(
        PyObject_GC_Track((PyObject *)PyObject_New(struct node, &node_type)),
        text, "object type name: t.Node");
    SUITE_FATAL(PyObject_GC_Track(
                    PyObject_Init(malloc(sizeof(struct node)), &node_type)),
                text, "object type name: t.Node");
}

START_TEST(other_memory_is_never_found)
{
    node_reset();
    struct node *node = PyObject_New(struct node, &node_type);
    node->right = NULL;
    node->left = (PyObject *)node; /* it owns itself from now on */

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(node->left), 0);
    ck_assert_int_eq(node_log.cleared, 0);
    PyObject_Free(node);
}

START_TEST(types_without_the_flag_get_no_container)
{
    static PyTypeObject plain_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Plain",
        .tp_basicsize = sizeof(PyVarObject),
        .tp_itemsize = 1,
        .tp_flags = Py_TPFLAGS_DEFAULT,
    };
    const char said[] = "PyObject_GC_New: type t.Plain lacks "
                        "Py_TPFLAGS_HAVE_GC";

    ck_assert_int_eq(PyType_Ready(&plain_type), 0);
    suite_refused(PyObject_GC_New(PyObject, &plain_type), PyExc_SystemError,
                  said);
    suite_refused(PyObject_GC_NewVar(PyVarObject, &plain_type, 3),
                  PyExc_SystemError, said);
}
