/* collector.h: what the tests of the module gc have in common. */

#ifndef T_COLLECTOR_H
#define T_COLLECTOR_H

#include <pyboehm.h>

#include "node.h"

/* The module gc, between collector_begin and collector_end. */
extern PyObject *gc;

/* gc.name(args); the format is Py_BuildValue's. */
#define GC(name, ...) PyObject_CallMethod(gc, name, __VA_ARGS__)

/* collector_begin, collector_end: around each test; the nodes are as after
   node_reset, and nothing is garbage. */
void collector_begin(void);
void collector_end(void);

/* collector_count_in: how often op stands in the list.
   collector_assert_lists: it does so that many times; takes the list away. */
Py_ssize_t collector_count_in(PyObject *list, void *op);
void collector_assert_lists(PyObject *list, void *op, Py_ssize_t times);

/* collector_take_count: how often op is among the objects, which are freed. */
Py_ssize_t collector_take_count(PyBoehm_GC_Objects *objects, void *op);

/* collector_generation_of: the generation in which op is found; -1 if in
   none. */
int collector_generation_of(void *op);

/* How often collections of each generation began and ended, and what they
   found, since collector_note_all. */
struct collector_noted {
    int starts[PyBoehm_GC_GENERATIONS], stops[PyBoehm_GC_GENERATIONS];
    Py_ssize_t collected, uncollectable;
    int order_broken;
};
extern struct collector_noted collector_noted;

/* collector_note_all: adds collector_note as a callback of the collector. */
void collector_note_all(void);
void collector_note(const char *phase, const PyBoehm_GC_Info *info, void *arg);

#endif /* T_COLLECTOR_H */
