/* check_gc_alloc.c: memory for containers: section A of the contract. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

/* Containers with items, for the functions with a size. */
struct row {
    PyObject_VAR_HEAD
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
row_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_XDECREF(((struct row *)op)->items[i]);
    PyObject_GC_Del(op);
}

static PyTypeObject row_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Row",
    .tp_basicsize = offsetof(struct row, items),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = row_dealloc,
    .tp_traverse = row_traverse,
};

struct plain {
    PyObject_HEAD
    long value;
};

static PyTypeObject plain_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Plain",
    .tp_basicsize = sizeof(struct plain),
};

static void
ready(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&row_type), 0);
    ck_assert_int_eq(PyType_Ready(&plain_type), 0);
}

static struct row *
row_new(Py_ssize_t n)
{
    struct row *row =
        suite_require(PyObject_GC_NewVar(struct row, &row_type, n));
    for (Py_ssize_t i = 0; i < n; i++)
        row->items[i] = NULL;
    return row;
}

START_TEST(new_object_is_untracked)
{
    ready();
    struct node *node =
        suite_require(PyObject_GC_New(struct node, &node_type));
    ck_assert_int_eq(Py_REFCNT(node), 1);
    ck_assert_ptr_eq(Py_TYPE(node), &node_type);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)node), 0);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)node), 0);
    PyObject_GC_Del(node);
}

START_TEST(new_without_the_flag)
{
    ready();
    suite_refused(PyObject_GC_New(struct plain, &plain_type),
                  PyExc_SystemError, NULL);
    suite_refused(PyObject_GC_NewVar(struct row, &plain_type, 1),
                  PyExc_SystemError, NULL);
    suite_refused(PyUnstable_Object_GC_NewWithExtraData(&plain_type, 1),
                  PyExc_SystemError, NULL);
}

START_TEST(new_var)
{
    ready();
    for (Py_ssize_t n = 0; n < 2000; n = n * 3 / 2 + 1) {
        struct row *row = row_new(n);
        ck_assert_int_eq(Py_SIZE(row), n);
        PyObject_GC_Track((PyObject *)row);
        for (Py_ssize_t i = 0; i < n; i++)
            row->items[i] = Py_NewRef(row);
        for (Py_ssize_t i = 0; i < n; i++)
            ck_assert_ptr_eq(row->items[i], row);
        ck_assert_int_eq(Py_REFCNT(row), n + 1);
        for (Py_ssize_t i = 0; i < n; i++)
            Py_CLEAR(row->items[i]);
        Py_DECREF(row);
    }
    struct row *old_name = PyObject_GC_VarNew(struct row, &row_type, 3);
    ck_assert_int_eq(Py_SIZE(old_name), 3);
    PyObject_GC_Del(old_name);
}

/* "FILE:LINE: bad argument to internal function". */
static void
expect_bad_internal_call(void)
{
    PyObject *exception = suite_require(PyErr_GetRaisedException());
    ck_assert(PyErr_GivenExceptionMatches(exception, PyExc_SystemError));
    PyObject *text = PyObject_Str(exception);
    const char *end = suite_require(strrchr(PyUnicode_AsUTF8(text), ':'));
    ck_assert_str_eq(end, ": bad argument to internal function");
    suite_drop(text, exception);
}

START_TEST(new_var_bad_size)
{
    ready();
    ck_assert_ptr_null(PyObject_GC_NewVar(struct row, &row_type, -1));
    expect_bad_internal_call();
    suite_refused(PyObject_GC_NewVar(struct row, &row_type, PY_SSIZE_T_MAX),
                  PyExc_MemoryError, NULL);
    suite_refused(
        PyObject_GC_NewVar(struct row, &row_type, PY_SSIZE_T_MAX / 8 - 8),
        PyExc_MemoryError, NULL);
}

START_TEST(extra_data)
{
    enum { EXTRA = 1000 };
    ready();
    for (int round = 0; round < 50; round++) {
        PyObject *op =
            PyUnstable_Object_GC_NewWithExtraData(&node_type, EXTRA);
        ck_assert_ptr_nonnull(op);
        ck_assert_int_eq(PyObject_GC_IsTracked(op), 0);
        char *body = (char *)op;
        for (size_t i = sizeof(PyObject);
             i < (size_t)node_type.tp_basicsize + EXTRA; i++)
            ck_assert_int_eq(body[i], 0);
        memset(body + node_type.tp_basicsize, 0xff, EXTRA);
        PyObject_GC_Del(op);
    }
    suite_refused(
        PyUnstable_Object_GC_NewWithExtraData(&node_type, SIZE_MAX - 8),
        PyExc_MemoryError, NULL);
}

START_TEST(resize)
{
    ready();
    struct row *row = row_new(2);
    row->items[0] = PyLong_FromLong(1000);
    row->items[1] = PyLong_FromLong(1001);

    /* It is the same object: none more was made. */
    int before[PyBoehm_GC_GENERATIONS], after[PyBoehm_GC_GENERATIONS];
    PyBoehm_GC_GetCount(before);
    row = PyObject_GC_Resize(struct row, row, 500);
    PyBoehm_GC_GetCount(after);
    ck_assert_int_eq(after[0], before[0]);
    ck_assert_ptr_nonnull(row);
    ck_assert_int_eq(Py_SIZE(row), 500);
    ck_assert_int_eq(Py_REFCNT(row), 1);
    ck_assert_int_eq(PyLong_AsLong(row->items[1]), 1001);
    for (Py_ssize_t i = 2; i < 500; i++)
        row->items[i] = NULL;
    Py_CLEAR(row->items[1]);

    /* The two-argument form of 2.2. */
    row = (struct row *)PyObject_GC_Resize((PyVarObject *)row, 1);
    ck_assert_ptr_nonnull(row);
    ck_assert_int_eq(Py_SIZE(row), 1);
    ck_assert_int_eq(PyLong_AsLong(row->items[0]), 1000);
    PyObject_GC_Track((PyObject *)row);
    Py_DECREF(row);
}

/* Boehm would see the addresses in items that are gone. */
START_TEST(resize_in_its_block)
{
    ready();
    struct row *row = row_new(600), *before = row;
    int moved = 0;

    for (Py_ssize_t i = 0; i < 600; i++)
        row->items[i] = Py_None;
    for (Py_ssize_t n = 599; n >= 500; n--) {
        row = PyObject_GC_Resize(struct row, row, n);
        moved += row != before;
        before = row;
        ck_assert_ptr_eq(row->items[n - 1], Py_None);
        ck_assert_int_eq(Py_SIZE(row), n);
    }
#ifdef PYBOEHM_CHECKS
    ck_assert_int_eq(moved, 100);
#else
    ck_assert_int_eq(moved, 0);
    for (Py_ssize_t i = 500; i < 600; i++)
        ck_assert_ptr_null(row->items[i]);
#endif
    for (Py_ssize_t n = 501; n < 5000; n++) {
        row = PyObject_GC_Resize(struct row, row, n);
        moved += row != before;
        before = row;
        row->items[n - 1] = Py_None;
        ck_assert_ptr_eq(row->items[n - 2], Py_None);
    }
#ifndef PYBOEHM_CHECKS
    ck_assert_int_le(moved, 25);
#endif
    Py_SET_SIZE(row, 0);
    PyObject_GC_Del(row);
}

/* ob_size is the type's: it may say more than there is room for. */
START_TEST(resize_leaves_the_neighbours_alone)
{
    enum { ROWS = 100 };
    struct row *rows[ROWS];

    ready();
    for (int i = 0; i < ROWS; i++)
        rows[i] = row_new(4);
    for (int i = 0; i < ROWS; i++) {
        Py_SET_SIZE(rows[i], 12);
        rows[i] = PyObject_GC_Resize(struct row, rows[i], 3);
    }
    for (int i = 0; i < ROWS; i++) {
        ck_assert_ptr_eq(Py_TYPE(rows[i]), &row_type);
        ck_assert_int_eq(Py_REFCNT(rows[i]), 1);
        ck_assert_int_eq(Py_SIZE(rows[i]), 3);
        PyObject_GC_Del(rows[i]);
    }
}

START_TEST(resize_keeps_the_finalized_state)
{
    static PyTypeObject final_row_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.FinalRow",
        .tp_base = &row_type,
    };
    ready();
    final_row_type.tp_finalize = node_final_type.tp_finalize;
    ck_assert_int_eq(PyType_Ready(&final_row_type), 0);
    struct row *row = PyObject_GC_NewVar(struct row, &final_row_type, 0);

    PyObject_CallFinalizer((PyObject *)row);
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)row), 1);
    row = PyObject_GC_Resize(struct row, row, 300);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)row), 1);
    PyObject_CallFinalizer((PyObject *)row);
    ck_assert_int_eq(node_log.finalized, 1);
    PyObject_GC_Del(row);

    /* The next object in that memory has a life of its own. */
    for (int i = 0; i < 100; i++) {
        row = PyObject_GC_NewVar(struct row, &final_row_type, 0);
        ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)row), 0);
        PyObject_GC_Del(row);
    }
}

static int
managed_row_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = PyObject_VisitManagedDict(op, visit, arg);

    return result != 0 ? result : row_traverse(op, visit, arg);
}

/* The dictionary stands behind the items, where the block ends. */
START_TEST(resize_keeps_the_managed_dict)
{
    static PyTypeObject managed_row_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.ManagedRow",
        .tp_base = &row_type,
        .tp_flags =
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
        .tp_traverse = managed_row_traverse,
    };
    static const Py_ssize_t sizes[] = {2, 3, 500, 7, 0};

    ready();
    ck_assert_int_eq(PyType_Ready(&managed_row_type), 0);
    struct row *row = PyObject_GC_NewVar(struct row, &managed_row_type, 1);
    row->items[0] = NULL;
    PyObject *value = PyUnicode_FromString("kept");
    ck_assert_int_eq(PyObject_SetAttrString((PyObject *)row, "x", value), 0);
    Py_DECREF(value);
    PyObject *dict = PyObject_GenericGetDict((PyObject *)row, NULL);
    ck_assert_int_eq(Py_REFCNT(dict), 2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        row = suite_require(PyObject_GC_Resize(struct row, row, sizes[i]));
        for (Py_ssize_t j = 0; j < sizes[i]; j++)
            row->items[j] = NULL;
        suite_new_text(PyObject_GetAttrString((PyObject *)row, "x"), "kept");
        ck_assert_int_eq(Py_REFCNT(dict), 2);
    }
    PyObject_ClearManagedDict((PyObject *)row);
    ck_assert_int_eq(Py_REFCNT(dict), 1);
    ck_assert_int_eq(PyObject_HasAttrString((PyObject *)row, "x"), 0);
    Py_DECREF(dict);
    PyObject_GC_Del(row);
}

START_TEST(resize_bad_input)
{
    ready();
    struct row *row = row_new(1);
    PyObject_GC_Track((PyObject *)row);
    suite_refused(PyObject_GC_Resize(struct row, row, 2), PyExc_SystemError,
                  NULL);
    ck_assert_int_eq(Py_SIZE(row), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)row), 1);
    PyObject_GC_UnTrack(row);
    ck_assert_ptr_null(PyObject_GC_Resize(struct row, row, -1));
    expect_bad_internal_call();
    suite_refused(PyObject_GC_Resize(struct row, row, PY_SSIZE_T_MAX),
                  PyExc_MemoryError, NULL);
    ck_assert_int_eq(Py_SIZE(row), 1);
    ck_assert_int_eq(Py_REFCNT(row), 1);
    PyObject_GC_Del(row);
}

/* ------------------------------------------------------------------ */

static int warnings;

static int
count_warning(PyObject *category, const char *text, void *Py_UNUSED(arg))
{
    ck_assert_ptr_eq(category, PyExc_ResourceWarning);
    ck_assert_str_eq(text, "gc: Object of type t.Node is not untracked before "
                           "destruction");
    warnings++;
    return 0;
}

START_TEST(del_of_a_tracked_object)
{
    ready();
    PyBoehm_SetWarningHook(count_warning, NULL);
    struct node *node = node_new(&node_type);
    PyErr_SetString(PyExc_ValueError, "pending");
    PyObject_GC_Del(node);
    ck_assert_int_eq(warnings, 1);
    suite_exception(PyExc_ValueError, "pending");
    ck_assert_int_eq(PyGC_Collect(), 0);
    PyBoehm_SetWarningHook(NULL, NULL);
}

START_TEST(generic_alloc)
{
    ready();
    PyObject *op = suite_require(PyType_GenericAlloc(&node_type, 0));
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    ck_assert_ptr_null(((struct node *)op)->left);
    ck_assert_ptr_null(((struct node *)op)->host);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);

    op = PyType_GenericAlloc(&row_type, 10);
    ck_assert_int_eq(Py_SIZE(op), 10);
    ck_assert_ptr_null(((struct row *)op)->items[9]);
    Py_DECREF(op);

    op = PyType_GenericAlloc(&plain_type, 0);
    ck_assert_int_eq(((struct plain *)op)->value, 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 0);
    Py_DECREF(op);

    suite_refused(PyType_GenericAlloc(&row_type, PY_SSIZE_T_MAX),
                  PyExc_MemoryError, NULL);
}

START_TEST(plain_objects)
{
    ready();
    struct plain *op = PyObject_New(struct plain, &plain_type);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_int_eq(PyObject_IS_GC((PyObject *)op), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)op), 0);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)op), 0);
    PyObject_Free(op);

    /* PyObject_Free tells both kinds of memory apart. */
    struct node *node = PyObject_GC_New(struct node, &node_type);
    PyObject_Free(node);
    PyObject_Free(NULL);

    void *memory = malloc(64);
    ck_assert_ptr_nonnull(PyObject_Init((PyObject *)memory, &plain_type));
    free(memory);
    suite_refused(PyObject_Init(NULL, &plain_type), PyExc_MemoryError, NULL);
}

START_TEST(memory_functions)
{
    void *p = suite_require(PyMem_Malloc(0));
    p = suite_require(PyMem_Realloc(p, 100));
    PyMem_Free(p);
    int *zeros = PyMem_Calloc(10, sizeof *zeros);
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(zeros[i], 0);
    PyMem_Free(zeros);
    ck_assert_ptr_null(PyMem_Malloc((size_t)PY_SSIZE_T_MAX + 1));
    ck_assert_ptr_null(PyMem_Calloc(SIZE_MAX / 2, 4));
    ck_assert_ptr_null(PyMem_New(long, PY_SSIZE_T_MAX));
}

/* Every block comes zeroed from the hands of its last object. */
START_TEST(blocks_are_handed_out_zeroed)
{
    enum { N = 3000 };
    static PyObject *all[N];
    ready();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            all[i] = PyType_GenericAlloc(&row_type, i % 700);
            struct row *row = (struct row *)all[i];
            for (int j = 0; j <= i % 700; j++)
                ck_assert_ptr_null(row->items[j]);
            for (int j = 0; j < i % 700; j++)
                row->items[j] = Py_None;
        }
        for (int i = 0; i < N; i++)
            Py_DECREF(all[i]);
    }
}

/* A reference too many that is given up goes nowhere.  With checks it is
   fatal sooner or later; t/hostile shows that. */
START_TEST(dead_objects_bear_references_given_up)
{
#ifndef PYBOEHM_CHECKS
    enum { N = 100 };
    PyObject *all[N];
    ready();
    for (int i = 0; i < N; i++)
        all[i] = PyType_GenericAlloc(&row_type, 3);
    for (int i = 0; i < N; i += 2) {
        PyObject *dead = all[i];
        Py_DECREF(dead);
        Py_INCREF(dead);
        Py_DECREF(dead); /* a pair */
        Py_DECREF(dead);
    }
    for (int i = 0; i < N; i += 2) /* where the dead were */
        all[i] = PyType_GenericAlloc(&row_type, 3);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(Py_REFCNT(all[i]), 1);
        for (int j = 0; j < i; j++)
            ck_assert_ptr_ne(all[i], all[j]);
    }
    for (int i = 0; i < N; i++)
        Py_DECREF(all[i]);
#endif
}

/* Objects are made and freed with checks and without, in the same memory. */
START_TEST(checks_come_and_go)
{
    enum { N = 100 };
    PyObject *all[N];

    suite_with_checks();
    ready();
    for (int i = 0; i < N; i++)
        all[i] = PyType_GenericAlloc(&row_type, 3); /* and a fence */
    for (int i = 0; i < N; i += 2)
        Py_DECREF(all[i]);
    Py_Finalize();
    unsetenv("PYBOEHM_CHECK");
    Py_Initialize();
    for (int i = 1; i < N; i += 2)
        Py_DECREF(all[i]);
    for (int i = 0; i < N; i++)
        all[i] = PyType_GenericAlloc(&row_type, 5);
    suite_with_checks();
    PyGC_Collect();
    for (int i = 0; i < N; i++) {
        PyObject_GC_UnTrack(all[i]);
        Py_DECREF(all[i]);
    }
}
