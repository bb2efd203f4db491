/* graphtypes.c: pictures of many objects: a node stands for a type, an edge
   for all references from objects of one type to objects of another.  See
   graph.h. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include "gc/heap/heap.h"
#include "object/error/errors.h"
#include "watch/graph/graph.h"
#include "watch/rows.h"

/* The limits of a picture.  It has at most LINKS_MAX edges; after the first
   LINKS_FEW, edges with less than a thousandth of all references are left out.
   Of the types without an edge, the KINDS_FEW with the most objects are
   shown. */
enum { LINKS_MAX = 80, LINKS_FEW = 20, KINDS_FEW = 20, SHARE = 1000 };

struct kind {
    PyTypeObject *type;
    size_t n, bytes;
    size_t outside; /* objects with references from outside */
    size_t garbage, adopted;
};

struct link {
    size_t from, to; /* numbers of kinds */
    size_t n;
    char name[PYB_EDGE_NAME]; /* the name that all share; "" if they differ */
};

/* Tables that grow; rows are found by searching. */
struct summary {
    const struct pyb_graph *graph;
    struct kind *kinds;
    size_t n_kinds, kinds_room;
    struct link *links;
    size_t n_links, links_room;
    size_t from; /* edges of this kind are being counted */
    int failed;  /* memory ran out */
};

/* ------------------------------------------------------------------ */
/* Counting                                                            */

static size_t
kind_of(struct summary *summary, PyTypeObject *type)
{
    struct kind *grown;

    for (size_t i = 0; i < summary->n_kinds; i++)
        if (summary->kinds[i].type == type)
            return i;
    grown = pyb_rows_grow(summary->kinds, summary->n_kinds,
                          &summary->kinds_room, sizeof *grown);
    if (grown == NULL) {
        summary->failed = 1;
        return 0;
    }
    summary->kinds = grown;
    grown[summary->n_kinds] = (struct kind){.type = type};
    return summary->n_kinds++;
}

/* Searches from the last row on, since it mostly is one of the same type's
   rows. */
static struct link *
link_to(struct summary *summary, size_t to)
{
    struct link *grown;

    for (size_t i = summary->n_links; i-- > 0;)
        if (summary->links[i].from == summary->from &&
            summary->links[i].to == to)
            return &summary->links[i];
    grown = pyb_rows_grow(summary->links, summary->n_links,
                          &summary->links_room, sizeof *grown);
    if (grown == NULL) {
        summary->failed = 1;
        return NULL;
    }
    summary->links = grown;
    grown[summary->n_links] = (struct link){summary->from, to, 0, ""};
    return &grown[summary->n_links++];
}

/* Items and entries are named by their kind, since they have no name in
   common. */
static void
name_link(struct link *link, const struct pyb_edge *edge)
{
    char name[PYB_EDGE_NAME];

    PYB_ASSERT(link->n > 0); /* this edge is counted */
    if (edge->kind == PYB_EDGE_ITEM)
        strcpy(name, "items");
    else if (edge->kind == PYB_EDGE_VALUE)
        strcpy(name, "values");
    else if (edge->kind == PYB_EDGE_KEY)
        strcpy(name, "keys");
    else
        pyb_edge_name(edge, name);
    if (link->n == 1)
        strcpy(link->name, name);
    else if (strcmp(link->name, name) != 0)
        *link->name = '\0';
}

static int
count_edge(const struct pyb_edge *edge, void *arg)
{
    struct summary *summary = arg;
    const struct pyb_node *node =
        pyb_census_find(&summary->graph->census, edge->child);
    struct link *link;

    if (node != NULL && pyb_graph_leaves_out(summary->graph, node))
        return 0;
    link = link_to(summary, kind_of(summary, Py_TYPE(edge->child)));
    if (link == NULL)
        return 1;
    link->n++;
    name_link(link, edge);
    return 0;
}

static void
count_node(struct summary *summary, struct pyb_node *node)
{
    size_t number = kind_of(summary, Py_TYPE(node->op));
    unsigned state = pyb_graph_state(summary->graph, node);

    if (summary->failed)
        return;
    struct kind *kind = &summary->kinds[number];
    kind->n++;
    kind->bytes += pyb_heap_block_size(node->op);
    kind->outside += node->left > 0;
    kind->garbage += (state & PYB_NODE_GARBAGE) != 0;
    kind->adopted += (state & PYB_NODE_ADOPTED) != 0;
    summary->from = number;
    pyb_edges(node->op, count_edge, summary);
}

/* ------------------------------------------------------------------ */
/* Drawing                                                             */

static int
by_references(const void *a, const void *b)
{
    size_t n = ((const struct link *)a)->n, m = ((const struct link *)b)->n;

    return (n < m) - (n > m);
}

static void
draw_kind(const struct kind *kind, FILE *file, size_t number)
{
    fprintf(file, "  t%zu [label=\"", number);
    pyb_graph_escape(file, PyBoehm_GRAPH_DOT, kind->type->tp_name);
    if (kind->n > 0)
        fprintf(file, "\\l%zu object%s, %zu bytes\\l", kind->n,
                kind->n == 1 ? "" : "s", kind->bytes);
    else
        fputs("\\lnot in Boehm's heap\\l", file);
    if (kind->outside > 0)
        fprintf(file, "%zu held from outside\\l", kind->outside);
    if (kind->adopted > 0)
        fprintf(file, "%zu adopted\\l", kind->adopted);
    if (kind->garbage > 0)
        fprintf(file, "%zu garbage\\l", kind->garbage);
    fprintf(file, "\"%s%s];\n",
            kind->garbage > 0   ? ", fillcolor=\"#f8d0c8\", color=\"#b03020\""
            : kind->adopted > 0 ? ", fillcolor=\"#cfe3f7\", color=\"#1f5fa8\""
                                : "",
            kind->outside + kind->adopted > 0 ? ", penwidth=2" : "");
}

static void
draw_link(const struct link *link, FILE *file)
{
    PYB_ASSERT(link->n > 0);
    fprintf(file, "  t%zu -> t%zu [label=\"", link->from, link->to);
    pyb_graph_escape(file, PyBoehm_GRAPH_DOT, link->name);
    fprintf(file, "%s\xc3\x97%zu\"];\n", *link->name != '\0' ? " " : "",
            link->n);
}

/* The number of links to be drawn; the links are sorted, most references
   first. */
static size_t
count_drawn(const struct summary *summary)
{
    size_t n = 0, all = 0;

    for (size_t i = 0; i < summary->n_links; i++)
        all += summary->links[i].n;
    while (n < Py_MIN(summary->n_links, LINKS_MAX) &&
           (n < LINKS_FEW || summary->links[n].n >= all / SHARE))
        n++;
    return n;
}

/* The kind with the most objects that is not shown yet; n_kinds if all are. */
static size_t
largest_hidden(const struct summary *summary, const unsigned char *shown)
{
    size_t most = summary->n_kinds;

    for (size_t i = 0; i < summary->n_kinds; i++)
        if (!shown[i] && (most == summary->n_kinds ||
                          summary->kinds[i].n > summary->kinds[most].n))
            most = i;
    return most;
}

/* Chooses the types to be shown: those at the ends of the links drawn, and a
   few others. */
static void
choose(const struct summary *summary, size_t n_links, unsigned char *shown)
{
    PYB_ASSERT(n_links <= summary->n_links);
    for (size_t i = 0; i < n_links; i++) {
        PYB_ASSERT(summary->links[i].from < summary->n_kinds &&
                   summary->links[i].to < summary->n_kinds);
        shown[summary->links[i].from] = shown[summary->links[i].to] = 1;
    }
    for (int room = KINDS_FEW; room > 0; room--) {
        size_t i = largest_hidden(summary, shown);

        if (i == summary->n_kinds || summary->kinds[i].n == 0 ||
            summary->kinds[i].n < summary->graph->n / SHARE)
            return;
        shown[i] = 1;
    }
}

/* Draws a note with the numbers of types and links left out. */
static void
draw_rest(const struct summary *summary, size_t n_links,
          const unsigned char *shown, FILE *file)
{
    size_t kinds = 0, links = summary->n_links - n_links;

    for (size_t i = 0; i < summary->n_kinds; i++)
        kinds += !shown[i] && summary->kinds[i].n > 0;
    if (kinds == 0 && links == 0)
        return;
    fputs("  more [label=\"", file);
    if (kinds > 0)
        fprintf(file, "%zu types are not shown\\n", kinds);
    if (links > 0)
        fprintf(file, "%zu kinds of references are not shown", links);
    fputs("\", shape=plaintext, style=\"\"];\n", file);
}

/* Is each node counted once, and is what refers to others a node's type? */
static int
check_summary(const struct summary *summary)
{
    size_t n = 0;

    for (size_t i = 0; i < summary->n_kinds; i++) {
        const struct kind *kind = &summary->kinds[i];

        PYB_ASSERT(kind->garbage <= kind->n && kind->outside <= kind->n &&
                   kind->adopted <= kind->n);
        n += kind->n;
    }
    PYB_ASSERT(n == summary->graph->n);
    for (size_t i = 0; i < summary->n_links; i++)
        PYB_ASSERT(summary->kinds[summary->links[i].from].n > 0);
    return 1;
}

/* Draws the links with the most references, and the types at their ends. */
static void
draw(struct summary *summary, FILE *file)
{
    size_t n;
    unsigned char *shown = calloc(summary->n_kinds + 1, 1);

    if (shown == NULL) {
        summary->failed = 1;
        return;
    }
    PYB_EXPENSIVE(check_summary(summary));
    if (summary->n_links > 0)
        qsort(summary->links, summary->n_links, sizeof *summary->links,
              by_references);
    n = count_drawn(summary);
    fputs(pyb_graph_preamble, file);
    choose(summary, n, shown);
    for (size_t i = 0; i < summary->n_kinds; i++)
        if (shown[i])
            draw_kind(&summary->kinds[i], file, i);
    for (size_t i = 0; i < n; i++)
        draw_link(&summary->links[i], file);
    draw_rest(summary, n, shown, file);
    fputs("}\n", file);
    free(shown);
}

int
pyb_graph_write_types(const struct pyb_graph *graph, FILE *file)
{
    struct summary summary = {.graph = graph};

    for (size_t i = 0; i < graph->n && !summary.failed; i++)
        count_node(&summary, graph->nodes[i]);
    if (!summary.failed)
        draw(&summary, file);
    free(summary.kinds);
    free(summary.links);
    if (!summary.failed)
        return 0;
    return PYB_MEMORY_ERROR(-1);
}
