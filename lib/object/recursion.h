/* recursion.h: how deep one thread is in calls and in reprs. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_RECURSION_H
#define PYB_OBJECT_RECURSION_H

#include "Python.h"

/* All zero: not at all. */
struct pyb_recursion {
    int depth;
    int raising;
    PyObject **printing;
    Py_ssize_t nprinting;
    Py_ssize_t room;
};

/* pyb_recursion_exchange: another thread's turn: *other and what is under way
   now change places. */
void pyb_recursion_exchange(struct pyb_recursion *other);

#endif /* PYB_OBJECT_RECURSION_H */
