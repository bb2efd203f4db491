/* graph.c: the part of the heap that a graph shows.  See graph.h. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include <unistd.h>

#include "gc/adoption.h"
#include "gc/base/environment.h"
#include "gc/base/gil.h"
#include "gc/base/upcalls.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/heap/generations.h"
#include "object/error/errors.h"
#include "watch/graph/graph.h"
#include "watch/log/leaving.h"
#include "watch/log/output.h"
#include "watch/log/progress.h"

enum {
    FOLD_FROM = 9,  /* items; shorter containers are shown as a whole */
    FOLD_TO = 5,    /* items shown of a longer container */
    NODES_MAX = 200 /* nodes of a picture; more are summed up by type */
};

/* ------------------------------------------------------------------ */
/* Folding                                                             */

/* The length of a container.  Containers of unknown types count as long. */
static Py_ssize_t
length(PyObject *op)
{
    if (PyAnyDict_Check(op))
        return PyDict_GET_SIZE(op);
    if (PyAnySet_Check(op))
        return PySet_GET_SIZE(op);
    return PyList_Check(op) || PyTuple_Check(op) ? Py_SIZE(op) : FOLD_FROM;
}

int
pyb_graph_is_folded(const struct pyb_graph *graph, struct pyb_fold *fold,
                    const struct pyb_edge *edge)
{
    size_t number = 0;

    PYB_ASSERT_OBJECT(edge->kind != PYB_EDGE_ITEM || edge->number >= 0,
                      fold->parent);
    switch (edge->kind) {
    case PYB_EDGE_ITEM:
        number = (size_t)edge->number;
        break;
    case PYB_EDGE_VALUE:
        number = fold->values++;
        break;
    case PYB_EDGE_KEY:
        number = fold->keys++;
        break;
    case PYB_EDGE_OTHER:
        number = fold->others++;
        break;
    case PYB_EDGE_TYPE:
    case PYB_EDGE_ATTRIBUTE:
    case PYB_EDGE_MEMBER:
    case PYB_EDGE_WORD:
        return 0;
    }
    return graph->folds && number >= FOLD_TO &&
           length(fold->parent) >= FOLD_FROM;
}

/* ------------------------------------------------------------------ */
/* Nodes                                                               */

static size_t
index_of(const struct pyb_graph *graph, const struct pyb_node *node)
{
    PYB_ASSERT(node >= graph->census.nodes &&
               node < graph->census.nodes + graph->census.n);
    return (size_t)(node - graph->census.nodes);
}

int
pyb_graph_leaves_out(const struct pyb_graph *graph,
                     const struct pyb_node *node)
{
    PYB_ASSERT(!graph->without_own || graph->own.census == &graph->census);
    return graph->without_own && graph->own.is[index_of(graph, node)];
}

size_t
pyb_graph_number(const struct pyb_graph *graph, const PyObject *op)
{
    const struct pyb_node *node = pyb_census_find(&graph->census, op);

    return node != NULL ? graph->numbers[index_of(graph, node)] : 0;
}

Py_ssize_t
pyb_graph_references(PyObject *op)
{
    return pyb_is_adopted(op) ? pyb_adoption_references(op) : op->ob_refcnt;
}

unsigned
pyb_graph_state(const struct pyb_graph *graph, const struct pyb_node *node)
{
    PyObject *op = node->op;
    unsigned state = 0;

    if (!graph->reached[index_of(graph, node)])
        state |= PYB_NODE_GARBAGE;
    if (pyb_is_adopted(op))
        state |= PYB_NODE_ADOPTED;
    if (!PyObject_GC_IsTracked(op))
        state |= PYB_NODE_UNTRACKED;
    else if (pyb_generations_of(op) == PYB_FROZEN)
        state |= PYB_NODE_FROZEN;
    if (_Py_IsImmortal(op))
        state |= PYB_NODE_IMMORTAL;
    return state;
}

void
pyb_graph_check(const struct pyb_graph *graph)
{
    size_t n = 0;

    for (size_t i = 0; i < graph->census.n; i++)
        n += graph->numbers[i] != 0;
    PYB_ALWAYS(n == graph->n, NULL,
               "a graph has other nodes than containers with a number");
    for (size_t i = 0; i < n; i++) {
        const struct pyb_node *node = graph->nodes[i];

        PYB_ALWAYS(graph->numbers[index_of(graph, node)] == i + 1, node->op,
                   "a node has another number");
        PYB_ALWAYS(!pyb_graph_leaves_out(graph, node), node->op,
                   "a node is to be left out");
    }
}

static void
add_node(struct pyb_graph *graph, struct pyb_node *node)
{
    size_t *number = &graph->numbers[index_of(graph, node)];

    if (*number != 0 || pyb_graph_leaves_out(graph, node))
        return;
    PYB_ASSERT_OBJECT(graph->n < graph->census.n, node->op);
    graph->nodes[graph->n++] = node;
    *number = graph->n;
}

struct expansion {
    struct pyb_graph *graph;
    struct pyb_fold fold;
};

static int
add_child(const struct pyb_edge *edge, void *arg)
{
    struct expansion *expansion = arg;
    struct pyb_graph *graph = expansion->graph;
    struct pyb_node *node = pyb_census_find(&graph->census, edge->child);

    if (!pyb_graph_is_folded(graph, &expansion->fold, edge) && node != NULL)
        add_node(graph, node);
    return 0;
}

/* In pictures a type does not show its own fields unless it is a root: they
   look alike for all types. */
static int
is_opened(const struct pyb_graph *graph, size_t i, size_t n_roots)
{
    return i < n_roots || !graph->folds || !PyType_Check(graph->nodes[i]->op);
}

/* Adds the nodes that the roots lead to in at most depth steps; all if depth
   is negative. */
static void
add_reached(struct pyb_graph *graph, int depth)
{
    size_t done = 0, n_roots = graph->n;

    while (depth-- != 0 && done < graph->n)
        for (size_t end = graph->n; done < end; done++) {
            PyObject *op = graph->nodes[done]->op;
            struct expansion expansion = {graph, {.parent = op}};

            if (is_opened(graph, done, n_roots))
                pyb_edges(op, add_child, &expansion);
        }
}

/* Returns 0, or -1 if a root is not a container. */
static int
add_roots(struct pyb_graph *graph, PyObject *const *roots, Py_ssize_t n)
{
    if (roots == NULL)
        for (size_t i = 0; i < graph->census.n; i++)
            add_node(graph, &graph->census.nodes[i]);
    for (Py_ssize_t i = 0; roots != NULL && i < n; i++) {
        struct pyb_node *node = pyb_census_find(&graph->census, roots[i]);

        if (node == NULL)
            return -1;
        add_node(graph, node);
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Nodes reached from outside                                          */

/* The array of nodes serves as the work list, which NULL ends. */
static void
reach(struct pyb_graph *graph, struct pyb_node *node)
{
    unsigned char *reached = &graph->reached[index_of(graph, node)];

    PYB_ASSERT_OBJECT(*reached || graph->n < graph->census.n, node->op);
    if (!*reached)
        graph->nodes[graph->n++] = node;
    *reached = 1;
}

static int
reach_child(PyObject *op, void *arg)
{
    struct pyb_graph *graph = arg;
    struct pyb_node *node = pyb_census_find(&graph->census, op);

    if (node != NULL)
        reach(graph, node);
    return 0;
}

/* What is owned from outside, and all that it leads to, is reached.  Until it
   has the nodes of the picture, the array is the queue of those reached. */
static void
reach_all(struct pyb_graph *graph)
{
    PYB_ASSERT(graph->n == 0); /* the array is free, and ends in NULL */
    for (size_t i = 0; i < graph->census.n; i++) {
        struct pyb_node *node = &graph->census.nodes[i];

        if (node->left != 0 || _Py_IsImmortal(node->op) ||
            pyb_is_adopted(node->op))
            reach(graph, node);
    }
    struct pyb_node **node = graph->nodes;
    for (; *node != NULL; node++) {
        PyObject *op = (*node)->op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach_child, graph);
    }
    PYB_ASSERT(node == graph->nodes + graph->n);
    memset(graph->nodes, 0, graph->n * sizeof *graph->nodes);
    graph->n = 0;
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

static void
end(struct pyb_graph *graph)
{
    if (graph->without_own)
        pyb_own_end(&graph->own);
    pyb_census_end(&graph->census);
    free(graph->nodes);
    free(graph->numbers);
    free(graph->reached);
}

/* Returns 0, or -1 with MemoryError; in that case end must not be called. */
static int
begin(struct pyb_graph *graph)
{
    size_t n;

    if (pyb_census_take(&graph->census) < 0)
        return -1;
    if (graph->without_own && pyb_own_take(&graph->own, &graph->census) < 0) {
        pyb_census_end(&graph->census);
        return -1;
    }
    n = graph->census.n + 1;
    graph->nodes = calloc(n, sizeof *graph->nodes);
    graph->numbers = calloc(n, sizeof *graph->numbers);
    graph->reached = calloc(n, 1);
    if (graph->nodes != NULL && graph->numbers != NULL &&
        graph->reached != NULL)
        return 0;
    end(graph);
    pyb_upcalls.no_memory();
    return -1;
}

static int
write_graph(const struct pyb_graph *graph, FILE *file, int format)
{
    if (format == PyBoehm_GRAPH_JSON)
        return pyb_graph_write_json(graph, file);
    if (graph->n > NODES_MAX)
        return pyb_graph_write_types(graph, file);
    return pyb_graph_write_dot(graph, file);
}

int
PyBoehm_WriteGraph(FILE *file, PyObject *const *roots, Py_ssize_t n, int depth,
                   int format)
{
    struct pyb_graph graph = {
        .folds = format == PyBoehm_GRAPH_DOT,
        .without_own = format == PyBoehm_GRAPH_DOT && roots == NULL,
    };
    int result = -1;

    pyb_control_require(__func__);
    if (format != PyBoehm_GRAPH_DOT && format != PyBoehm_GRAPH_JSON)
        return pyb_failf(PyExc_ValueError, "unknown graph format: %d", format);
    if (pyb_collect_is_under_way())
        return pyb_fail(PyExc_RuntimeError, "a collection is under way");
    if (begin(&graph) < 0)
        return -1;
    reach_all(&graph);
    if (add_roots(&graph, roots, n) < 0) {
        end(&graph);
        return pyb_fail(PyExc_TypeError, "roots must be containers");
    }
    add_reached(&graph, depth);
    PYB_EXPENSIVE(pyb_graph_check(&graph));
    pyb_progress_begin("pyboehm graph");
    pyb_progress_part(0, 100);
    result = write_graph(&graph, file, format);
    pyb_progress_end();
    end(&graph);
    if (result == 0 && (fflush(file) != 0 || ferror(file))) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return result;
}

/* ------------------------------------------------------------------ */
/* PYBOEHM_GRAPH                                                       */

/* DOT, unless the file's name says otherwise. */
static int
format_of(const char *name)
{
    return pyb_output_ends_in(name, ".json") ? PyBoehm_GRAPH_JSON
                                             : PyBoehm_GRAPH_DOT;
}

/* A name that ends so promises a picture. */
static void
tell_if_no_picture(const char *name)
{
    static const char *const pictures[] = {".svg", ".png", ".pdf", ".html"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(pictures); i++)
        if (pyb_output_ends_in(name, pictures[i]))
            fprintf(stderr,
                    "pyboehm: PYBOEHM_GRAPH: %s is a graph in DOT, not a "
                    "picture: name it .dot, and run pyboehm-graph -o %s "
                    "FILE.dot\n",
                    name, name);
}

static void
complain(const char *name)
{
    fprintf(stderr, "pyboehm: PYBOEHM_GRAPH: %s: %s\n", name, strerror(errno));
}

/* The process that is to write the file; 0: none is. */
static pid_t due;

int
pyb_graph_write_to(const char *name)
{
    struct pyb_output output;
    int whole;

    PYB_ASSERT(pyb_gil_is_held());
    if (pyb_output_begin(&output, name) < 0) {
        complain(name);
        return -1;
    }
    whole = PyBoehm_WriteGraph(output.file, NULL, 0, -1, format_of(name)) == 0;
    if (!whole)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_GRAPH");
    if (pyb_output_end(&output, whole) == 0) {
        if (whole)
            tell_if_no_picture(name);
        return whole ? 0 : -1;
    }
    if (whole)
        complain(name);
    return -1;
}

void
pyb_graph_finalizing(void)
{
    const char *name = pyb_environment("PYBOEHM_GRAPH");

    due = 0;
    if (name != NULL)
        pyb_graph_write_to(name);
}

/* The process ends, and Py_Finalize has not been called. */
static void
at_exit(void)
{
    pyb_leaving("PYBOEHM_GRAPH", due, pyb_graph_finalizing);
}

void
pyb_graph_begin(void)
{
    static int registered;

    due = pyb_environment("PYBOEHM_GRAPH") != NULL ? getpid() : 0;
    if (due != 0 && !registered)
        registered = atexit(at_exit) == 0;
}
