/* alloc_var.c: objects with items: how many, none, too few, too many.
   Manual: "PyObject_GC_NewVar", "PyObject_NewVar". */

#include "oracle.h"

struct row {
    PyObject_VAR_HEAD
    double items[1];
};

static int
row_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

static PyTypeObject Row_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Row",
    .tp_basicsize = offsetof(struct row, items),
    .tp_itemsize = sizeof(double),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = row_traverse,
};

static PyTypeObject PlainRow_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.PlainRow",
    .tp_basicsize = offsetof(struct row, items),
    .tp_itemsize = sizeof(double),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static void
container(Py_ssize_t n)
{
    struct row *row = need(PyObject_GC_NewVar(struct row, &Row_Type, n));

    say("%ld items: ob_size %ld", (long)n, (long)Py_SIZE(row));
    state("container", (PyObject *)row);
    for (Py_ssize_t i = 0; i < n; i++)
        row->items[i] = (double)i;
    PyObject_GC_Del(row);
}

static void
plain(Py_ssize_t n)
{
    struct row *row = need(PyObject_NewVar(struct row, &PlainRow_Type, n));

    say("%ld items: ob_size %ld", (long)n, (long)Py_SIZE(row));
    state("plain", (PyObject *)row);
    for (Py_ssize_t i = 0; i < n; i++)
        row->items[i] = (double)i;
    PyObject_Free(row);
}

void
oracle_program(void)
{
    const Py_ssize_t most = PY_SSIZE_T_MAX;

    need_ready(&Row_Type);
    need_ready(&PlainRow_Type);
    for (Py_ssize_t n = 0; n <= 1000; n = 10 * n + 1) {
        container(n);
        plain(n);
    }
    say("less than none:");
    show("container", (PyObject *)PyObject_GC_NewVar(PyObject, &Row_Type, -1));
    show("container",
         (PyObject *)PyObject_GC_NewVar(PyObject, &Row_Type, -most));
    say("more than memory has:");
    show("container",
         (PyObject *)PyObject_GC_NewVar(PyObject, &Row_Type, most / 8 - 1));
    show("plain",
         (PyObject *)PyObject_NewVar(PyObject, &PlainRow_Type, most / 8 - 4));
}
