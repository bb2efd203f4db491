/* untracked.c: objects that no collection sees.  See untracked.h.

   What only untracked containers keep has a chain from one of these.  That
   alone is no fault: garbage that is tracked may own them, and the next
   collection frees both.  One that is in a cycle owns itself by the others,
   and what it owns is owned from outside for every collection.  No cycle
   through it leaves what has such a chain, or there would be another root. The
   strongly connected components of that part tell (R. Tarjan, 1972). */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "watch/audit/untracked.h"
#include "watch/rows.h"
#include "watch/why/chains.h"

/* The part of the census that has a chain from an untracked container: its
   vertices are numbered from 1, in the order of the nodes. */
struct graph {
    const struct pyb_chains *chains;
    uint32_t *number;        /* of each node: its vertex; 0: it is none */
    uint32_t *node;          /* of each vertex */
    uint32_t n;              /* vertices */
    size_t *first, *next;    /* of each vertex, in to: its first edge, and the
                                next one to be followed */
    uint32_t *to;            /* where the edges lead */
    uint32_t *index, *low;   /* of each vertex, in Tarjan's terms; 0: new */
    uint32_t *caller;        /* of each vertex: from where it was reached */
    uint32_t *stack, height; /* vertices whose component is not known */
    uint32_t count;          /* of vertices reached */
    unsigned char *state;    /* of each vertex */
};
enum { ON_STACK = 1, IN_CYCLE = 2 };

static void
graph_end(struct graph *g)
{
    free(g->number);
    free(g->node);
    free(g->first);
    free(g->next);
    free(g->to);
    free(g->index);
    free(g->low);
    free(g->caller);
    free(g->stack);
    free(g->state);
}

/* ------------------------------------------------------------------ */
/* Making it                                                           */

/* A visit to the edges of a vertex, which are counted, or entered. */
struct edges {
    struct graph *g;
    uint32_t from;
};

static uint32_t
vertex_of(const struct graph *g, PyObject *op)
{
    const struct pyb_census *census = g->chains->census;
    const struct pyb_node *node = pyb_census_find(census, op);

    return node != NULL ? g->number[node - census->nodes] : 0;
}

static int
count_edge(PyObject *op, void *arg)
{
    struct edges *edges = arg;

    if (vertex_of(edges->g, op) != 0)
        edges->g->first[edges->from + 1]++;
    return 0;
}

static int
enter_edge(PyObject *op, void *arg)
{
    struct edges *edges = arg;
    uint32_t to = vertex_of(edges->g, op);

    if (to != 0)
        edges->g->to[edges->g->next[edges->from]++] = to;
    return 0;
}

static void
each_edge(struct graph *g, visitproc visit)
{
    for (uint32_t v = 1; v <= g->n; v++) {
        struct edges edges = {g, v};
        PyObject *op = g->chains->census->nodes[g->node[v]].op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            (void)Py_TYPE(op)->tp_traverse(op, visit, &edges);
    }
}

static void
rewind_edges(struct graph *g)
{
    memcpy(g->next, g->first, (g->n + 2) * sizeof *g->next);
}

/* 0, or -1 if there is no memory. */
static int
number_vertices(struct graph *g)
{
    size_t n = g->chains->census->n;

    g->number = calloc(n + 1, sizeof *g->number);
    g->node = calloc(n + 1, sizeof *g->node);
    if (g->number == NULL || g->node == NULL)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (g->chains->root[i] == PYB_CHAIN_UNTRACKED) {
            g->number[i] = ++g->n;
            g->node[g->n] = (uint32_t)i;
        }
    return 0;
}

/* 0, or -1 if there is no memory. */
static int
enter_edges(struct graph *g)
{
    size_t n = (size_t)g->n + 2;

    g->first = calloc(n, sizeof *g->first);
    g->next = calloc(n, sizeof *g->next);
    if (g->first == NULL || g->next == NULL)
        return -1;
    each_edge(g, count_edge);
    for (size_t i = 1; i < n; i++)
        g->first[i] += g->first[i - 1];
    g->to = calloc(g->first[n - 1] + 1, sizeof *g->to);
    if (g->to == NULL)
        return -1;
    rewind_edges(g);
    each_edge(g, enter_edge);
    rewind_edges(g);
    return 0;
}

/* 0, or -1 if there is no memory. */
static int
graph_begin(struct graph *g, const struct pyb_chains *chains)
{
    *g = (struct graph){.chains = chains};
    if (number_vertices(g) < 0 || enter_edges(g) < 0)
        return -1;
    size_t n = (size_t)g->n + 1;
    g->index = calloc(n, sizeof *g->index);
    g->low = calloc(n, sizeof *g->low);
    g->caller = calloc(n, sizeof *g->caller);
    g->stack = calloc(n, sizeof *g->stack);
    g->state = calloc(n, 1);
    return g->index == NULL || g->low == NULL || g->caller == NULL ||
                   g->stack == NULL || g->state == NULL
               ? -1
               : 0;
}

/* ------------------------------------------------------------------ */
/* Its components                                                      */

static void
reach(struct graph *g, uint32_t v, uint32_t from)
{
    PYB_ASSERT(g->index[v] == 0 && g->height < g->n);
    g->caller[v] = from;
    g->index[v] = g->low[v] = ++g->count;
    g->state[v] |= ON_STACK;
    g->stack[g->height++] = v;
}

/* Those on the stack from v on are a component. */
static void
end_component(struct graph *g, uint32_t v)
{
    unsigned char cycle = g->stack[g->height - 1] != v ? IN_CYCLE : 0;
    uint32_t w;

    do {
        PYB_ASSERT(g->height > 0);
        w = g->stack[--g->height];
        g->state[w] = (unsigned char)((g->state[w] & ~ON_STACK) | cycle);
    } while (w != v);
}

/* Follows the next edge of v; returns the vertex to go on with. */
static uint32_t
follow(struct graph *g, uint32_t v)
{
    uint32_t w = g->to[g->next[v]++];

    if (w == v)
        g->state[v] |= IN_CYCLE;
    if (g->index[w] == 0) {
        reach(g, w, v);
        return w;
    }
    if ((g->state[w] & ON_STACK) != 0)
        g->low[v] = Py_MIN(g->low[v], g->index[w]);
    return v;
}

/* All edges of v have been followed; returns the vertex to go back to. */
static uint32_t
leave(struct graph *g, uint32_t v)
{
    uint32_t caller = g->caller[v];

    if (g->low[v] == g->index[v])
        end_component(g, v);
    if (caller != 0)
        g->low[caller] = Py_MIN(g->low[caller], g->low[v]);
    return caller;
}

static void
find_components(struct graph *g)
{
    for (uint32_t first = 1; first <= g->n; first++) {
        uint32_t v = first;

        if (g->index[first] != 0)
            continue;
        reach(g, first, 0);
        while (v != 0)
            v = g->next[v] < g->first[v + 1] ? follow(g, v) : leave(g, v);
        PYB_ASSERT(g->height == 0);
    }
}

/* ------------------------------------------------------------------ */
/* Findings                                                            */

static int
is_suspect(const struct pyb_node *node)
{
    PyObject *op = node->op;

    return node->left <= 0 && op->ob_refcnt > 0 &&
           !PyObject_GC_IsTracked(op) && Py_TYPE(op)->tp_traverse != NULL &&
           !pyb_statictypes_has(Py_TYPE(op));
}

static int
is_lost(const struct graph *g, size_t i)
{
    uint32_t v = g->number[i];

    return v != 0 && (g->state[v] & IN_CYCLE) != 0 &&
           is_suspect(&g->chains->census->nodes[i]);
}

static int
tell(const struct graph *g, PyTypeObject *type, struct pyb_findings *findings)
{
    const struct pyb_census *census = g->chains->census;
    char what[256];
    struct pyb_finding finding = {
        .what = what,
        .so = "no collection frees them: call PyObject_GC_Track when the "
              "fields are set",
        .slot = (const void *)type->tp_traverse};

    for (size_t i = 0; i < census->n; i++)
        if (Py_TYPE(census->nodes[i].op) == type) {
            finding.of++;
            finding.n += (size_t)is_lost(g, i);
        }
    PYB_ASSERT(finding.n > 0);
    snprintf(what, sizeof what,
             "%.120s is not tracked, and in a cycle that nothing else keeps,",
             type->tp_name);
    return pyb_findings_add(findings, &finding);
}

/* Tells of each type once. */
static int
tell_all(const struct graph *g, struct pyb_findings *findings)
{
    const struct pyb_census *census = g->chains->census;
    struct pyb_typerows told = {NULL, 0, 0};
    int result = 0;

    for (size_t i = 0; i < census->n && result == 0; i++) {
        PyTypeObject *type = Py_TYPE(census->nodes[i].op);
        size_t n = told.n;

        if (!is_lost(g, i))
            continue;
        if (pyb_typerows_of(&told, sizeof type, type) == NULL)
            result = -1;
        else if (told.n > n)
            result = tell(g, type, findings);
    }
    free(told.all);
    return result;
}

/* ------------------------------------------------------------------ */

/* The rest takes memory and time, and is seldom needed. */
static int
has_suspects(const struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++)
        if (is_suspect(&census->nodes[i]))
            return 1;
    return 0;
}

int
pyb_untracked_find(const struct pyb_evidence *evidence,
                   struct pyb_findings *findings)
{
    struct pyb_chains chains;
    struct graph g;
    int result = -1;

    if (!has_suspects(&evidence->census))
        return 0;
    if (pyb_chains_take(&chains, &evidence->census, NULL) < 0) {
        PyErr_Clear();
        return -1;
    }
    if (graph_begin(&g, &chains) == 0) {
        find_components(&g);
        result = tell_all(&g, findings);
    }
    graph_end(&g);
    pyb_chains_end(&chains);
    return result;
}
