/* figures.c: what the basic operations cost, in ns per object: the rows of the
   table in the ChangeLog.

   One source for pyboehm and for CPython: `make bench` runs it on both, in
   turn, if CPython's headers (python3-dev) are there. */

#include <Python.h>

#include <time.h>

enum { N = 1000000, CHURN = 10 * N, ROUNDS = 5 };

struct node {
    PyObject_HEAD
    PyObject *left, *right;
};

static int
node_traverse(struct node *self, visitproc visit, void *arg)
{
    Py_VISIT(self->left);
    Py_VISIT(self->right);
    return 0;
}

static int
node_clear(struct node *self)
{
    Py_CLEAR(self->left);
    Py_CLEAR(self->right);
    return 0;
}

static void
node_dealloc(struct node *self)
{
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, node_dealloc) Py_XDECREF(self->left);
    Py_XDECREF(self->right);
    PyObject_GC_Del(self);
    Py_TRASHCAN_END
}

static PyTypeObject node_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench.Node",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_traverse = (traverseproc)node_traverse,
    .tp_clear = (inquiry)node_clear,
};

static struct node **nodes;

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
fail(const char *what)
{
    fprintf(stderr, "figures: %s\n", what);
    exit(EXIT_FAILURE);
}

static struct node *
node_new(void)
{
    struct node *self = PyObject_GC_New(struct node, &node_type);

    if (self == NULL)
        fail("no memory");
    self->left = self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

static void
build(void)
{
    for (int i = 0; i < N; i++)
        nodes[i] = node_new();
}

/* Through left, the order in which they were made. */
static void
link_in_order(void)
{
    for (int i = 0; i + 1 < N; i++)
        nodes[i]->left = (PyObject *)nodes[i + 1]; /* the reference moves */
}

static void
link_at_random(void)
{
    srand(1);
    for (int i = 0; i < N; i++) {
        PyObject *other = (PyObject *)nodes[rand() % N];
        Py_INCREF(other);
        nodes[i]->right = other;
    }
}

static void
unlink_at_random(void)
{
    for (int i = 0; i < N; i++)
        Py_CLEAR(nodes[i]->right);
}

/* Pairs that hold each other and that nobody else holds. */
static void
make_pairs(void)
{
    for (int i = 0; i < N; i += 2) {
        struct node *a = node_new(), *b = node_new();
        a->left = (PyObject *)b;
        b->left = (PyObject *)a;
    }
}

/* ------------------------------------------------------------------ */

enum { CREATE, BUILD, ORDERED, RANDOM, CHAIN, PAIRS, CYCLIC, ROWS };
static const char *const row_names[ROWS] = {
    "create, track, destroy",
    "build 1 M, automatic collection on",
    "full collection, 1 M live, allocation order",
    "full collection, 1 M live, random edges",
    "free a chain of 1 M",
    "collect 1 M dead in pairs",
    "make pairs, automatic collection on",
};
static double figures[ROWS][ROUNDS];

static double start;
#define MEASURE(row, n, work)                                                 \
    (start = now(), (work), figures[row][round] = (now() - start) / (n))

static void
churn(void)
{
    for (int i = 0; i < CHURN; i++)
        Py_DECREF((PyObject *)node_new());
}

static void
collect(Py_ssize_t expected)
{
    if (PyGC_Collect() != expected)
        fail("a collection returned a wrong number");
}

static void
run(int round)
{
    MEASURE(CREATE, CHURN, churn());
    MEASURE(BUILD, N, build());
    link_in_order();
    collect(0);
    MEASURE(ORDERED, N, collect(0));
    link_at_random();
    MEASURE(RANDOM, N, collect(0));
    unlink_at_random();
    MEASURE(CHAIN, N, Py_DECREF((PyObject *)nodes[0]));
    PyGC_Disable();
    make_pairs();
    PyGC_Enable();
    MEASURE(PAIRS, N, collect(N));
    MEASURE(CYCLIC, N, make_pairs());
    PyGC_Collect();
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int
main(void)
{
    Py_Initialize();
    nodes = PyMem_Calloc(N, sizeof *nodes);
    if (nodes == NULL || PyType_Ready(&node_type) < 0)
        fail("cannot start");
    for (int round = 0; round < ROUNDS; round++)
        run(round);
    for (int row = 0; row < ROWS; row++) {
        qsort(figures[row], ROUNDS, sizeof(double), compare);
        printf("%-46s %7.1f\n", row_names[row], figures[row][ROUNDS / 2]);
    }
    PyMem_Free(nodes);
    return 0;
}
