/* watched.h: types that an audit watches, one good, one to be broken. */

#ifndef T_WATCHED_H
#define T_WATCHED_H

#include <Python.h>

struct thing {
    PyObject_HEAD
    PyObject *left, *right; /* owned, visited, cleared; left is "first" */
    size_t n;
};

/* The slots of a good type, and of one that has a tp_finalize. */
int thing_traverse(PyObject *op, visitproc visit, void *arg);
int thing_clear(PyObject *op);
void thing_dealloc(PyObject *op);
void finalizing_dealloc(PyObject *op);

/* events.Good; events.Bad, which a test breaks before the first one is made.
 */
extern PyTypeObject Good_type, Bad_type;

/* watch: the library begins anew, and is watched from here on; Bad_type is as
   good as the other. */
void watch(void);

/* new_thing: one with the reference that is given to it.  raw_thing: without
   any field set, and not tracked. */
PyObject *new_thing(PyTypeObject *type, PyObject *left);
struct thing *raw_thing(PyTypeObject *type);

/* make_loop: one that nothing refers to but itself. */
void make_loop(PyTypeObject *type);

/* kill_three: one dies by count, one with a good one in a collection, and one
   that refers to itself. */
void kill_three(PyTypeObject *type);

/* A tp_finalize that appends its object to the list. */
extern PyObject *kept;
void keeping_finalize(PyObject *op);

/* expect: that is all there is to say, in so many of so many, and of that
   function.  expect_nothing: there is nothing to say. */
void expect(const char *what, size_t n, size_t of, const void *slot);
void expect_nothing(void);

#endif /* T_WATCHED_H */
