/* graphtypes.c: pictures of many objects: a node stands for a type, an edge
   for all references from objects of one type to objects of another.  See
   graph.h. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/heap.h"
#include "watch/graph.h"

/* A picture has so many edges at most, and after the first few none of those
   that stand for less than a thousandth of all references; and of the types
   without an edge those few that have most objects. */
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
    char name[PYB_EDGE_NAME]; /* of all of them; "" if they differ */
};

/* A table that grows; its rows are found by searching. */
struct summary {
    const struct pyb_graph *graph;
    struct kind *kinds;
    size_t n_kinds, kinds_room;
    struct link *links;
    size_t n_links, links_room;
    size_t from; /* the kind whose edges are counted */
    int failed;  /* there was no memory */
};

/* ------------------------------------------------------------------ */
/* Counting                                                            */

/* Room for a row more; NULL if there is no memory. */
static void *
grow(void *rows, size_t n, size_t *room, size_t size)
{
    size_t wanted = 2 * *room + 64;
    void *grown = rows;

    if (n < *room)
        return rows;
    grown = reallocarray(rows, wanted, size);
    if (grown != NULL)
        *room = wanted;
    return grown;
}

static size_t
kind_of(struct summary *summary, PyTypeObject *type)
{
    struct kind *grown;

    for (size_t i = 0; i < summary->n_kinds; i++)
        if (summary->kinds[i].type == type)
            return i;
    grown = grow(summary->kinds, summary->n_kinds, &summary->kinds_room,
                 sizeof *grown);
    if (grown == NULL) {
        summary->failed = 1;
        return 0;
    }
    summary->kinds = grown;
    grown[summary->n_kinds] = (struct kind){.type = type};
    return summary->n_kinds++;
}

/* From the last one on: mostly it is one of those of the same type. */
static struct link *
link_to(struct summary *summary, size_t to)
{
    struct link *grown;

    for (size_t i = summary->n_links; i-- > 0;)
        if (summary->links[i].from == summary->from &&
            summary->links[i].to == to)
            return &summary->links[i];
    grown = grow(summary->links, summary->n_links, &summary->links_room,
                 sizeof *grown);
    if (grown == NULL) {
        summary->failed = 1;
        return NULL;
    }
    summary->links = grown;
    grown[summary->n_links] = (struct link){summary->from, to, 0, ""};
    return &grown[summary->n_links++];
}

/* Items and entries have no names that all could share. */
static void
name_link(struct link *link, const struct pyb_edge *edge)
{
    char name[PYB_EDGE_NAME];

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
    struct link *link =
        link_to(summary, kind_of(summary, Py_TYPE(edge->child)));

    if (link == NULL)
        return 1;
    link->n++;
    name_link(link, edge);
    return 0;
}

static void
count_node(struct summary *summary, struct pyb_person *person)
{
    size_t number = kind_of(summary, Py_TYPE(person->op));
    unsigned state = pyb_graph_state(summary->graph, person);

    if (summary->failed)
        return;
    struct kind *kind = &summary->kinds[number];
    kind->n++;
    kind->bytes += pyb_heap_block_size(person->op);
    kind->outside += person->left > 0;
    kind->garbage += (state & PYB_NODE_GARBAGE) != 0;
    kind->adopted += (state & PYB_NODE_ADOPTED) != 0;
    summary->from = number;
    pyb_edges(person->op, count_edge, summary);
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
    fprintf(file, "  t%zu -> t%zu [label=\"", link->from, link->to);
    pyb_graph_escape(file, PyBoehm_GRAPH_DOT, link->name);
    fprintf(file, "%s\xc3\x97%zu\"];\n", *link->name != '\0' ? " " : "",
            link->n);
}

/* How many of the links, most references first, are drawn. */
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

/* The number of a kind with most objects that is not shown yet; n_kinds if all
   are. */
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

/* The types at the ends of the links that are drawn, and few others. */
static void
choose(const struct summary *summary, size_t n_links, unsigned char *shown)
{
    for (size_t i = 0; i < n_links; i++)
        shown[summary->links[i].from] = shown[summary->links[i].to] = 1;
    for (int room = KINDS_FEW; room > 0; room--) {
        size_t i = largest_hidden(summary, shown);

        if (i == summary->n_kinds || summary->kinds[i].n == 0 ||
            summary->kinds[i].n < summary->graph->n / SHARE)
            return;
        shown[i] = 1;
    }
}

/* Says how much is missing. */
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

/* The links with the most references, and the types at their ends. */
static void
draw(struct summary *summary, FILE *file)
{
    size_t n;
    unsigned char *shown = calloc(summary->n_kinds + 1, 1);

    if (shown == NULL) {
        summary->failed = 1;
        return;
    }
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
    PyErr_NoMemory();
    return -1;
}
