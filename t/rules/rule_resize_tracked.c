/* rule_resize_tracked.c: breaks "op must not be tracked by the collector yet"
   of PyObject_GC_Resize.

   SystemError, and the object stays as it was. */

#include "../support/suite.h"

typedef struct {
    PyObject_VAR_HEAD
    PyObject *items[1];
} Row;

static int
row_traverse(PyObject *op, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_VISIT(((Row *)op)->items[i]);
    return 0;
}

static void
row_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_XDECREF(((Row *)op)->items[i]);
    PyObject_GC_Del(op);
}

static PyTypeObject row_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Row",
    .tp_basicsize = offsetof(Row, items),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = row_dealloc,
    .tp_traverse = row_traverse,
};

START_TEST(a_tracked_object_keeps_its_size)
{
    ck_assert_int_eq(PyType_Ready(&row_type), 0);
    Row *row = PyObject_GC_NewVar(Row, &row_type, 1);
    row->items[0] = PyList_New(0);

    PyObject_GC_Track((PyObject *)row);
    suite_refused(PyObject_GC_Resize(Row, row, 100), PyExc_SystemError,
                  "PyObject_GC_Resize: object of type t.Row is tracked");
    suite_refused(PyObject_GC_Resize((PyVarObject *)row, 100),
                  PyExc_SystemError, NULL);
    ck_assert_int_eq(Py_SIZE(row), 1);
    ck_assert_int_eq(Py_REFCNT(row), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)row), 1);
    ck_assert(PyList_Check(row->items[0]));

    PyObject_GC_UnTrack(row);
    row = suite_require(PyObject_GC_Resize(Row, row, 100));
    ck_assert_int_eq(Py_SIZE(row), 100);
    memset(&row->items[1], 0, 99 * sizeof row->items[1]);
    PyObject_GC_Track((PyObject *)row);
    Py_DECREF(row);
}
