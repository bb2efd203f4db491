/* sets.h: sets of small numbers, which tests compare as masks, bit i for the
   number i: sets promise no order. */

#ifndef T_SETS_H
#define T_SETS_H

#include "suite.h"

/* set and frozenset. */
extern PyTypeObject *const sets_types[2];

/* sets_list: the numbers of a mask as a new list, the last one twice. */
PyObject *sets_list(unsigned mask);

/* sets_make, sets_new: type(numbers of the mask), set(numbers of the mask). */
PyObject *sets_make(PyTypeObject *type, unsigned mask);
PyObject *sets_new(unsigned mask);

/* sets_mask: the mask for a set; each number comes once. */
unsigned sets_mask(PyObject *set);

/* sets_expect: op is of exactly that type and has the numbers; takes the
   reference away. */
void sets_expect(PyObject *op, PyTypeObject *type, unsigned mask);

/* sets_call: op.name(other), a new reference or NULL. */
PyObject *sets_call(PyObject *op, const char *name, PyObject *other);

/* sets_add: adds a number. */
void sets_add(PyObject *set, long number);

#endif /* T_SETS_H */
