/* overvisit.h: with checks: which types visit an object more often than they
   refer to it, or than it is referred to at all. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_OVERVISIT_H
#define PYB_GC_CHECK_OVERVISIT_H

#include "gc/heap/walk.h"

/* pyb_overvisit_try: fatal if op, which visits these n objects, visits one
   more often than its body has the address, and nothing in the body could own
   it, too. */
void pyb_overvisit_try(PyObject *op, PyObject *const *visited, size_t n);

/* pyb_overvisit: names the candidates that visit op, by type, and dies
   with the names of the types that pay the most visits. */
_Py_NO_RETURN void pyb_overvisit(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_CHECK_OVERVISIT_H */
