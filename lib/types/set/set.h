/* set.h: declarations that the files of sets share.

   A set contains a dictionary with None for all values as its first field.
   The functions of dict.h use only its table. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SET_SET_H
#define PYB_TYPES_SET_SET_H

#include "gc/base/fatal.h"
#include "types/dict/dict.h"

#define PYB_SET(op) PYB_CAST(PySetObject, PyAnySet_Check, op)
#define PYB_SET_TABLE(op) (&PYB_SET(op)->_pyb_elements)

/* pyb_set_make: a set or frozenset of exactly that type with the items of an
   iterable, NULL: empty.  A new reference, or NULL with an exception. */
PyObject *pyb_set_make(PyTypeObject *type, PyObject *iterable);

/* pyb_set_like: likewise, of type set or frozenset, whichever op is or
   inherits from. */
PyObject *pyb_set_like(PyObject *op, PyObject *iterable);

/* pyb_set_iter: an iterator over a set or frozenset.  A new reference, or NULL
   with an exception. */
PyObject *pyb_set_iter(PyObject *op);

/* These change op, a set, or a frozenset that no other code can reach; other
   is an iterable.  If other is a set, a frozenset or exactly a dictionary, its
   table is walked without an iterator.  0, or -1 with an exception. */
int pyb_set_update(PyObject *op, PyObject *other);
int pyb_set_difference_update(PyObject *op, PyObject *other);
int pyb_set_symmetric_update(PyObject *op, PyObject *other);

/* pyb_set_intersection: the items of other, an iterable, that are elements of
   op, in a set like op.  A new reference, or NULL with an exception. */
PyObject *pyb_set_intersection(PyObject *op, PyObject *other);

/* pyb_set_is_disjoint, pyb_set_is_subset, pyb_set_is_superset: op is a set or
   a frozenset, other an iterable.  1, 0, or -1 with an exception. */
int pyb_set_is_disjoint(PyObject *op, PyObject *other);
int pyb_set_is_subset(PyObject *op, PyObject *other);
int pyb_set_is_superset(PyObject *op, PyObject *other);

/* pyb_set_compare: a op b, in the order of subsets, for objects with sizes;
   contained tests whether all items of its first argument are in the second:
   1, 0, or -1 with an exception.  A new reference, or NULL with an
   exception. */
PyObject *pyb_set_compare(PyObject *a, PyObject *b, int op,
                          int (*contained)(PyObject *, PyObject *));

#endif /* PYB_TYPES_SET_SET_H */
