/* watch.h: what people look at: is a type's tp_traverse right, who holds an
   object, what does the heap look like, what does the collector do.

   Part of pyboehm; included by pyboehm.h.  Nothing here is CPython's.  The
   functions need an initialised library and are called from the attached
   thread; those that look at the heap run tp_traverse of all containers.

   Manual: doc/pictures.md. */

#ifndef PYBOEHM_WATCH_H
#define PYBOEHM_WATCH_H

#include <stdio.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Pictures                                                            */

/* Formats: DOT is for Graphviz, see pyboehm-graph(1); JSON for programs, see
   doc/pictures.md. */
#define PyBoehm_GRAPH_DOT 1
#define PyBoehm_GRAPH_JSON 2

/* PyBoehm_WriteGraph: writes the containers that the n roots (borrowed) lead
   to in at most depth steps, any number if that is negative, with what they
   own; all there are if roots is NULL.  In DOT long containers are folded, and
   if there are more than 200 nodes, a node stands for all objects of a type;
   JSON has everything.  0; -1 with TypeError if a root is no container,
   ValueError for another format, RuntimeError in the middle of a collection,
   OSError if the file cannot be written, or MemoryError.  Locks: runs
   tp_traverse, and nothing else.  Manual: doc/pictures.md. */
PyAPI_FUNC(int) PyBoehm_WriteGraph(FILE *file, PyObject *const *roots,
                                   Py_ssize_t n, int depth, int format);

/* ------------------------------------------------------------------ */
/* Debuggers                                                           */

/* PyBoehm_Layout: where things lie in memory, for programs that read the
   memory of another one, or a core file, and call nothing in it: names, each
   with an address, an offset, a size or another number; a NULL name ends the
   table.  Which names there are, and what they mean, may change with every
   version: it is for pyboehm's own support of gdb, which comes with the
   library.  Constant. */
struct PyBoehm_LayoutItem {
    const char *name;
    const void *value;
};
PyAPI_DATA(const struct PyBoehm_LayoutItem) PyBoehm_Layout[];

#ifdef __cplusplus
}
#endif

#endif /* PYBOEHM_WATCH_H */
