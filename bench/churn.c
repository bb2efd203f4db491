/* churn.c: create, track, untrack, destroy: what an object costs that soon
   dies by its count.

   Four types as extensions have them, written as the manual shows it: static
   and heap types, of a fixed and of a variable size.  A heap type is owned and
   visited by its instances; most are made by tp_alloc, as in the row
   "heap-alloc".  The size of a row is the number of references in an object,
   all NULL; 1000 objects are alive in the rows "-window". */

#include "nodes.h"

enum { OPERATIONS = 100000, WINDOW = 1000 };

struct fixed {
    PyObject_HEAD
    PyObject *left, *right;
};

struct variable {
    PyObject_VAR_HEAD
    PyObject *items[];
};

static int
fixed_clear(PyObject *op)
{
    struct fixed *self = (struct fixed *)op;

    Py_CLEAR(self->left);
    Py_CLEAR(self->right);
    return 0;
}

static int
fixed_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct fixed *self = (struct fixed *)op;

    Py_VISIT(self->left);
    Py_VISIT(self->right);
    return 0;
}

static int
fixed_heap_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return fixed_traverse(op, visit, arg);
}

static void
fixed_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    fixed_clear(op);
    PyObject_GC_Del(op);
}

static void
fixed_heap_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    fixed_clear(op);
    PyObject_GC_Del(op);
    Py_DECREF(type);
}

static int
variable_clear(PyObject *op)
{
    struct variable *self = (struct variable *)op;

    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++)
        Py_CLEAR(self->items[i]);
    return 0;
}

static int
variable_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct variable *self = (struct variable *)op;

    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++)
        Py_VISIT(self->items[i]);
    return 0;
}

static int
variable_heap_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return variable_traverse(op, visit, arg);
}

static void
variable_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    variable_clear(op);
    PyObject_GC_Del(op);
}

static void
variable_heap_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    variable_clear(op);
    PyObject_GC_Del(op);
    Py_DECREF(type);
}

static PyTypeObject fixed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench.Fixed",
    .tp_basicsize = sizeof(struct fixed),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = fixed_dealloc,
    .tp_traverse = fixed_traverse,
    .tp_clear = fixed_clear,
};

static PyTypeObject variable_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench.Variable",
    .tp_basicsize = sizeof(struct variable),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = variable_dealloc,
    .tp_traverse = variable_traverse,
    .tp_clear = variable_clear,
};

static PyType_Slot fixed_slots[] = {
    {Py_tp_dealloc, fixed_heap_dealloc},
    {Py_tp_traverse, fixed_heap_traverse},
    {Py_tp_clear, fixed_clear},
    {0, NULL},
};
static PyType_Spec fixed_spec = {
    .name = "bench.FixedHeap",
    .basicsize = sizeof(struct fixed),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = fixed_slots,
};

static PyType_Slot variable_slots[] = {
    {Py_tp_dealloc, variable_heap_dealloc},
    {Py_tp_traverse, variable_heap_traverse},
    {Py_tp_clear, variable_clear},
    {0, NULL},
};
static PyType_Spec variable_spec = {
    .name = "bench.VariableHeap",
    .basicsize = sizeof(struct variable),
    .itemsize = sizeof(PyObject *),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = variable_slots,
};

static PyTypeObject *fixed_heap_type, *variable_heap_type;

/* ------------------------------------------------------------------ */

static inline PyObject *
fixed_new(PyTypeObject *type)
{
    struct fixed *self = PyObject_GC_New(struct fixed, type);

    if (self == NULL)
        bench_fail("no memory");
    self->left = self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

static inline PyObject *
variable_new(PyTypeObject *type, size_t items)
{
    struct variable *self =
        PyObject_GC_NewVar(struct variable, type, (Py_ssize_t)items);

    if (self == NULL)
        bench_fail("no memory");
    for (size_t i = 0; i < items; i++)
        self->items[i] = NULL;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* In place of both. */
static inline PyObject *
allocated_new(PyTypeObject *type)
{
    PyObject *self = type->tp_alloc(type, 0);

    if (self == NULL)
        bench_fail("no memory");
    return self;
}

/* Nanoseconds for the making and the end of an object. */
#define CHURN(make)                                                           \
    double start = bench_now();                                               \
    for (int i = 0; i < OPERATIONS; i++)                                      \
        Py_DECREF(make);                                                      \
    return (bench_now() - start) / OPERATIONS

static double
fixed_static(size_t Py_UNUSED(size))
{
    CHURN(fixed_new(&fixed_type));
}

static double
fixed_heap(size_t Py_UNUSED(size))
{
    CHURN(fixed_new(fixed_heap_type));
}

static double
fixed_alloc(size_t Py_UNUSED(size))
{
    CHURN(allocated_new(fixed_heap_type));
}

static double
variable_static(size_t size)
{
    CHURN(variable_new(&variable_type, size));
}

static double
variable_heap(size_t size)
{
    CHURN(variable_new(variable_heap_type, size));
}

/* The same, but an object lives until so many others were made. */
static double
window(PyTypeObject *type)
{
    static PyObject *alive[WINDOW];
    double start = bench_now();

    for (int i = 0; i < OPERATIONS; i++)
        Py_XSETREF(alive[i % WINDOW], fixed_new(type));
    return (bench_now() - start) / OPERATIONS;
}

static double
static_window(size_t Py_UNUSED(size))
{
    return window(&fixed_type);
}

static double
heap_window(size_t Py_UNUSED(size))
{
    return window(fixed_heap_type);
}

static const struct bench_row rows[] = {
    {"static", .round = fixed_static},
    {"heap", .round = fixed_heap},
    {"heap-alloc", .round = fixed_alloc},
    {"static-variable", .round = variable_static},
    {"heap-variable", .round = variable_heap},
    {"static-window", .round = static_window},
    {"heap-window", .round = heap_window},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    fixed_heap_type = (PyTypeObject *)PyType_FromSpec(&fixed_spec);
    variable_heap_type = (PyTypeObject *)PyType_FromSpec(&variable_spec);
    if (fixed_heap_type == NULL || variable_heap_type == NULL ||
        PyType_Ready(&fixed_type) < 0 || PyType_Ready(&variable_type) < 0)
        bench_fail("no types");
    return bench_main(argc, argv, rows);
}
