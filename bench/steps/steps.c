/* steps.c: one graph, made, collected once, and freed, for steps.sh to have
   callgrind look at; by itself, prints how many ns of the collection are each
   object's.

     steps chain N    each object refers to the one made after it
     steps random N   three references each, in no order; all is reached
     steps pairs N    dead: two and two objects that hold each other

   callgrind counts what happens in steps_measured. */

#include <Python.h>

#include <pyboehm.h>

#include <string.h>
#include <time.h>

enum { REFS = 3 };

struct node {
    PyObject_HEAD
    PyObject *refs[REFS];
};

static int
node_traverse(struct node *self, visitproc visit, void *arg)
{
    Py_VISIT(self->refs[0]);
    Py_VISIT(self->refs[1]);
    Py_VISIT(self->refs[2]);
    return 0;
}

static int
node_clear(struct node *self)
{
    for (int i = 0; i < REFS; i++)
        Py_CLEAR(self->refs[i]);
    return 0;
}

static void
node_dealloc(struct node *self)
{
    PyObject_GC_UnTrack(self);
    for (int i = 0; i < REFS; i++)
        Py_XDECREF(self->refs[i]);
    PyObject_GC_Del(self);
}

static PyTypeObject node_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "steps.Node",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_traverse = (traverseproc)node_traverse,
    .tp_clear = (inquiry)node_clear,
};

static size_t n;
static struct node **nodes;
static Py_ssize_t dead; /* how many objects the collection is to find */

static void
fail(const char *what)
{
    fprintf(stderr, "steps: %s\n", what);
    exit(EXIT_FAILURE);
}

/* ------------------------------------------------------------------ */
/* What is measured                                                    */

void steps_measured(void (*function)(void));

__attribute__((noinline)) void
steps_measured(void (*function)(void))
{
    function();
    __asm__ volatile("" ::: "memory"); /* no jump in the call's place */
}

static void
make_all(void)
{
    for (size_t i = 0; i < n; i++)
        if ((nodes[i] = PyObject_GC_New(struct node, &node_type)) == NULL)
            fail("no memory");
}

static void
track_all(void)
{
    for (size_t i = 0; i < n; i++)
        PyObject_GC_Track((PyObject *)nodes[i]);
}

static void
collect(void)
{
    if (PyBoehm_GC_Collect(2) != dead)
        fail("a collection returned a wrong number");
}

static void
untrack_all(void)
{
    for (size_t i = 0; i < n; i++)
        PyObject_GC_UnTrack(nodes[i]);
}

static void
delete_all(void)
{
    for (size_t i = 0; i < n; i++)
        PyObject_GC_Del(nodes[i]);
}

/* ------------------------------------------------------------------ */
/* Graphs                                                              */

static void
refer(size_t from, int slot, size_t to)
{
    nodes[from]->refs[slot] = Py_NewRef((PyObject *)nodes[to]);
}

/* The same numbers each time. */
static size_t
chance(size_t limit)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((state >> 33) % limit);
}

/* Gives up the references from making the objects, but for the first one. */
static void
leave(size_t first)
{
    for (size_t i = first; i < n; i++)
        Py_DECREF(nodes[i]);
}

static void
link_chain(void)
{
    for (size_t i = 0; i + 1 < n; i++)
        refer(i, 0, i + 1);
    leave(1);
}

/* The first reference of each makes one path through all of them. */
static void
link_random(void)
{
    size_t *order = PyMem_Calloc(n, sizeof *order);

    if (order == NULL)
        fail("no memory");
    for (size_t i = 1; i < n; i++) {
        size_t j = 1 + chance(i);

        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i + 1 < n; i++)
        refer(order[i], 0, order[i + 1]);
    for (size_t i = 0; i < n; i++) {
        refer(i, 1, chance(n));
        refer(i, 2, chance(n));
    }
    PyMem_Free(order);
    leave(1);
}

static void
link_pairs(void)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        refer(i, 0, i + 1);
        refer(i + 1, 0, i);
    }
    leave(0);
    dead = (Py_ssize_t)n;
}

static const struct graph {
    const char *name;
    void (*link)(void);
} graphs[] = {
    {"chain", link_chain},
    {"random", link_random},
    {"pairs", link_pairs},
};

static void
link_graph(const char *name)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(graphs); i++)
        if (strcmp(name, graphs[i].name) == 0) {
            graphs[i].link();
            return;
        }
    fail("no graph has this name");
}

/* ------------------------------------------------------------------ */

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int
main(int argc, char **argv)
{
    if (argc != 3 || (n = (size_t)atol(argv[2]) & ~(size_t)1) < 2)
        fail("usage: steps chain|random|pairs N");
    Py_Initialize();
    PyGC_Disable();
    nodes = PyMem_Calloc(n, sizeof *nodes);
    if (nodes == NULL || PyType_Ready(&node_type) < 0)
        fail("cannot start");
    steps_measured(make_all);
    for (size_t i = 0; i < n; i++)
        memset(nodes[i]->refs, 0, sizeof nodes[i]->refs);
    steps_measured(track_all);
    link_graph(argv[1]);
    PyBoehm_GC_Freeze(); /* all are old afterwards */
    PyBoehm_GC_Unfreeze();

    double start = now();
    steps_measured(collect);
    printf("%.1f\n", (now() - start) / (double)n);
    if (dead == 0) {
        steps_measured(untrack_all);
        steps_measured(delete_all);
    }
    PyMem_Free(nodes);
    return 0;
}
