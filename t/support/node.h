/* node.h: the container that the collector's tests are made of. */

#ifndef T_NODE_H
#define T_NODE_H

#include <Python.h>

struct node {
    PyObject_HEAD
    PyObject *left, *right; /* owned, visited, cleared */
    void *host;             /* the host's GC_MALLOC memory */
    long label;
};

/* What the types below do, counted since node_reset. */
struct node_log {
    long made, freed, finalized, cleared;
    void (*on_finalize)(struct node *); /* NULL: nothing more */
    void (*on_clear)(struct node *);    /* before the members go */
    void (*on_dealloc)(struct node *);
};
extern struct node_log node_log;

/* The slots, for types that share some of them. */
int node_traverse(PyObject *op, visitproc visit, void *arg);
int node_clear(PyObject *op);
void node_dealloc(PyObject *op);

/* NODE_TYPE: begins the initializer of another type. */
#define NODE_TYPE(name, dealloc, traverse, clear)                             \
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = name,                            \
                                .tp_basicsize = sizeof(struct node),          \
                                .tp_flags =                                   \
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,  \
                                .tp_dealloc = dealloc,                        \
                                .tp_traverse = traverse, .tp_clear = clear

extern PyTypeObject node_type;       /* tp_traverse, tp_clear */
extern PyTypeObject node_final_type; /* and tp_finalize */
extern PyTypeObject node_fixed_type; /* tp_traverse only */
extern PyTypeObject node_weak_type; /* weak references, for struct weak_node */

/* node_reset: readies the types, forgets what was counted. */
void node_reset(void);

/* node_new: a new tracked node of the type with empty members. */
struct node *node_new(PyTypeObject *type);

/* node_new_weak: one that can have weak references. */
struct weak_node {
    struct node node;
    PyObject *weakrefs;
};
struct node *node_new_weak(void);

/* node_link: gives from references to left and right (NULL: none). */
void node_link(struct node *from, void *left, void *right);

/* node_ring: n nodes in a ring through left; a new reference to the first.
   node_drop_ring: a ring that nothing else refers to. */
struct node *node_ring(PyTypeObject *type, long n);
void node_drop_ring(PyTypeObject *type, long n);

#endif /* T_NODE_H */
