/* recursion.h: how deep one thread is in calls and in reprs. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_RECURSION_H
#define PYB_OBJECT_RECURSION_H

#include "Python.h"

#include "object/stackroom.h"

/* All zero: not at all. */
struct pyb_recursion {
    int depth;
    int raising;
    PyObject **printing;
    Py_ssize_t nprinting;
    Py_ssize_t room;
    struct pyb_stackroom stack;
};

/* pyb_recursion_exchange: another thread's turn: *other and what is under way
   now change places. */
void pyb_recursion_exchange(struct pyb_recursion *other);

/* pyb_recursion_has_stack: 0, or -1 with RecursionError: for what nests as
   deep as the stack allows, and has no bound else. */
int pyb_recursion_has_stack(const char *where);

#endif /* PYB_OBJECT_RECURSION_H */
