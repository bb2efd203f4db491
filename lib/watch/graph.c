/* graph.c: a part of the heap that is to be drawn.  See graph.h. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/adoption.h"
#include "gc/control.h"
#include "gc/environment.h"
#include "gc/generations.h"
#include "gc/upcalls.h"
#include "watch/graph.h"
#include "watch/output.h"

enum {
    FOLD_FROM = 9,  /* items: shorter containers are shown as they are */
    FOLD_TO = 5,    /* items of longer ones are shown */
    NODES_MAX = 200 /* of a picture; more are counted by type */
};

/* ------------------------------------------------------------------ */
/* Folding                                                             */

/* Of what a type keeps in a way of its own nobody knows how much it is; it is
   taken for many. */
static Py_ssize_t
length(PyObject *op)
{
    if (PyDict_Check(op))
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

    switch (edge->kind) {
    case PYB_EDGE_ITEM:
        number = (size_t)edge->number;
        break;
    case PYB_EDGE_VALUE:
    case PYB_EDGE_KEY: /* comes after its value */
        fold->entries += edge->kind == PYB_EDGE_VALUE;
        number = fold->entries - 1;
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
index_of(const struct pyb_graph *graph, const struct pyb_person *person)
{
    return (size_t)(person - graph->census.people);
}

size_t
pyb_graph_number(const struct pyb_graph *graph, const PyObject *op)
{
    const struct pyb_person *person = pyb_census_find(&graph->census, op);

    return person != NULL ? graph->numbers[index_of(graph, person)] : 0;
}

Py_ssize_t
pyb_graph_references(PyObject *op)
{
    return pyb_is_adopted(op) ? pyb_adoption_references(op) : op->ob_refcnt;
}

unsigned
pyb_graph_state(const struct pyb_graph *graph, const struct pyb_person *person)
{
    PyObject *op = person->op;
    unsigned state = 0;

    if (!graph->reached[index_of(graph, person)])
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

static void
add_node(struct pyb_graph *graph, struct pyb_person *person)
{
    size_t *number = &graph->numbers[index_of(graph, person)];

    if (*number != 0)
        return;
    graph->nodes[graph->n++] = person;
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
    struct pyb_person *person = pyb_census_find(&graph->census, edge->child);

    if (!pyb_graph_is_folded(graph, &expansion->fold, edge) && person != NULL)
        add_node(graph, person);
    return 0;
}

/* In pictures types do not show what they consist of unless they are roots:
   it is the same for all. */
static int
is_opened(const struct pyb_graph *graph, size_t i, size_t n_roots)
{
    return i < n_roots || !graph->folds || !PyType_Check(graph->nodes[i]->op);
}

/* Adds what the roots lead to in so many steps. */
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

/* 0, or -1 if a root is no container. */
static int
add_roots(struct pyb_graph *graph, PyObject *const *roots, Py_ssize_t n)
{
    if (roots == NULL)
        for (size_t i = 0; i < graph->census.n; i++)
            add_node(graph, &graph->census.people[i]);
    for (Py_ssize_t i = 0; roots != NULL && i < n; i++) {
        struct pyb_person *person = pyb_census_find(&graph->census, roots[i]);

        if (person == NULL)
            return -1;
        add_node(graph, person);
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* What is reached from outside                                        */

/* The array of nodes serves as the list of what is to be followed; NULL ends
   it. */
static void
reach(struct pyb_graph *graph, struct pyb_person *person)
{
    unsigned char *reached = &graph->reached[index_of(graph, person)];

    if (!*reached)
        graph->nodes[graph->n++] = person;
    *reached = 1;
}

static int
reach_child(PyObject *op, void *arg)
{
    struct pyb_graph *graph = arg;
    struct pyb_person *person = pyb_census_find(&graph->census, op);

    if (person != NULL)
        reach(graph, person);
    return 0;
}

static void
reach_all(struct pyb_graph *graph)
{
    for (size_t i = 0; i < graph->census.n; i++) {
        struct pyb_person *person = &graph->census.people[i];

        if (person->left != 0 || _Py_IsImmortal(person->op) ||
            pyb_is_adopted(person->op))
            reach(graph, person);
    }
    for (struct pyb_person **node = graph->nodes; *node != NULL; node++) {
        PyObject *op = (*node)->op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach_child, graph);
    }
    memset(graph->nodes, 0, graph->n * sizeof *graph->nodes);
    graph->n = 0;
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

static void
end(struct pyb_graph *graph)
{
    pyb_census_end(&graph->census);
    free(graph->nodes);
    free(graph->numbers);
    free(graph->reached);
}

/* 0, or -1 with MemoryError: then there is nothing to end. */
static int
begin(struct pyb_graph *graph)
{
    size_t n;

    if (pyb_census_take(&graph->census) < 0)
        return -1;
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
    struct pyb_graph graph = {.folds = format == PyBoehm_GRAPH_DOT};
    int result = -1;

    pyb_control_require(__func__);
    if (format != PyBoehm_GRAPH_DOT && format != PyBoehm_GRAPH_JSON) {
        PyErr_Format(PyExc_ValueError, "unknown graph format: %d", format);
        return -1;
    }
    if (pyb_control.collecting > 0) {
        PyErr_SetString(PyExc_RuntimeError, "a collection is under way");
        return -1;
    }
    if (begin(&graph) < 0)
        return -1;
    reach_all(&graph);
    if (add_roots(&graph, roots, n) < 0) {
        end(&graph);
        PyErr_SetString(PyExc_TypeError, "roots must be containers");
        return -1;
    }
    add_reached(&graph, depth);
    result = write_graph(&graph, file, format);
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
    size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".json") == 0 ? PyBoehm_GRAPH_JSON
                                                       : PyBoehm_GRAPH_DOT;
}

static void
complain(const char *name)
{
    fprintf(stderr, "pyboehm: PYBOEHM_GRAPH: %s: %s\n", name, strerror(errno));
}

void
pyb_graph_finalizing(void)
{
    const char *name = pyb_environment("PYBOEHM_GRAPH");
    struct pyb_output output;
    int whole;

    if (name == NULL)
        return;
    if (pyb_output_begin(&output, name) < 0) {
        complain(name);
        return;
    }
    whole = PyBoehm_WriteGraph(output.file, NULL, 0, -1, format_of(name)) == 0;
    if (!whole)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_GRAPH");
    if (pyb_output_end(&output, whole) < 0 && whole)
        complain(name);
}
