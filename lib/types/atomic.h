/* atomic.h: containers that cannot be part of a cycle, and are not tracked.

   The rule is CPython's.  A tuple starts out tracked; a collection untracks it
   once nothing in it may ever be tracked, which then holds for life.  A dict
   starts out untracked and is tracked as soon as something that may be tracked
   is put in; a full collection untracks it if all of that is gone.  So what an
   untracked tuple or dict holds is never part of a cycle.

   Instances of subtypes stay tracked: they may have more members. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ATOMIC_H
#define PYB_TYPES_ATOMIC_H

#include "Python.h"

#include "gc/sidetable.h"

/* pyb_atomic_is_tracked: PyObject_GC_IsTracked for what is known to be an
   object of ours, as every exact dict is. */
static inline int
pyb_atomic_is_tracked(const void *op)
{
    const struct pyb_card *card = pyb_card_of(op);

    return card != NULL && (card->tracked & pyb_bit_of(op)) != 0;
}

/* pyb_atomic_may_be_tracked: is op tracked, or could it be one day?  All
   containers may but exact tuples that were untracked, as these never
   change. */
static inline int
pyb_atomic_may_be_tracked(PyObject *op)
{
    if (!PyType_IS_GC(Py_TYPE(op)))
        return 0;
    return PyTuple_CheckExact(op) ? pyb_atomic_is_tracked(op)
                                  : PyObject_IS_GC(op);
}

#endif /* PYB_TYPES_ATOMIC_H */
