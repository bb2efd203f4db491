/* recursion.h: the depth of one thread's calls and reprs. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_RECURSION_H
#define PYB_RUNTIME_RECURSION_H

#include "Python.h"

#include "gc/base/fatal.h"
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

/* The state of the attached thread, and the bound on its depth. */
extern struct pyb_recursion pyb_recursion;
extern int pyb_recursion_limit;

/* pyb_recursion_enter, pyb_recursion_leave: Py_EnterRecursiveCall and
   Py_LeaveRecursiveCall, for calls that cost little themselves. */
static inline int
pyb_recursion_enter(const char *where)
{
    if (_PyB_UNLIKELY(pyb_recursion.depth >= pyb_recursion_limit ||
                      pyb_stacklimit_is_short(&pyb_recursion.stack)))
        return Py_EnterRecursiveCall(where);
    pyb_recursion.depth++;
    return 0;
}

static inline void
pyb_recursion_leave(void)
{
    PYB_ASSERT(pyb_recursion.depth > 0); /* there was a pyb_recursion_enter */
    pyb_recursion.depth--;
}

/* pyb_recursion_exchange: another thread is attached: exchanges *other and the
   state under way. */
void pyb_recursion_exchange(struct pyb_recursion *other);

/* pyb_recursion_has_stack: 0, or -1 with RecursionError if the stack is short.
   For recursion that has no other bound. */
int pyb_recursion_has_stack(const char *where);

#endif /* PYB_RUNTIME_RECURSION_H */
