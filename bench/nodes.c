/* nodes.c: the containers that most benchmarks are made of.

   The trashcan in the destructors is what CPython needs to free long chains
   without a deep stack. */

#include "nodes.h"

#if __has_include(<pyboehm.h>)
#include <pyboehm.h>
#endif

static int
pair_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct pair *self = (struct pair *)op;

    Py_VISIT(self->left);
    Py_VISIT(self->right);
    return 0;
}

static int
pair_clear(PyObject *op)
{
    struct pair *self = (struct pair *)op;

    Py_CLEAR(self->left);
    Py_CLEAR(self->right);
    return 0;
}

static void
pair_dealloc(PyObject *op)
{
    struct pair *self = (struct pair *)op;

    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, pair_dealloc);
    Py_XDECREF(self->left);
    Py_XDECREF(self->right);
    PyObject_GC_Del(self);
    Py_TRASHCAN_END;
}

PyTypeObject pair_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench.Pair",
    .tp_basicsize = sizeof(struct pair),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = pair_dealloc,
    .tp_traverse = pair_traverse,
    .tp_clear = pair_clear,
};

static int
triple_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct triple *self = (struct triple *)op;

    Py_VISIT(self->to[0]);
    Py_VISIT(self->to[1]);
    Py_VISIT(self->to[2]);
    return 0;
}

static int
triple_clear(PyObject *op)
{
    struct triple *self = (struct triple *)op;

    Py_CLEAR(self->to[0]);
    Py_CLEAR(self->to[1]);
    Py_CLEAR(self->to[2]);
    return 0;
}

static void
triple_dealloc(PyObject *op)
{
    struct triple *self = (struct triple *)op;

    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, triple_dealloc);
    Py_XDECREF(self->to[0]);
    Py_XDECREF(self->to[1]);
    Py_XDECREF(self->to[2]);
    PyObject_GC_Del(self);
    Py_TRASHCAN_END;
}

PyTypeObject triple_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench.Triple",
    .tp_basicsize = sizeof(struct triple),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = triple_dealloc,
    .tp_traverse = triple_traverse,
    .tp_clear = triple_clear,
};

/* ------------------------------------------------------------------ */

static void
freeze(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *result = gc ? PyObject_CallMethod(gc, "freeze", NULL) : NULL;

    if (result == NULL)
        bench_fail("gc.freeze failed");
    Py_DECREF(result);
    Py_DECREF(gc);
}

void
nodes_start(void)
{
    Py_Initialize();
    if (PyType_Ready(&pair_type) < 0 || PyType_Ready(&triple_type) < 0)
        bench_fail("PyType_Ready failed");
    PyGC_Collect();
    freeze();
}

/* What Boehm's collections have taken so far, in nanoseconds. */
static double
in_boehm(void)
{
#ifdef PYBOEHM_WATCH_H
    PyBoehm_Stats stats;

    PyBoehm_GetStats(&stats, sizeof stats);
    return stats.boehm.duration * 1e9;
#else
    return 0;
#endif
}

static Py_ssize_t
collect_own(void)
{
#ifdef PYBOEHM_H
    return PyBoehm_GC_Collect(2);
#else
    return PyGC_Collect();
#endif
}

static double
time_collection(Py_ssize_t (*collect)(void), size_t dead)
{
    double boehm = in_boehm(), start = bench_now(), time;
    Py_ssize_t found = collect();

    time = bench_now() - start;
    if (found != (Py_ssize_t)dead)
        bench_fail("%zd dead objects were found, not %zu", found, dead);
    bench_share((in_boehm() - boehm) / time);
    return time;
}

double
nodes_collect(size_t dead)
{
    return time_collection(PyGC_Collect, dead);
}

double
nodes_collect_own(size_t dead)
{
    return time_collection(collect_own, dead);
}

struct pair *
nodes_chain(size_t n)
{
    PyObject *head = NULL, **end = &head;
    int enabled = PyGC_Disable();

    for (size_t i = 0; i < n; i++) {
        struct pair *pair = pair_new();
        *end = (PyObject *)pair;
        end = &pair->left;
    }
    if (enabled)
        PyGC_Enable();
    return (struct pair *)head;
}

struct triple **
nodes_graph(size_t n)
{
    struct triple **nodes = bench_array(n, sizeof *nodes);
    size_t *order = bench_permutation(n);
    int enabled = PyGC_Disable();

    for (size_t i = 0; i < n; i++)
        nodes[i] = triple_new();
    for (size_t i = 0; i < n; i++) {
        struct triple *node = nodes[order[i]];
        /* The way round through all, and where chance leads. */
        node->to[0] = Py_NewRef(nodes[order[(i + 1) % n]]);
        for (int k = 1; k < DEGREE; k++)
            node->to[k] = Py_NewRef(nodes[bench_random(n)]);
    }
    free(order);
    if (enabled)
        PyGC_Enable();
    return nodes;
}
