/* graphjson.c: graphs for programs, in JSON.  See graph.h.

   doc/pictures.md describes the fields.  No edges are left out. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "watch/graph/graph.h"
#include "watch/log/progress.h"

struct writing {
    const struct pyb_graph *graph;
    FILE *file;
    int n; /* edges of this node */
};

static void
write_string(FILE *file, const char *name, const char *text)
{
    fprintf(file, ", \"%s\": \"", name);
    pyb_graph_escape(file, PyBoehm_GRAPH_JSON, text);
    putc('"', file);
}

static int
write_edge(const struct pyb_edge *edge, void *arg)
{
    static const char *const kinds[] = {
        [PYB_EDGE_TYPE] = "type",
        [PYB_EDGE_ITEM] = "item",
        [PYB_EDGE_KEY] = "key",
        [PYB_EDGE_VALUE] = "value",
        [PYB_EDGE_ATTRIBUTE] = "attribute",
        [PYB_EDGE_MEMBER] = "member",
        [PYB_EDGE_WORD] = "word",
        [PYB_EDGE_OTHER] = "other",
    };
    struct writing *writing = arg;
    char name[PYB_EDGE_NAME], value[PYB_GRAPH_VALUE];
    size_t to = pyb_graph_number(writing->graph, edge->child);

    PYB_ASSERT_OBJECT((size_t)edge->kind < Py_ARRAY_LENGTH(kinds),
                      edge->child);
    PYB_ASSERT_OBJECT(to <= writing->graph->n, edge->child);
    fprintf(writing->file, "%s\n    {\"kind\": \"%s\"",
            writing->n++ > 0 ? "," : "", kinds[edge->kind]);
    write_string(writing->file, "name", pyb_edge_name(edge, name));
    if (to != 0)
        fprintf(writing->file, ", \"to\": %zu", to - 1);
    write_string(writing->file, "type", Py_TYPE(edge->child)->tp_name);
    if (pyb_census_find(&writing->graph->census, edge->child) == NULL)
        write_string(writing->file, "value",
                     pyb_graph_value(edge->child, value));
    putc('}', writing->file);
    return 0;
}

static void
write_node(struct writing *writing, struct pyb_node *node)
{
    unsigned state = pyb_graph_state(writing->graph, node);
    FILE *file = writing->file;

    fprintf(file, "\n  {\"address\": \"%p\"", (void *)node->op);
    write_string(file, "type", Py_TYPE(node->op)->tp_name);
    fprintf(file,
            ", \"references\": %zd, \"outside\": %zd, \"bytes\": %zu,\n"
            "   \"garbage\": %s, \"adopted\": %s, \"tracked\": %s, "
            "\"frozen\": %s, \"immortal\": %s,\n   \"edges\": [",
            pyb_graph_references(node->op), node->left,
            pyb_heap_block_size(node->op),
            state & PYB_NODE_GARBAGE ? "true" : "false",
            state & PYB_NODE_ADOPTED ? "true" : "false",
            state & PYB_NODE_UNTRACKED ? "false" : "true",
            state & PYB_NODE_FROZEN ? "true" : "false",
            state & PYB_NODE_IMMORTAL ? "true" : "false");
    writing->n = 0;
    pyb_edges(node->op, write_edge, writing);
    fputs("]}", file);
}

int
pyb_graph_write_json(const struct pyb_graph *graph, FILE *file)
{
    struct writing writing = {graph, file, 0};

    fputs("{\"pyboehm_graph\": 1,\n \"nodes\": [", file);
    for (size_t i = 0; i < graph->n; i++) {
        /* Edges lead to it by that number. */
        PYB_ASSERT(pyb_graph_number(graph, graph->nodes[i]->op) == i + 1);
        pyb_progress(i, graph->n);
        if (i > 0)
            putc(',', file);
        write_node(&writing, graph->nodes[i]);
    }
    fputs("\n]}\n", file);
    return 0;
}
