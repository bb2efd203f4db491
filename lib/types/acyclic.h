/* acyclic.h: containers that cannot be part of a cycle, and are not tracked.

   The rule is CPython's.  A tuple starts out tracked; a collection untracks it
   when none of its items can ever be tracked, which is final.  A dict starts
   out untracked and is tracked as soon as an object that may be tracked is
   inserted; a full collection untracks it if all such objects are gone.  So
   the contents of an untracked tuple or dict are never part of a cycle.

   Instances of subtypes stay tracked: they may have more members. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ACYCLIC_H
#define PYB_TYPES_ACYCLIC_H

#include "Python.h"

#include "gc/heap/sidetable.h"

/* pyb_acyclic_is_tracked: PyObject_GC_IsTracked for an object that is known to
   be in pyboehm's heap, as every exact dict is. */
static inline int
pyb_acyclic_is_tracked(const void *op)
{
    const struct pyb_line *line = pyb_line_of(op);

    return line != NULL && (line->tracked & pyb_bit_of(op)) != 0;
}

/* pyb_acyclic_may_be_tracked: is op tracked, or could it be one day?  All
   containers may, except for exact tuples that were untracked, which never
   change. */
static inline int
pyb_acyclic_may_be_tracked(PyObject *op)
{
    if (!PyType_IS_GC(Py_TYPE(op)))
        return 0;
    return PyTuple_CheckExact(op) ? pyb_acyclic_is_tracked(op)
                                  : PyObject_IS_GC(op);
}

/* pyb_acyclic_is: the collector's upcall is_acyclic; see gc/base/upcalls.h. */
int pyb_acyclic_is(PyObject *op, int full);

#endif /* PYB_TYPES_ACYCLIC_H */
