/* traverse.h: calling tp_traverse, and what is checked then.

   With checks each call comes between two more, which look at what is visited
   and at the reference counts: a tp_traverse visits living objects, and has no
   other effect. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_TRAVERSE_H
#define PYB_GC_TRAVERSE_H

#include "gc/fatal.h"

/* pyb_traverse_checked: pyb_traverse with checks.  No exception is pending. */
void pyb_traverse_checked(PyObject *op, visitproc visit, void *arg);

/* pyb_traverse_try: fatal if something is wrong with op's tp_traverse. */
void pyb_traverse_try(PyObject *op);

/* pyb_traverse: shows all that op refers to to a visitor that has no effect
   on objects either. */
static inline void
pyb_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (_PyB_LIKELY(!pyb_checks))
        Py_TYPE(op)->tp_traverse(op, visit, arg);
    else
        pyb_traverse_checked(op, visit, arg);
}

#endif /* PYB_GC_TRAVERSE_H */
