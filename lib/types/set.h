/* set.h: what the files on sets share.

   A set is, inside, a dictionary whose values are all None: its first field,
   of which the functions of dict.h know no more than the table. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SET_H
#define PYB_TYPES_SET_H

#include "types/dict.h"

#define PYB_SET(op) ((PySetObject *)(op))
#define PYB_SET_TABLE(op) (&PYB_SET(op)->_pyb_elements)

/* pyb_set_make: a set or frozenset of exactly that type with what an iterable
   gives, NULL: empty.  A new reference, or NULL with an exception. */
PyObject *pyb_set_make(PyTypeObject *type, PyObject *iterable);

/* pyb_set_like: the same of the type set or frozenset that op is or inherits
   from. */
PyObject *pyb_set_like(PyObject *op, PyObject *iterable);

/* pyb_set_iter: an iterator over a set or frozenset.  A new reference, or NULL
   with an exception. */
PyObject *pyb_set_iter(PyObject *op);

/* These take for op, which they change, a set or a frozenset that nobody else
   has seen; for other an iterable.  A table of elements is walked over without
   asking for an iterator if other is a set, a frozenset or exactly a
   dictionary.  0, or -1 with an exception. */
int pyb_set_update(PyObject *op, PyObject *other);
int pyb_set_difference_update(PyObject *op, PyObject *other);
int pyb_set_symmetric_update(PyObject *op, PyObject *other);

/* pyb_set_intersection: what other, an iterable, gives of op's elements, in a
   set like op.  A new reference, or NULL with an exception. */
PyObject *pyb_set_intersection(PyObject *op, PyObject *other);

/* pyb_set_is_disjoint, pyb_set_is_subset, pyb_set_is_superset: op is a set or
   a frozenset, other an iterable.  1, 0, or -1 with an exception. */
int pyb_set_is_disjoint(PyObject *op, PyObject *other);
int pyb_set_is_subset(PyObject *op, PyObject *other);
int pyb_set_is_superset(PyObject *op, PyObject *other);

/* pyb_set_compare: a op b, in the order of subsets, for objects with sizes;
   contained says of two of them whether all that the first gives is in the
   second: 1, 0, or -1 with an exception.  A new reference, or NULL with an
   exception. */
PyObject *pyb_set_compare(PyObject *a, PyObject *b, int op,
                          int (*contained)(PyObject *, PyObject *));

#endif /* PYB_TYPES_SET_H */
