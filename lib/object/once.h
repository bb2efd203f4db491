/* once.h: what is made when it is first asked for.

   Making an object may run finalizers, and these may ask for the same thing:
   the place has to be looked at again afterwards. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ONCE_H
#define PYB_OBJECT_ONCE_H

#include "Python.h"

/* pyb_once: puts the fresh object, which is stolen, into the place unless
   something is there by now.  0, or -1 if fresh is NULL and nothing is
   there. */
static inline int
pyb_once(PyObject **place, PyObject *fresh)
{
    if (*place == NULL)
        *place = fresh;
    else
        Py_XDECREF(fresh);
    return *place != NULL ? 0 : -1;
}

#endif /* PYB_OBJECT_ONCE_H */
