/* overvisit.h: with checks: which types visit an object more often than they
   refer to it, or than it is referred to at all. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_OVERVISIT_H
#define PYB_GC_CHECK_OVERVISIT_H

#include "gc/heap/walk.h"

/* pyb_overvisit_look: op visits these n objects; notes it if it seems to visit
   one more often than its body refers to it.  The counts have the last word: a
   type may own what its body has once, or not at all.
   pyb_overvisit_recall: an object was cleared as garbage, and has an owner:
   fatal if that was noted of visits to objects of its type. */
void pyb_overvisit_look(PyObject *op, PyObject *const *visited, size_t n);
void pyb_overvisit_recall(PyObject *to);

/* pyb_overvisit: names the candidates that visit op, by type, and dies
   with the names of the types that pay the most visits. */
_Py_NO_RETURN void pyb_overvisit(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_CHECK_OVERVISIT_H */
