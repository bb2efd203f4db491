/* recursion.h: the depth of one thread's calls and reprs. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_RECURSION_H
#define PYB_RUNTIME_RECURSION_H

#include "Python.h"

#include "runtime/stacklimit.h"

/* Zero: no calls and no reprs. */
struct pyb_recursion {
    int depth;
    int raising;
    PyObject **printing;
    Py_ssize_t nprinting;
    Py_ssize_t room;
    struct pyb_stacklimit stack;
};

/* pyb_recursion_exchange: another thread is attached: exchanges *other and the
   state under way. */
void pyb_recursion_exchange(struct pyb_recursion *other);

/* pyb_recursion_has_stack: 0, or -1 with RecursionError if the stack is short.
   For recursion that has no other bound. */
int pyb_recursion_has_stack(const char *where);

#endif /* PYB_RUNTIME_RECURSION_H */
