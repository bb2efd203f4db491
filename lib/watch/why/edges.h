/* edges.h: an object's references, and the names of the places they are in.

   tp_traverse tells which objects are visited, but not where the references
   are.  Items and entries of the built-in containers are visited in a known
   order; for other types the words of the body are compared with the object
   visited, and tp_members names them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_EDGES_H
#define PYB_WATCH_WHY_EDGES_H

#include "object.h"

enum pyb_edge_kind {
    PYB_EDGE_TYPE,      /* the object's type */
    PYB_EDGE_ITEM,      /* item number of a list or tuple */
    PYB_EDGE_KEY,       /* a key of a dict */
    PYB_EDGE_VALUE,     /* the value of key in a dict */
    PYB_EDGE_ATTRIBUTE, /* the attribute key, in an instance's own dict */
    PYB_EDGE_MEMBER,    /* the field with this name */
    PYB_EDGE_WORD,      /* the word number bytes from the beginning */
    PYB_EDGE_OTHER      /* elsewhere, in malloc memory for instance */
};

struct pyb_edge {
    enum pyb_edge_kind kind;
    PyObject *child;    /* borrowed */
    Py_ssize_t number;  /* of ITEM; of MEMBER and WORD the offset */
    const char *member; /* of MEMBER */
    PyObject *key;      /* of VALUE and ATTRIBUTE; borrowed */
};

/* pyb_edges: calls each() for every visit of op's tp_traverse, in its order,
   until each() returns another number than 0; returns that number.  op may be
   any object.  Apart from tp_traverse and each(), no foreign code runs. */
int pyb_edges(PyObject *op,
              int (*each)(const struct pyb_edge *edge, void *arg), void *arg);

/* pyb_edge_member: the name of the field at an offset in a type's instances;
   NULL if it has none. */
const char *pyb_edge_member(const PyTypeObject *type, Py_ssize_t offset);

/* pyb_edge_dict: the dictionary of an instance, borrowed; NULL if it has
   none. */
PyObject *pyb_edge_dict(PyObject *op);

/* pyb_edge_name: the name of the place, "type", "[3]", "['name']", "key",
   ".first", "+24" or ""; in ASCII, cut if it is too long.  Returns to. */
enum { PYB_EDGE_NAME = 64 };
char *pyb_edge_name(const struct pyb_edge *edge, char to[PYB_EDGE_NAME]);

#endif /* PYB_WATCH_WHY_EDGES_H */
