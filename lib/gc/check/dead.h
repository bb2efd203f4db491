/* dead.h: the type that freed objects have while they are in quarantine.

   Its slots are fatal: what uses a freed object through its type is caught
   where it does so.  A freed object has one reference: one that is released
   too many brings the count down to 0, and _Py_Dealloc is called. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_DEAD_H
#define PYB_GC_CHECK_DEAD_H

#include "gc/base/fatal.h"

extern PyTypeObject pyb_dead_type;

/* pyb_is_dead: was the object that stands at this address, which is readable,
   freed, and is it in quarantine? */
static inline int
pyb_is_dead(const PyObject *op)
{
    return op->ob_type == &pyb_dead_type;
}

/* pyb_dead_given: fatal if an object that a function has refused for its type
   was freed, and is in quarantine; NULL is not. */
void pyb_dead_given(const char *function, PyObject *op);

/* pyb_dead_kept: with checks: the same of an object that is about to be kept.
   The count of a freed one would rise and fall again with the container, and
   nothing be seen of it. */
static inline void
pyb_dead_kept(const char *function, PyObject *op)
{
    if (_PyB_UNLIKELY(pyb_checks))
        pyb_dead_given(function, op);
}

/* pyb_dead_named: with checks: fatal if a text is the name of the type that
   freed objects have: a message is about one. */
void pyb_dead_named(const char *text);

/* pyb_dead_released: fatal: a reference to it was released. */
_Py_NO_RETURN void pyb_dead_released(PyObject *op);

#endif /* PYB_GC_CHECK_DEAD_H */
