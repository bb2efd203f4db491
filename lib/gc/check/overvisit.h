/* overvisit.h: with checks: an object is visited more often than it is
   referred to. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_OVERVISIT_H
#define PYB_GC_CHECK_OVERVISIT_H

#include "gc/heap/walk.h"

/* pyb_overvisit: names the candidates that visit op, by type, and dies
   with the names of the types that pay the most visits. */
_Py_NO_RETURN void pyb_overvisit(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_CHECK_OVERVISIT_H */
