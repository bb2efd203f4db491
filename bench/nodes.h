/* nodes.h: the containers that most benchmarks are made of, and how a program
   with Python's API starts.

   All of it is public API: the same source serves pyboehm and CPython. */

#ifndef BENCH_NODES_H
#define BENCH_NODES_H

#include <Python.h>

#include "bench.h"

/* A container of two references, with a static type. */
struct pair {
    PyObject_HEAD
    PyObject *left, *right;
};
extern PyTypeObject pair_type;

/* A container of three. */
enum { DEGREE = 3 };
struct triple {
    PyObject_HEAD
    PyObject *to[DEGREE];
};
extern PyTypeObject triple_type;

/* nodes_start: initialises Python.  CPython's interpreter has some thousands
   of containers of its own by then: both sides freeze what there is, so that
   a collection looks at the benchmark's objects only. */
void nodes_start(void);

/* nodes_collect: a full collection, which must find so many dead; its
   time in nanoseconds. */
double nodes_collect(size_t dead);

/* nodes_collect_own: the same of the containers alone: pyboehm leaves Boehm's
   heap alone.  CPython knows no other. */
double nodes_collect_own(size_t dead);

/* nodes_chain: n pairs, each owned through left by the one that was made
   before it; the first one, owned by the caller.  Nothing is collected
   meanwhile. */
struct pair *nodes_chain(size_t n);

/* nodes_graph: n > 0 triples that refer to each other at random, such that
   all can be reached from each; the caller owns all in the array, which is
   freed with free. */
struct triple **nodes_graph(size_t n);

/* pair_new, triple_new: a tracked object without references. */
static inline struct pair *
pair_new(void)
{
    struct pair *self = PyObject_GC_New(struct pair, &pair_type);

    if (self == NULL)
        bench_fail("no memory");
    self->left = self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

static inline struct triple *
triple_new(void)
{
    struct triple *self = PyObject_GC_New(struct triple, &triple_type);

    if (self == NULL)
        bench_fail("no memory");
    for (int i = 0; i < DEGREE; i++)
        self->to[i] = NULL;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

/* pair_tie: each holds the other; the caller goes on owning a. */
static inline void
pair_tie(struct pair *a, struct pair *b)
{
    a->left = (PyObject *)b;
    b->left = Py_NewRef(a);
}

/* nodes_tie: makes a pair of which each holds the other, and which nothing
   else holds: cyclic garbage. */
static inline void
nodes_tie(void)
{
    struct pair *a = pair_new();

    pair_tie(a, pair_new());
    Py_DECREF(a);
}

#endif /* BENCH_NODES_H */
