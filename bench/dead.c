/* dead.c: a full collection of objects that are all dead.

   The objects are made anew for each round, which is not measured. */

#include "nodes.h"

/* Rings of so many pairs, through left. */
static void
make_rings(size_t objects, size_t length)
{
    for (size_t rest = objects; rest > 0;) {
        size_t n = rest < length ? rest : length;
        struct pair *first = nodes_chain(n), *last = first;
        while (last->left != NULL)
            last = (struct pair *)last->left;
        last->left = (PyObject *)first; /* the reference moves */
        rest -= n;
    }
}

static void
drop_rings(size_t size, size_t length)
{
    PyGC_Disable();
    make_rings(size, length);
    PyGC_Enable();
}

static double
pairs(size_t size)
{
    drop_rings(size, 2);
    return nodes_collect(size) / (double)size;
}

static double
rings(size_t size)
{
    drop_rings(size, 100);
    return nodes_collect(size) / (double)size;
}

static double
one_ring(size_t size)
{
    drop_rings(size, size);
    return nodes_collect(size) / (double)size;
}

/* The same, with Boehm's heap left alone. */
static double
own_pairs(size_t size)
{
    drop_rings(size, 2);
    return nodes_collect_own(size) / (double)size;
}

static double
own_rings(size_t size)
{
    drop_rings(size, 100);
    return nodes_collect_own(size) / (double)size;
}

static double
own_one_ring(size_t size)
{
    drop_rings(size, size);
    return nodes_collect_own(size) / (double)size;
}

static double
graph(size_t size)
{
    struct triple **nodes = nodes_graph(size);

    for (size_t i = 0; i < size; i++)
        Py_DECREF(nodes[i]);
    free(nodes);
    return nodes_collect(size) / (double)size;
}

/* ------------------------------------------------------------------ */
/* As in pyperformance's create_gc_cycles: instances of a class, linked in both
   directions in rings of 21. */

static PyObject *class;

static PyObject *
instance_new(void)
{
    PyObject *self = PyObject_CallNoArgs(class);

    if (self == NULL)
        bench_fail("no instance");
    return self;
}

static void
link_next(PyObject *self, PyObject *next)
{
    if (PyObject_SetAttrString(self, "next", next) < 0 ||
        PyObject_SetAttrString(next, "prev", self) < 0)
        bench_fail("no attribute");
}

static void
make_instance_ring(size_t length)
{
    PyObject *head = instance_new(), *current = Py_NewRef(head);

    for (size_t i = 1; i < length; i++) {
        PyObject *next = instance_new();
        link_next(current, next);
        Py_SETREF(current, next);
    }
    link_next(current, head);
    Py_DECREF(current);
    Py_DECREF(head);
}

/* Leaves the class itself out of the collections. */
static void
make_class(size_t Py_UNUSED(size))
{
    class = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Node");
    if (class == NULL)
        bench_fail("no class");
    PyGC_Collect();
}

static double
instances(size_t size)
{
    enum { LENGTH = 21 };

    PyGC_Disable();
    for (size_t rest = size; rest > 0;) {
        size_t n = rest < LENGTH ? rest : LENGTH;
        make_instance_ring(n);
        rest -= n;
    }
    PyGC_Enable();
    return nodes_collect(size) / (double)size;
}

static const struct bench_row rows[] = {
    {"pairs", .round = pairs},
    {"rings", .round = rings},
    {"one-ring", .round = one_ring},
    {"own-pairs", .round = own_pairs},
    {"own-rings", .round = own_rings},
    {"own-one-ring", .round = own_one_ring},
    {"random", .round = graph},
    {"instances", .begin = make_class, .round = instances},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
