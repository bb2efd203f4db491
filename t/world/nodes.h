/* nodes.h: the types that the random world is made of. */

#ifndef T_WORLD_NODES_H
#define T_WORLD_NODES_H

#include <Python.h>

#include "program.h"

struct node {
    PyObject_VAR_HEAD
    int place; /* in the model */
    struct habits habits;
    int has_dict; /* an attribute was set */
    PyObject *dict, *weakrefs;
    PyObject *fields[WORLD_FIELDS];
    PyObject *items[1]; /* ob_size of them, owned like the fields */
};

/* What nodes and tags tell of themselves, and what they ask for.  Set these
   before anything is made. */
struct node_hooks {
    void (*final)(struct node *node);
    /* tp_finalize does this; callback: a weak reference calls it. */
    void (*act)(struct node *node, enum habit habit);
    void (*clear)(struct node *node);
    void (*called)(struct node *node, PyObject *weakref);
    void (*freed)(int place);
};
extern struct node_hooks node_hooks;

/* nodes_init: makes all types; 0, or -1 with an exception. */
int nodes_init(void);

/* nodes_leaks: how many references there are to the types that were not there
   when they were made. */
long nodes_leaks(void);

/* node_new: an untracked node with empty edges. */
struct node *node_new(struct traits traits, struct habits habits, int place);

/* node_is: is it one? */
int node_is(PyObject *op);

/* node_edge: where edge i of a node stands: a field or an item. */
PyObject **node_edge(struct node *node, int i);

/* node_empty: empties all edges, the dictionary's too. */
void node_empty(struct node *node);

/* node_dict: its dictionary, borrowed, or NULL. */
PyObject *node_dict(struct node *node);

/* tag_new: what stands in a container to tell that this was emptied. */
PyObject *tag_new(int place);

#endif /* T_WORLD_NODES_H */
