/* graph.h: the part of the heap that a graph shows: its nodes.  Edges are not
   stored; the writers ask for them (edges.h).

   Nodes are containers.  Other objects have no references; they are shown
   within the nodes that refer to them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_GRAPH_GRAPH_H
#define PYB_WATCH_GRAPH_GRAPH_H

#include <stdio.h>

#include "watch/why/census.h"
#include "watch/why/edges.h"
#include "watch/why/own.h"

struct pyb_graph {
    struct pyb_census census;
    size_t n;
    struct pyb_node **nodes; /* roots first, then breadth first */
    size_t *numbers;         /* for each container the number of its node, from
                                1; 0: it has none */
    unsigned char *reached;  /* for each container: reached from outside;
                                otherwise it is garbage */
    int folds;       /* only the first items of long containers count */
    int without_own; /* pyboehm's own containers, see own.h, are left out */
    struct pyb_permanent own; /* then these are */
};

/* The state of a container's traversal, for pyb_graph_is_folded; zero at the
   beginning. */
struct pyb_fold {
    PyObject *parent;
    size_t values, keys, others; /* seen so far; a traversal of a type of the
                                    program's may visit keys alone */
};

/* pyb_graph_is_folded: is the edge among those left out of a long container?
   It must be called once for each edge of a traversal. */
int pyb_graph_is_folded(const struct pyb_graph *graph, struct pyb_fold *fold,
                        const struct pyb_edge *edge);

/* pyb_graph_check: fatal if a node has not its number, or there are others
   with one, see gc/base/fatal.h. */
void pyb_graph_check(const struct pyb_graph *graph);

/* pyb_graph_number: the number of op's node, from 1; 0 if it has none. */
size_t pyb_graph_number(const struct pyb_graph *graph, const PyObject *op);

/* The properties of a node. */
enum pyb_node_state {
    PYB_NODE_GARBAGE = 1, /* not reached from outside */
    PYB_NODE_ADOPTED = 2,
    PYB_NODE_UNTRACKED = 4,
    PYB_NODE_FROZEN = 8,
    PYB_NODE_IMMORTAL = 16
};
unsigned pyb_graph_state(const struct pyb_graph *graph,
                         const struct pyb_node *node);

/* pyb_graph_leaves_out: is a container left out, as one of pyboehm's own? */
int pyb_graph_leaves_out(const struct pyb_graph *graph,
                         const struct pyb_node *node);

/* pyb_graph_references: the counted references to an object. */
Py_ssize_t pyb_graph_references(PyObject *op);

/* The writers.  They return 0, or -1 with MemoryError. */
int pyb_graph_write_dot(const struct pyb_graph *graph, FILE *file);
int pyb_graph_write_types(const struct pyb_graph *graph, FILE *file);
int pyb_graph_write_json(const struct pyb_graph *graph, FILE *file);

/* pyb_graph_preamble: the beginning of every picture. */
extern const char pyb_graph_preamble[];

/* pyb_graph_escape: writes text, which should be UTF-8, escaped for a quoted
   string of this format: one of PyBoehm_GRAPH_..., or JSON that stands in an
   element <script> of HTML, where no "<" may. */
enum { PYB_GRAPH_SCRIPT = 100 };
void pyb_graph_escape(FILE *file, int format, const char *text);

/* pyb_graph_value: a short text for an object that is not a node, "'text'",
   "12", "<type>"; UTF-8, cut if it is too long.  Returns to. */
enum { PYB_GRAPH_VALUE = 160 };
char *pyb_graph_value(PyObject *op, char to[PYB_GRAPH_VALUE]);

/* pyb_graph_begin: if the environment has PYBOEHM_GRAPH, all is drawn at exit
   where Py_Finalize is not called.  pyb_graph_finalizing: Py_Finalize begins;
   draws all living objects if the environment has PYBOEHM_GRAPH.
   pyb_graph_write_to: draws them in a file of that name; 0, or -1 after a line
   on standard error. */
void pyb_graph_begin(void);
void pyb_graph_finalizing(void);
int pyb_graph_write_to(const char *name);

#endif /* PYB_WATCH_GRAPH_GRAPH_H */
