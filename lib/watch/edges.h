/* edges.h: what an object refers to, and what people call that place.

   tp_traverse says what is visited, and nothing of where.  Items and entries
   of the built-in containers are visited in their order; of others the words
   of the body are compared, and tp_members names them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_EDGES_H
#define PYB_WATCH_EDGES_H

#include "object.h"

enum pyb_edge_kind {
    PYB_EDGE_TYPE,      /* the object's type */
    PYB_EDGE_ITEM,      /* item number of a list or tuple */
    PYB_EDGE_KEY,       /* a key of a dict */
    PYB_EDGE_VALUE,     /* the value that key has in a dict */
    PYB_EDGE_ATTRIBUTE, /* what key names in an instance's own dict */
    PYB_EDGE_MEMBER,    /* the field with this name */
    PYB_EDGE_WORD,      /* the word number bytes from the beginning */
    PYB_EDGE_OTHER      /* somewhere else, in malloc memory for instance */
};

struct pyb_edge {
    enum pyb_edge_kind kind;
    PyObject *child;    /* borrowed */
    Py_ssize_t number;  /* of ITEM; of MEMBER and WORD the offset */
    const char *member; /* of MEMBER */
    PyObject *key;      /* of VALUE and ATTRIBUTE; borrowed */
};

/* pyb_edges: calls each() for every visit of op's tp_traverse, in its order,
   until that returns another number than 0, which it returns then.  op may be
   any object; nothing else of anybody's runs. */
int pyb_edges(PyObject *op,
              int (*each)(const struct pyb_edge *edge, void *arg), void *arg);

/* pyb_edge_member: the name of the field so many bytes from the beginning of
   such an object; NULL if nobody has given it one. */
const char *pyb_edge_member(const PyTypeObject *type, Py_ssize_t offset);

/* pyb_edge_name: what to call it, "type", "[3]", "['name']", "key", ".first",
   "+24" or ""; ASCII, cut where the room ends.  Returns to. */
enum { PYB_EDGE_NAME = 64 };
char *pyb_edge_name(const struct pyb_edge *edge, char to[PYB_EDGE_NAME]);

#endif /* PYB_WATCH_EDGES_H */
