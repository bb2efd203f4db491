/* stacks.h: finds the thread of the stack that contains an address. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_STACKS_H
#define PYB_WATCH_MEMORY_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct pyb_stacks {
    size_t n;
    struct pyb_stack {
        long thread;               /* its native id */
        int mine;                  /* the calling thread */
        uintptr_t begin, top, end; /* top to end is in use */
    } all[64];                     /* further threads are left out */
};

/* pyb_stacks_take: finds the stacks of this thread, which is in use above
   ground, and of other threads that wait in a system call. */
void pyb_stacks_take(struct pyb_stacks *stacks, uintptr_t ground);

/* pyb_stacks_find: the stack that an address is on, or NULL. */
const struct pyb_stack *pyb_stacks_find(const struct pyb_stacks *stacks,
                                        uintptr_t address);

#endif /* PYB_WATCH_MEMORY_STACKS_H */
