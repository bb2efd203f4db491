/* threadstack.h: the stack that the system gave this thread, for which a
   host's fibers have others. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_THREADSTACK_H
#define PYB_GC_BASE_THREADSTACK_H

#include <stdint.h>

/* From low up to high; empty where the system does not tell. */
struct pyb_threadstack {
    uintptr_t low, high;
};

/* pyb_threadstack: asks the system, which takes microseconds. */
struct pyb_threadstack pyb_threadstack(void);

static inline int
pyb_threadstack_has(struct pyb_threadstack stack, uintptr_t address)
{
    return address - stack.low < stack.high - stack.low;
}

/* Of functions that handle members of a set, and are called by those in which
   Boehm is asked: an address left in the caller's frame would be one that
   Boehm sees.  Link-time optimization joins what files keep apart. */
#define PYB_OWN_FRAME __attribute__((noinline))

/* pyb_threadstack_clear: overwrites what calls that have returned left on the
   stack.  The frames of those that lead to Boehm will lie there, not all of
   their words are ever written, and Boehm looks at all of them. */
void pyb_threadstack_clear(void);

#endif /* PYB_GC_BASE_THREADSTACK_H */
