/* objects.h: objects of several kinds, with edges that they own by count.

   Nodes have a tp_finalize, can be weakly referred to, and have a place in
   their body for a pointer to a block.  Containers of the library hold a tag
   beside their edges, by which their end is seen. */

#ifndef T_HEAPS_OBJECTS_H
#define T_HEAPS_OBJECTS_H

#include <Python.h>

#include "model.h"

/* Which thing of which graph it is, of those of one time. */
struct identity {
    int time, graph, place;
};

/* What objects tell of themselves; set these before anything is made. */
struct object_hooks {
    void (*final)(struct identity id);   /* tp_finalize */
    void (*cleared)(struct identity id); /* tp_clear of a node begins */
    /* What it owns is given up next: in a node's tp_dealloc, in a container's
       tp_clear or tp_dealloc. */
    void (*freed)(struct identity id);
    void (*called)(struct identity id); /* its weak reference's callback */
};
extern struct object_hooks object_hooks;

/* objects_init: makes the types; 0, or -1 with an exception. */
int objects_init(void);

/* object_new: an object with edges to what is not NULL among targets. */
PyObject *object_new(enum kind kind, struct identity id,
                     PyObject *const targets[EDGES]);

/* object_set: edge i refers to target, or, with NULL, to nothing.  Not of a
   tuple.  Allocates nothing; what a cell needs is made before. */
void object_set(PyObject *op, enum kind kind, int i, PyObject *target,
                PyObject *spare);

/* object_spare: for object_set; it may collect.  object_needs_spare: is there
   any need? */
PyObject *object_spare(PyObject *op, enum kind kind, int i, PyObject *target);
int object_needs_spare(enum kind kind);

/* object_edge: what edge i refers to, borrowed, or NULL. */
PyObject *object_edge(PyObject *op, enum kind kind, int i);

/* object_block: where a node's pointer to a block stands. */
void **object_block(PyObject *op);

/* object_is: is a node, or a container's tag, what it was? */
int object_is(PyObject *op, enum kind kind, struct identity id);

/* object_weakref: a new weak reference to a node. */
PyObject *object_weakref(PyObject *op, struct identity id, int callback);

#endif /* T_HEAPS_OBJECTS_H */
