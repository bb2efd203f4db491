/* graphdot.c: pictures, in the language of Graphviz.  See graph.h.

   A node has the object's type, address and counts, and below them the
   referents that are not nodes themselves.  Each state is shown by a word as
   well as by a colour, since colours can be hard to tell apart. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "watch/graph/graph.h"

const char pyb_graph_preamble[] =
    "digraph pyboehm {\n"
    "  rankdir=LR;\n"
    "  graph [fontname=\"Helvetica\", fontsize=11];\n"
    "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\",\n"
    "        color=\"#555555\", fontname=\"Helvetica\", fontsize=10];\n"
    "  edge [color=\"#333333\", fontname=\"Helvetica\", fontsize=9];\n";

static const struct {
    unsigned state;
    const char *word;
    const char *look; /* NULL: the word is enough */
} states[] = {
    {PYB_NODE_GARBAGE, "garbage", "fillcolor=\"#f8d0c8\", color=\"#b03020\""},
    {PYB_NODE_ADOPTED, "adopted",
     "fillcolor=\"#cfe3f7\", color=\"#1f5fa8\", penwidth=2"},
    {PYB_NODE_UNTRACKED, "untracked", "style=\"rounded,filled,dashed\""},
    {PYB_NODE_FROZEN, "frozen", "fillcolor=\"#e4e4e4\""},
    {PYB_NODE_IMMORTAL, "immortal", NULL},
};

/* ------------------------------------------------------------------ */
/* One node                                                            */

/* A node that is being written. */
struct drawing {
    const struct pyb_graph *graph;
    FILE *file;
    size_t number;
    struct pyb_fold fold;
    FILE *label;   /* a text in memory, one line for each value */
    size_t folded; /* edges that are left out */
    size_t beyond; /* edges to containers beyond the depth */
};

static int
draw_value(const struct pyb_edge *edge, void *arg)
{
    struct drawing *drawing = arg;
    char name[PYB_EDGE_NAME], value[PYB_GRAPH_VALUE];

    if (pyb_graph_is_folded(drawing->graph, &drawing->fold, edge)) {
        drawing->folded++;
        return 0;
    }
    if (pyb_census_find(&drawing->graph->census, edge->child) != NULL) {
        drawing->beyond += !pyb_graph_number(drawing->graph, edge->child);
        return 0;
    }
    if (edge->kind == PYB_EDGE_KEY || edge->kind == PYB_EDGE_TYPE)
        return 0;
    pyb_edge_name(edge, name);
    fprintf(drawing->label, "%s%s%s\n", name, *name != '\0' ? " = " : "",
            pyb_graph_value(edge->child, value));
    return 0;
}

static void
write_counts(const struct pyb_node *node, unsigned state, FILE *label)
{
    char name[PYB_GRAPH_VALUE];

    if (PyType_Check(node->op))
        fprintf(label, "%s\n", pyb_graph_value(node->op, name));
    else
        fprintf(label, "%s at %p\n", Py_TYPE(node->op)->tp_name,
                (void *)node->op);
    if (!(state & PYB_NODE_IMMORTAL))
        fprintf(label, "%zd reference%s\n", pyb_graph_references(node->op),
                pyb_graph_references(node->op) == 1 ? "" : "s");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(states); i++)
        if (state & states[i].state)
            fprintf(label, "%s\n", states[i].word);
}

/* Writes the label's lines, aligned at the left. */
static void
write_label(FILE *file, char *label)
{
    char *rest, *line = strtok_r(label, "\n", &rest);

    fputs("label=\"", file);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        pyb_graph_escape(file, PyBoehm_GRAPH_DOT, line);
        fputs("\\l", file);
    }
    putc('"', file);
}

static int
draw_node(const struct pyb_graph *graph, FILE *file, size_t i)
{
    struct pyb_node *node = graph->nodes[i];
    unsigned state = pyb_graph_state(graph, node);
    char *text = NULL;
    size_t length;
    struct drawing drawing = {graph,
                              file,
                              i + 1,
                              {.parent = node->op},
                              open_memstream(&text, &length),
                              0,
                              0};

    if (drawing.label == NULL)
        return PYB_MEMORY_ERROR(-1);
    write_counts(node, state, drawing.label);
    pyb_edges(node->op, draw_value, &drawing);
    if (drawing.folded > 0)
        fprintf(drawing.label, "\xe2\x80\xa6 %zu more references\n",
                drawing.folded);
    if (drawing.beyond > 0)
        fprintf(drawing.label, "\xe2\x80\xa6 %zu container%s not followed\n",
                drawing.beyond, drawing.beyond == 1 ? "" : "s");
    fclose(drawing.label);
    fprintf(file, "  n%zu [", i + 1);
    write_label(file, text);
    for (size_t j = 0; j < Py_ARRAY_LENGTH(states); j++)
        if ((state & states[j].state) && states[j].look != NULL)
            fprintf(file, ", %s", states[j].look);
    fputs("];\n", file);
    free(text);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Edges                                                               */

static int
draw_edge(const struct pyb_edge *edge, void *arg)
{
    struct drawing *drawing = arg;
    size_t to = pyb_graph_number(drawing->graph, edge->child);
    char name[PYB_EDGE_NAME];

    PYB_ASSERT_OBJECT(to <= drawing->graph->n, edge->child);
    if (pyb_graph_is_folded(drawing->graph, &drawing->fold, edge) || to == 0)
        return 0;
    fprintf(drawing->file, "  n%zu -> n%zu [label=\"", drawing->number, to);
    pyb_graph_escape(drawing->file, PyBoehm_GRAPH_DOT,
                     pyb_edge_name(edge, name));
    fputs(edge->kind == PYB_EDGE_TYPE
              ? "\", style=dotted, constraint=false];\n"
              : "\"];\n",
          drawing->file);
    return 0;
}

/* References that no tp_traverse reports come from outside. */
static void
draw_outside(const struct pyb_node *node, FILE *file, size_t number)
{
    if (node->left <= 0)
        return;
    fprintf(file,
            "  outside%zu [label=\"outside\", shape=plaintext, "
            "style=\"\"];\n"
            "  outside%zu -> n%zu [label=\"\xc3\x97%zd\"];\n",
            number, number, number, node->left);
}

int
pyb_graph_write_dot(const struct pyb_graph *graph, FILE *file)
{
    fputs(pyb_graph_preamble, file);
    if (graph->n == 0)
        fputs("  none [label=\"there is nothing but pyboehm's own\", "
              "shape=plaintext, style=\"\"];\n",
              file);
    for (size_t i = 0; i < graph->n; i++)
        if (draw_node(graph, file, i) < 0)
            return -1;
    for (size_t i = 0; i < graph->n; i++) {
        struct drawing drawing = {.graph = graph,
                                  .file = file,
                                  .number = i + 1,
                                  .fold = {.parent = graph->nodes[i]->op}};

        draw_outside(graph->nodes[i], file, i + 1);
        pyb_edges(graph->nodes[i]->op, draw_edge, &drawing);
    }
    fputs("}\n", file);
    return 0;
}
