/* blame.h: with checks: who visits an object more often than it is referred
   to. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BLAME_H
#define PYB_GC_BLAME_H

#include "gc/walk.h"

/* pyb_blame: names everyone among the candidates who visits op, and dies with
   the names of the types that pay the most visits. */
_Py_NO_RETURN void pyb_blame(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_BLAME_H */
