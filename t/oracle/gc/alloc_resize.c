/* alloc_resize.c: an untracked object gets another number of items.
   Manual: "PyObject_GC_Resize". */

#include "oracle.h"

struct row {
    PyObject_VAR_HEAD
    long mark;
    PyObject *items[1];
};

static int
row_traverse(PyObject *op, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_VISIT(((struct row *)op)->items[i]);
    return 0;
}

static void
row_finalize(PyObject *op)
{
    event("row", "finalize");
}

static void
row_dealloc(PyObject *op)
{
    struct row *row = (struct row *)op;

    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_CLEAR(row->items[i]);
    event("row", "dealloc");
    PyObject_GC_Del(op);
}

static PyTypeObject Row_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Row",
    .tp_basicsize = offsetof(struct row, items),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = row_dealloc,
    .tp_traverse = row_traverse,
    .tp_finalize = row_finalize,
};

static void
tell(const char *label, struct row *row)
{
    state(label, (PyObject *)row);
    say("    %ld items, mark %ld", (long)Py_SIZE(row), row->mark);
    for (Py_ssize_t i = 0; i < Py_MIN(Py_SIZE(row), 2); i++)
        show_kept("    item", row->items[i]);
}

static struct row *
resize(struct row *row, Py_ssize_t n)
{
    Py_ssize_t old = Py_SIZE(row);

    row = need(PyObject_GC_Resize(struct row, row, n));
    for (Py_ssize_t i = old; i < n; i++)
        row->items[i] = NULL;
    return row;
}

/* The manual: "op must not be tracked by the collector yet".  CPython 3.11
   believes it; ours raises an exception. */
static void
tracked(struct row *row)
{
    PyObject_GC_Track((PyObject *)row);
#ifdef ORACLE_PYBOEHM
    say("tracked, refused: %d",
        PyObject_GC_Resize(struct row, row, 5) == NULL &&
            PyErr_ExceptionMatches(PyExc_SystemError));
    PyErr_Clear();
#else
    say("tracked, refused: 1");
#endif
    tell("tracked", row);
}

void
oracle_program(void)
{
    struct row *row;

    need_ready(&Row_Type);
    row = need(PyObject_GC_NewVar(struct row, &Row_Type, 1));
    row->mark = 42;
    row->items[0] = need(PyUnicode_FromString("first"));
    tell("new", row);
    row = resize(row, 3);
    row->items[1] = need(PyUnicode_FromString("second"));
    tell("longer", row);
    row = resize(row, 10000);
    tell("very long", row);
    row = resize(row, 2);
    tell("shorter", row);
    PyObject_CallFinalizer((PyObject *)row);
    tell("finalized", row);
    row = resize(row, 50);
    tell("longer again", row);
    show("too long", (PyObject *)PyObject_GC_Resize(struct row, row,
                                                    PY_SSIZE_T_MAX / 8 - 2));
    tell("as it was", row);
    tracked(row);
    Py_DECREF(row); /* it was finalized */
    collect();
}
