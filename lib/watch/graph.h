/* graph.h: a part of the heap that is to be drawn: its nodes.  Edges are not
   kept; whoever writes the graph asks for them (edges.h).

   Nodes are containers.  Other objects have no references; they are shown with
   what refers to them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_GRAPH_H
#define PYB_WATCH_GRAPH_H

#include <stdio.h>

#include "watch/census.h"
#include "watch/edges.h"

struct pyb_graph {
    struct pyb_census census;
    size_t n;
    struct pyb_person **nodes; /* roots first, then breadth first */
    size_t *numbers;        /* of each person: its node's, from 1; 0: none */
    unsigned char *reached; /* of each person: from outside; else garbage */
    int folds;              /* of long containers only the first items count */
};

/* Where a traversal of a container stands, for pyb_graph_is_folded; zero at
   the beginning. */
struct pyb_fold {
    PyObject *parent;
    size_t entries, others; /* have been seen */
};

/* pyb_graph_is_folded: is the edge one of many that are left out?  To be
   asked about each edge of a traversal. */
int pyb_graph_is_folded(const struct pyb_graph *graph, struct pyb_fold *fold,
                        const struct pyb_edge *edge);

/* pyb_graph_number: the number of the node that op is, from 1; 0 if it is
   none. */
size_t pyb_graph_number(const struct pyb_graph *graph, const PyObject *op);

/* What is to be said of a node. */
enum pyb_node_state {
    PYB_NODE_GARBAGE = 1, /* nothing outside leads to it */
    PYB_NODE_ADOPTED = 2,
    PYB_NODE_UNTRACKED = 4,
    PYB_NODE_FROZEN = 8,
    PYB_NODE_IMMORTAL = 16
};
unsigned pyb_graph_state(const struct pyb_graph *graph,
                         const struct pyb_person *person);

/* pyb_graph_references: the counted references to an object. */
Py_ssize_t pyb_graph_references(PyObject *op);

/* Writers.  0, or -1 with MemoryError. */
int pyb_graph_write_dot(const struct pyb_graph *graph, FILE *file);
int pyb_graph_write_types(const struct pyb_graph *graph, FILE *file);
int pyb_graph_write_json(const struct pyb_graph *graph, FILE *file);

/* pyb_graph_preamble: what a picture begins with. */
extern const char pyb_graph_preamble[];

/* pyb_graph_escape: writes text, which should be UTF-8, as it must stand
   between quotes in this format. */
void pyb_graph_escape(FILE *file, int format, const char *text);

/* pyb_graph_value: a few words on an object that is no node, "'text'", "12",
   "<type>"; UTF-8, cut.  Returns to. */
enum { PYB_GRAPH_VALUE = 160 };
char *pyb_graph_value(PyObject *op, char to[PYB_GRAPH_VALUE]);

/* pyb_graph_finalizing: Py_Finalize begins: draws all that is alive if the
   environment wants it. */
void pyb_graph_finalizing(void);

#endif /* PYB_WATCH_GRAPH_H */
